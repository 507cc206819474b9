// An acknowledged append was assigned where it says, and while the log was OPEN.
//
// An append is acknowledged by the answer to its caller, and fenced off by its linearization
// point: an answer that arrives during a fence is right if the assignment was before.
//
// SPEC: LeaderlessLog.tla, FencedRejectsAppends (the stronger form)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> AcknowledgedBeforeFence(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
