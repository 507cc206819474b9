// Every round below the current one has COMPACTED at its range's end.
//
// Upstream has two rounds and asks of the first one; the rounds dialect asks of all.
//
// SPEC: LeaderlessLog.tla, SequentialCompactionSafety
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// The whole state.
[[nodiscard]] std::optional<Violation> SequentialCompactionSafety(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state);
/// What the step changed; the same verdict when the property held before it.
[[nodiscard]] std::optional<Violation> SequentialCompactionSafety(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
