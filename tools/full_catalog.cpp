#include "tools/full_catalog.h"

#include "invariants/log_registry.h"
#include "invariants/violation.h"
#include "scenarios/run_choices.h"

namespace lockstep::tools {
namespace {

std::string_view FormName(invariants::PropertyForm form) {
  switch (form) {
    case invariants::PropertyForm::kUpstream:
      return "upstream";
    case invariants::PropertyForm::kStronger:
      return "stronger";
    case invariants::PropertyForm::kConformance:
      return "conformance";
  }
  return "?";
}

}  // namespace

Catalog FullCatalog() {
  Catalog catalog;
  catalog.version = scenarios::kLockstepVersion;
  catalog.scenarios = scenarios::AllScenarios();
  catalog.mutants = scenarios::AllMutants();
  for (const invariants::LogProperty& property : invariants::LogProperties()) {
    catalog.properties.push_back({.name = property.name,
                                  .protocol = "leaderless_log",
                                  .kind = invariants::PropertyKindName(property.kind),
                                  .form = FormName(property.form),
                                  .spec = property.spec,
                                  .what = property.what});
  }
  for (const scenarios::StrategyInfo& strategy : scenarios::AllStrategies()) {
    catalog.strategies.push_back({.name = strategy.name, .what = strategy.what});
  }
  catalog.run = scenarios::Run;
  return catalog;
}

}  // namespace lockstep::tools
