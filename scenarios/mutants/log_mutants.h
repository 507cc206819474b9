// Mutants of the leaderless log: nodes with one deliberate defect each.
//
// A mutant wraps a correct node by overriding one of its steps; the correct code knows nothing of
// it. Each restates a public report and names the property that must notice.
#pragma once

#include <span>
#include <string_view>

#include "scenarios/leaderless_log/log_setup.h"
#include "scenarios/scenario.h"

namespace lockstep::scenarios {

std::span<const Mutant> LogMutants();

/// Replaces the node that the mutant breaks. REQUIRES: the name of one of LogMutants().
void MutateLogNodes(std::string_view name, LogNodes& nodes);

}  // namespace lockstep::scenarios
