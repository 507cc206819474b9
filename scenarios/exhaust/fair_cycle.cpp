#include "scenarios/exhaust/fair_cycle.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "sim/base/check.h"

namespace lockstep::scenarios {

void FairGraph::BeginState() {
  if (!enabled.empty()) row.push_back(target.size());
  enabled.push_back(0);
}

void FairGraph::AddEdge(std::uint32_t to, std::uint8_t condition) {
  target.push_back(to);
  label.push_back(condition);
}

void FairGraph::Finish() {
  if (!enabled.empty()) row.push_back(target.size());
}

namespace {

constexpr std::uint8_t kNoCondition = 0xff;

std::uint64_t Bit(std::uint8_t condition) {
  return condition == kNoCondition ? 0 : std::uint64_t{1} << condition;
}

/// Strongly connected components of a part of the graph, one after the other.
class Components {
 public:
  explicit Components(const FairGraph& graph)
      : graph_(graph),
        part_(graph.states(), 0),
        index_(graph.states(), 0),
        low_(graph.states(), 0) {}

  /// Calls visit(component, part) for every component of the part; the component is ascending.
  /// The visitor may define new parts.
  void Decompose(const std::vector<std::uint32_t>& states, std::uint32_t part,
                 const std::function<void(std::vector<std::uint32_t>)>& visit) {
    next_ = 1;
    for (const std::uint32_t state : states) index_[state] = 0;
    for (const std::uint32_t root : states) {
      if (index_[root] == 0) Search(root, part, visit);
    }
  }

  void Assign(const std::vector<std::uint32_t>& states, std::uint32_t part) {
    for (const std::uint32_t state : states) part_[state] = part;
  }

 private:
  struct Frame {
    std::uint32_t state;
    std::uint64_t edge;
  };

  void Enter(std::uint32_t state) {
    index_[state] = low_[state] = next_++;
    open_.push_back(state);
    frames_.push_back({state, graph_.row[state]});
  }

  // Tarjan's algorithm, with a stack of its own: these graphs are deeper than any call stack. A
  // closed state has index kClosed.
  void Search(std::uint32_t root, std::uint32_t part,
              const std::function<void(std::vector<std::uint32_t>)>& visit) {
    Enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::uint32_t state = frame.state;
      if (frame.edge < graph_.row[state + 1]) {
        const std::uint32_t to = graph_.target[frame.edge++];
        if (part_[to] != part) continue;
        if (index_[to] == 0) {
          Enter(to);
        } else if (index_[to] != kClosed) {
          low_[state] = std::min(low_[state], index_[to]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        const std::uint32_t parent = frames_.back().state;
        low_[parent] = std::min(low_[parent], low_[state]);
      }
      if (low_[state] == index_[state]) Close(state, visit);
    }
  }

  void Close(std::uint32_t root, const std::function<void(std::vector<std::uint32_t>)>& visit) {
    std::vector<std::uint32_t> component;
    std::uint32_t state = 0;
    do {
      state = open_.back();
      open_.pop_back();
      index_[state] = kClosed;
      component.push_back(state);
    } while (state != root);
    std::ranges::sort(component);
    visit(std::move(component));
  }

  static constexpr std::uint32_t kClosed = 0xffffffffU;

  const FairGraph& graph_;
  std::vector<std::uint32_t> part_;  // by state: the part of the graph it belongs to now
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> open_;
  std::vector<Frame> frames_;
  std::uint32_t next_ = 1;
};

struct Summary {
  std::uint64_t taken = 0;
  std::uint64_t enabled_somewhere = 0;
  std::uint64_t enabled_everywhere = ~std::uint64_t{0};
};

Summary Summarize(const FairGraph& graph, const std::vector<std::uint32_t>& component) {
  Summary summary;
  for (const std::uint32_t state : component) {
    summary.enabled_somewhere |= graph.enabled[state];
    summary.enabled_everywhere &= graph.enabled[state];
    for (std::uint64_t e = graph.row[state]; e < graph.row[state + 1]; ++e) {
      const std::uint32_t to = graph.target[e];
      if (to == state || graph.label[e] == kNoCondition) continue;
      if ((summary.taken & Bit(graph.label[e])) != 0) continue;
      if (std::ranges::binary_search(component, to)) summary.taken |= Bit(graph.label[e]);
    }
  }
  return summary;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> FindFairComponent(
    const FairGraph& graph, const FairnessMasks& masks, const std::vector<std::uint8_t>& members) {
  Components components(graph);
  std::uint32_t part = 1;
  std::vector<std::vector<std::uint32_t>> parts(1);
  for (std::uint32_t state = 0; state < graph.states(); ++state) {
    if (members[state] != 0) parts.back().push_back(state);
  }
  std::optional<std::vector<std::uint32_t>> found;
  while (!parts.empty() && !found) {
    const std::vector<std::uint32_t> states = std::move(parts.back());
    parts.pop_back();
    components.Assign(states, part);
    std::vector<std::vector<std::uint32_t>> rest;
    components.Decompose(states, part, [&](std::vector<std::uint32_t> component) {
      if (found) return;
      const Summary summary = Summarize(graph, component);
      if ((summary.enabled_everywhere & masks.weak & ~summary.taken) != 0) return;
      const std::uint64_t starved = summary.enabled_somewhere & masks.strong & ~summary.taken;
      if (starved == 0) {
        found = std::move(component);
        return;
      }
      std::erase_if(component, [&](std::uint32_t s) { return (graph.enabled[s] & starved) != 0; });
      if (!component.empty()) rest.push_back(std::move(component));
    });
    ++part;
    components.Assign(states, 0);
    for (auto& some : rest) parts.push_back(std::move(some));
  }
  return found;
}

namespace {

/// Shortest ways inside one component.
class Walker {
 public:
  Walker(const FairGraph& graph, const std::vector<std::uint32_t>& component)
      : graph_(graph), component_(component) {}

  using Goal = std::function<bool(std::uint32_t state)>;

  /// Appends the edges of a shortest way from `from` to the nearest state that is a goal; returns
  /// it.
  std::uint32_t Go(std::uint32_t from, const Goal& goal, std::vector<std::uint64_t>& walk) {
    if (goal(from)) return from;
    std::vector<std::uint64_t> came(component_.size(), kNowhere);  // by position: the edge
    std::vector<std::uint32_t> queue{from};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint32_t state = queue[next];
      for (std::uint64_t e = graph_.row[state]; e < graph_.row[state + 1]; ++e) {
        const std::uint32_t to = graph_.target[e];
        const auto at = std::ranges::lower_bound(component_, to);
        if (at == component_.end() || *at != to || to == from) continue;
        const auto position = static_cast<std::size_t>(at - component_.begin());
        if (came[position] != kNowhere) continue;
        came[position] = e;
        if (goal(to)) {
          Append(from, to, came, walk);
          return to;
        }
        queue.push_back(to);
      }
    }
    sim::CheckFailed("a component is strongly connected", __FILE__, __LINE__, {});
  }

  /// The edge from `state` that is a step of the condition inside the component, or kNowhere.
  [[nodiscard]] std::uint64_t EdgeOf(std::uint32_t state, std::uint8_t condition) const {
    for (std::uint64_t e = graph_.row[state]; e < graph_.row[state + 1]; ++e) {
      if (graph_.label[e] == condition && graph_.target[e] != state &&
          std::ranges::binary_search(component_, graph_.target[e])) {
        return e;
      }
    }
    return kNowhere;
  }

  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

 private:
  void Append(std::uint32_t from, std::uint32_t to, const std::vector<std::uint64_t>& came,
              std::vector<std::uint64_t>& walk) const {
    std::vector<std::uint64_t> back;
    for (std::uint32_t state = to; state != from;) {
      const auto at = std::ranges::lower_bound(component_, state);
      const std::uint64_t edge = came[static_cast<std::size_t>(at - component_.begin())];
      back.push_back(edge);
      const auto row = std::ranges::upper_bound(graph_.row, edge);
      state = static_cast<std::uint32_t>(row - graph_.row.begin() - 1);
    }
    walk.insert(walk.end(), back.rbegin(), back.rend());
  }

  const FairGraph& graph_;
  const std::vector<std::uint32_t>& component_;
};

}  // namespace

std::vector<std::uint64_t> FairWalk(const FairGraph& graph, const FairnessMasks& masks,
                                    const std::vector<std::uint32_t>& component,
                                    std::uint32_t start) {
  Walker walker(graph, component);
  const Summary summary = Summarize(graph, component);
  std::vector<std::uint64_t> walk;
  std::uint32_t here = start;
  for (std::uint8_t condition = 0; condition < 64; ++condition) {
    const std::uint64_t bit = Bit(condition);
    if (((masks.weak | masks.strong) & bit) == 0) continue;
    if ((summary.enabled_somewhere & bit) == 0) continue;
    if ((summary.taken & bit) != 0) {
      here = walker.Go(
          here, [&](std::uint32_t s) { return walker.EdgeOf(s, condition) != Walker::kNowhere; },
          walk);
      walk.push_back(walker.EdgeOf(here, condition));
      here = graph.target[walk.back()];
    } else {  // Weak, and not enabled everywhere: pass by where it is not.
      here = walker.Go(
          here, [&](std::uint32_t s) { return (graph.enabled[s] & bit) == 0; }, walk);
    }
  }
  walker.Go(
      here, [start](std::uint32_t s) { return s == start; }, walk);
  return walk;
}

}  // namespace lockstep::scenarios
