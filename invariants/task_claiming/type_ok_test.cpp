#include "invariants/task_claiming/type_ok.h"

#include <gtest/gtest.h>

#include "invariants/task_claiming/task_fixture.h"

namespace lockstep::invariants::task_claiming {
namespace {

TEST(TaskTypeOK, RejectsAFailCountBeyondTheMaximum) {
  TaskFixture task;
  task.state.task_fail_count[1] = 3;
  const auto violation = TypeOK(task.machine, task.state);
  EXPECT_THAT(violation, Breaks("TypeOK"));
  EXPECT_EQ(violation->message, "taskFailCount[t2] is outside its domain");
}

TEST(TaskTypeOK, RejectsValuesThatAreNone) {
  const auto broken = [](const auto& change) {
    TaskFixture task;
    change(task.state);
    const auto violation = TypeOK(task.machine, task.state);
    EXPECT_THAT(violation, Breaks("TypeOK"));
    return violation ? violation->actual.ToJson() : "nothing";
  };
  using protocol::task_claiming::State;
  EXPECT_EQ(broken([](State& s) { s.task_status[0] = static_cast<TaskStatus>(4); }),
            R"({"taskStatus[t1]":"UNKNOWN"})");
  EXPECT_EQ(broken([](State& s) { s.lock_state[0].worker = 2; }),
            R"({"lockState[t1].worker":"#2"})");
  EXPECT_EQ(broken([](State& s) { s.worker_state[1] = static_cast<WorkerState>(4); }),
            R"({"workerState[w2]":"UNKNOWN"})");
  EXPECT_EQ(broken([](State& s) { s.worker_task[1] = 2; }), R"({"workerTask[w2]":"#2"})");
}

TEST(TaskTypeOK, AcceptsEveryValueThereIs) {
  TaskFixture task;
  task.state.task_status = {TaskStatus::PREPARED, TaskStatus::DLQ};
  task.state.task_fail_count = {0, 2};
  task.Executing(0, 1);
  task.At(1, WorkerState::UNLOCKING, 0);
  task.Lock(0, 1);
  EXPECT_THAT(TypeOK(task.machine, task.state), Holds());
}

TEST(TaskTypeOK, IgnoresIndicesWithoutAName) {
  TaskFixture task;
  task.state.task_fail_count[2] = 3;
  EXPECT_THAT(TypeOK(task.machine, task.state), Holds());
}

}  // namespace
}  // namespace lockstep::invariants::task_claiming
