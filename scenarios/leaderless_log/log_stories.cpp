#include "scenarios/leaderless_log/log_stories.h"

#include <algorithm>

#include "scenarios/mutants/log_mutants.h"

namespace lockstep::scenarios {

Scenario LogScenario() {
  Scenario scenario;
  scenario.protocol = "leaderless_log";
  scenario.spec = "LeaderlessLog";
  return scenario;
}

std::vector<std::string_view> LogActionsWithout(std::initializer_list<std::string_view> left_out) {
  std::vector<std::string_view> actions;
  for (std::size_t i = 0; i < protocol::leaderless_log::kActionKinds; ++i) {
    const auto name =
        protocol::leaderless_log::Name(static_cast<protocol::leaderless_log::ActionKind>(i));
    if (std::ranges::find(left_out, name) == left_out.end()) actions.push_back(name);
  }
  return actions;
}

LogNodes LogNodesFor(const RunSpec& spec) {
  LogNodes nodes = CorrectLogNodes();
  if (spec.mutant != nullptr) MutateLogNodes(spec.mutant->name, nodes);
  return nodes;
}

}  // namespace lockstep::scenarios
