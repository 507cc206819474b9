// Selection: the scenarios, mutant and faults that the options name, looked up and found to fit.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/scenario.h"
#include "tools/catalog.h"
#include "tools/options.h"

namespace lockstep::tools {

struct Selection {
  std::vector<const scenarios::Scenario*> scenarios;
  const scenarios::Mutant* mutant = nullptr;
  sim::FaultSet faults = sim::FaultSet::All();
  std::int64_t max_steps = 0;
  std::string strategy;

  [[nodiscard]] scenarios::RunSpec Spec(const scenarios::Scenario& scenario,
                                        std::uint64_t seed) const;
  /// The flags that say the same, each with a space before it.
  [[nodiscard]] std::string Flags() const;
  /// The line that makes the run again: "lockstep run log_small --seed 0x2a".
  [[nodiscard]] std::string Reproduce(const scenarios::Scenario& scenario,
                                      std::uint64_t seed) const;
};

/// Exactly one scenario, for `run`; or one line of what is wrong.
std::variant<Selection, std::string> SelectOne(const Catalog& catalog, const Options& options);
/// Those named, or all of the default sweep, for `sweep`.
std::variant<Selection, std::string> SelectMany(const Catalog& catalog, const Options& options);

/// `"x"; accepted: ...`, for a scenario or a mutant that is not there.
std::string UnknownScenario(const Catalog& catalog, std::string_view name);
std::string UnknownMutant(const Catalog& catalog, std::string_view name);

}  // namespace lockstep::tools
