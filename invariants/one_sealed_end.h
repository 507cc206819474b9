// Everybody who is told that the log is fenced is told the same end, and the log does not grow.
//
// Oracle O-SEAL. Fences are reversible, so "the end" belongs to one fence: the ledger keeps each
// with the store version that made it. While the store shows FENCED the counter stands still, and
// no acknowledgement reaches it. An answer names a fence by any version at which it saw FENCED
// and must give that fence's end, also when the fence is over by now; an answer that names none
// must give the end of some fence. An answer about a fence that never took effect is broken
// whatever it says.
//
// SPEC: LeaderlessLog.tla, FenceLog (O-SEAL)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> OneSealedEnd(const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
