// Catalog: everything the commands know of what there is to run. Tests give them another one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"

namespace lockstep::tools {

/// A property of any protocol, as `list properties` and failure blocks show it.
struct PropertyRow {
  std::string_view name;
  std::string_view protocol;
  std::string_view kind;  ///< "safety", "liveness", "conformance"
  std::string_view form;  ///< "upstream", "stronger", "conformance"
  std::string_view spec;  ///< where it comes from
  std::string_view what;  ///< one line
};

struct StrategyRow {
  std::string_view name;
  std::string_view what;
};

struct Catalog {
  std::string_view version;
  std::span<const scenarios::Scenario> scenarios;
  std::span<const scenarios::Mutant> mutants;
  std::vector<PropertyRow> properties;
  std::vector<StrategyRow> strategies;
  scenarios::RunResult (*run)(const scenarios::RunSpec& spec) = nullptr;

  /// Nothing for an unknown name.
  [[nodiscard]] const scenarios::Scenario* FindScenario(std::string_view name) const;
  [[nodiscard]] const scenarios::Mutant* FindMutant(std::string_view name) const;
  /// The one-line meaning of a property; empty for an unknown one.
  [[nodiscard]] std::string_view Meaning(std::string_view property) const;
};

/// A run that ended in a crash or a hang is reported under this name.
inline constexpr std::string_view kProcessSurvives = "ProcessSurvives";
/// A run that came out differently the second time is reported under this name.
inline constexpr std::string_view kSameRunTwice = "SameRunTwice";

}  // namespace lockstep::tools
