// Every offset has one entry, of a known type.
//
// True by the shape of logIndex, as upstream says. Its promise is AcknowledgedOffsetsUnique's.
//
// SPEC: LeaderlessLog.tla, NoOffsetDuplicates
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// The whole state.
[[nodiscard]] std::optional<Violation> NoOffsetDuplicates(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state);
/// What the step changed; the same verdict when the property held before it.
[[nodiscard]] std::optional<Violation> NoOffsetDuplicates(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
