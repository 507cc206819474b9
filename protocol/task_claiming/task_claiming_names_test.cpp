#include <gtest/gtest.h>

#include <set>
#include <string>

#include "protocol/task_claiming/enumeration_for_tests.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::protocol::task_claiming {
namespace {

using Kind = ActionKind;

TEST(TaskNames, RejectAnUnknownAction) {
  EXPECT_EQ(ActionKindFromName("ScanTask"), std::nullopt);
  EXPECT_EQ(ActionKindFromName("scanTasks"), std::nullopt);
  EXPECT_EQ(ActionKindFromName(""), std::nullopt);
}

TEST(TaskNames, OfActionsAreDistinctAndLeadBack) {
  std::set<std::string_view> names;
  for (std::size_t k = 0; k < kActionKinds; ++k) {
    const auto kind = static_cast<ActionKind>(k);
    EXPECT_EQ(ActionKindFromName(Name(kind)), kind);
    names.insert(Name(kind));
  }
  EXPECT_EQ(names.size(), kActionKinds);
  EXPECT_EQ(Name(Kind::TryLockFail), "TryLockFail");
  EXPECT_EQ(Name(Kind::WorkerRecover), "WorkerRecover") << "the last kind";
}

TEST(TaskNames, OfValuesAreTheModules) {
  EXPECT_EQ(Name(TaskStatus::PREPARED), "PREPARED");
  EXPECT_EQ(Name(TaskStatus::DLQ), "DLQ");
  EXPECT_EQ(Name(WorkerState::IDLE), "IDLE");
  EXPECT_EQ(Name(WorkerState::UNLOCKING), "UNLOCKING");
}

TEST(TaskNames, OfAnActionWithItsParameters) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  EXPECT_EQ(machine.ToString({Kind::ScanTasks, 0, 1}), "ScanTasks(w1, t2)");
  EXPECT_EQ(machine.ToString({Kind::UnlockTask, 1, 0}), "UnlockTask(w2)");
  EXPECT_EQ(machine.ToString({Kind::ScanTasks, 9, 5}), "ScanTasks(#9, #5)");

  EXPECT_EQ(machine.Parameters({Kind::ScanTasks, 0, 1}).ToJson(), R"({"w":"w1","t":"t2"})");
  EXPECT_EQ(machine.Parameters({Kind::UnlockTask, 1, 0}).ToJson(), R"({"w":"w2"})");
}

TEST(TaskNames, OfTheInitialState) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  EXPECT_EQ(machine.ToValue(machine.Init()).ToJson(),
            R"({"taskStatus":{"t1":"INIT","t2":"INIT"},)"
            R"("lockState":{"t1":{"worker":"NONE","version":0},)"
            R"("t2":{"worker":"NONE","version":0}},)"
            R"("workerAlive":{"w1":true,"w2":true},"workerState":{"w1":"IDLE","w2":"IDLE"},)"
            R"("workerTask":{"w1":"NONE","w2":"NONE"},"taskFailCount":{"t1":0,"t2":0},)"
            R"("lockVersion":1})");
}

TEST(TaskNames, OfWorkersAndTasksThatJoinedLater) {
  Constants constants = SmallConstants();
  const Machine machine(constants);
  State state = machine.Init();
  constants.workers.emplace_back("w1+2");
  constants.tasks.emplace_back("t3");
  state.worker_task[2] = 2;
  EXPECT_EQ(machine.ToValue(state).Find("workerTask")->ToJson(),
            R"({"w1":"NONE","w2":"NONE","w1+2":"t3"})");
}

TEST(TaskNames, OfWhatChangedAreInTheModulesOrder) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  State state = machine.Init();
  Changes changes;
  const auto taken = [&](const Action& action) {
    machine.Apply(state, action, changes);
    return machine.ChangedToValue(state, changes).ToJson();
  };
  EXPECT_EQ(taken({Kind::ScanTasks, 1, 0}),
            R"({"workerState":{"w2":"SCANNING"},"workerTask":{"w2":"t1"}})");
  EXPECT_EQ(taken({Kind::TryLockSuccess, 1, 0}),
            R"({"lockState":{"t1":{"worker":"w2","version":1}},)"
            R"("workerState":{"w2":"EXECUTING"},"lockVersion":2})");
  EXPECT_EQ(taken({Kind::ExecuteTaskSuccess, 1, 0}),
            R"({"taskStatus":{"t1":"COMMITTED"},"workerState":{"w2":"UNLOCKING"}})");
  EXPECT_EQ(taken({Kind::WorkerCrash, 0, 0}), R"({"workerAlive":{"w1":false}})");
  EXPECT_EQ(taken({Kind::WorkerRecover, 0, 0}), R"({"workerAlive":{"w1":true}})")
      << "it was idle before";
}

}  // namespace
}  // namespace lockstep::protocol::task_claiming
