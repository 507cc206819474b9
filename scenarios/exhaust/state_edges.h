// StateEdges: the finished graph of a model with its edges in memory, states in a canonical order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/exhaust/executor.h"
#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/fair_cycle.h"

namespace lockstep::scenarios {

struct StateEdges {
  std::vector<StateIndex> order;     ///< the states' numbers in the table, by packed state
  FairGraph graph;                   ///< by position in `order`; steps that change nothing left out
  std::vector<std::uint64_t> left;   ///< by position: Expander::LeadsToLeft
  std::vector<std::uint64_t> right;  ///< by position: Expander::LeadsToRight
  std::uint32_t initial = 0;         ///< position of the initial state

  [[nodiscard]] std::uint64_t memory_bytes() const;
};

/// Nothing when more than `memory_max` bytes would be needed, the state table included.
/// REQUIRES: a complete search.
[[nodiscard]] std::optional<StateEdges> BuildStateEdges(const ExploreModel& model,
                                                        const ExploreResult& explored,
                                                        std::uint64_t memory_max,
                                                        Executor& executor);

}  // namespace lockstep::scenarios
