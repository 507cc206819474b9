#include "scenarios/exhaust/machine_walk.h"

#include <bit>
#include <utility>
#include <vector>

#include "sim/choice/replay_choices.h"
#include "sim/choice/seeded_choices.h"

namespace lockstep::scenarios {
namespace {

using invariants::Verdict;
using protocol::leaderless_log::Action;
using protocol::leaderless_log::Changes;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::State;

/// Steps between two calls of `progress`, at least.
constexpr std::uint64_t kStepsBetweenProgress = std::uint64_t{1} << 18U;

class ExpandingWalk final : public WalkMachine {
 public:
  explicit ExpandingWalk(const ExploreModel& model)
      : initial_(model.Initial()), expander_(model.NewExpander()), state_(initial_) {}

  void Reset() override {
    state_ = initial_;
    in_constraint_ = true;
  }
  std::uint32_t CountEnabled() override {
    expander_->Expand(state_, successors_);
    return static_cast<std::uint32_t>(successors_.size());
  }
  std::uint32_t Take(std::uint32_t which) override {
    const Successor& successor = successors_[which];
    state_ = successor.state;
    in_constraint_ = successor.in_constraint;
    return successor.action;
  }
  int BrokenInvariant() override {
    const std::uint64_t broken = expander_->BrokenInvariants(state_);
    return broken == 0 ? -1 : std::countr_zero(broken);
  }
  bool InConstraint() override { return in_constraint_; }
  [[nodiscard]] PackedState Packed() const override { return state_; }

 private:
  PackedState initial_;
  std::unique_ptr<Expander> expander_;
  PackedState state_;
  bool in_constraint_ = true;
  std::vector<Successor> successors_;
};

class LogWalk final : public WalkMachine {
 public:
  explicit LogWalk(const LogExploreModel& model)
      : model_(model), machine_(model.machine()), initial_(machine_.Init()), state_(initial_) {}

  void Reset() override { state_ = initial_; }
  std::uint32_t CountEnabled() override {
    machine_.EnabledActions(state_, actions_);
    return static_cast<std::uint32_t>(actions_.size());
  }
  std::uint32_t Take(std::uint32_t which) override {
    machine_.Apply(state_, actions_[which], changes_);
    return LogExploreModel::CodeOf(actions_[which]);
  }
  int BrokenInvariant() override {
    int i = 0;
    for (const LogInvariant& invariant : model_.checks()) {
      if (invariant.check(machine_, state_)) return i;
      ++i;
    }
    return -1;
  }
  bool InConstraint() override { return true; }
  [[nodiscard]] PackedState Packed() const override { return model_.layout().Pack(state_); }

 private:
  const LogExploreModel& model_;
  const Machine& machine_;
  const State initial_;
  State state_;
  Changes changes_;
  std::vector<Action> actions_;
};

WalkBroken Explain(WalkMachine& machine, std::uint64_t seed, const WalkRun& run,
                   sim::Schedule schedule) {
  WalkBroken broken{run.invariant, seed, std::move(schedule), {}};
  sim::ReplayChoices again(broken.schedule);
  WalkOnce(machine, again, run.steps, &broken.trace);
  return broken;
}

}  // namespace

std::unique_ptr<WalkMachine> NewWalkMachine(const ExploreModel& model) {
  return std::make_unique<ExpandingWalk>(model);
}

std::unique_ptr<WalkMachine> NewWalkMachine(const LogExploreModel& model) {
  return std::make_unique<LogWalk>(model);
}

WalkRun WalkOnce(WalkMachine& machine, sim::Choices& choices, std::uint64_t max_steps,
                 StateTrace* trace) {
  WalkRun run;
  machine.Reset();
  std::uint32_t action = kNoAction;
  while (true) {
    if (trace != nullptr) trace->push_back({action, machine.Packed()});
    if (const int broken = machine.BrokenInvariant(); broken >= 0) {
      run.broken = true;
      run.invariant = static_cast<std::size_t>(broken);
      return run;
    }
    if (run.steps == max_steps || !machine.InConstraint()) return run;
    const std::uint32_t enabled = machine.CountEnabled();
    if (enabled == 0) {
      run.broken = true;
      return run;
    }
    action = machine.Take(choices.Choose(sim::ChoiceKind::kEvent, enabled));
    ++run.steps;
  }
}

WalkResult Walk(WalkMachine& machine, const WalkOptions& options) {
  WalkResult result;
  std::uint64_t progress_at = 0;
  for (; result.runs < options.runs; ++result.runs) {
    if (options.progress && result.steps >= progress_at) {
      progress_at = result.steps + kStepsBetweenProgress;
      if (!options.progress({result.runs, result.steps})) {
        result.verdict = Verdict::kInconclusive;
        return result;
      }
    }
    const std::uint64_t seed = options.seed + result.runs;
    sim::SeededChoices choices(seed);
    const WalkRun run = WalkOnce(machine, choices, options.max_steps);
    result.steps += run.steps;
    if (!run.broken) continue;
    ++result.runs;
    result.verdict = Verdict::kViolated;
    result.broken = Explain(machine, seed, run, choices.TakeSchedule());
    return result;
  }
  return result;
}

}  // namespace lockstep::scenarios
