// ShortestTraces: how states were reached, found without parent pointers.
//
// A breadth-first search keeps its levels apart. From a state one walks back level by level: the
// level before it is expanded again, and of the states that lead to it the smallest is taken. That
// costs at most one more search, for any number of states at once, and only when somebody asks.
//
// DETERMINISM: the smallest predecessor, and of its actions the smallest; so the traces do not
// depend on how states are numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenarios/exhaust/executor.h"
#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/state_table.h"

namespace lockstep::scenarios {

inline constexpr std::uint32_t kNoAction = 0xffffffffU;

/// A state of a trace and the action that led to it; kNoAction for the initial state.
struct TraceStep {
  std::uint32_t action = kNoAction;
  PackedState state{};
  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};
using StateTrace = std::vector<TraceStep>;

struct TraceTarget {
  PackedState state{};
  std::size_t level = 0;  ///< from 0, the initial state's
};

/// One trace a target, from the initial state to it. A target may be a state beyond the constraint,
/// which is not in the table: its level is the one after its predecessors'.
/// REQUIRES: level k has the states numbered level_begin[k] .. level_begin[k+1]-1, and each target
/// is the initial state or a successor of a state of the level before its own.
[[nodiscard]] std::vector<StateTrace> ShortestTraces(const ExploreModel& model,
                                                     const StateTable& states,
                                                     std::span<const StateIndex> level_begin,
                                                     std::span<const TraceTarget> targets,
                                                     Executor& executor);

}  // namespace lockstep::scenarios
