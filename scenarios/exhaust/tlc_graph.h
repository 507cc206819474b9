// TlcGraph: a state graph in TLC's own words, as `-dump dot,actionlabels FILE` writes it.
//
// Nothing is converted: TLC's text of a state is compared with the same text made from ours. TLC
// lists variables in an order of its own and breaks long values into lines, so variables are sorted
// and white space is left out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/log_explore_model.h"
#include "scenarios/exhaust/state_graph.h"

namespace lockstep::scenarios {

struct TlcGraph {
  struct Edge {
    std::uint32_t from = 0;
    std::string action;  ///< StartAppend("w1")
    std::uint32_t to = 0;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  std::vector<std::string> states;  ///< ascending, unique; a line a variable: logState="OPEN"
  std::vector<Edge> edges;          ///< ascending; duplicates count
};

/// Or what is wrong with the file.
[[nodiscard]] std::variant<TlcGraph, std::string> ReadTlcDot(std::string_view dot);

/// How TLC labels a step: the operator with the values of its parameters.
using TlcActionLabel = std::function<std::string(std::uint32_t action)>;
[[nodiscard]] TlcActionLabel TlcLabelsOf(const LogExploreModel& model);

/// REQUIRES: no edge leads beyond a constraint (TLC dumps none of them).
[[nodiscard]] TlcGraph ToTlcGraph(const ExploreModel& model, const StateGraph& graph,
                                  const TlcActionLabel& label);

/// The first thing that one graph has and the other has not, in words; nothing if they are equal.
[[nodiscard]] std::optional<std::string> Difference(const TlcGraph& ours, const TlcGraph& theirs);

}  // namespace lockstep::scenarios
