#include "scenarios/exhaust/shortest_trace.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

#include "scenarios/exhaust/run_chunks.h"
#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

constexpr std::uint64_t kChunk = 512;

/// A step that leads to a wanted state.
struct Found {
  PackedState before{};
  std::uint32_t action = kNoAction;
  friend bool operator<(const Found& a, const Found& b) {
    return std::tie(a.before, a.action) < std::tie(b.before, b.action);
  }
};
using Best = std::vector<std::optional<Found>>;  // parallel to the wanted states

struct Seeker {
  std::unique_ptr<Expander> expander;
  std::vector<Successor> successors;
  Best best;
};

class WalkBack {
 public:
  WalkBack(const ExploreModel& model, const StateTable& states, Executor& executor)
      : model_(model), states_(states), executor_(executor), seekers_(executor.workers()) {
    for (Seeker& seeker : seekers_) seeker.expander = model_.NewExpander();
  }

  /// The smallest step from a state numbered first .. last-1 to each of the wanted states.
  std::vector<Found> StepsTo(const std::vector<PackedState>& wanted, StateIndex first,
                             StateIndex last) {
    for (Seeker& seeker : seekers_) seeker.best.assign(wanted.size(), std::nullopt);
    RunChunks(executor_, first, last, kChunk,
              [&](std::uint32_t worker, std::uint64_t begin, std::uint64_t end) {
                for (std::uint64_t i = begin; i < end; ++i) {
                  Seek(seekers_[worker], states_.At(static_cast<StateIndex>(i)), wanted);
                }
              });
    std::vector<Found> steps;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      std::optional<Found> best;
      for (const Seeker& seeker : seekers_) Take(best, seeker.best[i]);
      LOCKSTEP_CHECK_MSG(best.has_value(), "a state without a predecessor on the level before");
      steps.push_back(*best);
    }
    return steps;
  }

 private:
  static void Take(std::optional<Found>& best, const std::optional<Found>& found) {
    if (found && (!best || *found < *best)) best = found;
  }

  static void Seek(Seeker& seeker, const PackedState& before,
                   const std::vector<PackedState>& wanted) {
    seeker.expander->Expand(before, seeker.successors);
    for (const Successor& successor : seeker.successors) {
      const auto at = std::lower_bound(wanted.begin(), wanted.end(), successor.state);
      if (at == wanted.end() || *at != successor.state) continue;
      Take(seeker.best[static_cast<std::size_t>(at - wanted.begin())],
           Found{before, successor.action});
    }
  }

  const ExploreModel& model_;
  const StateTable& states_;
  Executor& executor_;
  std::vector<Seeker> seekers_;
};

}  // namespace

std::vector<StateTrace> ShortestTraces(const ExploreModel& model, const StateTable& states,
                                       std::span<const StateIndex> level_begin,
                                       std::span<const TraceTarget> targets, Executor& executor) {
  std::vector<StateTrace> traces(targets.size());
  std::vector<PackedState> at(targets.size());  // where each walk has come to
  std::size_t level = 0;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    at[t] = targets[t].state;
    level = std::max(level, targets[t].level);
  }
  WalkBack back(model, states, executor);
  for (; level > 0; --level) {
    std::vector<PackedState> wanted;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (targets[t].level >= level) wanted.push_back(at[t]);
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    LOCKSTEP_CHECK(level < level_begin.size());
    const std::vector<Found> steps =
        back.StepsTo(wanted, level_begin[level - 1], level_begin[level]);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (targets[t].level < level) continue;
      const auto i = std::lower_bound(wanted.begin(), wanted.end(), at[t]) - wanted.begin();
      const Found& step = steps[static_cast<std::size_t>(i)];
      traces[t].push_back({step.action, at[t]});
      at[t] = step.before;
    }
  }
  for (std::size_t t = 0; t < targets.size(); ++t) {
    traces[t].push_back({kNoAction, at[t]});
    std::reverse(traces[t].begin(), traces[t].end());
  }
  return traces;
}

}  // namespace lockstep::scenarios
