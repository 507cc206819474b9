// A reader finds every offset up to the highest one it has found before.
//
// Oracle O-MONO. Offsets are assigned without gaps and never trimmed, so a reader that found an
// offset must find every lower one afterwards.
//
// SPEC: LeaderlessLog.tla, ReadEntry (O-MONO)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> ReadersNeverMoveBack(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
