// Says whether a lasso is what it claims to be, by the machine alone: nothing of the search that
// found it is used.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/leads_to.h"

namespace lockstep::scenarios {

class LassoReplay {
 public:
  LassoReplay(const ExploreModel& model, std::vector<FairnessOverride> overrides)
      : model_(model), overrides_(std::move(overrides)), expander_(model.NewExpander()) {}

  /// What is wrong with it; empty = nothing.
  std::string Check(const LeadsToResult& result) {
    const auto& [instance, verdict, prefix, cycle] = result;
    if (verdict != invariants::Verdict::kViolated) return "not violated";
    if (prefix.empty() || prefix.front() != TraceStep{kNoAction, model_.Initial()}) {
      return "does not begin with the initial state";
    }
    for (std::size_t i = 1; i < prefix.size(); ++i) {
      if (!IsStep(prefix[i - 1].state, prefix[i])) return "prefix: no step " + std::to_string(i);
    }
    PackedState state = prefix.back().state;
    for (const TraceStep& step : cycle) {
      if (!IsStep(state, step)) return "cycle: no step " + model_.ActionToString(step.action);
      if (step.state == state) return "cycle: a step that changes nothing";
      state = step.state;
    }
    if (state != prefix.back().state) return "the cycle does not close";
    if (!IsOwedForEver(result)) return "the left side is answered, or never holds";
    return UnfairTo(prefix.back().state, cycle);
  }

 private:
  bool IsStep(const PackedState& before, const TraceStep& step) {
    expander_->Expand(before, successors_);
    for (const Successor& successor : successors_) {
      if (successor.action == step.action && successor.state == step.state) {
        return successor.in_constraint;
      }
    }
    return false;
  }

  /// Somewhere on the prefix the left side holds, and from there on the right side never does.
  bool IsOwedForEver(const LeadsToResult& result) {
    std::uint64_t bit = 1;
    for (const LeadsToInstance& instance : model_.leads_to()) {
      if (instance.name == result.instance.name) break;
      bit *= 2;
    }
    for (const TraceStep& step : result.cycle) {
      if ((expander_->LeadsToRight(step.state) & bit) != 0) return false;
    }
    for (std::size_t i = result.prefix.size(); i > 0; --i) {
      const PackedState& state = result.prefix[i - 1].state;
      if ((expander_->LeadsToRight(state) & bit) != 0) return false;
      if ((expander_->LeadsToLeft(state) & bit) != 0) return true;
    }
    return false;
  }

  [[nodiscard]] FairnessKind KindOf(const FairnessCondition& condition) const {
    FairnessKind kind = condition.kind;
    for (const FairnessOverride& change : overrides_) {
      if (change.action == condition.action) kind = change.kind;
    }
    return kind;
  }

  std::uint64_t EnabledIn(const PackedState& state) {
    std::uint64_t enabled = 0;
    expander_->Expand(state, successors_);
    for (const Successor& successor : successors_) {
      const std::uint8_t condition = model_.FairnessOf(successor.action);
      if (condition == kNoFairness || successor.state == state) continue;
      enabled |= std::uint64_t{1} << condition;
    }
    return enabled;
  }

  /// The first condition that the cycle is not fair to; empty = none.
  std::string UnfairTo(const PackedState& start, const StateTrace& cycle) {
    std::uint64_t somewhere = EnabledIn(start);
    std::uint64_t everywhere = somewhere;
    std::uint64_t taken = 0;
    for (const TraceStep& step : cycle) {
      const std::uint64_t enabled = EnabledIn(step.state);
      somewhere |= enabled;
      everywhere &= enabled;
      const std::uint8_t condition = model_.FairnessOf(step.action);
      if (condition != kNoFairness) taken |= std::uint64_t{1} << condition;
    }
    for (std::size_t c = 0; c < model_.fairness().size(); ++c) {
      const FairnessKind kind = KindOf(model_.fairness()[c]);
      if (kind == FairnessKind::kNone || ((taken >> c) & 1U) != 0) continue;
      const std::uint64_t enabled = kind == FairnessKind::kWeak ? everywhere : somewhere;
      if (((enabled >> c) & 1U) != 0) return "unfair to " + model_.fairness()[c].name;
    }
    return {};
  }

  const ExploreModel& model_;
  std::vector<FairnessOverride> overrides_;
  std::unique_ptr<Expander> expander_;
  std::vector<Successor> successors_;
};

}  // namespace lockstep::scenarios
