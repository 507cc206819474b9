#include "sim/fault/fault_injector.h"

#include <fmt/format.h>

namespace lockstep::sim {

FaultPlan DrawFaultPlan(FaultSet permitted, Choices& choices) {
  FaultPlan plan{};
  for (const FaultInfo& info : FaultTable()) {
    if (!permitted.Has(info.kind)) continue;
    // 0, 1: off; 2, 3: full; 4: a third; 5: a tenth of the strength.
    const std::uint32_t strength = choices.Choose(ChoiceKind::kFaultSwarm, 6);
    if (strength < 2) continue;
    const std::uint32_t stretch = strength < 4 ? 1 : (strength == 4 ? 3 : 10);
    plan[static_cast<std::size_t>(info.kind)] = info.period * stretch;
  }
  return plan;
}

std::string DescribePlan(const FaultPlan& plan) {
  std::string text;
  for (const FaultInfo& info : FaultTable()) {
    const std::uint32_t period = plan[static_cast<std::size_t>(info.kind)];
    if (period == 0) continue;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}/{}", info.name, period);
  }
  return text.empty() ? "none" : text;
}

FaultInjector::FaultInjector(const FaultPlan& plan, Choices& choices)
    : plan_(plan), choices_(choices) {
  for (const FaultInfo& info : FaultTable()) {
    if (plan_[static_cast<std::size_t>(info.kind)] != 0) DrawGap(info.kind);
  }
}

bool FaultInjector::Strike(FaultKind kind) {
  Count(kind);
  DrawGap(kind);
  return true;
}

void FaultInjector::DrawGap(FaultKind kind) {
  const auto i = static_cast<std::size_t>(kind);
  gaps_[i] = choices_.Choose(ChoiceKind::kFaultGap, 2 * plan_[i], 1);  // mean: the period
}

}  // namespace lockstep::sim
