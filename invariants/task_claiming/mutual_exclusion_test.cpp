#include "invariants/task_claiming/mutual_exclusion.h"

#include <gtest/gtest.h>

#include "invariants/task_claiming/task_fixture.h"

namespace lockstep::invariants::task_claiming {
namespace {

TEST(TaskMutualExclusion, RejectsTwoThatExecuteATask) {
  TaskFixture task;
  task.Executing(0, 1);
  task.Executing(1, 1);
  const auto violation = MutualExclusion(task.machine, task.state);
  EXPECT_THAT(violation, Breaks("MutualExclusion"));
  EXPECT_EQ(violation->message, "w1 and w2 are both EXECUTING t2");
}

TEST(TaskMutualExclusion, RejectsADeadOneBesideALivingOne) {
  TaskFixture task;
  task.Executing(0, 0);
  task.Executing(1, 0);
  task.state.worker_alive[0] = false;
  EXPECT_THAT(MutualExclusion(task.machine, task.state), Breaks("MutualExclusion"));
}

TEST(TaskMutualExclusion, AcceptsOneEach) {
  TaskFixture task;
  task.Executing(0, 0);
  task.Executing(1, 1);
  EXPECT_THAT(MutualExclusion(task.machine, task.state), Holds());
}

TEST(TaskMutualExclusion, IgnoresLocksAndOtherStates) {
  TaskFixture task;
  task.Executing(0, 0);
  task.At(1, WorkerState::UNLOCKING, 0);
  task.Lock(0, 1);
  EXPECT_THAT(MutualExclusion(task.machine, task.state), Holds());
}

}  // namespace
}  // namespace lockstep::invariants::task_claiming
