#include "scenarios/exhaust/state_edges.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

/// One worker's share of the graph: consecutive positions.
struct Share {
  std::vector<std::uint32_t> edges;  // by state: how many
  std::vector<std::uint32_t> target;
  std::vector<std::uint8_t> label;
};

class Builder {
 public:
  Builder(const ExploreModel& model, const StateTable& states, StateEdges& out)
      : model_(model), states_(states), out_(out), rank_(states.size()) {
    for (std::uint32_t position = 0; position < out.order.size(); ++position) {
      rank_[out.order[position]] = position;
    }
  }

  void BuildShare(std::uint32_t first, std::uint32_t last, Share& share) {
    const auto expander = model_.NewExpander();
    std::vector<Successor> successors;
    std::vector<PackedState> packed;
    std::vector<StateIndex> found;
    for (std::uint32_t position = first; position < last; ++position) {
      const PackedState state = states_.At(out_.order[position]);
      out_.left[position] = expander->LeadsToLeft(state);
      out_.right[position] = expander->LeadsToRight(state);
      expander->Expand(state, successors);
      std::erase_if(successors, [&state](const Successor& s) { return s.state == state; });
      packed.clear();
      for (const Successor& successor : successors) packed.push_back(successor.state);
      found.assign(packed.size(), kNoState);
      states_.Find(packed, found);
      std::uint64_t enabled = 0;
      const std::size_t before = share.target.size();
      for (std::size_t i = 0; i < successors.size(); ++i) {
        const std::uint8_t condition = model_.FairnessOf(successors[i].action);
        if (condition != kNoFairness) enabled |= std::uint64_t{1} << condition;
        if (!successors[i].in_constraint) continue;
        LOCKSTEP_CHECK(found[i] != kNoState);
        share.target.push_back(rank_[found[i]]);
        share.label.push_back(condition);
      }
      out_.graph.enabled[position] = enabled;
      share.edges.push_back(static_cast<std::uint32_t>(share.target.size() - before));
    }
  }

 private:
  const ExploreModel& model_;
  const StateTable& states_;
  StateEdges& out_;
  std::vector<std::uint32_t> rank_;  // by number: position
};

std::uint64_t BytesNeeded(const ExploreResult& explored) {
  // By state: order, rank, row, enabled, left, right and three words of the component search; by
  // edge: target and label, twice while the shares are joined.
  return explored.memory_bytes + explored.distinct * (4 + 4 + 8 + 8 + 8 + 8 + 4 * 4) +
         explored.generated * 2 * 5;
}

void Join(std::vector<Share>& shares, FairGraph& graph) {
  std::uint64_t edges = 0;
  for (const Share& share : shares) edges += share.target.size();
  graph.target.reserve(edges);
  graph.label.reserve(edges);
  for (Share& share : shares) {
    for (const std::uint32_t count : share.edges) graph.row.push_back(graph.row.back() + count);
    graph.target.insert(graph.target.end(), share.target.begin(), share.target.end());
    graph.label.insert(graph.label.end(), share.label.begin(), share.label.end());
    share = Share();
  }
}

}  // namespace

std::optional<StateEdges> BuildStateEdges(const ExploreModel& model, const ExploreResult& explored,
                                          std::uint64_t memory_max, Executor& executor) {
  LOCKSTEP_CHECK(explored.complete());
  if (BytesNeeded(explored) > memory_max) return std::nullopt;
  const StateTable& states = *explored.states;
  const StateIndex count = states.size();
  StateEdges out;
  out.order.resize(count);
  std::iota(out.order.begin(), out.order.end(), 0U);
  std::ranges::sort(out.order,
                    [&states](StateIndex a, StateIndex b) { return states.At(a) < states.At(b); });
  out.left.resize(count);
  out.right.resize(count);
  out.graph.enabled.resize(count);
  out.graph.row.reserve(std::size_t{count} + 1);
  Builder builder(model, states, out);
  const std::uint32_t workers = executor.workers();
  std::vector<Share> shares(workers);
  executor.RunOnAll([&](std::uint32_t worker) {
    const auto bound = [&](std::uint32_t w) {
      return static_cast<std::uint32_t>(std::uint64_t{count} * w / workers);
    };
    builder.BuildShare(bound(worker), bound(worker + 1), shares[worker]);
  });
  Join(shares, out.graph);
  const PackedState initial = model.Initial();
  const auto at = std::ranges::lower_bound(out.order, initial, {},
                                           [&states](StateIndex i) { return states.At(i); });
  LOCKSTEP_CHECK(at != out.order.end() && states.At(*at) == initial);
  out.initial = static_cast<std::uint32_t>(at - out.order.begin());
  return out;
}

}  // namespace lockstep::scenarios
