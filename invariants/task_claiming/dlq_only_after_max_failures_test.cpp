#include "invariants/task_claiming/dlq_only_after_max_failures.h"

#include <gtest/gtest.h>

#include "invariants/task_claiming/task_fixture.h"

namespace lockstep::invariants::task_claiming {
namespace {

TEST(TaskDLQOnlyAfterMaxFailures, RejectsADeadLetterOneFailureEarly) {
  TaskFixture task;
  task.state.task_status[1] = TaskStatus::DLQ;
  task.state.task_fail_count[1] = 1;
  const auto violation = DLQOnlyAfterMaxFailures(task.machine, task.state);
  EXPECT_THAT(violation, Breaks("DLQOnlyAfterMaxFailures"));
  EXPECT_EQ(violation->message, "t2 is DLQ with 1 of 2 failures");
}

TEST(TaskDLQOnlyAfterMaxFailures, AcceptsADeadLetterWithAllItsFailures) {
  TaskFixture task;
  task.state.task_status[1] = TaskStatus::DLQ;
  task.state.task_fail_count[1] = 2;
  EXPECT_THAT(DLQOnlyAfterMaxFailures(task.machine, task.state), Holds());
}

TEST(TaskDLQOnlyAfterMaxFailures, IgnoresTasksThatAreNone) {
  TaskFixture task;
  task.state.task_fail_count = {2, 1};
  task.state.task_status[1] = TaskStatus::COMMITTED;
  EXPECT_THAT(DLQOnlyAfterMaxFailures(task.machine, task.state), Holds());
}

}  // namespace
}  // namespace lockstep::invariants::task_claiming
