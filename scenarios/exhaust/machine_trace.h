// Traces of a machine alone: counterexamples, witnesses and walks, in the same format as a run's,
// so that the same tools read them: replay, export to TLC, timeline.
//
// Such a trace has the scenario "exhaust" or "walk" and no schedule: its actions are the decisions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/explorer.h"
#include "traces/trace.h"

namespace lockstep::scenarios {

inline constexpr std::string_view kExhaustScenario = "exhaust";
inline constexpr std::string_view kWalkScenario = "walk";

/// What a machine's trace shows at its end.
struct MachineFinding {
  std::string property;  ///< empty: it is a witness of something that may happen
  std::string kind;      ///< "safety", "liveness"; empty for a witness
  std::string message;
};

/// `header` says which module; its scenario, seed and so on are the caller's. `values` are the
/// variables in each of the states.
traces::Trace MachineTrace(const ExploreModel& model, traces::Header header,
                           const StateTrace& states, const std::vector<sim::Value>& values,
                           const MachineFinding& finding);

/// A lasso as one trace: the prefix, then the cycle once. The finding's message says where the
/// cycle begins.
StateTrace JoinLasso(const StateTrace& prefix, const StateTrace& cycle);

/// Takes the trace's actions on the machine again. Returns the trace that this gives, or, as one
/// line, the first step that is no step of the machine, or why the end does not show what the
/// trace says: of a leads-to property that something is owed; fairness is the search's to judge.
std::variant<traces::Trace, std::string> ReplayOnMachine(const ExploreModel& model,
                                                         const traces::Trace& trace);

/// The new values of the variables in which two states differ, as traces::Step::changed.
sim::Value StateDifference(const sim::Value& before, const sim::Value& after);

}  // namespace lockstep::scenarios
