// One run of a scenario of the leaderless log: world, nodes, workload, oracles, hurt and heal.
#pragma once

#include "scenarios/leaderless_log/log_setup.h"
#include "scenarios/scenario.h"

namespace lockstep::scenarios {

/// Makes the run that `spec` asks for, with these nodes in this setting.
RunResult RunLog(const RunSpec& spec, const LogSetup& setup, const LogNodes& nodes);

}  // namespace lockstep::scenarios
