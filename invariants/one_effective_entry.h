// Every committed offset has an effective entry by ceiling lookup, and that entry covers it.
//
// Committed: below the counter that the store shows. An entry above a hole hides it from a reader
// who does not check coverage, which is why covering is asked of the effective entry, not of any
// entry.
//
// SPEC: LeaderlessLog.tla, NoReaderError (the stronger form)
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

[[nodiscard]] std::optional<Violation> OneEffectiveEntry(
    const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
