#include "scenarios/exhaust/state_edges.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

/// Successors that are looked up together.
constexpr std::size_t kBatch = 512;

/// Consecutive numbers for a worker.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t last = 0;  ///< one beyond
};

Range ShareOf(std::uint32_t worker, const Executor& executor, StateIndex count) {
  const auto bound = [&](std::uint32_t w) {
    return static_cast<std::uint32_t>(std::uint64_t{count} * w / executor.workers());
  };
  return {bound(worker), bound(worker + 1)};
}

/// A state beside its number: to sort these misses no memory.
struct Numbered {
  PackedState state;
  StateIndex number;
  friend bool operator<(const Numbered& a, const Numbered& b) { return a.state < b.state; }
};

/// The numbers of all states, by packed state: shares are sorted, then merged.
std::vector<StateIndex> Ordered(const StateTable& states, Executor& executor) {
  const StateIndex count = states.size();
  std::vector<Numbered> numbered(count);
  std::vector<Range> shares;
  for (std::uint32_t w = 0; w < executor.workers(); ++w) {
    shares.push_back(ShareOf(w, executor, count));
  }
  executor.RunOnAll([&](std::uint32_t worker) {
    const auto [first, last] = shares[worker];
    for (StateIndex i = first; i < last; ++i) numbered[i] = {states.At(i), i};
    std::sort(numbered.begin() + first, numbered.begin() + last);
  });
  std::vector<StateIndex> order;
  order.reserve(count);
  while (order.size() < count) {
    Range* least = nullptr;
    for (Range& share : shares) {
      if (share.first == share.last) continue;
      if (least == nullptr || numbered[share.first] < numbered[least->first]) least = &share;
    }
    order.push_back(numbered[least->first++].number);
  }
  return order;
}

/// One worker's part of the graph: consecutive positions.
struct Part {
  std::vector<std::uint32_t> edges;  // by state: how many
  std::vector<std::uint32_t> target;
  std::vector<std::uint8_t> label;
};

/// Expands states and looks up what follows, many states at a time.
class PartBuilder {
 public:
  PartBuilder(const ExploreModel& model, const StateTable& states,
              const std::vector<std::uint32_t>& position_of, StateEdges& out, Part& part)
      : model_(model),
        states_(states),
        position_of_(position_of),
        out_(out),
        part_(part),
        expander_(model.NewExpander()) {}

  void Build(Range positions) {
    for (std::uint32_t position = positions.first; position < positions.last; ++position) {
      AddState(position);
      if (packed_.size() >= kBatch) AddTargets();
    }
    AddTargets();
  }

 private:
  void AddState(std::uint32_t position) {
    const PackedState state = states_.At(out_.order[position]);
    out_.left[position] = expander_->LeadsToLeft(state);
    out_.right[position] = expander_->LeadsToRight(state);
    expander_->Expand(state, successors_);
    std::uint64_t enabled = 0;
    const std::size_t before = packed_.size();
    for (const Successor& successor : successors_) {
      if (successor.state == state) continue;
      const std::uint8_t condition = model_.FairnessOf(successor.action);
      if (condition != kNoFairness) enabled |= std::uint64_t{1} << condition;
      if (!successor.in_constraint) continue;
      packed_.push_back(successor.state);
      part_.label.push_back(condition);
    }
    out_.graph.enabled[position] = enabled;
    part_.edges.push_back(static_cast<std::uint32_t>(packed_.size() - before));
  }

  void AddTargets() {
    found_.resize(packed_.size());
    states_.Find(packed_, found_);
    for (const StateIndex found : found_) {
      LOCKSTEP_CHECK(found != kNoState);
      part_.target.push_back(position_of_[found]);
    }
    packed_.clear();
  }

  const ExploreModel& model_;
  const StateTable& states_;
  const std::vector<std::uint32_t>& position_of_;  // by number
  StateEdges& out_;
  Part& part_;
  std::unique_ptr<Expander> expander_;
  std::vector<Successor> successors_;
  std::vector<PackedState> packed_;
  std::vector<StateIndex> found_;  // parallel to packed_
};

/// The parts in order, each given up when it is copied.
void Join(std::vector<Part>& parts, Executor& executor, FairGraph& graph) {
  std::vector<std::uint64_t> first_edge{0};
  for (const Part& part : parts) {
    first_edge.push_back(first_edge.back() + part.target.size());
    for (const std::uint32_t count : part.edges) graph.row.push_back(graph.row.back() + count);
  }
  graph.target.resize(first_edge.back());
  graph.label.resize(first_edge.back());
  executor.RunOnAll([&](std::uint32_t worker) {
    const auto at = static_cast<std::ptrdiff_t>(first_edge[worker]);
    std::ranges::copy(parts[worker].target, graph.target.begin() + at);
    std::ranges::copy(parts[worker].label, graph.label.begin() + at);
    parts[worker] = Part();
  });
}

std::uint64_t BytesNeeded(const ExploreResult& explored) {
  // By state: order, position, row, enabled, left and right; by edge: target and label, twice
  // while the parts are joined. Sorting comes before there are edges.
  const std::uint64_t sorting = explored.distinct * (4 + sizeof(Numbered));
  const std::uint64_t building =
      explored.distinct * (4 + 4 + 8 + 8 + 8 + 8) + explored.generated * 2 * 5;
  return explored.memory_bytes + std::max(sorting, building);
}

}  // namespace

std::uint64_t StateEdges::memory_bytes() const {
  return order.size() * 4 + (graph.row.size() + left.size() * 3) * 8 + graph.target.size() * 5;
}

std::optional<StateEdges> BuildStateEdges(const ExploreModel& model, const ExploreResult& explored,
                                          std::uint64_t memory_max, Executor& executor) {
  LOCKSTEP_CHECK(explored.complete());
  if (BytesNeeded(explored) > memory_max) return std::nullopt;
  const StateTable& states = *explored.states;
  const StateIndex count = states.size();
  StateEdges out;
  out.order = Ordered(states, executor);
  std::vector<std::uint32_t> position_of(count);
  for (std::uint32_t position = 0; position < count; ++position) {
    position_of[out.order[position]] = position;
  }
  out.left.resize(count);
  out.right.resize(count);
  out.graph.enabled.resize(count);
  out.graph.row.reserve(std::size_t{count} + 1);
  std::vector<Part> parts(executor.workers());
  executor.RunOnAll([&](std::uint32_t worker) {
    PartBuilder(model, states, position_of, out, parts[worker])
        .Build(ShareOf(worker, executor, count));
  });
  Join(parts, executor, out.graph);
  out.initial = position_of[states.Find(model.Initial())];
  return out;
}

}  // namespace lockstep::scenarios
