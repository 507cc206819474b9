#include "invariants/task_claiming/no_double_execution.h"

#include <gtest/gtest.h>

#include "invariants/task_claiming/task_fixture.h"

namespace lockstep::invariants::task_claiming {
namespace {

TEST(TaskNoDoubleExecution, RejectsAnExecutionOfACommittedTask) {
  TaskFixture task;
  task.Executing(1, 1);
  task.state.task_status[1] = TaskStatus::COMMITTED;
  const auto violation = NoDoubleExecution(task.machine, task.state);
  EXPECT_THAT(violation, Breaks("NoDoubleExecution"));
  EXPECT_EQ(violation->message, "w2 is EXECUTING t2, which is COMMITTED");
}

TEST(TaskNoDoubleExecution, AcceptsWhoUnlocksACommittedTask) {
  TaskFixture task;
  task.At(0, WorkerState::UNLOCKING, 0);
  task.Executing(1, 1);
  task.state.task_status[0] = TaskStatus::COMMITTED;
  EXPECT_THAT(NoDoubleExecution(task.machine, task.state), Holds());
}

TEST(TaskNoDoubleExecution, IgnoresDeadLetters) {
  TaskFixture task;
  task.Executing(0, 0);
  task.state.task_status[0] = TaskStatus::DLQ;
  EXPECT_THAT(NoDoubleExecution(task.machine, task.state), Holds());
}

}  // namespace
}  // namespace lockstep::invariants::task_claiming
