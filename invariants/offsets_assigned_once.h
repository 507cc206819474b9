// The counter never decreases and no offset is assigned twice.
//
// Compares with every offset ever assigned, not with the entries left in the index: an offset
// stays assigned when its entry is deleted at the log's tail.
//
// SPEC: LeaderlessLog.tla, MonotonicOffsets (the stronger form)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> OffsetsAssignedOnce(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
