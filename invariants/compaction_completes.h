// Once faults have stopped, a started range reaches its cursor step, within a bounded number of
// steps.
//
// Upstream is content with a crash back to IDLE. Here a living compactor must finish what it or
// its predecessor began: what the plan record says is under way, and a COMPACTED entry of the
// current round that the cursor has not passed.
//
// SPEC: LeaderlessLog.tla, CompactionCompletes
// SCOPE: the end of the heal phase
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> CompactionCompletes(
    const protocol::leaderless_log::LogEnd& end);

}  // namespace lockstep::invariants
