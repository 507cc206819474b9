// The scenarios of the leaderless log, one story a file.
#pragma once

#include "scenarios/leaderless_log/log_setup.h"
#include "scenarios/scenario.h"

namespace lockstep::scenarios {

Scenario LogSmall();
Scenario LogMedium();
Scenario LogFaults();
Scenario FenceFlap();
Scenario CompactorCrashes();
Scenario ReadersDuringCompaction();
Scenario Canary();

/// What all of them have in common: protocol and module.
Scenario LogScenario();
/// The module's actions without those named.
std::vector<std::string_view> LogActionsWithout(std::initializer_list<std::string_view> left_out);

/// The nodes that a run's mutant asks for; the correct ones without a mutant.
LogNodes LogNodesFor(const RunSpec& spec);

}  // namespace lockstep::scenarios
