// The compaction cursor is not beyond the next offset to assign.
//
// How far it may go is CursorBehindCompaction's.
//
// SPEC: LeaderlessLog.tla, CursorConsistency
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// The whole state.
[[nodiscard]] std::optional<Violation> CursorConsistency(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state);
/// What the step changed; the same verdict when the property held before it.
[[nodiscard]] std::optional<Violation> CursorConsistency(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
