#include "scenarios/exhaust/state_graph.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

/// Texts of actions, each made once.
class ActionTexts {
 public:
  explicit ActionTexts(const ExploreModel& model) : model_(model) {}
  const std::string& Of(std::uint32_t action) {
    const auto [at, is_new] = texts_.try_emplace(action);
    if (is_new) at->second = model_.ActionToString(action);
    return at->second;
  }

 private:
  const ExploreModel& model_;
  std::map<std::uint32_t, std::string> texts_;
};

}  // namespace

StateGraph BuildStateGraph(const ExploreModel& model, const ExploreResult& explored) {
  LOCKSTEP_CHECK_MSG(explored.complete(), "the graph of an incomplete search");
  const StateTable& states = *explored.states;
  StateGraph graph;
  for (StateIndex i = 0; i < states.size(); ++i) {
    graph.nodes.push_back({model.StateToValue(states.At(i)).ToJson(), states.At(i)});
  }
  std::sort(graph.nodes.begin(), graph.nodes.end(),
            [](const auto& a, const auto& b) { return a.json < b.json; });
  std::vector<std::uint32_t> position(graph.nodes.size());  // by number in the table
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    position[states.Find(graph.nodes[i].state)] = i;
  }
  graph.initial = position[states.Find(model.Initial())];

  const std::unique_ptr<Expander> expander = model.NewExpander();
  std::vector<Successor> successors;
  for (std::uint32_t from = 0; from < graph.nodes.size(); ++from) {
    expander->Expand(graph.nodes[from].state, successors);
    for (const Successor& successor : successors) {
      const StateIndex to = successor.in_constraint ? states.Find(successor.state) : kNoState;
      LOCKSTEP_CHECK(to != kNoState || !successor.in_constraint);
      graph.edges.push_back({from, successor.action, to == kNoState ? kNoState : position[to]});
    }
  }
  ActionTexts texts(model);
  std::stable_sort(graph.edges.begin(), graph.edges.end(), [&](const auto& a, const auto& b) {
    if (a.from != b.from) return a.from < b.from;
    return std::tie(texts.Of(a.action), a.to) < std::tie(texts.Of(b.action), b.to);
  });
  return graph;
}

std::string StateGraphToText(const ExploreModel& model, const StateGraph& graph) {
  std::string text = "lockstep state graph 1\ninitial " + std::to_string(graph.initial) +
                     "\nstates " + std::to_string(graph.nodes.size()) + "\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    text.append(std::to_string(i)).append(" ").append(graph.nodes[i].json).append("\n");
  }
  text.append("edges ").append(std::to_string(graph.edges.size())).append("\n");
  ActionTexts texts(model);
  for (const StateGraph::Edge& edge : graph.edges) {
    text.append(std::to_string(edge.from)).append(" ").append(texts.Of(edge.action)).append(" ");
    text.append(edge.to == kNoState ? "-" : std::to_string(edge.to)).append("\n");
  }
  return text;
}

}  // namespace lockstep::scenarios
