// Every index entry's object exists.
//
// Looks at the entries that the step wrote, and at those that refer to an object it deleted.
//
// SPEC: LeaderlessLog.tla, NoPhantomEntries (the stronger form)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> EntriesPointToData(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
