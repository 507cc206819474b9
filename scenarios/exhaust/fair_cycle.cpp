#include "scenarios/exhaust/fair_cycle.h"

#include <algorithm>
#include <functional>
#include <span>
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

/// Strongly connected components of parts of the graph, one after the other.
class Components {
 public:
  explicit Components(const FairGraph& graph) : graph_(graph), mark_(graph.states(), kClosed) {
    LOCKSTEP_CHECK_MSG(graph.states() < kClosed, "more states than marks");
  }

  /// Calls visit(component) for every component of `states`, until it says false; the component's
  /// states come in no particular order, and are gone when it returns.
  template <typename Visit>
  bool Decompose(std::span<const std::uint32_t> states, const Visit& visit) {
    next_ = 1;
    for (const std::uint32_t state : states) mark_[state] = kNew;
    for (const std::uint32_t root : states) {
      if (mark_[root] == kNew && !Search(root, visit)) return false;
    }
    return true;
  }

  /// The state is in the component that is being visited.
  [[nodiscard]] bool InThis(std::uint32_t state) const { return mark_[state] == this_; }

 private:
  struct Frame {
    std::uint32_t state;
    std::uint32_t low;
    std::uint64_t edge;
  };

  // A mark: kNew; or when the state was entered, from 1; or kClosed and the number of the component
  // that it was in last, 0 = none yet. States outside the part are closed.
  static constexpr std::uint32_t kNew = 0;
  static constexpr std::uint32_t kClosed = 0x80000000U;

  void Enter(std::uint32_t state) {
    mark_[state] = next_;
    open_.push_back(state);
    frames_.push_back({state, next_, graph_.row[state]});
    ++next_;
  }

  // Tarjan's algorithm, with a stack of its own: these graphs are deeper than any call stack.
  template <typename Visit>
  bool Search(std::uint32_t root, const Visit& visit) {
    Enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.edge != graph_.row[frame.state + 1]) {
        const std::uint32_t to = graph_.target[frame.edge++];
        const std::uint32_t mark = mark_[to];
        if (mark == kNew) {
          Enter(to);
        } else if (mark < kClosed) {
          frame.low = std::min(frame.low, mark);
        }
        continue;
      }
      const auto [state, low, edge] = frame;
      frames_.pop_back();
      if (low != mark_[state]) {
        frames_.back().low = std::min(frames_.back().low, low);
      } else if (!Close(state, visit)) {
        return false;
      }
    }
    return true;
  }

  template <typename Visit>
  bool Close(std::uint32_t root, const Visit& visit) {
    NextNumber();
    std::size_t first = open_.size();
    do {
      --first;
      mark_[open_[first]] = this_;
    } while (open_[first] != root);
    const bool go_on = visit(std::span(open_).subspan(first));
    open_.resize(first);
    return go_on;
  }

  void NextNumber() {
    if (++this_ != 0) return;
    for (std::uint32_t& mark : mark_) mark = std::min(mark, kClosed);  // All numbers are used up.
    this_ = kClosed + 1;
  }

  const FairGraph& graph_;
  std::vector<std::uint32_t> mark_;  // by state
  std::vector<std::uint32_t> open_;
  std::vector<Frame> frames_;
  std::uint32_t next_ = 1;
  std::uint32_t this_ = kClosed;
};

struct Summary {
  std::uint64_t taken = 0;
  std::uint64_t enabled_somewhere = 0;
  std::uint64_t enabled_everywhere = ~std::uint64_t{0};
};

/// inside(state): it is in the component.
template <typename Inside>
Summary Summarize(const FairGraph& graph, std::span<const std::uint32_t> component,
                  const Inside& inside) {
  Summary summary;
  for (const std::uint32_t state : component) {
    summary.enabled_somewhere |= graph.enabled[state];
    summary.enabled_everywhere &= graph.enabled[state];
    for (std::uint64_t e = graph.row[state]; e < graph.row[state + 1]; ++e) {
      const std::uint64_t bit = Bit(graph.label[e]);
      if ((bit & ~summary.taken) == 0 || graph.target[e] == state) continue;
      if (inside(graph.target[e])) summary.taken |= bit;
    }
  }
  return summary;
}

using States = std::vector<std::uint32_t>;

/// Calls found(states) for fair components, until it says false.
template <typename Found>
void ForFairComponents(const FairGraph& graph, const FairnessMasks& masks,
                       const std::vector<std::uint8_t>& members, const Found& found) {
  Components components(graph);
  const auto inside = [&components](std::uint32_t state) { return components.InThis(state); };
  std::vector<States> parts(1);
  for (std::uint32_t state = 0; state < graph.states(); ++state) {
    if (members[state] != 0) parts.back().push_back(state);
  }
  const auto visit = [&](std::span<const std::uint32_t> component) {
    const std::uint32_t first = component.front();
    if (component.size() == 1 && (graph.enabled[first] & (masks.weak | masks.strong)) != 0) {
      return true;  // It can only stutter, and must not.
    }
    const Summary summary = Summarize(graph, component, inside);
    if ((summary.enabled_everywhere & masks.weak & ~summary.taken) != 0) return true;
    const std::uint64_t starved = summary.enabled_somewhere & masks.strong & ~summary.taken;
    States states;
    for (const std::uint32_t state : component) {
      if ((graph.enabled[state] & starved) == 0) states.push_back(state);
    }
    std::ranges::sort(states);
    if (starved == 0) return found(std::move(states));
    if (!states.empty()) parts.push_back(std::move(states));
    return true;
  };
  while (!parts.empty()) {
    const States states = std::move(parts.back());
    parts.pop_back();
    if (!components.Decompose(states, visit)) return;
  }
}

}  // namespace

std::optional<std::vector<std::uint32_t>> FindFairComponent(
    const FairGraph& graph, const FairnessMasks& masks, const std::vector<std::uint8_t>& members) {
  std::optional<States> first;
  ForFairComponents(graph, masks, members, [&first](States states) {
    first = std::move(states);
    return false;
  });
  return first;
}

std::vector<std::vector<std::uint32_t>> FairComponents(const FairGraph& graph,
                                                       const FairnessMasks& masks,
                                                       const std::vector<std::uint8_t>& members) {
  std::vector<States> all;
  ForFairComponents(graph, masks, members, [&all](States states) {
    all.push_back(std::move(states));
    return true;
  });
  return all;
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
  const Summary summary = Summarize(graph, component, [&component](std::uint32_t state) {
    return std::ranges::binary_search(component, state);
  });
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
