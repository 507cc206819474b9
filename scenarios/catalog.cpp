// The only lists: scenarios and mutants, in the order in which they are shown.
#include <array>
#include <vector>

#include "scenarios/leaderless_log/log_stories.h"
#include "scenarios/mutants/log_mutants.h"
#include "scenarios/scenario.h"

namespace lockstep::scenarios {

std::span<const Scenario> AllScenarios() {
  static const std::vector<Scenario> scenarios = {
      LogSmall(),  LogMedium(),        LogFaults(),
      FenceFlap(), CompactorCrashes(), ReadersDuringCompaction(),
      Canary(),
  };
  return scenarios;
}

const Scenario* FindScenario(std::string_view name) {
  for (const Scenario& scenario : AllScenarios()) {
    if (scenario.name == name) return &scenario;
  }
  return nullptr;
}

std::span<const Mutant> AllMutants() { return LogMutants(); }

const Mutant* FindMutant(std::string_view name) {
  for (const Mutant& mutant : AllMutants()) {
    if (mutant.name == name) return &mutant;
  }
  return nullptr;
}

}  // namespace lockstep::scenarios
