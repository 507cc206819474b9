// TaskExploreModel: task claiming for exhaustive search, by the very machine that checks runs.
//
// There is no second implementation: a state is unpacked into one State, every enabled action is
// applied there in place, what changed is packed again, and the action is undone.
//
// Without lock versions (TaskExploreConfig::quotient) the packed state leaves them out. They guard
// nothing, so a step of the quotient is a step of every state behind it.
//
// SPEC: TaskClaiming.tla
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/task_claiming/task_claiming_machine.h"
#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/shortest_trace.h"
#include "scenarios/exhaust/task_explore_config.h"
#include "scenarios/exhaust/task_state_layout.h"

namespace lockstep::scenarios {

class TaskExploreModel final : public ExploreModel {
 public:
  /// Or why it cannot be searched: a state does not fit, there are more fairness conditions or
  /// leads-to instances than can be named, or nothing bounds the lock versions.
  static std::variant<std::unique_ptr<TaskExploreModel>, std::string> For(TaskExploreConfig config);

  [[nodiscard]] std::unique_ptr<Expander> NewExpander() const override;
  [[nodiscard]] PackedState Initial() const override;
  [[nodiscard]] const std::vector<InvariantInfo>& invariants() const override {
    return invariants_;
  }
  [[nodiscard]] const std::vector<FairnessCondition>& fairness() const override {
    return fairness_;
  }
  [[nodiscard]] const std::vector<LeadsToInstance>& leads_to() const override { return leads_to_; }
  [[nodiscard]] const std::vector<std::string_view>& sometimes() const override {
    return sometimes_;
  }
  [[nodiscard]] std::uint8_t FairnessOf(std::uint32_t action) const override;
  [[nodiscard]] std::size_t ActionKindOf(std::uint32_t action) const override;
  [[nodiscard]] const std::vector<std::string_view>& action_names() const override {
    return action_names_;
  }
  [[nodiscard]] std::string ActionToString(std::uint32_t action) const override;
  [[nodiscard]] sim::Value ActionParameters(std::uint32_t action) const override;
  /// In a quotient the versions are made up; TraceToValues has the true ones.
  [[nodiscard]] sim::Value StateToValue(const PackedState& state) const override;

  /// The states that the trace's actions lead through from Init, with their true lock versions:
  /// what TLC and `replay` have to be told, of a quotient's trace too.
  [[nodiscard]] std::vector<sim::Value> TraceToValues(const StateTrace& trace) const;

  /// Codes ascend as Next lists the actions: by kind, then worker, then task. The expiry of a
  /// living worker's session has a code of its own, for nobody promises it.
  [[nodiscard]] static std::uint32_t CodeOf(const protocol::task_claiming::Action& action,
                                            bool of_living_session = false);
  [[nodiscard]] static protocol::task_claiming::Action ActionOf(std::uint32_t code);

  [[nodiscard]] const TaskExploreConfig& config() const { return config_; }
  [[nodiscard]] const protocol::task_claiming::Machine& machine() const { return machine_; }
  [[nodiscard]] const TaskStateLayout& layout() const { return layout_; }

 private:
  TaskExploreModel(TaskExploreConfig config, TaskStateLayout layout);
  void AddFairness();
  void AddLeadsTo();

  TaskExploreConfig config_;
  protocol::task_claiming::Machine machine_;
  TaskStateLayout layout_;
  std::vector<InvariantInfo> invariants_;
  std::vector<FairnessCondition> fairness_;
  /// By kind: the first of its conditions; workers and, for ScanTasks, tasks follow in order.
  std::vector<std::uint8_t> first_condition_;
  std::vector<LeadsToInstance> leads_to_;
  std::vector<std::string_view> sometimes_;
  std::vector<std::string_view> action_names_;
};

}  // namespace lockstep::scenarios
