#include "tools/list_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "invariants/violation.h"
#include "sim/fault/fault.h"
#include "tools/json_output.h"
#include "tools/suggest.h"

namespace lockstep::tools {
namespace {

// Rows are JSON objects; the text shows the same.
using Rows = Json (*)(const Catalog& catalog);

std::string Text(std::string_view text) { return std::string(text); }

Json FaultNamesJson(sim::FaultSet faults) {
  Json names = Json::array();
  for (const sim::FaultInfo& info : sim::FaultTable()) {
    if (faults.Has(info.kind)) names.push_back(Text(info.name));
  }
  return names;
}

Json Scenarios(const Catalog& catalog) {
  Json rows = Json::array();
  for (const scenarios::Scenario& scenario : catalog.scenarios) {
    Json row;
    row["name"] = Text(scenario.name);
    row["story"] = Text(scenario.story);
    row["protocol"] = Text(scenario.protocol);
    row["expectation"] = Text(invariants::VerdictName(scenario.expectation));
    row["faults"] = FaultNamesJson(scenario.faults);
    row["must_reach"] = Json::array();
    for (const std::string_view name : scenario.must_reach) row["must_reach"].push_back(Text(name));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json Properties(const Catalog& catalog) {
  Json rows = Json::array();
  for (const PropertyRow& property : catalog.properties) {
    Json row;
    row["name"] = Text(property.name);
    row["protocol"] = Text(property.protocol);
    row["kind"] = Text(property.kind);
    row["form"] = Text(property.form);
    row["spec"] = Text(property.spec);
    row["what"] = Text(property.what);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Scenarios of one protocol differ in dialect, and a dialect may have actions of its own.
Json Actions(const Catalog& catalog) {
  Json rows = Json::array();
  for (const scenarios::Scenario& scenario : catalog.scenarios) {
    for (const std::string_view action : scenario.actions) {
      Json row;
      row["name"] = Text(action);
      row["protocol"] = Text(scenario.protocol);
      if (std::ranges::find(rows, row) == rows.end()) rows.push_back(std::move(row));
    }
  }
  return rows;
}

Json Faults(const Catalog&) {
  Json rows = Json::array();
  for (const sim::FaultInfo& info : sim::FaultTable()) {
    Json row;
    row["name"] = Text(info.name);
    row["scope"] =
        info.scope == sim::FaultScope::kWithinModel ? "within the model" : "beyond the model";
    row["what"] = Text(info.what);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json Mutants(const Catalog& catalog) {
  Json rows = Json::array();
  for (const scenarios::Mutant& mutant : catalog.mutants) {
    Json row;
    row["name"] = Text(mutant.name);
    row["source"] = Text(mutant.source);
    row["scenario"] = Text(mutant.scenario);
    row["killer"] = Text(mutant.killer);
    row["what"] = Text(mutant.what);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json Strategies(const Catalog& catalog) {
  Json rows = Json::array();
  for (const StrategyRow& strategy : catalog.strategies) {
    Json row;
    row["name"] = Text(strategy.name);
    row["what"] = Text(strategy.what);
    rows.push_back(std::move(row));
  }
  return rows;
}

struct Kind {
  std::string_view name;
  Rows rows;
};

constexpr std::array<Kind, 6> kKinds = {{{"scenarios", Scenarios},
                                         {"properties", Properties},
                                         {"actions", Actions},
                                         {"faults", Faults},
                                         {"mutants", Mutants},
                                         {"strategies", Strategies}}};

std::string FieldText(const Json& value) {
  if (!value.is_array()) return value.get<std::string>();
  std::string text;
  for (const Json& item : value) {
    if (!text.empty()) text += ", ";
    text += item.get<std::string>();
  }
  return text.empty() ? "none" : text;
}

// A name and what it means on one line; everything else indented below it.
std::string RowsText(const Json& rows) {
  std::size_t width = 0;
  for (const Json& row : rows) width = std::max(width, row["name"].get<std::string>().size());
  std::string text;
  for (const Json& row : rows) {
    const std::string name = row["name"].get<std::string>();
    text += row.contains("what")
                ? fmt::format("{:<{}}  {}\n", name, width, row["what"].get<std::string>())
                : name + "\n";
    for (const auto& [key, value] : row.items()) {
      if (key == "name" || key == "what") continue;
      const std::string field = FieldText(value);
      if (field.empty()) continue;
      std::string indented = field;
      for (std::size_t at = indented.find('\n'); at != std::string::npos;
           at = indented.find('\n', at + 1)) {
        indented.insert(at + 1, "               ");
      }
      text += fmt::format("  {:<11}  {}\n", key, indented);
    }
  }
  return text;
}

}  // namespace

ExitCode ListCommand(const Catalog& catalog, const Options& options, Console& console) {
  const std::string& wanted = options.names.front();
  const auto kind = std::ranges::find(kKinds, std::string_view(wanted), &Kind::name);
  if (kind == kKinds.end()) {
    std::vector<std::string_view> names;
    for (const Kind& known : kKinds) names.push_back(known.name);
    console.Error("list: unknown kind " + NotAmong(wanted, names));
    return ExitCode::kError;
  }
  const Json rows = kind->rows(catalog);
  if (options.json) {
    Json document;
    document[wanted] = rows;
    console.Out(Document(document));
  } else {
    console.Out(RowsText(rows));
  }
  return ExitCode::kHolds;
}

}  // namespace lockstep::tools
