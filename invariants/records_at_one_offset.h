// An operation's records are assigned at one place only.
//
// Oracle O-DUP: the same append twice in the log, at different offsets, breaks no other property.
//
// SPEC: LeaderlessLog.tla, MonotonicOffsets (O-DUP)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> RecordsAtOneOffset(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
