// Once they are deleted, no entry is left below the end of the current round's range.
//
// The step form looks at the whole range only when the compactor comes to where this must hold.
//
// SPEC: LeaderlessLog.tla, NoPhantomEntries
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// The whole state.
[[nodiscard]] std::optional<Violation> NoPhantomEntries(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state);
/// What the step changed; the same verdict when the property held before it.
[[nodiscard]] std::optional<Violation> NoPhantomEntries(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
