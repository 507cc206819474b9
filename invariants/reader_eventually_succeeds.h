// Once faults have stopped, every living reader's latest read succeeds, within a bounded number
// of steps.
//
// Upstream: ERROR leads to OK, per reader. A read that is never answered counts as unsuccessful.
//
// SPEC: LeaderlessLog.tla, ReaderEventuallySucceeds
// SCOPE: the end of the heal phase
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> ReaderEventuallySucceeds(
    const protocol::leaderless_log::LogEnd& end);

}  // namespace lockstep::invariants
