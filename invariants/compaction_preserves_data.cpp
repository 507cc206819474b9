#include "invariants/compaction_preserves_data.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::Range;
using protocol::leaderless_log::State;

bool HasWritten(CompactorState state) {
  return state == CompactorState::DELETING_OLD || state == CompactorState::UPDATING_CURSOR ||
         state == CompactorState::DONE;
}

}  // namespace

std::optional<Violation> CompactionPreservesData(const Machine& machine, const State& state) {
  if (!HasWritten(state.compactor_state)) return std::nullopt;
  const Range range = machine.CurrentRange(state);
  const Entry entry = state.log_index.At(range.end);
  if (entry.type == EntryType::COMPACTED) return std::nullopt;
  return SafetyViolation(
      "CompactionPreservesData",
      fmt::format("the compactor of {}..{} is {}, but at {} there is {}", range.start, range.end,
                  Name(state.compactor_state), range.end, DescribeEntry(range.end, entry)),
      {{IndexName(range.end) + ".type", Text(Name(EntryType::COMPACTED)),
        Text(TypeName(entry.type))}});
}

std::optional<Violation> CompactionPreservesData(const LogStep& step) {
  return CompactionPreservesData(step.machine, step.state);
}

}  // namespace lockstep::invariants
