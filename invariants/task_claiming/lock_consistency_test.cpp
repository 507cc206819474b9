#include "invariants/task_claiming/lock_consistency.h"

#include <gtest/gtest.h>

#include "invariants/task_claiming/task_fixture.h"

namespace lockstep::invariants::task_claiming {
namespace {

TEST(TaskLockConsistency, RejectsALockBesideTheTask) {
  TaskFixture task;
  task.Executing(0, 1);
  task.Lock(1, 0);
  task.Lock(0, 0);
  const auto violation = LockConsistency(task.machine, task.state);
  EXPECT_THAT(violation, Breaks("LockConsistency"));
  EXPECT_EQ(violation->message, "w1 is alive and holds the lock of t1, but its task is t2");
}

TEST(TaskLockConsistency, RejectsALockWithoutATask) {
  TaskFixture task;
  task.Lock(1, 1);
  const auto violation = LockConsistency(task.machine, task.state);
  EXPECT_THAT(violation, Breaks("LockConsistency"));
  EXPECT_EQ(violation->message, "w2 is alive and holds the lock of t2, but its task is NONE");
}

TEST(TaskLockConsistency, AcceptsTheLockOfTheTask) {
  TaskFixture task;
  task.Executing(0, 1);
  task.Lock(1, 0);
  task.At(1, WorkerState::SCANNING, 1);
  EXPECT_THAT(LockConsistency(task.machine, task.state), Holds());
}

TEST(TaskLockConsistency, IgnoresWhatTheDeadHold) {
  TaskFixture task;
  task.Lock(0, 0);
  task.Lock(1, 0);
  task.state.worker_alive[0] = false;
  EXPECT_THAT(LockConsistency(task.machine, task.state), Holds());
}

}  // namespace
}  // namespace lockstep::invariants::task_claiming
