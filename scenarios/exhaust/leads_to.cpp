#include "scenarios/exhaust/leads_to.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "scenarios/exhaust/fair_cycle.h"
#include "scenarios/exhaust/state_edges.h"
#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

FairnessMasks MasksOf(const ExploreModel& model, const std::vector<FairnessOverride>& overrides) {
  FairnessMasks masks;
  const auto& conditions = model.fairness();
  LOCKSTEP_CHECK(conditions.size() <= 64);
  for (std::size_t c = 0; c < conditions.size(); ++c) {
    FairnessKind kind = conditions[c].kind;
    for (const FairnessOverride& change : overrides) {
      if (change.action == conditions[c].action) kind = change.kind;
    }
    const std::uint64_t bit = std::uint64_t{1} << c;
    if (kind == FairnessKind::kWeak) masks.weak |= bit;
    if (kind == FairnessKind::kStrong) masks.strong |= bit;
  }
  return masks;
}

/// One instance of a leads-to property on the graph.
class Check {
 public:
  Check(const ExploreModel& model, const StateTable& states, const StateEdges& edges,
        const FairnessMasks& masks, std::size_t instance)
      : model_(model),
        states_(states),
        edges_(edges),
        masks_(masks),
        bit_(std::uint64_t{1} << instance) {}

  void Run(LeadsToResult& result) {
    const auto components = FairComponents(edges_.graph, masks_, Pending());
    if (components.empty()) {
      result.verdict = invariants::Verdict::kHolds;
      return;
    }
    result.verdict = invariants::Verdict::kViolated;
    MakeLasso(components, result);
  }

 private:
  [[nodiscard]] bool IsStart(std::uint32_t state) const {
    return (edges_.left[state] & ~edges_.right[state] & bit_) != 0;
  }
  [[nodiscard]] bool IsWithout(std::uint32_t state) const {
    return (edges_.right[state] & bit_) == 0;
  }

  /// The states at which the right side is still owed: from a start on, along states without it.
  [[nodiscard]] std::vector<std::uint8_t> Pending() const {
    const FairGraph& graph = edges_.graph;
    std::vector<std::uint8_t> members(graph.states(), 0);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t state = 0; state < graph.states(); ++state) {
      if (!IsStart(state)) continue;
      members[state] = 1;
      queue.push_back(state);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint32_t state = queue[next];
      for (std::uint64_t e = graph.row[state]; e < graph.row[state + 1]; ++e) {
        const std::uint32_t to = graph.target[e];
        if (members[to] != 0 || !IsWithout(to)) continue;
        members[to] = 1;
        queue.push_back(to);
      }
    }
    return members;
  }

  /// Breadth first over pairs (state, owed): free until a start, then without the right side, until
  /// a state that is wanted. Returns the edges of the way; `entry` is its last state.
  std::vector<std::uint64_t> WayTo(const std::vector<std::uint8_t>& wanted,
                                   std::uint32_t& entry) const {
    const FairGraph& graph = edges_.graph;
    std::vector<std::uint64_t> came(std::size_t{graph.states()} * 2, kUnseen);
    std::vector<std::uint64_t> queue;  // state * 2 + owed
    const auto push = [&](std::uint32_t state, std::uint64_t owed, std::uint64_t edge) {
      const std::uint64_t node = std::uint64_t{state} * 2 + owed;
      if (came[node] != kUnseen) return;
      came[node] = edge;
      queue.push_back(node);
    };
    push(edges_.initial, 0, kNoEdge);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint64_t node = queue[next];
      const auto state = static_cast<std::uint32_t>(node / 2);
      const bool owed = node % 2 == 1;
      if (owed && wanted[state] != 0) {
        entry = state;
        return WayBack(node, came);
      }
      if (!owed && IsStart(state)) push(state, 1, kSwitch);
      for (std::uint64_t e = graph.row[state]; e < graph.row[state + 1]; ++e) {
        if (owed && !IsWithout(graph.target[e])) continue;
        push(graph.target[e], owed ? 1 : 0, e);
      }
    }
    sim::CheckFailed("a pending component is reachable", __FILE__, __LINE__, {});
  }

  [[nodiscard]] std::vector<std::uint64_t> WayBack(std::uint64_t node,
                                                   const std::vector<std::uint64_t>& came) const {
    std::vector<std::uint64_t> way;
    while (came[node] != kNoEdge) {
      const std::uint64_t edge = came[node];
      if (edge == kSwitch) {
        node -= 1;  // The same state, nothing owed yet.
        continue;
      }
      way.push_back(edge);
      node = std::uint64_t{SourceOf(edge)} * 2 + node % 2;
    }
    std::ranges::reverse(way);
    return way;
  }

  [[nodiscard]] std::uint32_t SourceOf(std::uint64_t edge) const {
    const auto row = std::ranges::upper_bound(edges_.graph.row, edge);
    return static_cast<std::uint32_t>(row - edges_.graph.row.begin() - 1);
  }

  [[nodiscard]] PackedState StateOf(std::uint32_t position) const {
    return states_.At(edges_.order[position]);
  }

  /// The edge's step, with the first action in Next's order that is of the edge's condition.
  TraceStep StepOf(std::uint64_t edge, Expander& expander) const {
    const PackedState to = StateOf(edges_.graph.target[edge]);
    std::vector<Successor> successors;
    expander.Expand(StateOf(SourceOf(edge)), successors);
    for (const Successor& successor : successors) {
      if (successor.state == to &&
          model_.FairnessOf(successor.action) == edges_.graph.label[edge]) {
        return {successor.action, to};
      }
    }
    sim::CheckFailed("an edge is a step", __FILE__, __LINE__, {});
  }

  /// With a prefix that is as short as any, and the cycle where it ends.
  void MakeLasso(const std::vector<std::vector<std::uint32_t>>& components,
                 LeadsToResult& result) const {
    std::vector<std::uint8_t> wanted(edges_.graph.states(), 0);
    for (const auto& component : components) {
      for (const std::uint32_t state : component) wanted[state] = 1;
    }
    const auto expander = model_.NewExpander();
    std::uint32_t entry = 0;
    const std::vector<std::uint64_t> way = WayTo(wanted, entry);
    result.prefix.push_back({kNoAction, model_.Initial()});
    for (const std::uint64_t edge : way) result.prefix.push_back(StepOf(edge, *expander));
    const auto here = std::ranges::find_if(components, [entry](const auto& component) {
      return std::ranges::binary_search(component, entry);
    });
    for (const std::uint64_t edge : FairWalk(edges_.graph, masks_, *here, entry)) {
      result.cycle.push_back(StepOf(edge, *expander));
    }
  }

  static constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};
  static constexpr std::uint64_t kSwitch = kNoEdge - 1;
  static constexpr std::uint64_t kUnseen = kNoEdge - 2;

  const ExploreModel& model_;
  const StateTable& states_;
  const StateEdges& edges_;
  const FairnessMasks& masks_;
  std::uint64_t bit_;
};

/// What one Check takes by state: the members, a mark, a part, the stacks of the component search
/// or, later, the queue and the way back.
constexpr std::uint64_t kCheckBytes = 48;

/// How many checks fit beside the graph at a time.
std::uint64_t ChecksAtATime(const ExploreResult& explored, const StateEdges& edges,
                            std::uint64_t memory_max) {
  const std::uint64_t taken = explored.memory_bytes + edges.memory_bytes();
  if (taken >= memory_max) return 0;
  return (memory_max - taken) / (explored.distinct * kCheckBytes);
}

void CheckOverridesAreOfTheModel(const ExploreModel& model,
                                 const std::vector<FairnessOverride>& overrides) {
  for (const FairnessOverride& change : overrides) {
    const auto is_of = [&change](const FairnessCondition& c) { return c.action == change.action; };
    LOCKSTEP_CHECK_MSG(std::ranges::any_of(model.fairness(), is_of), change.action);
  }
}

}  // namespace

std::vector<LeadsToResult> CheckLeadsTo(const ExploreModel& model, const ExploreResult& explored,
                                        const LeadsToOptions& options, Executor& executor) {
  CheckOverridesAreOfTheModel(model, options.overrides);
  std::vector<LeadsToResult> results;
  for (const LeadsToInstance& instance : model.leads_to()) {
    results.push_back({instance, invariants::Verdict::kInconclusive, {}, {}});
  }
  LOCKSTEP_CHECK(results.size() <= 64);
  if (!explored.complete()) return results;
  const auto edges = BuildStateEdges(model, explored, options.memory_max, executor);
  if (!edges) return results;
  const std::uint64_t at_a_time = ChecksAtATime(explored, *edges, options.memory_max);
  if (at_a_time == 0) return results;
  const FairnessMasks masks = MasksOf(model, options.overrides);
  std::atomic<std::size_t> next{0};
  const auto check_some = [&](std::uint32_t worker) {
    if (worker >= at_a_time) return;
    for (std::size_t i = next++; i < results.size(); i = next++) {
      Check(model, *explored.states, *edges, masks, i).Run(results[i]);
    }
  };
  executor.RunOnAll(check_some);
  return results;
}

}  // namespace lockstep::scenarios
