#include "tools/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "tools/numbers.h"
#include "tools/suggest.h"
#include "traces/read_error.h"

namespace lockstep::tools {
namespace {

using scenarios::Mutant;
using scenarios::Scenario;

template <typename Rows>
std::vector<std::string_view> Names(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

std::optional<std::string> AddNamed(const Catalog& catalog, const Options& options,
                                    Selection& selection) {
  for (const std::string& name : options.names) {
    const Scenario* const scenario = catalog.FindScenario(name);
    if (scenario == nullptr) return "unknown scenario " + UnknownScenario(catalog, name);
    if (std::ranges::count(selection.scenarios, scenario) > 0) {
      return fmt::format("scenario {} is named twice; accepted: once", name);
    }
    selection.scenarios.push_back(scenario);
  }
  return std::nullopt;
}

std::optional<std::string> AddMutant(const Catalog& catalog, const Options& options,
                                     Selection& selection) {
  if (options.mutant.empty()) return std::nullopt;
  selection.mutant = catalog.FindMutant(options.mutant);
  if (selection.mutant == nullptr) {
    return "--mutant: unknown mutant " + UnknownMutant(catalog, options.mutant);
  }
  const Scenario* const home = catalog.FindScenario(selection.mutant->scenario);
  if (selection.scenarios.empty() && home != nullptr) selection.scenarios.push_back(home);
  for (const Scenario* scenario : selection.scenarios) {
    if (home == nullptr || scenario->protocol == home->protocol) continue;
    return fmt::format("--mutant: {} is an implementation of {}, and scenario {} runs {}",
                       options.mutant, home->protocol, scenario->name, scenario->protocol);
  }
  return std::nullopt;
}

// A fault that no chosen scenario has would be left out silently.
std::optional<std::string> AddFaults(const Options& options, Selection& selection) {
  if (!options.faults) return std::nullopt;
  selection.faults = *options.faults;
  if (selection.faults == sim::FaultSet::All()) return std::nullopt;
  sim::FaultSet possible;
  for (const Scenario* scenario : selection.scenarios) {
    for (const sim::FaultInfo& info : sim::FaultTable()) {
      if (scenario->faults.Has(info.kind)) possible.Add(info.kind);
    }
  }
  for (const sim::FaultInfo& info : sim::FaultTable()) {
    if (!selection.faults.Has(info.kind) || possible.Has(info.kind)) continue;
    return fmt::format("--faults: scenario {} does not have {}; accepted: {}",
                       selection.scenarios.front()->name, info.name, FaultsText(possible));
  }
  return std::nullopt;
}

std::optional<std::string> AddRest(const Catalog& catalog, const Options& options,
                                   Selection& selection) {
  selection.max_steps = options.max_steps;
  selection.strategy = options.strategy;
  const std::vector<std::string_view> strategies = Names(catalog.strategies);
  if (std::ranges::count(strategies, options.strategy) == 0) {
    return "--strategy: unknown strategy " + NotAmong(options.strategy, strategies);
  }
  return AddFaults(options, selection);
}

}  // namespace

std::string UnknownScenario(const Catalog& catalog, std::string_view name) {
  return NotAmong(name, Names(catalog.scenarios));
}

std::string UnknownMutant(const Catalog& catalog, std::string_view name) {
  return NotAmong(name, Names(catalog.mutants));
}

scenarios::RunSpec Selection::Spec(const Scenario& scenario, std::uint64_t seed) const {
  scenarios::RunSpec spec;
  spec.scenario = &scenario;
  spec.mutant = mutant;
  spec.seed = seed;
  spec.faults = faults;
  spec.max_steps = max_steps;
  spec.strategy = strategy;
  return spec;
}

std::string Selection::Flags() const {
  std::string line;
  if (mutant != nullptr) line += fmt::format(" --mutant {}", mutant->name);
  if (faults != sim::FaultSet::All()) line += " --faults " + FaultsText(faults);
  if (max_steps != 0) line += fmt::format(" --max-steps {}", max_steps);
  if (strategy != Options().strategy) line += " --strategy " + ShellWord(strategy);
  return line;
}

std::string Selection::Reproduce(const Scenario& scenario, std::uint64_t seed) const {
  return fmt::format("lockstep run {} --seed {}{}", scenario.name, SeedText(seed), Flags());
}

std::variant<Selection, std::string> SelectOne(const Catalog& catalog, const Options& options) {
  Selection selection;
  if (auto problem = AddNamed(catalog, options, selection)) return *problem;
  if (auto problem = AddMutant(catalog, options, selection)) return *problem;
  if (selection.scenarios.empty()) {
    return "no SCENARIO given; accepted: " + Joined(Names(catalog.scenarios));
  }
  if (auto problem = AddRest(catalog, options, selection)) return *problem;
  return selection;
}

std::variant<Selection, std::string> SelectMany(const Catalog& catalog, const Options& options) {
  Selection selection;
  if (auto problem = AddNamed(catalog, options, selection)) return *problem;
  if (auto problem = AddMutant(catalog, options, selection)) return *problem;
  if (selection.scenarios.empty()) {
    for (const Scenario& scenario : catalog.scenarios) {
      if (scenario.in_default_sweep) selection.scenarios.push_back(&scenario);
    }
  }
  if (selection.scenarios.empty()) return "there is no scenario to sweep";
  if (auto problem = AddRest(catalog, options, selection)) return *problem;
  return selection;
}

}  // namespace lockstep::tools
