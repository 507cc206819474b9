// What the machine's values are called: TLA+ spellings, parameters and variables as Values.
#include <array>
#include <string>
#include <utility>

#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::protocol::task_claiming {
namespace {

using sim::Value;
using Fields = std::vector<std::pair<std::string, Value>>;

constexpr std::array<std::string_view, 4> kTaskStatusNames = {"INIT", "PREPARED", "COMMITTED",
                                                              "DLQ"};
constexpr std::array<std::string_view, 4> kWorkerStateNames = {"IDLE", "SCANNING", "EXECUTING",
                                                               "UNLOCKING"};
constexpr std::array<std::string_view, kActionKinds> kActionNames = {
    "ScanTasks",  "TryLockSuccess", "TryLockFail",   "ExecuteTaskSuccess", "ExecuteTaskFailure",
    "UnlockTask", "WorkerCrash",    "SessionExpiry", "WorkerRecover",
};

template <typename Enum, std::size_t N>
constexpr std::string_view NameIn(const std::array<std::string_view, N>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

template <typename Enum>
Value NameValue(Enum value) {
  return Value::String(std::string(Name(value)));
}

/// The name at `index`, "NONE" for none, "#7" for one that has no name.
std::string NameAt(const std::vector<std::string>& names, std::uint8_t index) {
  if (index < names.size()) return names[index];
  return index == kNoWorker || index == kNoTask ? "NONE" : "#" + std::to_string(index);
}

/// The values of a state's functions at one argument.
class Point {
 public:
  Point(const Constants& constants, const State& state) : constants_(constants), state_(state) {}

  [[nodiscard]] Value TaskStatusOf(TaskIndex task) const {
    return NameValue(state_.task_status[task]);
  }
  [[nodiscard]] Value LockStateOf(TaskIndex task) const {
    const Lock& lock = state_.lock_state[task];
    return Value::RecordOf({{"worker", Value::String(NameAt(constants_.workers, lock.worker))},
                            {"version", Value::Int(static_cast<std::int64_t>(lock.version))}});
  }
  [[nodiscard]] Value WorkerAliveOf(WorkerIndex worker) const {
    return Value::Bool(state_.worker_alive[worker]);
  }
  [[nodiscard]] Value WorkerStateOf(WorkerIndex worker) const {
    return NameValue(state_.worker_state[worker]);
  }
  [[nodiscard]] Value WorkerTaskOf(WorkerIndex worker) const {
    return Value::String(NameAt(constants_.tasks, state_.worker_task[worker]));
  }
  [[nodiscard]] Value TaskFailCountOf(TaskIndex task) const {
    return Value::Int(static_cast<std::int64_t>(state_.task_fail_count[task]));
  }

 private:
  const Constants& constants_;
  const State& state_;
};

/// Each name -> what `get` says of its index.
template <typename Get>
Value Function(const std::vector<std::string>& names, Get get) {
  Fields fields;
  fields.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    fields.emplace_back(names[i], get(static_cast<std::uint8_t>(i)));
  }
  return Value::RecordOf(std::move(fields));
}

}  // namespace

std::string_view Name(TaskStatus status) { return NameIn(kTaskStatusNames, status); }
std::string_view Name(WorkerState state) { return NameIn(kWorkerStateNames, state); }
std::string_view Name(ActionKind kind) { return NameIn(kActionNames, kind); }

std::optional<ActionKind> ActionKindFromName(std::string_view name) {
  for (std::size_t i = 0; i < kActionNames.size(); ++i) {
    if (kActionNames.at(i) == name) return static_cast<ActionKind>(i);
  }
  return std::nullopt;
}

Value Machine::ToValue(const State& state) const {
  const Point at(constants_, state);
  const std::vector<std::string>& workers = constants_.workers;
  const std::vector<std::string>& tasks = constants_.tasks;
  return Value::RecordOf({
      {"taskStatus", Function(tasks, [&](TaskIndex t) { return at.TaskStatusOf(t); })},
      {"lockState", Function(tasks, [&](TaskIndex t) { return at.LockStateOf(t); })},
      {"workerAlive", Function(workers, [&](WorkerIndex w) { return at.WorkerAliveOf(w); })},
      {"workerState", Function(workers, [&](WorkerIndex w) { return at.WorkerStateOf(w); })},
      {"workerTask", Function(workers, [&](WorkerIndex w) { return at.WorkerTaskOf(w); })},
      {"taskFailCount", Function(tasks, [&](TaskIndex t) { return at.TaskFailCountOf(t); })},
      {"lockVersion", Value::Int(static_cast<std::int64_t>(state.lock_version))},
  });
}

Value Machine::ChangedToValue(const State& state, const Changes& changes) const {
  const Point at(constants_, state);
  Fields fields;
  const auto add = [&](const char* variable, const std::vector<std::string>& names,
                       const auto& before, auto get) {
    if (!before) return;
    fields.emplace_back(variable, Value::RecordOf({{names.at(before->index), get(before->index)}}));
  };
  add("taskStatus", constants_.tasks, changes.task_status,
      [&](TaskIndex t) { return at.TaskStatusOf(t); });
  if (!changes.lock_state.empty()) {
    Fields locks;
    for (const auto& before : changes.lock_state) {
      locks.emplace_back(constants_.tasks.at(before.index), at.LockStateOf(before.index));
    }
    fields.emplace_back("lockState", Value::RecordOf(std::move(locks)));
  }
  add("workerAlive", constants_.workers, changes.worker_alive,
      [&](WorkerIndex w) { return at.WorkerAliveOf(w); });
  add("workerState", constants_.workers, changes.worker_state,
      [&](WorkerIndex w) { return at.WorkerStateOf(w); });
  add("workerTask", constants_.workers, changes.worker_task,
      [&](WorkerIndex w) { return at.WorkerTaskOf(w); });
  add("taskFailCount", constants_.tasks, changes.task_fail_count,
      [&](TaskIndex t) { return at.TaskFailCountOf(t); });
  if (changes.lock_version) {
    fields.emplace_back("lockVersion", Value::Int(static_cast<std::int64_t>(state.lock_version)));
  }
  return Value::RecordOf(std::move(fields));
}

Value Machine::Parameters(const Action& action) const {
  Fields fields = {{"w", Value::String(constants_.workers.at(action.worker))}};
  if (action.kind == ActionKind::ScanTasks) {
    fields.emplace_back("t", Value::String(constants_.tasks.at(action.task)));
  }
  return Value::RecordOf(std::move(fields));
}

std::string Machine::ToString(const Action& action) const {
  std::string text(Name(action.kind));
  text += '(' + NameAt(constants_.workers, action.worker);
  if (action.kind == ActionKind::ScanTasks) text += ", " + NameAt(constants_.tasks, action.task);
  return text + ')';
}

}  // namespace lockstep::protocol::task_claiming
