#include "tools/catalog.h"

namespace lockstep::tools {
namespace {

template <typename Row>
const Row* Find(std::span<const Row> rows, std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

const scenarios::Scenario* Catalog::FindScenario(std::string_view name) const {
  return Find(scenarios, name);
}

const scenarios::Mutant* Catalog::FindMutant(std::string_view name) const {
  return Find(mutants, name);
}

std::string_view Catalog::Meaning(std::string_view property) const {
  if (property == kProcessSurvives) return "a run ends by itself, without a crash";
  if (property == kSameRunTwice) return "the same seed gives the same run";
  const PropertyRow* const row = Find(std::span<const PropertyRow>(properties), property);
  return row == nullptr ? std::string_view() : row->what;
}

}  // namespace lockstep::tools
