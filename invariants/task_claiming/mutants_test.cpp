// What the properties say of every mutant: which one is broken first, and in how many steps.
//
// A mutant without a property breaks none of the upstream ones; that it is not the module shows in
// its figures alone (protocol/task_claiming/task_claiming_mutants_test.cpp). Some of these are what
// the stronger oracles and the leads-to properties are for.
#include <gtest/gtest.h>

#include <map>
#include <string_view>

#include "invariants/task_claiming/search_for_tests.h"

namespace lockstep::invariants::task_claiming {
namespace {

using protocol::task_claiming::Constants;
using protocol::task_claiming::MutantOfMachine;
using protocol::task_claiming::MutantsOfMachine;
using protocol::task_claiming::SmallConstants;

const std::map<std::string_view, Finding>& PinnedFindings() {
  static const std::map<std::string_view, Finding> pinned = {
      {"ScanTasks of a task that is done", {}},
      {"ScanTasks of unlocked tasks only", {}},
      {"TryLockSuccess on a locked task", {"MutualExclusion", 4}},
      {"TryLockSuccess on a task that is done", {"NoDoubleExecution", 6}},
      {"TryLockFail for a lock only", {}},
      {"TryLockFail for one's own lock", {"LockConsistency", 4}},
      {"ExecuteTaskSuccess of a task that is done", {"MutualExclusion", 5}},
      {"ExecuteTaskFailure of a task in INIT only", {"MutualExclusion", 5}},
      {"UnlockTask by the holder only", {"MutualExclusion", 5}},
      {"WorkerCrash of a busy worker only", {}},
      {"SessionExpiry without a lock", {}},
      {"WorkerRecover with locks", {"LockConsistency", 4}},
      {"TryLockSuccess without a record", {"MutualExclusion", 4}},
      {"TryLockSuccess that uses versions twice", {}},
      {"TryLockFail that keeps its task", {}},
      {"ExecuteTaskFailure that is not counted", {}},
      {"ExecuteTaskFailure that gives up at once", {"DLQOnlyAfterMaxFailures", 3}},
      {"ExecuteTaskFailure that gives up one late", {"TypeOK", 11}},
      {"UnlockTask that leaves the lock", {"LockConsistency", 4}},
      {"UnlockTask that keeps its task", {}},
      {"WorkerCrash that forgets the task", {}},
      {"SessionExpiry that leaves the belief", {"MutualExclusion", 6}},
      {"SessionExpiry that leaves the locks", {}},
      {"WorkerRecover that keeps its task", {}},
  };
  return pinned;
}

TEST(TaskMutantProperties, RejectEveryMutantThatBreaksOne) {
  const std::vector<MutantOfMachine> mutants = MutantsOfMachine();
  EXPECT_EQ(mutants.size(), PinnedFindings().size());
  for (const MutantOfMachine& mutant : mutants) {
    Constants constants = SmallConstants();
    constants.dialect = mutant.dialect;
    EXPECT_EQ(FirstBroken(constants, mutant.deviation, TaskProperties()),
              PinnedFindings().at(mutant.what))
        << mutant.what;
  }
}

/// Each invariant breaks on one of them; NoOrphanExecution never first.
TEST(TaskMutantProperties, EachRejectAMutant) {
  for (const TaskProperty& property : TaskProperties()) {
    bool broken = false;
    for (const MutantOfMachine& mutant : MutantsOfMachine()) {
      Constants constants = SmallConstants();
      constants.dialect = mutant.dialect;
      broken = FirstBroken(constants, mutant.deviation, {&property, 1}) != Finding{};
      if (broken) break;
    }
    EXPECT_TRUE(broken) << property.name;
  }
}

}  // namespace
}  // namespace lockstep::invariants::task_claiming
