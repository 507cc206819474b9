#include "protocol/task_claiming/task_claiming_machine.h"

#include <algorithm>
#include <type_traits>

#include "protocol/task_claiming/task_claiming_guards.h"
#include "sim/base/check.h"

namespace lockstep::protocol::task_claiming {

static_assert(std::is_trivially_copyable_v<State>);
static_assert(kMaxWorkers <= kNoWorker && kMaxTasks <= kNoTask);

namespace {

std::optional<std::string> BrokenSet(std::string_view constant, std::size_t size_max,
                                     std::vector<std::string> names) {
  const std::string set(constant);
  if (names.size() > size_max) return set + ": at most " + std::to_string(size_max);
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) != names.end()) {
    return set + ": a set, without duplicates";
  }
  if (std::binary_search(names.begin(), names.end(), "NONE")) return R"("NONE" \notin )" + set;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> BrokenAssumption(const Constants& constants) {
  if (auto broken = BrokenSet("Workers", kMaxWorkers, constants.workers)) return broken;
  if (auto broken = BrokenSet("Tasks", kMaxTasks, constants.tasks)) return broken;
  if (constants.max_failures < 1) return "MaxFailures >= 1";
  if (constants.max_failures > kMaxFailuresLimit) return "MaxFailures <= kMaxFailuresLimit";
  if (constants.max_lock_version < 1) return "MaxLockVersion >= 1";
  return std::nullopt;
}

void Changes::Clear() {
  task_status.reset();
  lock_state.clear();
  worker_alive.reset();
  worker_state.reset();
  worker_task.reset();
  task_fail_count.reset();
  lock_version.reset();
}

// Guards.

namespace {

/// The two sides of TryLockFail's disjunction that hold. REQUIRES: the worker is SCANNING `task`.
std::uint32_t LockFailures(const State& state, WorkerIndex worker, TaskIndex task) {
  return (LockedByOther(state, worker, task) ? 1U : 0U) +
         (state.task_status[task] != TaskStatus::INIT ? 1U : 0U);
}

bool LockSucceeds(const State& state, TaskIndex task) {
  return state.lock_state[task] == Lock{} && state.task_status[task] == TaskStatus::INIT;
}

bool SessionExpires(const Machine& machine, const State& state, WorkerIndex worker) {
  return (!state.worker_alive[worker] || machine.constants().dialect.live_session_expiry) &&
         machine.HoldsLock(state, worker);
}

bool Recovers(const Machine& machine, const State& state, WorkerIndex worker) {
  return !state.worker_alive[worker] &&
         (machine.constants().dialect.recover_markdown || !machine.HoldsLock(state, worker));
}

}  // namespace

bool Machine::HoldsLock(const State& state, WorkerIndex worker) const {
  return LockHeldBy(constants_, state, worker) != kNoTask;
}

bool Machine::Enabled(const State& state, const Action& action) const {
  CheckRoom(constants_);
  const WorkerIndex worker = action.worker;
  if (worker >= constants_.workers.size()) return false;
  const bool alive = state.worker_alive[worker];
  const WorkerState at = state.worker_state[worker];
  const TaskIndex task = state.worker_task[worker];
  const bool has_task = task < constants_.tasks.size();
  switch (action.kind) {
    case ActionKind::ScanTasks:
      return action.task < constants_.tasks.size() && alive && at == WorkerState::IDLE &&
             state.task_status[action.task] == TaskStatus::INIT;
    case ActionKind::TryLockSuccess:
      return alive && at == WorkerState::SCANNING && has_task && LockSucceeds(state, task);
    case ActionKind::TryLockFail:
      return alive && at == WorkerState::SCANNING && has_task &&
             LockFailures(state, worker, task) != 0;
    case ActionKind::ExecuteTaskSuccess:
      return alive && at == WorkerState::EXECUTING && has_task &&
             state.task_status[task] == TaskStatus::INIT;
    case ActionKind::ExecuteTaskFailure:
      return alive && at == WorkerState::EXECUTING && has_task;
    case ActionKind::UnlockTask:
      return alive && at == WorkerState::UNLOCKING && has_task;
    case ActionKind::WorkerCrash:
      return alive;
    case ActionKind::SessionExpiry:
      return SessionExpires(*this, state, worker);
    case ActionKind::WorkerRecover:
      return Recovers(*this, state, worker);
  }
  return false;
}

// Effects.

namespace {

/// Writes one state in place and notes what was there before. Values that do not change leave no
/// trace, so that `changes` names exactly the variables whose value differs.
class Effect {
 public:
  Effect(State& state, Changes& changes) : state_(state), changes_(changes) { changes_.Clear(); }

  void SetTaskStatus(TaskIndex task, TaskStatus value) {
    Replace(state_.task_status, task, value, changes_.task_status);
  }
  void SetLockState(TaskIndex task, Lock value) {
    Lock& lock = state_.lock_state[task];
    if (lock == value) return;
    changes_.lock_state.push_back({task, lock});
    lock = value;
  }
  void SetWorkerAlive(WorkerIndex worker, bool value) {
    Replace(state_.worker_alive, worker, value, changes_.worker_alive);
  }
  void SetWorkerState(WorkerIndex worker, WorkerState value) {
    Replace(state_.worker_state, worker, value, changes_.worker_state);
  }
  void SetWorkerTask(WorkerIndex worker, TaskIndex value) {
    Replace(state_.worker_task, worker, value, changes_.worker_task);
  }
  void SetTaskFailCount(TaskIndex task, FailCount value) {
    Replace(state_.task_fail_count, task, value, changes_.task_fail_count);
  }
  void SetLockVersion(LockVersion value) {
    changes_.lock_version = state_.lock_version;
    state_.lock_version = value;
  }
  void SetIdle(WorkerIndex worker) {
    SetWorkerState(worker, WorkerState::IDLE);
    SetWorkerTask(worker, kNoTask);
  }

 private:
  template <typename Index, typename T, std::size_t kSize>
  static void Replace(std::array<T, kSize>& function, Index index, T value,
                      std::optional<Before<Index, T>>& before) {
    T& variable = function[index];
    if (variable == value) return;
    before = Before<Index, T>{index, variable};
    variable = value;
  }

  State& state_;
  Changes& changes_;
};

void ApplyLock(const State& state, WorkerIndex worker, TaskIndex task, Effect& effect) {
  LOCKSTEP_CHECK_MSG(state.lock_version < kUnboundedLockVersion, "no lock version is left");
  effect.SetLockState(task, {worker, state.lock_version});
  effect.SetLockVersion(state.lock_version + 1);
  effect.SetWorkerState(worker, WorkerState::EXECUTING);
}

void ApplyFailure(const Constants& constants, const State& state, WorkerIndex worker,
                  TaskIndex task, Effect& effect) {
  const FailCount before = state.task_fail_count[task];
  LOCKSTEP_CHECK_MSG(before < std::numeric_limits<FailCount>::max(), "no fail count is left");
  const auto failures = static_cast<FailCount>(before + 1);
  effect.SetTaskFailCount(task, failures);
  if (failures >= constants.max_failures) effect.SetTaskStatus(task, TaskStatus::DLQ);
  effect.SetWorkerState(worker, WorkerState::UNLOCKING);
}

void ApplyExpiry(const Constants& constants, const State& state, WorkerIndex worker,
                 Effect& effect) {
  for (TaskIndex task = 0; task < constants.tasks.size(); ++task) {
    if (state.lock_state[task].worker == worker) effect.SetLockState(task, Lock{});
  }
  if (!state.worker_alive[worker]) effect.SetIdle(worker);
}

}  // namespace

void Machine::Apply(State& state, const Action& action, Changes& changes) const {
  Effect effect(state, changes);
  const WorkerIndex worker = action.worker;
  const TaskIndex task = state.worker_task[worker];
  switch (action.kind) {
    case ActionKind::ScanTasks:
      effect.SetWorkerState(worker, WorkerState::SCANNING);
      effect.SetWorkerTask(worker, action.task);
      return;
    case ActionKind::TryLockSuccess:
      ApplyLock(state, worker, task, effect);
      return;
    case ActionKind::TryLockFail:
      effect.SetIdle(worker);
      return;
    case ActionKind::ExecuteTaskSuccess:
      effect.SetTaskStatus(task, TaskStatus::COMMITTED);
      effect.SetWorkerState(worker, WorkerState::UNLOCKING);
      return;
    case ActionKind::ExecuteTaskFailure:
      ApplyFailure(constants_, state, worker, task, effect);
      return;
    case ActionKind::UnlockTask:
      if (state.lock_state[task].worker == worker) effect.SetLockState(task, Lock{});
      effect.SetIdle(worker);
      return;
    case ActionKind::WorkerCrash:
      effect.SetWorkerAlive(worker, false);
      return;
    case ActionKind::SessionExpiry:
      ApplyExpiry(constants_, state, worker, effect);
      return;
    case ActionKind::WorkerRecover:
      effect.SetWorkerAlive(worker, true);
      effect.SetIdle(worker);
      return;
  }
}

void Machine::Undo(State& state, const Changes& changes) {
  const auto restore = [](auto& function, const auto& before) {
    if (before) function[before->index] = before->value;
  };
  for (const auto& before : changes.lock_state) state.lock_state[before.index] = before.value;
  restore(state.task_status, changes.task_status);
  restore(state.worker_alive, changes.worker_alive);
  restore(state.worker_state, changes.worker_state);
  restore(state.worker_task, changes.worker_task);
  restore(state.task_fail_count, changes.task_fail_count);
  if (changes.lock_version) state.lock_version = *changes.lock_version;
}

// EnabledActions.

namespace {

using Actions = std::vector<Action>;

/// Calls `add(worker, task)` for the living workers that are in `wanted`, with their task. One
/// without a task (no reachable state has it) is left out, as Enabled does.
template <typename Add>
void ForWorkersIn(const Constants& constants, const State& state, WorkerState wanted, Add add) {
  for (WorkerIndex worker = 0; worker < constants.workers.size(); ++worker) {
    if (!state.worker_alive[worker] || state.worker_state[worker] != wanted) continue;
    const TaskIndex task = state.worker_task[worker];
    if (task < constants.tasks.size()) add(worker, task);
  }
}

void AddScans(const Constants& constants, const State& state, Actions& actions) {
  for (WorkerIndex worker = 0; worker < constants.workers.size(); ++worker) {
    if (!state.worker_alive[worker] || state.worker_state[worker] != WorkerState::IDLE) continue;
    for (TaskIndex task = 0; task < constants.tasks.size(); ++task) {
      if (state.task_status[task] != TaskStatus::INIT) continue;
      actions.push_back({ActionKind::ScanTasks, worker, task});
    }
  }
}

}  // namespace

// Not a loop over Enabled: a random walk asks this at every step, and a worker's state rules out
// most actions at once.
void Machine::EnabledActions(const State& state, std::vector<Action>& actions) const {
  using Kind = ActionKind;
  CheckRoom(constants_);
  actions.clear();
  const auto workers = static_cast<WorkerIndex>(constants_.workers.size());
  AddScans(constants_, state, actions);
  ForWorkersIn(constants_, state, WorkerState::SCANNING, [&](WorkerIndex w, TaskIndex t) {
    if (LockSucceeds(state, t)) actions.push_back({Kind::TryLockSuccess, w, 0});
  });
  ForWorkersIn(constants_, state, WorkerState::SCANNING, [&](WorkerIndex w, TaskIndex t) {
    const std::uint32_t sides = LockFailures(state, w, t);
    for (std::uint32_t side = 0; side < sides; ++side) actions.push_back({Kind::TryLockFail, w, 0});
  });
  ForWorkersIn(constants_, state, WorkerState::EXECUTING, [&](WorkerIndex w, TaskIndex t) {
    if (state.task_status[t] == TaskStatus::INIT) {
      actions.push_back({Kind::ExecuteTaskSuccess, w, 0});
    }
  });
  ForWorkersIn(constants_, state, WorkerState::EXECUTING, [&](WorkerIndex w, TaskIndex) {
    actions.push_back({Kind::ExecuteTaskFailure, w, 0});
  });
  ForWorkersIn(constants_, state, WorkerState::UNLOCKING, [&](WorkerIndex w, TaskIndex) {
    actions.push_back({Kind::UnlockTask, w, 0});
  });
  for (WorkerIndex w = 0; w < workers; ++w) {
    if (state.worker_alive[w]) actions.push_back({Kind::WorkerCrash, w, 0});
  }
  for (WorkerIndex w = 0; w < workers; ++w) {
    if (SessionExpires(*this, state, w)) actions.push_back({Kind::SessionExpiry, w, 0});
  }
  for (WorkerIndex w = 0; w < workers; ++w) {
    if (Recovers(*this, state, w)) actions.push_back({Kind::WorkerRecover, w, 0});
  }
}

}  // namespace lockstep::protocol::task_claiming
