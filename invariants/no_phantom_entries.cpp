#include "invariants/no_phantom_entries.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::Range;
using protocol::leaderless_log::State;

bool HasDeleted(CompactorState state) {
  return state == CompactorState::UPDATING_CURSOR || state == CompactorState::DONE;
}

Violation LeftOver(const State& state, const Range& range, Offset key) {
  const Entry entry = state.log_index.At(key);
  return SafetyViolation(
      "NoPhantomEntries",
      fmt::format("the compactor of {}..{} is {}, but {} is still there", range.start, range.end,
                  Name(state.compactor_state), DescribeEntry(key, entry)),
      {{IndexName(key) + ".type", Text(Name(EntryType::EMPTY)), Text(TypeName(entry.type))}});
}

}  // namespace

std::optional<Violation> NoPhantomEntries(const Machine& machine, const State& state) {
  if (!HasDeleted(state.compactor_state)) return std::nullopt;
  const Range range = machine.CurrentRange(state);
  const Offset key = state.log_index.NextNonEmpty(range.start);
  if (key == 0 || key >= range.end) return std::nullopt;
  return LeftOver(state, range, key);
}

std::optional<Violation> NoPhantomEntries(const LogStep& step) {
  if (!HasDeleted(step.state.compactor_state)) return std::nullopt;
  const CompactorState before = step.changes.compactor_state.value_or(step.state.compactor_state);
  if (step.changes.compact_round || !HasDeleted(before)) {
    return NoPhantomEntries(step.machine, step.state);
  }
  const Range range = step.machine.CurrentRange(step.state);
  for (const auto& change : step.changes.index) {
    if (change.offset < range.start || change.offset >= range.end) continue;
    if (step.state.log_index.At(change.offset).type == EntryType::EMPTY) continue;
    return LeftOver(step.state, range, change.offset);
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants
