// The machine's effects, and that it is the module's: TLC's figures, and a fast guard that agrees
// with the explained one and with what Next yields.
//
// Refusals, conjunct by conjunct, are in task_claiming_refusal_test.cpp.
#include "protocol/task_claiming/task_claiming_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "protocol/task_claiming/enumeration_for_tests.h"
#include "sim/random/rng.h"

namespace lockstep::protocol::task_claiming {
namespace {

using Kind = ActionKind;
using sim::Rng;
using sim::Value;

/// The variables, and points of functions, in which two states differ: what ChangedToValue must
/// say.
std::string Difference(const Machine& machine, const State& before, const State& after) {
  const Value old_value = machine.ToValue(before);
  const Value new_value = machine.ToValue(after);
  std::vector<std::pair<std::string, Value>> fields;
  for (const auto& [name, value] : new_value.AsFields()) {
    const Value& old = *old_value.Find(name);
    if (value == old) continue;
    std::vector<std::pair<std::string, Value>> points;
    if (value.kind() == Value::Kind::kRecord) {
      for (const auto& [key, point] : value.AsFields()) {
        if (!(point == *old.Find(key))) points.emplace_back(key, point);
      }
    }
    fields.emplace_back(name, points.empty() ? value : Value::RecordOf(std::move(points)));
  }
  return Value::RecordOf(std::move(fields)).ToJson();
}

class TaskEffect : public testing::Test {
 protected:
  /// Takes the action and returns what changed. Undo must lead back, whatever it was.
  std::string Take(Kind kind, WorkerIndex worker, TaskIndex task = 0) {
    const Action action{kind, worker, task};
    const State before = state;
    EXPECT_TRUE(machine.Enabled(state, action)) << machine.ToString(action);
    machine.Apply(state, action, changes);
    const std::string changed = machine.ChangedToValue(state, changes).ToJson();
    EXPECT_EQ(changed, Difference(machine, before, state)) << machine.ToString(action);
    State undone = state;
    Machine::Undo(undone, changes);
    EXPECT_TRUE(undone == before) << machine.ToString(action);
    return changed;
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

TEST_F(TaskEffect, OfAnExecution) {
  EXPECT_EQ(Take(Kind::ScanTasks, 0, 1),
            R"({"workerState":{"w1":"SCANNING"},"workerTask":{"w1":"t2"}})");
  EXPECT_EQ(Take(Kind::TryLockSuccess, 0), R"({"lockState":{"t2":{"worker":"w1","version":1}},)"
                                           R"("workerState":{"w1":"EXECUTING"},"lockVersion":2})");
  EXPECT_EQ(Take(Kind::ExecuteTaskSuccess, 0),
            R"({"taskStatus":{"t2":"COMMITTED"},"workerState":{"w1":"UNLOCKING"}})");
  EXPECT_EQ(Take(Kind::UnlockTask, 0),
            R"({"lockState":{"t2":{"worker":"NONE","version":0}},)"
            R"("workerState":{"w1":"IDLE"},"workerTask":{"w1":"NONE"}})");
}

TEST_F(TaskEffect, OfFailuresUntilTheDeadLetter) {
  Lock(0, 0);
  EXPECT_EQ(Take(Kind::ExecuteTaskFailure, 0),
            R"({"workerState":{"w1":"UNLOCKING"},"taskFailCount":{"t1":1}})");
  Take(Kind::UnlockTask, 0);
  Lock(0, 0);
  EXPECT_EQ(state.lock_state[0].version, 2U);
  EXPECT_EQ(Take(Kind::ExecuteTaskFailure, 0),
            R"({"taskStatus":{"t1":"DLQ"},"workerState":{"w1":"UNLOCKING"},)"
            R"("taskFailCount":{"t1":2}})");
  Take(Kind::UnlockTask, 0);
  EXPECT_FALSE(machine.Enabled(state, {Kind::ScanTasks, 0, 0}));
}

TEST_F(TaskEffect, OfALockThatAnotherHas) {
  Take(Kind::ScanTasks, 0, 0);
  Lock(1, 0);
  EXPECT_EQ(Take(Kind::TryLockFail, 0),
            R"({"workerState":{"w1":"IDLE"},"workerTask":{"w1":"NONE"}})");
}

TEST_F(TaskEffect, OfACrashIsTheWorkersLifeAlone) {
  Lock(0, 0);
  EXPECT_EQ(Take(Kind::WorkerCrash, 0), R"({"workerAlive":{"w1":false}})");
  EXPECT_EQ(Take(Kind::SessionExpiry, 0),
            R"({"lockState":{"t1":{"worker":"NONE","version":0}},)"
            R"("workerState":{"w1":"IDLE"},"workerTask":{"w1":"NONE"}})");
  EXPECT_EQ(Take(Kind::WorkerRecover, 0), R"({"workerAlive":{"w1":true}})");
}

TEST_F(TaskEffect, OfARecoveryEndsWhatTheWorkerDid) {
  Take(Kind::ScanTasks, 0, 1);
  Take(Kind::WorkerCrash, 0);
  EXPECT_EQ(Take(Kind::WorkerRecover, 0),
            R"({"workerAlive":{"w1":true},"workerState":{"w1":"IDLE"},)"
            R"("workerTask":{"w1":"NONE"}})");
}

TEST_F(TaskEffect, OfAnExpiryIsAllLocksOfTheSession) {
  constants.dialect.recover_markdown = true;
  Lock(0, 1);
  Take(Kind::WorkerCrash, 0);
  Take(Kind::WorkerRecover, 0);
  Lock(0, 0);
  Take(Kind::WorkerCrash, 0);
  EXPECT_EQ(Take(Kind::SessionExpiry, 0),
            R"({"lockState":{"t1":{"worker":"NONE","version":0},)"
            R"("t2":{"worker":"NONE","version":0}},)"
            R"("workerState":{"w1":"IDLE"},"workerTask":{"w1":"NONE"}})");
}

TEST_F(TaskEffect, OfALivingWorkersExpiryIsItsLocksAlone) {
  constants.dialect.live_session_expiry = true;
  Lock(0, 0);
  EXPECT_EQ(Take(Kind::SessionExpiry, 0), R"({"lockState":{"t1":{"worker":"NONE","version":0}}})");
  Lock(1, 0);
  Take(Kind::ExecuteTaskSuccess, 0);
  EXPECT_EQ(Take(Kind::UnlockTask, 0),
            R"({"workerState":{"w1":"IDLE"},"workerTask":{"w1":"NONE"}})")
      << "the lock is another's now";
  EXPECT_EQ(Take(Kind::ExecuteTaskFailure, 1),
            R"({"workerState":{"w2":"UNLOCKING"},"taskFailCount":{"t1":1}})");
}

TEST_F(TaskEffect, OfAFailureIsADeadLetterWhateverTheTaskWas) {
  constants.dialect.live_session_expiry = true;
  constants.max_failures = 1;
  Lock(0, 0);
  Take(Kind::SessionExpiry, 0);
  Lock(1, 0);
  Take(Kind::ExecuteTaskSuccess, 1);
  EXPECT_EQ(Take(Kind::ExecuteTaskFailure, 0),
            R"({"taskStatus":{"t1":"DLQ"},"workerState":{"w1":"UNLOCKING"},)"
            R"("taskFailCount":{"t1":1}})");
}

TEST_F(TaskEffect, OfWorkersAndTasksThatJoinedLater) {
  const State init = machine.Init();
  for (std::size_t i = 3; i <= kMaxWorkers; ++i) {
    constants.workers.push_back("w" + std::to_string(i));
    constants.tasks.push_back("t" + std::to_string(i));
  }
  EXPECT_EQ(BrokenAssumption(constants), std::nullopt);
  EXPECT_TRUE(machine.Init() == init);
  EXPECT_EQ(Take(Kind::ScanTasks, kMaxWorkers - 1, kMaxTasks - 1),
            R"({"workerState":{"w64":"SCANNING"},"workerTask":{"w64":"t64"}})");
  EXPECT_EQ(Take(Kind::TryLockSuccess, kMaxWorkers - 1),
            R"({"lockState":{"t64":{"worker":"w64","version":1}},)"
            R"("workerState":{"w64":"EXECUTING"},"lockVersion":2})");
}

TEST(TaskMachineDeathTest, HasRoomForSoManyAndNoMore) {
  Constants constants = SmallConstants();
  const Machine machine(constants);
  constants.workers.resize(kMaxWorkers + 1);
  EXPECT_DEATH(static_cast<void>(machine.Enabled(machine.Init(), {})), "kMaxWorkers");
}

TEST(TaskAssumption, RejectsWhatTheModuleAssumesNot) {
  const auto broken = [](const auto& change) {
    Constants constants = SmallConstants();
    change(constants);
    return BrokenAssumption(constants).value_or("none");
  };
  EXPECT_EQ(broken([](Constants&) {}), "none");
  EXPECT_EQ(broken([](Constants& c) { c.workers[1] = "w1"; }),
            "Workers: a set, without duplicates");
  EXPECT_EQ(broken([](Constants& c) { c.tasks[1] = "t1"; }), "Tasks: a set, without duplicates");
  EXPECT_EQ(broken([](Constants& c) { c.workers[1] = "NONE"; }), R"("NONE" \notin Workers)");
  EXPECT_EQ(broken([](Constants& c) { c.tasks[0] = "NONE"; }), R"("NONE" \notin Tasks)");
  EXPECT_EQ(broken([](Constants& c) { c.workers.resize(65); }), "Workers: at most 64");
  EXPECT_EQ(broken([](Constants& c) { c.tasks.resize(65); }), "Tasks: at most 64");
  EXPECT_EQ(broken([](Constants& c) { c.max_failures = 0; }), "MaxFailures >= 1");
  EXPECT_EQ(broken([](Constants& c) { c.max_failures = kMaxFailuresLimit + 1; }),
            "MaxFailures <= kMaxFailuresLimit");
  EXPECT_EQ(broken([](Constants& c) { c.max_lock_version = 0; }), "MaxLockVersion >= 1");
}

// Agreement.

constexpr std::array kDialects{Dialect{false, false}, Dialect{true, false}, Dialect{false, true},
                               Dialect{true, true}};

/// Both sides of TryLockFail's disjunction hold, so Next yields it twice.
bool FailsTwice(const State& state, const Action& action) {
  if (action.kind != Kind::TryLockFail) return false;
  const TaskIndex task = state.worker_task[action.worker];
  const WorkerIndex holder = state.lock_state[task].worker;
  return holder != kNoWorker && holder != action.worker &&
         state.task_status[task] != TaskStatus::INIT;
}

/// Enabled, Refusal and EnabledActions agree on every action, also on ones outside the domains.
void ExpectAgreement(const Machine& machine, const State& state) {
  std::vector<Action> expected;
  const auto workers = static_cast<WorkerIndex>(machine.constants().workers.size());
  const auto tasks = static_cast<TaskIndex>(machine.constants().tasks.size());
  for (std::size_t k = 0; k < kActionKinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    for (WorkerIndex worker = 0; worker <= workers; ++worker) {
      for (TaskIndex task = 0; task <= (kind == Kind::ScanTasks ? tasks : 0); ++task) {
        const Action action{kind, worker, task};
        const bool enabled = machine.Enabled(state, action);
        ASSERT_EQ(enabled, !machine.Refusal(state, action).has_value())
            << machine.ToString(action) << " in " << machine.ToValue(state).ToJson();
        if (enabled) expected.push_back(action);
        if (enabled && FailsTwice(state, action)) expected.push_back(action);
      }
    }
  }
  std::vector<Action> actions;
  machine.EnabledActions(state, actions);
  ASSERT_EQ(actions, expected) << machine.ToValue(state).ToJson();
}

TEST(TaskMachine, AgreesWithItselfOverRandomWalks) {
  std::uint32_t seed = 0;
  for (const Dialect& dialect : kDialects) {
    Constants constants = Small3Constants();
    constants.dialect = dialect;
    const Machine machine(constants);
    Rng rng(++seed);
    Changes changes;
    std::vector<Action> actions;
    for (int walk = 0; walk < 40; ++walk) {
      State state = machine.Init();
      for (int step = 0; step < 60; ++step) {
        ASSERT_NO_FATAL_FAILURE(ExpectAgreement(machine, state));
        machine.EnabledActions(state, actions);
        const Action action = actions[rng.Below(static_cast<std::uint32_t>(actions.size()))];
        const State before = state;
        machine.Apply(state, action, changes);
        ASSERT_EQ(machine.ChangedToValue(state, changes).ToJson(),
                  Difference(machine, before, state));
        State undone = state;
        Machine::Undo(undone, changes);
        ASSERT_TRUE(undone == before) << machine.ToString(action);
      }
    }
  }
}

TEST(TaskMachine, AgreesWithItselfOnStatesThatCannotBe) {
  std::uint32_t seed = 100;
  for (const Dialect& dialect : kDialects) {
    Constants constants = Small3Constants();
    constants.dialect = dialect;
    const Machine machine(constants);
    Rng rng(++seed);
    const auto or_none = [&](std::uint32_t choices) {
      const std::uint32_t choice = rng.Below(choices + 1);
      return choice == choices ? kNoTask : static_cast<std::uint8_t>(choice);
    };
    for (int n = 0; n < 1500; ++n) {
      State state = machine.Init();
      for (std::size_t t = 0; t < constants.tasks.size(); ++t) {
        state.task_status[t] = static_cast<TaskStatus>(rng.Below(4));
        state.lock_state[t] = {or_none(3), rng.Below(2)};
      }
      for (std::size_t w = 0; w < constants.workers.size(); ++w) {
        state.worker_alive[w] = rng.Below(3) != 0;
        state.worker_state[w] = static_cast<WorkerState>(rng.Below(4));
        state.worker_task[w] = or_none(2);
      }
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(machine, state));
    }
  }
}

TEST_F(TaskEffect, OfAFailWithTwoReasonsIsListedTwice) {
  Take(Kind::ScanTasks, 0, 0);
  Lock(1, 0);
  std::vector<Action> actions;
  const auto fails = [&] {
    machine.EnabledActions(state, actions);
    return std::count(actions.begin(), actions.end(), Action{Kind::TryLockFail, 0, 0});
  };
  EXPECT_EQ(fails(), 1) << "locked";
  Take(Kind::ExecuteTaskSuccess, 1);
  EXPECT_EQ(fails(), 2) << "locked and done";
  Take(Kind::UnlockTask, 1);
  EXPECT_EQ(fails(), 1) << "done";
}

// Figures.

TEST(TaskMachine, HasTheStatesThatTlcCounts) {
  EXPECT_EQ(Enumerate(Machine(SmallConstants())), (Figures{12380, 39993, 25}));
  EXPECT_EQ(Enumerate(Machine(Small3Constants())), (Figures{133912, 649681, 27}));
}

TEST(TaskMachine, HasTheQuotientThatTlcCounts) {
  const Enumeration quotient{View::kWithoutLockVersions, {}, {}};
  EXPECT_EQ(Enumerate(Machine(SmallConstants()), quotient), (Figures{2436, 7681, 20}));
  EXPECT_EQ(Enumerate(Machine(Small3Constants()), quotient), (Figures{22872, 108865, 22}));
}

/// Beyond the constraint a state is seen, but what follows it is not.
TEST(TaskMachine, SeesStatesOneBeyondTheConstraint) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  std::size_t beyond = 0;
  Enumerate(machine, {View::kEverything, {}, [&](const State& state, std::size_t) {
                        EXPECT_LE(state.lock_version, 6U);
                        EXPECT_EQ(machine.StateConstraint(state), state.lock_version <= 5);
                        beyond += state.lock_version == 6 ? 1U : 0U;
                        return true;
                      }});
  EXPECT_GT(beyond, 0U);
}

/// PREPARED is legal, and no state has it.
TEST(TaskMachine, NeverPrepares) {
  const Constants constants = SmallConstants();
  Enumerate(Machine(constants),
            {View::kWithoutLockVersions, {}, [](const State& state, std::size_t) {
               EXPECT_NE(state.task_status[0], TaskStatus::PREPARED);
               return true;
             }});
}

}  // namespace
}  // namespace lockstep::protocol::task_claiming
