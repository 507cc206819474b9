// ToyModel: a graph given by functions, as an ExploreModel, for the tests of this folder. And an
// executor that has several workers and no threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/exhaust/executor.h"
#include "scenarios/exhaust/explore_model.h"

namespace lockstep::scenarios {

/// Runs the workers one after another, the last one first.
class BackwardExecutor : public Executor {
 public:
  explicit BackwardExecutor(std::uint32_t workers) : workers_(workers) {}
  void RunOnAll(const std::function<void(std::uint32_t)>& body) override {
    for (std::uint32_t worker = workers_; worker > 0; --worker) body(worker - 1);
  }
  [[nodiscard]] std::uint32_t workers() const override { return workers_; }

 private:
  std::uint32_t workers_;
};

class ToyModel : public ExploreModel {
 public:
  using State = PackedState;

  State initial{};
  /// Actions 0, 1, ...; each is its own kind, "a0", "a1", ... up to `kinds`.
  std::function<void(const State&, std::vector<Successor>&)> expand;
  std::function<int(const State&)> broken = [](const State&) { return -1; };
  std::function<std::uint64_t(const State&, std::uint32_t, const State&)> witness =
      [](const State&, std::uint32_t, const State&) { return std::uint64_t{0}; };
  std::vector<InvariantInfo> invariant_infos;
  std::vector<std::string_view> sometimes_names;
  std::vector<std::string_view> kinds = {"a0", "a1", "a2", "a3"};

  [[nodiscard]] std::unique_ptr<Expander> NewExpander() const override {
    return std::make_unique<ToyExpander>(*this);
  }
  [[nodiscard]] State Initial() const override { return initial; }
  [[nodiscard]] const std::vector<InvariantInfo>& invariants() const override {
    return invariant_infos;
  }
  [[nodiscard]] const std::vector<FairnessCondition>& fairness() const override {
    return fairness_;
  }
  [[nodiscard]] const std::vector<LeadsToInstance>& leads_to() const override { return leads_to_; }
  [[nodiscard]] const std::vector<std::string_view>& sometimes() const override {
    return sometimes_names;
  }
  [[nodiscard]] std::uint8_t FairnessOf(std::uint32_t /*action*/) const override {
    return kNoFairness;
  }
  [[nodiscard]] std::size_t ActionKindOf(std::uint32_t action) const override { return action; }
  [[nodiscard]] const std::vector<std::string_view>& action_names() const override { return kinds; }
  [[nodiscard]] std::string ActionToString(std::uint32_t action) const override {
    return std::string(kinds.at(action));
  }
  [[nodiscard]] sim::Value ActionParameters(std::uint32_t /*action*/) const override {
    return sim::Value::RecordOf({});
  }
  [[nodiscard]] sim::Value StateToValue(const State& state) const override {
    const auto number = [](std::uint64_t n) {
      return sim::Value::Int(static_cast<std::int64_t>(n));
    };
    return sim::Value::RecordOf({{"x", number(state[0])}, {"y", number(state[1])}});
  }

 private:
  class ToyExpander : public Expander {
   public:
    explicit ToyExpander(const ToyModel& model) : model_(model) {}
    void Expand(const State& state, std::vector<Successor>& successors) override {
      successors.clear();
      model_.expand(state, successors);
    }
    std::uint64_t BrokenInvariants(const State& state) override {
      const int which = model_.broken(state);
      return which < 0 ? 0 : std::uint64_t{1} << which;
    }
    std::uint64_t LeadsToLeft(const State& /*state*/) override { return 0; }
    std::uint64_t LeadsToRight(const State& /*state*/) override { return 0; }
    std::uint64_t Sometimes(const State& before, std::uint32_t action,
                            const State& after) override {
      return model_.witness(before, action, after);
    }

   private:
    const ToyModel& model_;
  };

  std::vector<FairnessCondition> fairness_;
  std::vector<LeadsToInstance> leads_to_;
};

/// A square: from (x, y) action 0 leads to (x + 1, y) and action 1 to (x, y + 1), while they are
/// below `side`; at the far corner action 2 changes nothing. No deadlock.
inline void MakeSquare(ToyModel& model, std::uint64_t side) {
  model.expand = [side](const PackedState& state, std::vector<Successor>& successors) {
    const auto [x, y] = state;
    if (x + 1 < side) successors.push_back({{x + 1, y}, 0, true});
    if (y + 1 < side) successors.push_back({{x, y + 1}, 1, true});
    if (successors.empty()) successors.push_back({state, 2, true});
  };
}

}  // namespace lockstep::scenarios
