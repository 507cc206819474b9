// A read returns what was appended at its offset, and finds what was acknowledged before it.
//
// Oracles O-ACK and O-CONTENT from the reader's side: this sees what the reader really answered,
// AcknowledgedRecordsReadable what the store would have let it read.
//
// SPEC: LeaderlessLog.tla, ReadEntry (O-ACK, O-CONTENT)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> ReadsReturnAppendedBytes(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
