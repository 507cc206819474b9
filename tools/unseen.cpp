#include "tools/unseen.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/model_catalog.h"
#include "scenarios/exhaust/state_fingerprint.h"
#include "traces/file_io.h"

namespace lockstep::tools {
namespace {

constexpr std::uint64_t kStatesMax = 1'000'000;

/// The states of one level in the order of their packed form, so that the file is always the same.
std::vector<scenarios::PackedState> Level(const scenarios::ExploreResult& explored,
                                          std::size_t level) {
  std::vector<scenarios::PackedState> states;
  for (scenarios::StateIndex i = explored.level_begin[level]; i < explored.level_begin[level + 1];
       ++i) {
    states.push_back(explored.states->At(i));
  }
  std::ranges::sort(states);
  return states;
}

std::optional<std::string> AppendUnseen(const ScenarioTotals& row, std::string& text) {
  auto loaded = scenarios::LoadModel({.protocol = std::string(row.scenario->protocol),
                                      .config = std::string(row.scenario->config),
                                      .text = std::nullopt,
                                      .dialects = {}});
  if (auto* problem = std::get_if<std::string>(&loaded)) return std::move(*problem);
  const scenarios::ExploreModel& model = *std::get<scenarios::LoadedModel>(loaded).model;
  scenarios::SerialExecutor executor;
  const scenarios::ExploreResult explored = scenarios::Explore(model, {}, executor);
  for (std::size_t level = 0; level + 1 < explored.level_begin.size(); ++level) {
    for (const scenarios::PackedState& state : Level(explored, level)) {
      if (row.states.contains(scenarios::StateFingerprint(state))) continue;
      text += "{\"scenario\":\"" + std::string(row.scenario->name) +
              "\",\"level\":" + std::to_string(level + 1) + ",\"state\":";
      model.StateToValue(state).AppendJson(text);
      text += "}\n";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> WriteUnseen(const SweepResult& result, const std::string& path) {
  std::string text;
  bool any = false;
  for (const ScenarioTotals& row : result.scenarios()) {
    if (row.scenario->config.empty() || row.scenario->states_total > kStatesMax) continue;
    any = true;
    if (auto problem = AppendUnseen(row, text)) return problem;
  }
  if (!any) {
    return "--unseen: no scenario of this sweep has a configuration of at most a million states; "
           "accepted: a sweep with log_small, say";
  }
  return traces::WriteFileAtomically(path, text);
}

}  // namespace lockstep::tools
