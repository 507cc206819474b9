#include "sim/choice/replay_choices.h"

namespace lockstep::sim {

namespace {

std::uint32_t WithoutSchedule(ChoiceKind kind, std::uint32_t at_least) {
  return kind == ChoiceKind::kFaultGap ? 0 : at_least;
}

}  // namespace

std::uint32_t ReplayChoices::Decide(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least) {
  if (divergence_) return WithoutSchedule(kind, at_least);
  if (position_ == schedule_.size()) {
    divergence_ = Divergence{position_, {kind, bound, 0}, std::nullopt};
    return WithoutSchedule(kind, at_least);
  }
  const Choice& next = schedule_[position_];
  if (next.kind != kind || next.bound != bound || next.value >= bound) {
    divergence_ = Divergence{position_, {kind, bound, 0}, next};
    return WithoutSchedule(kind, at_least);
  }
  ++position_;
  return next.value;
}

}  // namespace lockstep::sim
