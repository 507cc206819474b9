// Explore: every reachable state of a model, breadth first, counted as TLC counts.
//
// `generated` has every successor of every disjunct and the initial state, duplicates included;
// `distinct` the states within the constraint; `depth` is the number of levels, the initial state
// being the first. Every invariant is checked in every state, states beyond the constraint
// included. A counterexample is a shortest one.
//
// DETERMINISM: every figure, verdict and trace is the same for any number of workers. There are no
// parent pointers: of the first level that has one the smallest violating state is taken, and its
// predecessors are found by expanding the levels before it again, the smallest at each.
// Only the numbers of the states in `states` depend on the workers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "invariants/violation.h"
#include "scenarios/exhaust/executor.h"
#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/shortest_trace.h"
#include "scenarios/exhaust/state_table.h"

namespace lockstep::scenarios {

struct ExploreProgress {
  std::uint64_t distinct = 0;
  std::uint64_t generated = 0;
  std::uint64_t level = 0;          ///< that is being expanded, from 1
  std::uint64_t frontier_left = 0;  ///< states known and not yet expanded
  std::uint64_t memory_bytes = 0;
};

struct ExploreOptions {
  std::uint64_t memory_max = std::uint64_t{4} << 30U;
  /// Called between slices of work; false ends the search.
  std::function<bool(const ExploreProgress&)> progress;
  /// The search ends with the level that has the first violation (or deadlock).
  bool stop_at_first_violation = true;
};

enum class ExploreEnd : std::uint8_t {
  kComplete,   ///< every reachable state was seen
  kViolation,  ///< stopped at the first one
  kMemory,     ///< the next states would not have fitted
  kStopped,    ///< progress said so
};
std::string_view ExploreEndName(ExploreEnd end);

/// What became of an invariant, or of the absence of deadlocks.
struct InvariantResult {
  /// kInconclusive: the search is incomplete.
  invariants::Verdict verdict = invariants::Verdict::kInconclusive;
  StateTrace trace;  ///< violated: a shortest one, its last state violates
};

struct SometimesResult {
  bool reached = false;  ///< false in a complete search: unreachable
  StateTrace trace;      ///< reached: a shortest one, the property holds at its last step
};

struct ActionCount {
  std::uint64_t generated = 0;  ///< how many of ExploreResult::generated are its
  /// How many of these led to a state of the next level, which nobody had seen before this level.
  /// (Not: how often it was first, which depends on the workers.)
  std::uint64_t to_new = 0;
};

struct ExploreResult {
  ExploreEnd end = ExploreEnd::kComplete;
  std::uint64_t distinct = 0;
  std::uint64_t generated = 0;
  std::uint64_t depth = 0;
  std::vector<InvariantResult> invariants;  ///< parallel to the model's
  InvariantResult deadlock;                 ///< a state without any successor
  std::vector<SometimesResult> sometimes;   ///< parallel to the model's
  std::vector<ActionCount> actions;         ///< parallel to the model's action_names
  /// Level k (from 0) has the states numbered level_begin[k] .. level_begin[k+1]-1. One more than
  /// there are levels.
  std::vector<StateIndex> level_begin;
  std::uint64_t memory_bytes = 0;
  std::unique_ptr<StateTable> states;  ///< all distinct ones, for whoever looks at the graph

  [[nodiscard]] bool complete() const { return end == ExploreEnd::kComplete; }
};

/// A "sometimes" property is asked of the initial state with the action kNoAction.
/// REQUIRES: at most 64 "sometimes" properties.
[[nodiscard]] ExploreResult Explore(const ExploreModel& model, const ExploreOptions& options,
                                    Executor& executor);

/// A shortest trace from the initial state to `target`, the smallest predecessor at each level.
/// Empty if `target` is not among the states.
/// REQUIRES: `result` is of this model.
[[nodiscard]] StateTrace ShortestTrace(const ExploreModel& model, const ExploreResult& result,
                                       const PackedState& target, Executor& executor);

}  // namespace lockstep::scenarios
