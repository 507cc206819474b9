// The range conditions that CompactStart asks of the index, each answered by its first witness.
//
// Both forms of a guard (Machine::Enabled and Machine::Refusal) ask these, so they cannot differ.
// Every scan stops at the longest entry ever set: none farther away could reach back.
#pragma once

#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::protocol::leaderless_log {

/// The first offset that the entry at `offset` covers.
[[nodiscard]] inline Offset FirstCovered(Offset offset, const Entry& entry) {
  return offset - entry.msg_count + 1;
}

/// The smallest offset of `range` that no WAL entry covers, or 0. REQUIRES: range.start >= 1.
[[nodiscard]] Offset FirstNotWalCovered(const LogIndex& log_index, const Range& range);

/// The smallest key of `range` whose entry begins before the range, or 0.
/// REQUIRES: range.start >= 1.
[[nodiscard]] Offset FirstBeginningBefore(const LogIndex& log_index, const Range& range);

/// The smallest key beyond `range` whose entry begins at or before the range's end, or 0.
/// REQUIRES: range.start >= 1.
[[nodiscard]] Offset FirstReachingBack(const LogIndex& log_index, const Range& range);

/// True when `compact_round` has a range; without one CompactStart has nothing to compact.
[[nodiscard]] inline bool HasRange(const Constants& constants, const State& state) {
  return state.compact_round >= 1 &&
         state.compact_round <= static_cast<std::int64_t>(constants.ranges.size());
}

/// writerState[w] and the rest. A writer that joined after the state was made is as in Init.
[[nodiscard]] inline const Writer& WriterOf(const State& state, WriterIndex writer) {
  static constexpr Writer kInitial{};
  return writer < state.writers.size() ? state.writers[writer] : kInitial;
}

/// What CompactWriteCompactedIndex writes at the range's end.
[[nodiscard]] inline Entry CompactedEntry(const Range& range) {
  return {EntryType::COMPACTED, range.end - range.start + 1};
}

}  // namespace lockstep::protocol::leaderless_log
