// The sequence counter is at least 1.
//
// That it never decreases is OffsetsAssignedOnce's.
//
// SPEC: LeaderlessLog.tla, MonotonicOffsets
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// The whole state.
[[nodiscard]] std::optional<Violation> MonotonicOffsets(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state);
/// What the step changed; the same verdict when the property held before it.
[[nodiscard]] std::optional<Violation> MonotonicOffsets(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
