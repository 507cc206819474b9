// An entry is disjoint from a COMPACTED entry or wholly inside it, inside only until the cursor
// passes.
//
// Two COMPACTED entries never overlap, not even nested: a range is compacted once.
//
// SPEC: LeaderlessLog.tla, NoOverlappingRanges (the stronger form)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> EntriesNestWhole(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
