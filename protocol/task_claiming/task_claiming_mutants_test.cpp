// No guard and no effect can change unnoticed: the figures of every mutant, against the module's in
// the same dialect.
//
// What the properties say of the mutants is in invariants/task_claiming/mutants_test.cpp.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "protocol/task_claiming/mutants_for_tests.h"

namespace lockstep::protocol::task_claiming {
namespace {

Figures FiguresOf(const Dialect& dialect, const Deviation& deviation) {
  Constants constants = SmallConstants();
  constants.dialect = dialect;
  return Enumerate(Machine(constants), {View::kEverything, deviation, {}});
}

const std::map<std::string_view, Figures>& PinnedFigures() {
  static const std::map<std::string_view, Figures> pinned = {
      {"ScanTasks of a task that is done", {13860, 46889, 25}},
      {"ScanTasks of unlocked tasks only", {10412, 32481, 25}},
      {"TryLockSuccess on a locked task", {19396, 62857, 22}},
      {"TryLockSuccess on a task that is done", {14468, 46913, 25}},
      {"TryLockFail for a lock only", {12380, 38649, 25}},
      {"TryLockFail for one's own lock", {67276, 251097, 25}},
      {"ExecuteTaskSuccess of a task that is done", {26252, 96233, 25}},
      {"ExecuteTaskFailure of a task in INIT only", {24228, 86185, 25}},
      {"UnlockTask by the holder only", {25132, 87081, 25}},
      {"WorkerCrash of a busy worker only", {12340, 37575, 25}},
      {"SessionExpiry without a lock", {12380, 46013, 25}},
      {"WorkerRecover with locks", {67276, 249961, 25}},
      {"TryLockSuccess without a record", {7612, 23785, 21}},
      {"TryLockSuccess that uses versions twice", {2436, 7681, 20}},
      {"TryLockFail that keeps its task", {18364, 58873, 26}},
      {"ExecuteTaskFailure that is not counted", {3808, 12385, 21}},
      {"ExecuteTaskFailure that gives up at once", {5252, 16777, 25}},
      {"ExecuteTaskFailure that gives up one late", {15708, 51057, 25}},
      {"UnlockTask that leaves the lock", {45580, 140617, 26}},
      {"UnlockTask that keeps its task", {17724, 55865, 25}},
      {"WorkerCrash that forgets the task", {8238, 28961, 23}},
      {"SessionExpiry that leaves the belief", {17006, 51761, 25}},
      {"SessionExpiry that leaves the locks", {6680, 19761, 20}},
      {"WorkerRecover that keeps its task", {20452, 65881, 29}},
  };
  return pinned;
}

TEST(TaskMutants, HaveOtherFiguresThanTheModule) {
  const std::vector<MutantOfMachine> mutants = MutantsOfMachine();
  EXPECT_EQ(mutants.size(), PinnedFigures().size());
  for (const MutantOfMachine& mutant : mutants) {
    const Figures figures = FiguresOf(mutant.dialect, mutant.deviation);
    EXPECT_EQ(figures, PinnedFigures().at(mutant.what)) << mutant.what;
    EXPECT_FALSE(figures == FiguresOf(mutant.dialect, {})) << mutant.what;
  }
}

/// The mutant that is the dialect has the dialect's figures, and the one that never counts lock
/// versions has the quotient's.
TEST(TaskMutants, AreDialectsWhereTheyShouldBe) {
  const auto& pinned = PinnedFigures();
  EXPECT_EQ(pinned.at("WorkerRecover with locks"), FiguresOf(kMarkdownDialect, {}));
  EXPECT_EQ(pinned.at("TryLockSuccess that uses versions twice"),
            Enumerate(Machine(SmallConstants()), {View::kWithoutLockVersions, {}, {}}));
}

}  // namespace
}  // namespace lockstep::protocol::task_claiming
