// The machine under each dialect: the figures that TLC counts on its module, and the histories that
// the dialect is there for. That the properties fail as they should is in
// invariants/task_claiming/dialects_test.cpp.
//
// Figures are TLC's, one worker, no invariants: the constants of TaskClaiming_small.cfg; the second
// row of each with VIEW WithoutLockVersions and no constraint.
#include <gtest/gtest.h>

#include <vector>

#include "protocol/task_claiming/enumeration_for_tests.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::protocol::task_claiming {
namespace {

using Kind = ActionKind;

struct Pinned {
  Dialect dialect;
  Figures figures;
  Figures quotient;
};

TEST(TaskDialects, HaveTheStatesThatTlcCounts) {
  const std::vector<Pinned> table = {
      {{true, false}, {67276, 249961, 25}, {9684, 35413, 22}},
      {{false, true}, {25132, 90849, 25}, {9696, 33425, 29}},
      {{true, true}, {117324, 492817, 25}, {28712, 115769, 31}},
  };
  for (const Pinned& pinned : table) {
    Constants constants = SmallConstants();
    constants.dialect = pinned.dialect;
    EXPECT_EQ(Enumerate(Machine(constants)), pinned.figures);
    EXPECT_EQ(Enumerate(Machine(constants), {View::kWithoutLockVersions, {}, {}}), pinned.quotient);
  }
}

class TaskDialect : public testing::Test {
 protected:
  [[nodiscard]] bool Enabled(Kind kind, WorkerIndex worker, TaskIndex task = 0) const {
    return machine.Enabled(state, {kind, worker, task});
  }
  void Take(Kind kind, WorkerIndex worker, TaskIndex task = 0) {
    ASSERT_TRUE(Enabled(kind, worker, task)) << machine.ToString({kind, worker, task});
    machine.Apply(state, {kind, worker, task}, changes);
  }
  void Lock(WorkerIndex worker, TaskIndex task) {
    Take(Kind::ScanTasks, worker, task);
    Take(Kind::TryLockSuccess, worker);
  }

  Constants constants = SmallConstants();
  Machine machine{constants};
  State state = machine.Init();
  Changes changes;
};

// A worker that came back over its own lock and scans the same task again is stuck: only another
// crash is left to it.
TEST_F(TaskDialect, MarkdownRecoverLeavesAWorkerBeforeItsOwnLock) {
  constants.dialect.recover_markdown = true;
  Lock(0, 0);
  Take(Kind::WorkerCrash, 0);
  Take(Kind::WorkerRecover, 0);
  Take(Kind::ScanTasks, 0, 0);
  for (std::size_t k = 0; k < kActionKinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    EXPECT_EQ(Enabled(kind, 0), kind == Kind::WorkerCrash) << Name(kind);
  }
  Take(Kind::WorkerCrash, 0);
  Take(Kind::SessionExpiry, 0);
  Take(Kind::WorkerRecover, 0);
  ASSERT_NO_FATAL_FAILURE(Lock(0, 0));
}

// A living worker whose session has ended goes on, beside the one that claims the task next.
TEST_F(TaskDialect, LiveExpiryLetsTwoExecuteATask) {
  Lock(0, 0);
  EXPECT_FALSE(Enabled(Kind::SessionExpiry, 0)) << "upstream's";
  constants.dialect.live_session_expiry = true;
  Take(Kind::SessionExpiry, 0);
  EXPECT_FALSE(Enabled(Kind::SessionExpiry, 0)) << "nothing is left to expire";
  Lock(1, 0);
  EXPECT_EQ(state.worker_state[0], WorkerState::EXECUTING);
  EXPECT_EQ(state.worker_state[1], WorkerState::EXECUTING);
  EXPECT_EQ(state.worker_task[0], state.worker_task[1]);
}

// Both have failed, and so did the task once more than MaxFailures allows.
TEST_F(TaskDialect, LiveExpiryLetsATaskFailTooOften) {
  constants.dialect.live_session_expiry = true;
  constants.max_failures = 1;
  Lock(0, 0);
  Take(Kind::SessionExpiry, 0);
  Lock(1, 0);
  Take(Kind::ExecuteTaskFailure, 0);
  Take(Kind::ExecuteTaskFailure, 1);
  EXPECT_EQ(state.task_fail_count[0], 2);
}

}  // namespace
}  // namespace lockstep::protocol::task_claiming
