// CheckLeadsTo: P ~> Q on the finished graph of a model, under the module's fairness.
//
// P ~> Q fails when a reachable state has P and not Q, and from there a fair path never meets Q.
// Such a path ends in a fair component (fair_cycle.h) of the states without Q. A failure comes with
// a lasso: a prefix from the initial state and a cycle that is taken for ever.
//
// Where the model has a constraint, its meaning is TLC's: behaviours that leave it are not looked
// at, yet an action that leads out of it counts as enabled.
//
// DETERMINISM: states are ordered by their packed form, so verdicts and lassos do not depend on the
// number of workers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "invariants/violation.h"
#include "scenarios/exhaust/executor.h"
#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/explorer.h"

namespace lockstep::scenarios {

/// Changes the fairness of every condition of one action, to see what then breaks.
struct FairnessOverride {
  std::string action;  ///< "AssignOffset"
  FairnessKind kind = FairnessKind::kNone;
};

struct LeadsToOptions {
  std::uint64_t memory_max = std::uint64_t{4} << 30U;  ///< for graph and states together
  std::vector<FairnessOverride> overrides;
};

struct LeadsToResult {
  LeadsToInstance instance;
  /// kInconclusive: the search was not complete, or the graph would not have fitted.
  invariants::Verdict verdict = invariants::Verdict::kInconclusive;
  /// Violated: from the initial state to the first state of the cycle; as short as any.
  StateTrace prefix;
  StateTrace cycle;  ///< violated: the steps taken for ever, the last one leads back; empty =
                     ///< nothing happens any more
};

/// One result an instance, in the model's order.
/// REQUIRES: `explored` is of this model; overrides name actions that have a fairness condition.
[[nodiscard]] std::vector<LeadsToResult> CheckLeadsTo(const ExploreModel& model,
                                                      const ExploreResult& explored,
                                                      const LeadsToOptions& options,
                                                      Executor& executor);

}  // namespace lockstep::scenarios
