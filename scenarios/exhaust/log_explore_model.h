// LogExploreModel: the leaderless log for exhaustive search, by the very machine that checks runs.
//
// There is no second implementation: a state is unpacked into one State, every enabled action is
// applied there in place, what changed is packed again, and the action is undone.
//
// SPEC: LeaderlessLog.tla
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "invariants/log_registry.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/log_explore_config.h"
#include "scenarios/exhaust/log_state_layout.h"

namespace lockstep::scenarios {

/// The check behind a name of LogExploreModel::invariants().
struct LogInvariant {
  std::string_view name;
  invariants::LogStateCheck check;
};

class LogExploreModel final : public ExploreModel {
 public:
  /// Or why it cannot be searched: a state does not fit, or there are more fairness conditions or
  /// leads-to instances than ExploreModel can name.
  static std::variant<std::unique_ptr<LogExploreModel>, std::string> For(LogExploreConfig config);

  [[nodiscard]] std::unique_ptr<Expander> NewExpander() const override;
  [[nodiscard]] PackedState Initial() const override;
  [[nodiscard]] const std::vector<InvariantInfo>& invariants() const override {
    return invariant_infos_;
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
  [[nodiscard]] sim::Value StateToValue(const PackedState& state) const override;

  /// Codes ascend as Next lists the actions: by kind, then writer, then number.
  [[nodiscard]] static std::uint32_t CodeOf(const protocol::leaderless_log::Action& action);
  [[nodiscard]] static protocol::leaderless_log::Action ActionOf(std::uint32_t code);

  [[nodiscard]] const LogExploreConfig& config() const { return config_; }
  [[nodiscard]] const protocol::leaderless_log::Machine& machine() const { return machine_; }
  [[nodiscard]] const LogStateLayout& layout() const { return layout_; }
  [[nodiscard]] const std::vector<LogInvariant>& checks() const { return checks_; }

 private:
  LogExploreModel(LogExploreConfig config, LogStateLayout layout);
  void AddInvariants();
  void AddFairness();
  void AddFairnessForWriters(protocol::leaderless_log::ActionKind kind, FairnessKind fairness);
  void AddLeadsTo();

  LogExploreConfig config_;
  protocol::leaderless_log::Machine machine_;
  LogStateLayout layout_;
  std::vector<LogInvariant> checks_;
  std::vector<InvariantInfo> invariant_infos_;
  std::vector<FairnessCondition> fairness_;
  /// By kind: the first of its conditions; writers and, for ReadEntry, offsets follow in order.
  std::vector<std::uint32_t> first_condition_;
  std::vector<LeadsToInstance> leads_to_;
  std::vector<std::string_view> sometimes_;
  std::vector<std::string_view> action_names_;
};

}  // namespace lockstep::scenarios
