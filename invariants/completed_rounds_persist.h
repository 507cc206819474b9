// The COMPACTED entry of every completed round is still there, unchanged.
//
// A round is completed by its cursor step. Completed ranges ascend because the cursor does: that
// it never goes back is CursorBehindCompaction's, which is checked before.
//
// SPEC: LeaderlessLog.tla, SequentialCompactionSafety (the stronger form)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> CompletedRoundsPersist(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
