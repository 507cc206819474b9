// Every acknowledged record is readable at its offset with its bytes, at every step.
//
// Oracles O-ACK and O-CONTENT. Reads as a reader does: ceiling lookup in the store's records,
// then the record in the object. Looks at the offsets whose lookup the step can have changed, at
// those whose object it wrote or deleted, and at those it acknowledged.
//
// SPEC: LeaderlessLog.tla, CompactionPreservesData (the stronger form)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> AcknowledgedRecordsReadable(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
