#include "scenarios/run_choices.h"

#include <fmt/format.h>

#include <array>

#include "sim/base/check.h"
#include "sim/choice/replay_choices.h"
#include "sim/choice/seeded_choices.h"

namespace lockstep::scenarios {
namespace {

constexpr std::array<StrategyInfo, 1> kStrategies = {{
    {"random", "every decision is drawn uniformly from the seed"},
}};

}  // namespace

std::span<const StrategyInfo> AllStrategies() { return kStrategies; }

std::unique_ptr<sim::Choices> MakeChoices(const RunSpec& spec) {
  if (spec.schedule != nullptr) return std::make_unique<sim::ReplayChoices>(*spec.schedule);
  LOCKSTEP_CHECK_MSG(spec.strategy == "random", "unknown strategy");
  return std::make_unique<sim::SeededChoices>(spec.seed);
}

void FinishChoices(const RunSpec& spec, sim::Choices& choices, RunResult& result) {
  if (spec.schedule != nullptr) {
    const auto& replay = static_cast<const sim::ReplayChoices&>(choices);
    if (const auto& divergence = replay.divergence()) {
      const std::string recorded =
          divergence->recorded
              ? fmt::format("{} {} of {}", sim::ChoiceKindName(divergence->recorded->kind),
                            divergence->recorded->value, divergence->recorded->bound)
              : "nothing more";
      result.divergence = fmt::format(
          "decision {}: the run asks for {} of {}, the schedule has {}", divergence->position + 1,
          sim::ChoiceKindName(divergence->asked.kind), divergence->asked.bound, recorded);
    } else if (replay.remaining() != 0) {
      result.divergence = fmt::format("the run ended with {} decisions of the schedule left over",
                                      replay.remaining());
    }
  }
  result.schedule = choices.TakeSchedule();
  if (result.trace) result.trace->schedule = result.schedule;
}

std::vector<std::string> FaultNames(sim::FaultSet faults) {
  if (faults == sim::FaultSet::All()) return {"all"};
  std::vector<std::string> names;
  for (const sim::FaultInfo& info : sim::FaultTable()) {
    if (faults.Has(info.kind)) names.emplace_back(info.name);
  }
  return names;
}

}  // namespace lockstep::scenarios
