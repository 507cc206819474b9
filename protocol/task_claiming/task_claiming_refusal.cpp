// Machine::Refusal: the guards again, conjunct by conjunct, with what was expected and found.
//
// Machine::Enabled is the fast form of the same guards; the machine's test compares the two.
#include <string>
#include <utility>

#include "protocol/task_claiming/task_claiming_guards.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::protocol::task_claiming {
namespace {

using sim::Value;
using Refused = std::optional<GuardFailure>;

Value Text(std::string_view text) { return Value::String(std::string(text)); }

template <typename Enum>
Refused Is(std::string_view conjunct, Enum expected, Enum actual) {
  if (expected == actual) return std::nullopt;
  return GuardFailure{conjunct, Text(Name(expected)), Text(Name(actual))};
}

Refused Holds(std::string_view conjunct, bool expected, bool actual) {
  if (expected == actual) return std::nullopt;
  return GuardFailure{conjunct, Value::Bool(expected), Value::Bool(actual)};
}

/// `index` stands for one of `names`.
Refused Among(std::string_view conjunct, const std::vector<std::string>& names,
              std::uint8_t index) {
  if (index < names.size()) return std::nullopt;
  std::vector<Value> items;
  for (const std::string& name : names) items.push_back(Text(name));
  const bool none = index == kNoWorker || index == kNoTask;
  return GuardFailure{conjunct, Value::SetOf(std::move(items)),
                      Text(none ? "NONE" : "#" + std::to_string(index))};
}

/// The first refusal of an and, in the order written.
template <typename... Conjuncts>
Refused First(Conjuncts... conjuncts) {
  Refused result;
  const auto ask = [&](auto& conjunct) {
    result = conjunct();
    return result.has_value();
  };
  static_cast<void>((ask(conjuncts) || ...));
  return result;
}

/// The conjuncts of one action in one state. REQUIRES: the worker is one of Workers.
class Guard {
 public:
  Guard(const Constants& constants, const State& state, const Action& action)
      : constants_(constants),
        state_(state),
        action_(action),
        worker_(action.worker),
        task_(state.worker_task[action.worker]) {}

  [[nodiscard]] Refused OfAction() const {
    switch (action_.kind) {
      case ActionKind::ScanTasks:
        return First([&] { return Among(R"(t \in Tasks)", constants_.tasks, action_.task); },
                     [&] { return Alive(); },
                     [&] { return WorkerIs(R"(workerState[w] = "IDLE")", WorkerState::IDLE); },
                     [&] { return StillToDo(R"(taskStatus[t] = "INIT")", action_.task); });
      case ActionKind::TryLockSuccess:
        return First([&] { return Scanning(); }, [&] { return IsUnlocked(); },
                     [&] { return StillToDo(kOwnTaskIsInit, task_); });
      case ActionKind::TryLockFail:
        return First([&] { return Scanning(); }, [&] { return LockedOrDone(); });
      case ActionKind::ExecuteTaskSuccess:
        return First([&] { return Executing(); }, [&] { return StillToDo(kOwnTaskIsInit, task_); });
      case ActionKind::ExecuteTaskFailure:
        return Executing();
      case ActionKind::UnlockTask:
        return AliveAnd(R"(workerState[w] = "UNLOCKING")", WorkerState::UNLOCKING);
      case ActionKind::WorkerCrash:
        return Alive();
      case ActionKind::SessionExpiry:
        return First([&] { return DeadOrLiveExpiry(); }, [&] { return SomeLockHeld(); });
      case ActionKind::WorkerRecover:
        return First([&] { return Dead(); }, [&] { return NoLockHeld(); });
    }
    return GuardFailure{"an action", Value::Bool(true), Value::Bool(false)};
  }

 private:
  static constexpr std::string_view kOwnTaskIsInit = R"(taskStatus[workerTask[w]] = "INIT")";

  [[nodiscard]] Refused Alive() const {
    return Holds("workerAlive[w]", true, state_.worker_alive[worker_]);
  }
  [[nodiscard]] Refused Dead() const {
    return Holds("~ workerAlive[w]", true, !state_.worker_alive[worker_]);
  }
  [[nodiscard]] Refused DeadOrLiveExpiry() const {
    return constants_.dialect.live_session_expiry ? std::nullopt : Dead();
  }
  [[nodiscard]] Refused WorkerIs(std::string_view conjunct, WorkerState expected) const {
    return Is(conjunct, expected, state_.worker_state[worker_]);
  }
  /// A living worker in that state. It has a task then in every reachable state.
  [[nodiscard]] Refused AliveAnd(std::string_view conjunct, WorkerState expected) const {
    return First([&] { return Alive(); }, [&] { return WorkerIs(conjunct, expected); },
                 [&] { return Among(R"(workerTask[w] \in Tasks)", constants_.tasks, task_); });
  }
  [[nodiscard]] Refused Scanning() const {
    return AliveAnd(R"(workerState[w] = "SCANNING")", WorkerState::SCANNING);
  }
  [[nodiscard]] Refused Executing() const {
    return AliveAnd(R"(workerState[w] = "EXECUTING")", WorkerState::EXECUTING);
  }
  [[nodiscard]] Refused StillToDo(std::string_view conjunct, TaskIndex task) const {
    return Is(conjunct, TaskStatus::INIT, state_.task_status[task]);
  }

  [[nodiscard]] std::string_view WorkerName(WorkerIndex worker) const {
    return worker < constants_.workers.size() ? std::string_view(constants_.workers[worker])
                                              : "NONE";
  }
  [[nodiscard]] Value LockValue(const Lock& lock) const {
    return Value::RecordOf({{"worker", Text(WorkerName(lock.worker))},
                            {"version", Value::Int(static_cast<std::int64_t>(lock.version))}});
  }
  [[nodiscard]] Refused IsUnlocked() const {
    const Lock& lock = state_.lock_state[task_];
    if (lock == Lock{}) return std::nullopt;
    return GuardFailure{"lockState[workerTask[w]] = Unlocked", LockValue(Lock{}), LockValue(lock)};
  }
  [[nodiscard]] Refused LockedOrDone() const {
    if (LockedByOther(state_, worker_, task_)) return std::nullopt;
    const TaskStatus status = state_.task_status[task_];
    if (status != TaskStatus::INIT) return std::nullopt;
    constexpr std::string_view conjunct =
        R"(\/ LockedByOther(w) \/ taskStatus[workerTask[w]] # "INIT")";
    return GuardFailure{
        conjunct, Value::RecordOf({{"LockedByOther", Value::Bool(true)}}),
        Value::RecordOf({{"LockedByOther", Value::Bool(false)},
                         {"worker", Text(WorkerName(state_.lock_state[task_].worker))},
                         {"taskStatus", Text(Name(status))}})};
  }

  /// Which task's lock the worker holds; "NONE" for no lock at all.
  [[nodiscard]] Value HeldTask(TaskIndex task) const {
    return Text(task < constants_.tasks.size() ? std::string_view(constants_.tasks[task]) : "NONE");
  }
  [[nodiscard]] Refused SomeLockHeld() const {
    constexpr std::string_view conjunct = R"(w \in {lockState[t].worker : t \in Tasks})";
    return Holds(conjunct, true, LockHeldBy(constants_, state_, worker_) != kNoTask);
  }
  [[nodiscard]] Refused NoLockHeld() const {
    if (constants_.dialect.recover_markdown) return std::nullopt;
    const TaskIndex held = LockHeldBy(constants_, state_, worker_);
    if (held == kNoTask) return std::nullopt;
    const auto holder = [&](std::string_view name) {
      return Value::RecordOf({{"t", HeldTask(held)}, {"worker", Text(name)}});
    };
    return GuardFailure{R"(w \notin {lockState[t].worker : t \in Tasks})", holder("NONE"),
                        holder(WorkerName(worker_))};
  }

  const Constants& constants_;
  const State& state_;
  const Action& action_;
  const WorkerIndex worker_;
  const TaskIndex task_;
};

}  // namespace

std::optional<GuardFailure> Machine::Refusal(const State& state, const Action& action) const {
  CheckRoom(constants_);
  if (Refused refused = Among(R"(w \in Workers)", constants_.workers, action.worker)) {
    return refused;
  }
  return Guard(constants_, state, action).OfAction();
}

}  // namespace lockstep::protocol::task_claiming
