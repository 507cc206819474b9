// Every variable is in its domain.
//
// The rounds dialect counts its rounds by Constants::ranges: compactRound is in 1..Len(Ranges)+1.
//
// SPEC: LeaderlessLog.tla, TypeOK
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// The whole state.
[[nodiscard]] std::optional<Violation> TypeOK(const protocol::leaderless_log::Machine& machine,
                                              const protocol::leaderless_log::State& state);
/// What the step changed; the same verdict when the property held before it.
[[nodiscard]] std::optional<Violation> TypeOK(const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
