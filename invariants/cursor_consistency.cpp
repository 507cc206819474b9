#include "invariants/cursor_consistency.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {

using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::State;

std::optional<Violation> CursorConsistency(const Machine& /*machine*/, const State& state) {
  if (state.compaction_cursor <= state.sequence_counter) return std::nullopt;
  return SafetyViolation(
      "CursorConsistency",
      fmt::format("the cursor is {}, beyond the next offset to assign, {}", state.compaction_cursor,
                  state.sequence_counter),
      {{"compactionCursor", Bound("<=", state.sequence_counter), Number(state.compaction_cursor)}});
}

std::optional<Violation> CursorConsistency(const LogStep& step) {
  return CursorConsistency(step.machine, step.state);
}

}  // namespace lockstep::invariants
