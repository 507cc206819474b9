// Once it is written, the current round's range has its COMPACTED entry.
//
// Looks at the entry's type alone. That data survives is AcknowledgedRecordsReadable's.
//
// SPEC: LeaderlessLog.tla, CompactionPreservesData
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// The whole state.
[[nodiscard]] std::optional<Violation> CompactionPreservesData(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state);
/// What the step changed; the same verdict when the property held before it.
[[nodiscard]] std::optional<Violation> CompactionPreservesData(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
