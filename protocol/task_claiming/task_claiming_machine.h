// Task claiming's machine: a pure mirror of TaskClaiming.tla.
//
// State, Action, Init, Enabled, Apply, with the module's names. No clock, no store, no choice. One
// alternative of Next is one ActionKind, spelled the same. A State is a plain value of fixed size,
// so that a search copies and packs it without allocating; what no constant names keeps its initial
// value, so states compare equal however many workers and tasks have joined since.
//
// SPEC: TaskClaiming.tla
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/value.h"

namespace lockstep::protocol::task_claiming {

using WorkerIndex = std::uint8_t;   ///< index into Constants::workers
using TaskIndex = std::uint8_t;     ///< index into Constants::tasks
using FailCount = std::uint16_t;    ///< taskFailCount[t]
using LockVersion = std::uint32_t;  ///< 0 = unlocked
inline constexpr std::size_t kMaxWorkers = 64;
inline constexpr std::size_t kMaxTasks = 64;
inline constexpr WorkerIndex kNoWorker = std::numeric_limits<WorkerIndex>::max();  ///< "NONE"
inline constexpr TaskIndex kNoTask = std::numeric_limits<TaskIndex>::max();        ///< "NONE"
inline constexpr FailCount kMaxFailuresLimit = 60'000;
inline constexpr LockVersion kUnboundedLockVersion = std::numeric_limits<LockVersion>::max();

/// Variations of the module's meaning. All off = upstream.
struct Dialect {
  /// WorkerRecover asks only that the worker is not alive: it may still hold locks.
  bool recover_markdown = false;
  /// SessionExpiry also befalls a living worker, which loses its locks and does not notice.
  bool live_session_expiry = false;
  friend bool operator==(const Dialect&, const Dialect&) = default;
};

/// The module's CONSTANTS. In a run of real code, workers and tasks may be appended while the run
/// goes on, up to kMaxWorkers and kMaxTasks: nothing already decided depends on later ones.
struct Constants {
  std::vector<std::string> workers;
  std::vector<std::string> tasks;
  FailCount max_failures = 1;
  LockVersion max_lock_version = kUnboundedLockVersion;  ///< for StateConstraint only
  Dialect dialect;
};

/// The module's ASSUME, with the constants' names, and the room that State has; nothing when they
/// hold, else which one is broken.
std::optional<std::string> BrokenAssumption(const Constants& constants);

enum class TaskStatus : std::uint8_t { INIT, PREPARED, COMMITTED, DLQ };
enum class WorkerState : std::uint8_t { IDLE, SCANNING, EXECUTING, UNLOCKING };
std::string_view Name(TaskStatus status);
std::string_view Name(WorkerState state);

/// lockState[t].
struct Lock {
  WorkerIndex worker = kNoWorker;
  LockVersion version = 0;
  friend bool operator==(const Lock&, const Lock&) = default;
};

template <typename T, T kInitial, std::size_t kSize>
constexpr std::array<T, kSize> Filled() {
  std::array<T, kSize> items{};
  items.fill(kInitial);
  return items;
}

/// The module's variables. Indices beyond the constants' are as in Init.
struct State {
  std::array<TaskStatus, kMaxTasks> task_status{};
  std::array<Lock, kMaxTasks> lock_state{};
  std::array<bool, kMaxWorkers> worker_alive = Filled<bool, true, kMaxWorkers>();
  std::array<WorkerState, kMaxWorkers> worker_state{};
  std::array<TaskIndex, kMaxWorkers> worker_task = Filled<TaskIndex, kNoTask, kMaxWorkers>();
  std::array<FailCount, kMaxTasks> task_fail_count{};
  LockVersion lock_version = 1;
  friend bool operator==(const State&, const State&) = default;
};

/// One disjunct of Next, in its order.
enum class ActionKind : std::uint8_t {
  ScanTasks,
  TryLockSuccess,
  TryLockFail,
  ExecuteTaskSuccess,
  ExecuteTaskFailure,
  UnlockTask,
  WorkerCrash,
  SessionExpiry,
  WorkerRecover,
};
inline constexpr std::size_t kActionKinds = 9;
std::string_view Name(ActionKind kind);
std::optional<ActionKind> ActionKindFromName(std::string_view name);

struct Action {
  ActionKind kind = ActionKind::ScanTasks;
  WorkerIndex worker = 0;
  TaskIndex task = 0;  ///< ScanTasks only
  friend bool operator==(const Action&, const Action&) = default;
};

/// Which conjunct of a guard failed, and with which values.
struct GuardFailure {
  std::string_view conjunct;  ///< as in the module: "workerAlive[w]"
  sim::Value expected;
  sim::Value actual;
};

/// A function's value at one argument before an action.
template <typename Index, typename T>
struct Before {
  Index index = 0;
  T value{};
};

/// What an action changed: enough to restore the state before it. Reused between steps.
struct Changes {
  std::optional<Before<TaskIndex, TaskStatus>> task_status;  ///< nothing = unchanged
  std::vector<Before<TaskIndex, Lock>> lock_state;
  std::optional<Before<WorkerIndex, bool>> worker_alive;
  std::optional<Before<WorkerIndex, WorkerState>> worker_state;
  std::optional<Before<WorkerIndex, TaskIndex>> worker_task;
  std::optional<Before<TaskIndex, FailCount>> task_fail_count;
  std::optional<LockVersion> lock_version;
  void Clear();
};

class Machine {
 public:
  /// Keeps a reference: the constants may grow (workers, tasks) while the machine is used.
  explicit Machine(const Constants& constants) : constants_(constants) {}

  [[nodiscard]] State Init() const { return State{}; }

  /// The first conjunct of the action's guard that fails, in the module's order; nothing when the
  /// action is enabled.
  [[nodiscard]] std::optional<GuardFailure> Refusal(const State& state, const Action& action) const;
  /// The same without an explanation; the fast form.
  [[nodiscard]] bool Enabled(const State& state, const Action& action) const;

  /// Takes the action in place. `changes` is cleared and then filled.
  /// REQUIRES: Enabled(state, action).
  void Apply(State& state, const Action& action, Changes& changes) const;
  /// Restores what `changes` (of the latest Apply) says.
  static void Undo(State& state, const Changes& changes);

  /// Every successor that Next yields, in the order of ActionKind, then worker, then task. The
  /// guard of TryLockFail is a disjunction; where both its sides hold, Next yields the step twice,
  /// and it is listed twice: one next to the other.
  void EnabledActions(const State& state, std::vector<Action>& actions) const;

  /// lockVersion <= MaxLockVersion. A search counts and expands only states where this holds, and
  /// checks the others.
  [[nodiscard]] bool StateConstraint(const State& state) const {
    return state.lock_version <= constants_.max_lock_version;
  }
  /// True when the worker holds the lock of at least one task.
  [[nodiscard]] bool HoldsLock(const State& state, WorkerIndex worker) const;

  /// Variables by their TLA+ names, in the module's order.
  [[nodiscard]] sim::Value ToValue(const State& state) const;
  /// The new values of what `changes` names: functions as partial functions (records keyed by
  /// worker or task), lockVersion whole.
  [[nodiscard]] sim::Value ChangedToValue(const State& state, const Changes& changes) const;
  /// Action parameters by name: {"w": "w1", "t": "t2"}.
  [[nodiscard]] sim::Value Parameters(const Action& action) const;
  /// "ScanTasks(w1, t2)"
  [[nodiscard]] std::string ToString(const Action& action) const;

  [[nodiscard]] const Constants& constants() const { return constants_; }

 private:
  const Constants& constants_;
};

}  // namespace lockstep::protocol::task_claiming
