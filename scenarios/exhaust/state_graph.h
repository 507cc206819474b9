// StateGraph: the states and steps of a small configuration, in a form that two explorers share.
//
// Nothing of how a state is packed or when it was found shows: states are numbered in the byte
// order of their JSON, edges are ordered by the state they leave, the action's text and the state
// they lead to. So the same machine gives the same bytes, and `diff` shows where two differ.
//
//     lockstep state graph 1
//     initial 3
//     states 12
//     0 {"logIndex":[...],...}
//     ...
//     edges 31
//     0 StartAppend(w1) count=1 5
//
// An edge leads to "-" when the state is beyond the constraint.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/explorer.h"

namespace lockstep::scenarios {

struct StateGraph {
  struct Node {
    std::string json;  ///< all variables
    PackedState state{};
  };
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t action = 0;  ///< the model's code
    std::uint32_t to = 0;      ///< kNoState: beyond the constraint
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;  ///< one for every successor of every disjunct
  std::uint32_t initial = 0;
};

/// REQUIRES: a complete search of this model. Takes a few hundred bytes a state.
[[nodiscard]] StateGraph BuildStateGraph(const ExploreModel& model, const ExploreResult& explored);

[[nodiscard]] std::string StateGraphToText(const ExploreModel& model, const StateGraph& graph);

}  // namespace lockstep::scenarios
