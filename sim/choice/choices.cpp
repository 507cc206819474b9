#include "sim/choice/choices.h"

#include "sim/base/check.h"

namespace lockstep::sim {

std::string_view ChoiceKindName(ChoiceKind kind) {
  switch (kind) {
    case ChoiceKind::kEvent:
      return "event";
    case ChoiceKind::kWorkload:
      return "workload";
    case ChoiceKind::kFaultSwarm:
      return "fault_swarm";
    case ChoiceKind::kFaultGap:
      return "fault_gap";
    case ChoiceKind::kFaultTarget:
      return "fault_target";
    case ChoiceKind::kFaultDuration:
      return "fault_duration";
    case ChoiceKind::kNode:
      return "node";
  }
  return "?";
}

std::uint32_t Choices::Choose(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least) {
  LOCKSTEP_CHECK(at_least < bound);
  if (bound == 1) return 0;
  const std::uint32_t value = Decide(kind, bound, at_least);
  LOCKSTEP_CHECK(value < bound);
  taken_.push_back({kind, bound, value});
  return value;
}

std::uint32_t Choices::ChooseEvent(std::span<const EventLabel> enabled) {
  LOCKSTEP_CHECK(!enabled.empty());
  if (enabled.size() == 1) return 0;
  const std::uint32_t value = DecideEvent(enabled);
  LOCKSTEP_CHECK(value < enabled.size());
  taken_.push_back({ChoiceKind::kEvent, static_cast<std::uint32_t>(enabled.size()), value});
  return value;
}

std::uint32_t Choices::DecideEvent(std::span<const EventLabel> enabled) {
  return Decide(ChoiceKind::kEvent, static_cast<std::uint32_t>(enabled.size()), 0);
}

}  // namespace lockstep::sim
