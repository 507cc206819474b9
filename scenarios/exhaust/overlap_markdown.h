// No two entries overlap, whatever their types: NoOverlappingRanges as the Markdown specification
// words it. The TLA+ module compares WAL entries alone.
//
// An ordinary compaction breaks it: between the COMPACTED write and the deletion of the old entries
// both are there.
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::scenarios {

[[nodiscard]] std::optional<invariants::Violation> NoOverlappingRangesMarkdown(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state);

}  // namespace lockstep::scenarios
