// No two acknowledged appends share an offset.
//
// Looks at the offsets of the step's acknowledgement: each must have been first acknowledged to
// this very record.
//
// SPEC: LeaderlessLog.tla, NoOffsetDuplicates (the stronger form)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> AcknowledgedOffsetsUnique(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
