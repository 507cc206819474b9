#include "scenarios/exhaust/task_explore_model.h"

#include <array>
#include <bit>
#include <utility>

#include "invariants/task_claiming/task_registry.h"
#include "protocol/task_claiming/task_claiming_module.h"
#include "scenarios/exhaust/task_sometimes.h"
#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

using invariants::task_claiming::TaskProperties;
using invariants::task_claiming::TaskProperty;
using protocol::task_claiming::Action;
using protocol::task_claiming::ActionKind;
using protocol::task_claiming::ActionKinds;
using protocol::task_claiming::Changes;
using protocol::task_claiming::Constants;
using protocol::task_claiming::Fairness;
using protocol::task_claiming::kActionKinds;
using protocol::task_claiming::kUnboundedLockVersion;
using protocol::task_claiming::Machine;
using protocol::task_claiming::Name;
using protocol::task_claiming::State;
using protocol::task_claiming::TaskIndex;
using protocol::task_claiming::TaskStatus;
using protocol::task_claiming::WorkerIndex;
using protocol::task_claiming::WorkerState;

constexpr unsigned kIndexBits = 8;
constexpr std::uint32_t kIndexMask = (1U << kIndexBits) - 1;
constexpr std::uint32_t kLivingSession = 1U << (3 * kIndexBits);
constexpr std::size_t kBitsOfAWord = 64;

class TaskExpander final : public Expander {
 public:
  explicit TaskExpander(const TaskExploreModel& model)
      : machine_(model.machine()),
        layout_(model.layout()),
        before_{model.Initial(), machine_.Init()},
        after_(before_),
        sometimes_(TaskSometimesByKind()) {}

  void Expand(const PackedState& packed, std::vector<Successor>& successors) override {
    Hold(packed, before_);
    State& state = before_.state;
    successors.clear();
    machine_.EnabledActions(state, actions_);
    for (const Action& action : actions_) {
      const bool living =
          action.kind == ActionKind::SessionExpiry && state.worker_alive[action.worker];
      machine_.Apply(state, action, changes_);
      Successor& successor = successors.emplace_back();
      successor.state = packed;
      successor.action = TaskExploreModel::CodeOf(action, living);
      successor.in_constraint = machine_.StateConstraint(state);
      layout_.Repack(state, changes_, successor.state);
      Machine::Undo(state, changes_);
    }
  }

  std::uint64_t BrokenInvariants(const PackedState& packed) override {
    Hold(packed, after_);
    std::uint64_t broken = 0;
    std::size_t i = 0;
    for (const TaskProperty& property : TaskProperties()) {
      if (property.state(machine_, after_.state)) broken |= Bit(i);
      ++i;
    }
    return broken;
  }

  std::uint64_t LeadsToLeft(const PackedState& packed) override {
    std::uint64_t bits = 0;
    std::size_t bit = 0;
    for (std::size_t t = 0; t < Tasks(); ++t, ++bit) {
      if (layout_.TaskOf(packed, t).status == TaskStatus::INIT) bits |= Bit(bit);
    }
    for (std::size_t t = 0; t < Tasks(); ++t) {
      const WorkerIndex holder = layout_.TaskOf(packed, t).holder;
      for (std::size_t w = 0; w < Workers(); ++w, ++bit) {
        if (holder == w && !layout_.WorkerOf(packed, w).alive) bits |= Bit(bit);
      }
    }
    for (std::size_t t = 0; t < Tasks(); ++t, ++bit) {
      if (layout_.TaskOf(packed, t).status == TaskStatus::INIT) bits |= Bit(bit);
    }
    return bits;
  }

  std::uint64_t LeadsToRight(const PackedState& packed) override {
    std::uint64_t bits = 0;
    std::size_t bit = 0;
    for (std::size_t t = 0; t < Tasks(); ++t, ++bit) {
      const TaskStatus status = layout_.TaskOf(packed, t).status;
      if (status == TaskStatus::COMMITTED || status == TaskStatus::DLQ) bits |= Bit(bit);
    }
    for (std::size_t t = 0; t < Tasks(); ++t) {
      const WorkerIndex holder = layout_.TaskOf(packed, t).holder;
      for (std::size_t w = 0; w < Workers(); ++w, ++bit) {
        if (holder != w) bits |= Bit(bit);
      }
    }
    for (std::size_t w = 0; w < Workers(); ++w) {
      const TaskStateLayout::Worker worker = layout_.WorkerOf(packed, w);
      if (worker.state == WorkerState::EXECUTING) bits |= Bit(bit + worker.task);
    }
    return bits;
  }

  // All of them are about steps, so the initial state has none.
  std::uint64_t Sometimes(const PackedState& before, std::uint32_t action,
                          const PackedState& after) override {
    if (action == kNoAction) return 0;
    const Action taken = TaskExploreModel::ActionOf(action);
    Hold(before, before_);
    Hold(after, after_);
    const TaskMachineStep step{machine_, before_.state, taken, after_.state};
    const auto properties = TaskSometimesProperties();
    std::uint64_t holds = 0;
    std::uint64_t candidates = sometimes_[static_cast<std::size_t>(taken.kind)];
    for (; candidates != 0; candidates &= candidates - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(candidates));
      if (properties[i].holds(step)) holds |= Bit(i);
    }
    return holds;
  }

 private:
  /// A state, unpacked.
  struct Held {
    PackedState packed;
    State state;
  };

  static std::uint64_t Bit(std::size_t i) { return std::uint64_t{1} << i; }
  [[nodiscard]] std::size_t Workers() const { return machine_.constants().workers.size(); }
  [[nodiscard]] std::size_t Tasks() const { return machine_.constants().tasks.size(); }

  /// States that are asked for one after another have much in common.
  void Hold(const PackedState& packed, Held& held) {
    if (packed == held.packed) return;
    layout_.UnpackOver(held.packed, packed, held.state);
    held.packed = packed;
  }

  const Machine& machine_;
  const TaskStateLayout& layout_;
  Held before_;
  Held after_;
  Changes changes_;
  std::vector<Action> actions_;
  std::array<std::uint64_t, kActionKinds> sometimes_;
};

FairnessKind KindOf(Fairness fairness) {
  switch (fairness) {
    case Fairness::kNone:
      return FairnessKind::kNone;
    case Fairness::kWeak:
      return FairnessKind::kWeak;
    case Fairness::kStrong:
      return FairnessKind::kStrong;
  }
  return FairnessKind::kNone;
}

}  // namespace

std::variant<std::unique_ptr<TaskExploreModel>, std::string> TaskExploreModel::For(
    TaskExploreConfig config) {
  const Constants& constants = config.constants;
  if (auto broken = BrokenAssumption(constants)) return std::move(*broken);
  if (!config.quotient && constants.max_lock_version == kUnboundedLockVersion) {
    return "nothing bounds the lock versions: MaxLockVersion or \"Quotient\": true";
  }
  auto layout = TaskStateLayout::For(
      constants, config.quotient ? LockVersions::kDropped : LockVersions::kPacked);
  if (auto* why = std::get_if<std::string>(&layout)) return std::move(*why);
  std::unique_ptr<TaskExploreModel> model(
      new TaskExploreModel(std::move(config), std::get<TaskStateLayout>(std::move(layout))));
  if (model->fairness_.size() > kBitsOfAWord) {
    return "more than 64 fairness conditions: seven for each worker, and one for each worker and "
           "task";
  }
  if (model->leads_to_.size() > kBitsOfAWord) {
    return "more than 64 leads-to instances: two for each task, and one for each worker and task";
  }
  return model;
}

TaskExploreModel::TaskExploreModel(TaskExploreConfig config, TaskStateLayout layout)
    : config_(std::move(config)), machine_(config_.constants), layout_(std::move(layout)) {
  for (const ActionKind kind : ActionKinds()) action_names_.push_back(Name(kind));
  for (const TaskSometimes& property : TaskSometimesProperties()) {
    sometimes_.push_back(property.name);
  }
  for (const TaskProperty& property : TaskProperties()) invariants_.push_back({property.name});
  AddFairness();
  AddLeadsTo();
}

void TaskExploreModel::AddFairness() {
  const Constants& constants = config_.constants;
  first_condition_.assign(kActionKinds, kNoFairness);
  for (const ActionKind kind : ActionKinds()) {
    const FairnessKind fairness = KindOf(protocol::task_claiming::FairnessOf(kind));
    if (fairness == FairnessKind::kNone) continue;
    first_condition_[static_cast<std::size_t>(kind)] = static_cast<std::uint8_t>(fairness_.size());
    const std::size_t tasks = kind == ActionKind::ScanTasks ? constants.tasks.size() : 1;
    for (WorkerIndex worker = 0; worker < constants.workers.size(); ++worker) {
      for (TaskIndex task = 0; task < tasks; ++task) {
        fairness_.push_back({machine_.ToString({kind, worker, task}), Name(kind), fairness});
      }
    }
  }
}

// The order is that of the bits of LeadsToLeft and LeadsToRight.
void TaskExploreModel::AddLeadsTo() {
  const auto add = [this](std::string_view property, const std::string& parameters) {
    leads_to_.push_back({property, std::string(property) + "(" + parameters + ")"});
  };
  const Constants& constants = config_.constants;
  for (const std::string& task : constants.tasks) add("TaskCompletion", task);
  for (const std::string& task : constants.tasks) {
    for (const std::string& worker : constants.workers) {
      add("CrashRecovery", worker + ", " + task);
    }
  }
  for (const std::string& task : constants.tasks) add("NoStarvation", task);
}

std::unique_ptr<Expander> TaskExploreModel::NewExpander() const {
  return std::make_unique<TaskExpander>(*this);
}

PackedState TaskExploreModel::Initial() const { return layout_.Pack(machine_.Init()); }

std::uint32_t TaskExploreModel::CodeOf(const Action& action, bool of_living_session) {
  return (of_living_session ? kLivingSession : 0) |
         (static_cast<std::uint32_t>(action.kind) << (2 * kIndexBits)) |
         (std::uint32_t{action.worker} << kIndexBits) | action.task;
}

Action TaskExploreModel::ActionOf(std::uint32_t code) {
  return {static_cast<ActionKind>((code >> (2 * kIndexBits)) & kIndexMask),
          static_cast<WorkerIndex>((code >> kIndexBits) & kIndexMask),
          static_cast<TaskIndex>(code & kIndexMask)};
}

std::uint8_t TaskExploreModel::FairnessOf(std::uint32_t action) const {
  const Action of = ActionOf(action);
  const std::uint8_t first = first_condition_[static_cast<std::size_t>(of.kind)];
  if (first == kNoFairness || (action & kLivingSession) != 0) return kNoFairness;
  if (of.kind != ActionKind::ScanTasks) return static_cast<std::uint8_t>(first + of.worker);
  return static_cast<std::uint8_t>(first + of.worker * config_.constants.tasks.size() + of.task);
}

std::size_t TaskExploreModel::ActionKindOf(std::uint32_t action) const {
  return (action >> (2 * kIndexBits)) & kIndexMask;
}

std::string TaskExploreModel::ActionToString(std::uint32_t action) const {
  return machine_.ToString(ActionOf(action));
}

sim::Value TaskExploreModel::ActionParameters(std::uint32_t action) const {
  return machine_.Parameters(ActionOf(action));
}

sim::Value TaskExploreModel::StateToValue(const PackedState& state) const {
  State unpacked;
  layout_.Unpack(state, unpacked);
  return machine_.ToValue(unpacked);
}

std::vector<sim::Value> TaskExploreModel::TraceToValues(const StateTrace& trace) const {
  std::vector<sim::Value> values;
  State state = machine_.Init();
  Changes changes;
  for (const TraceStep& step : trace) {
    if (step.action != kNoAction) {
      const Action action = ActionOf(step.action);
      LOCKSTEP_CHECK_MSG(machine_.Enabled(state, action), "a trace of another model");
      machine_.Apply(state, action, changes);
    }
    values.push_back(machine_.ToValue(state));
  }
  return values;
}

}  // namespace lockstep::scenarios
