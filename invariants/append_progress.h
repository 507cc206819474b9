// Once faults have stopped, every append of a living writer is answered, within a bounded number
// of steps.
//
// Upstream: WRITING_WAL leads to DONE or FAILED. An append rejected by a fence is answered.
//
// SPEC: LeaderlessLog.tla, AppendProgress
// SCOPE: the end of the heal phase
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> AppendProgress(const protocol::leaderless_log::LogEnd& end);

}  // namespace lockstep::invariants
