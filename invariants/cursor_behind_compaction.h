// Every offset below the cursor is compacted, and the cursor never goes back.
//
// Compacted: the entry that a reader finds is COMPACTED and covers the offset. A COMPACTED entry
// that older ones still hide does not count, so the cursor moves after they are deleted.
//
// SPEC: LeaderlessLog.tla, CursorConsistency (the stronger form)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> CursorBehindCompaction(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
