#include "invariants/task_claiming/no_orphan_execution.h"

#include <gtest/gtest.h>

#include "invariants/task_claiming/task_fixture.h"

namespace lockstep::invariants::task_claiming {
namespace {

TEST(TaskNoOrphanExecution, RejectsWhoExecutesUnderADeadOnesLock) {
  TaskFixture task;
  task.Lock(1, 1);
  task.state.worker_alive[1] = false;
  task.Executing(0, 1);
  const auto violation = NoOrphanExecution(task.machine, task.state);
  EXPECT_THAT(violation, Breaks("NoOrphanExecution"));
  EXPECT_EQ(violation->message, "w1 is EXECUTING t2, whose lock the dead w2 holds");
}

TEST(TaskNoOrphanExecution, AcceptsTheDeadOneItself) {
  TaskFixture task;
  task.Lock(0, 0);
  task.Executing(0, 0);
  task.state.worker_alive[0] = false;
  task.Executing(1, 1);
  EXPECT_THAT(NoOrphanExecution(task.machine, task.state), Holds());
}

TEST(TaskNoOrphanExecution, IgnoresLocksOfTheLiving) {
  TaskFixture task;
  task.Lock(0, 0);
  task.Executing(1, 0);
  EXPECT_THAT(NoOrphanExecution(task.machine, task.state), Holds());
}

}  // namespace
}  // namespace lockstep::invariants::task_claiming
