// How a run's decisions are made: drawn from its seed, or followed from a schedule.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/choice/choices.h"

namespace lockstep::scenarios {

/// Names of the strategies that RunSpec::strategy accepts, with one line each.
struct StrategyInfo {
  std::string_view name;
  std::string_view what;
};
std::span<const StrategyInfo> AllStrategies();

/// REQUIRES: a known strategy.
std::unique_ptr<sim::Choices> MakeChoices(const RunSpec& spec);

/// Moves the decisions made into the result, and says where a followed schedule did not fit.
void FinishChoices(const RunSpec& spec, sim::Choices& choices, RunResult& result);

/// Names of the kinds in the set, in the table's order; {"all"} for all of them.
std::vector<std::string> FaultNames(sim::FaultSet faults);

}  // namespace lockstep::scenarios
