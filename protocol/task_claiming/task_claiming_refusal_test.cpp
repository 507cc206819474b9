// Goal: every action is refused by exactly the conjunct that fails first, with what it wanted and
// what was there. States are made by hand, conjunct after conjunct in the module's order.
#include <gtest/gtest.h>

#include <string>

#include "protocol/task_claiming/enumeration_for_tests.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::protocol::task_claiming {
namespace {

using Kind = ActionKind;

class TaskRefusal : public testing::Test {
 protected:
  /// "conjunct | expected | actual", or "enabled".
  [[nodiscard]] std::string Refused(Kind kind, TaskIndex task = 0) const {
    const Action action{kind, 0, task};
    const auto refusal = machine.Refusal(state, action);
    EXPECT_EQ(machine.Enabled(state, action), !refusal.has_value()) << machine.ToString(action);
    if (!refusal) return "enabled";
    return std::string(refusal->conjunct) + " | " + refusal->expected.ToJson() + " | " +
           refusal->actual.ToJson();
  }
  /// The refusals of a worker that is dead, then in no state that `kind` wants. It is in `wanted`,
  /// with t1, afterwards.
  void ExpectAliveAnd(Kind kind, WorkerState wanted, const std::string& conjunct) {
    state.worker_alive[0] = false;
    EXPECT_EQ(Refused(kind), "workerAlive[w] | true | false");
    state.worker_alive[0] = true;
    for (const WorkerState other : {WorkerState::IDLE, WorkerState::SCANNING,
                                    WorkerState::EXECUTING, WorkerState::UNLOCKING}) {
      if (other == wanted) continue;
      state.worker_state[0] = other;
      EXPECT_EQ(Refused(kind), conjunct + " | \"" + std::string(Name(wanted)) + "\" | \"" +
                                   std::string(Name(other)) + "\"");
    }
    state.worker_state[0] = wanted;
    if (wanted == WorkerState::IDLE) return;
    EXPECT_EQ(Refused(kind), R"(workerTask[w] \in Tasks | {"#set":["t1","t2"]} | "NONE")");
    state.worker_task[0] = 0;
  }

  Constants constants = SmallConstants();
  Machine machine{constants};
  State state = machine.Init();
};

TEST_F(TaskRefusal, OfAnUnknownWorkerOrTask) {
  for (std::size_t k = 0; k < kActionKinds; ++k) {
    const Action action{static_cast<Kind>(k), 2, 0};
    const auto refusal = machine.Refusal(state, action);
    ASSERT_TRUE(refusal.has_value());
    EXPECT_FALSE(machine.Enabled(state, action));
    EXPECT_EQ(refusal->conjunct, R"(w \in Workers)");
    EXPECT_EQ(refusal->expected.ToJson(), R"({"#set":["w1","w2"]})");
    EXPECT_EQ(refusal->actual.ToJson(), R"("#2")");
  }
  EXPECT_EQ(Refused(Kind::ScanTasks, 2), R"(t \in Tasks | {"#set":["t1","t2"]} | "#2")");
}

TEST_F(TaskRefusal, OfScanTasks) {
  state.task_status[0] = TaskStatus::COMMITTED;
  ExpectAliveAnd(Kind::ScanTasks, WorkerState::IDLE, R"(workerState[w] = "IDLE")");
  EXPECT_EQ(Refused(Kind::ScanTasks), R"(taskStatus[t] = "INIT" | "INIT" | "COMMITTED")");
  EXPECT_EQ(Refused(Kind::ScanTasks, 1), "enabled");
  state.lock_state[1] = {1, 1};
  EXPECT_EQ(Refused(Kind::ScanTasks, 1), "enabled") << "a scan does not look at locks";
}

TEST_F(TaskRefusal, OfTryLockSuccess) {
  state.lock_state[0] = {1, 4};
  state.task_status[0] = TaskStatus::DLQ;
  ExpectAliveAnd(Kind::TryLockSuccess, WorkerState::SCANNING, R"(workerState[w] = "SCANNING")");
  const std::string conjunct =
      R"(lockState[workerTask[w]] = Unlocked | {"worker":"NONE","version":0} | )";
  EXPECT_EQ(Refused(Kind::TryLockSuccess), conjunct + R"({"worker":"w2","version":4})");
  state.lock_state[0] = {0, 3};
  EXPECT_EQ(Refused(Kind::TryLockSuccess), conjunct + R"({"worker":"w1","version":3})");
  state.lock_state[0] = Lock{};
  EXPECT_EQ(Refused(Kind::TryLockSuccess),
            R"(taskStatus[workerTask[w]] = "INIT" | "INIT" | "DLQ")");
  state.task_status[0] = TaskStatus::INIT;
  EXPECT_EQ(Refused(Kind::TryLockSuccess), "enabled");
}

TEST_F(TaskRefusal, OfTryLockFail) {
  ExpectAliveAnd(Kind::TryLockFail, WorkerState::SCANNING, R"(workerState[w] = "SCANNING")");
  const std::string conjunct = R"(\/ LockedByOther(w) \/ taskStatus[workerTask[w]] # "INIT")"
                               R"( | {"LockedByOther":true} | )";
  EXPECT_EQ(Refused(Kind::TryLockFail),
            conjunct + R"({"LockedByOther":false,"worker":"NONE","taskStatus":"INIT"})");
  state.lock_state[0] = {0, 1};
  EXPECT_EQ(Refused(Kind::TryLockFail),
            conjunct + R"({"LockedByOther":false,"worker":"w1","taskStatus":"INIT"})");
  state.lock_state[0] = {1, 1};
  EXPECT_EQ(Refused(Kind::TryLockFail), "enabled");
  state.lock_state[0] = Lock{};
  state.task_status[0] = TaskStatus::PREPARED;
  EXPECT_EQ(Refused(Kind::TryLockFail), "enabled");
}

TEST_F(TaskRefusal, OfExecuteTaskSuccess) {
  state.task_status[0] = TaskStatus::COMMITTED;
  ExpectAliveAnd(Kind::ExecuteTaskSuccess, WorkerState::EXECUTING,
                 R"(workerState[w] = "EXECUTING")");
  EXPECT_EQ(Refused(Kind::ExecuteTaskSuccess),
            R"(taskStatus[workerTask[w]] = "INIT" | "INIT" | "COMMITTED")");
  state.task_status[0] = TaskStatus::INIT;
  EXPECT_EQ(Refused(Kind::ExecuteTaskSuccess), "enabled") << "without a lock too";
}

TEST_F(TaskRefusal, OfExecuteTaskFailure) {
  state.task_status[0] = TaskStatus::COMMITTED;
  ExpectAliveAnd(Kind::ExecuteTaskFailure, WorkerState::EXECUTING,
                 R"(workerState[w] = "EXECUTING")");
  EXPECT_EQ(Refused(Kind::ExecuteTaskFailure), "enabled") << "the status is not looked at";
}

TEST_F(TaskRefusal, OfUnlockTask) {
  ExpectAliveAnd(Kind::UnlockTask, WorkerState::UNLOCKING, R"(workerState[w] = "UNLOCKING")");
  EXPECT_EQ(Refused(Kind::UnlockTask), "enabled") << "without a lock too";
}

TEST_F(TaskRefusal, OfWorkerCrash) {
  EXPECT_EQ(Refused(Kind::WorkerCrash), "enabled");
  state.worker_alive[0] = false;
  EXPECT_EQ(Refused(Kind::WorkerCrash), "workerAlive[w] | true | false");
}

TEST_F(TaskRefusal, OfSessionExpiry) {
  EXPECT_EQ(Refused(Kind::SessionExpiry), "~ workerAlive[w] | true | false");
  state.worker_alive[0] = false;
  state.lock_state[0] = {1, 1};
  const std::string conjunct = R"(w \in {lockState[t].worker : t \in Tasks} | true | false)";
  EXPECT_EQ(Refused(Kind::SessionExpiry), conjunct) << "the lock is another's";
  state.lock_state[1] = {0, 2};
  EXPECT_EQ(Refused(Kind::SessionExpiry), "enabled");

  constants.dialect.live_session_expiry = true;
  state.worker_alive[0] = true;
  EXPECT_EQ(Refused(Kind::SessionExpiry), "enabled");
  state.lock_state[1] = Lock{};
  EXPECT_EQ(Refused(Kind::SessionExpiry), conjunct);
}

TEST_F(TaskRefusal, OfWorkerRecover) {
  state.lock_state[0] = {1, 1};
  state.lock_state[1] = {0, 2};
  EXPECT_EQ(Refused(Kind::WorkerRecover), "~ workerAlive[w] | true | false");
  state.worker_alive[0] = false;
  EXPECT_EQ(Refused(Kind::WorkerRecover),
            R"(w \notin {lockState[t].worker : t \in Tasks})"
            R"( | {"t":"t2","worker":"NONE"} | {"t":"t2","worker":"w1"})");
  constants.dialect.recover_markdown = true;
  EXPECT_EQ(Refused(Kind::WorkerRecover), "enabled");
  constants.dialect.recover_markdown = false;
  state.lock_state[1] = Lock{};
  EXPECT_EQ(Refused(Kind::WorkerRecover), "enabled");
}

}  // namespace
}  // namespace lockstep::protocol::task_claiming
