// No reader's latest result is ERROR.
//
// Needs somebody to read. OneEffectiveEntry looks at every offset instead.
//
// SPEC: LeaderlessLog.tla, NoReaderError
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// The whole state.
[[nodiscard]] std::optional<Violation> NoReaderError(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state);
/// What the step changed; the same verdict when the property held before it.
[[nodiscard]] std::optional<Violation> NoReaderError(const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
