// Fair cycles: does a finite graph have an infinite path that stays in a set of states and is fair?
//
// Weak fairness of a condition: not enabled for ever, or taken again and again. Strong fairness:
// not enabled again and again, or taken again and again. Every state may stutter for ever, as TLA+
// allows, so a single state is a cycle too: a fair one when no fair condition is enabled in it. A
// condition is enabled, or taken, only by a step that changes the state.
//
// Method: strongly connected components; in each, a weak condition that is enabled everywhere and
// never taken rules the component out; a strong one that is enabled somewhere and never taken rules
// those states out, and what is left is decomposed again (Emerson and Lei).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::scenarios {

/// A graph of states with labelled edges, in rows.
struct FairGraph {
  /// edges of state s: [row[s], row[s + 1]); size: states + 1
  std::vector<std::uint64_t> row{0};
  std::vector<std::uint32_t> target;  ///< by edge
  std::vector<std::uint8_t> label;    ///< by edge: fairness condition 0..63, or 0xff
  std::vector<std::uint64_t>
      enabled;  ///< by state: bit c = a step of condition c changes the state
  [[nodiscard]] std::uint32_t states() const { return static_cast<std::uint32_t>(row.size() - 1); }
  /// Appends a state; its edges are added before the next one is begun.
  void BeginState();
  void AddEdge(std::uint32_t to, std::uint8_t condition);
  /// REQUIRES: after the last edge of the last state.
  void Finish();
};

/// Which conditions are fair, by bit.
struct FairnessMasks {
  std::uint64_t weak = 0;
  std::uint64_t strong = 0;
};

/// The states of a fair component inside `members` (ascending), or nothing. Components are looked
/// at in a defined order: the answer does not depend on anything but the graph. `members` is
/// indexed by state; nonzero = inside.
std::optional<std::vector<std::uint32_t>> FindFairComponent(
    const FairGraph& graph, const FairnessMasks& masks, const std::vector<std::uint8_t>& members);

/// All of them that are greatest: no two share a state. In a defined order, each ascending.
std::vector<std::vector<std::uint32_t>> FairComponents(const FairGraph& graph,
                                                       const FairnessMasks& masks,
                                                       const std::vector<std::uint8_t>& members);

/// A walk from `start` through the component and back to it, which makes every condition fair that
/// the component makes fair: positions of edges in the graph. Empty = stutter in `start` for ever.
/// REQUIRES: `component` as FindFairComponent gives it, `start` in it.
std::vector<std::uint64_t> FairWalk(const FairGraph& graph, const FairnessMasks& masks,
                                    const std::vector<std::uint32_t>& component,
                                    std::uint32_t start);

}  // namespace lockstep::scenarios
