// Looking an offset up in logIndex, and which look-ups a step can have changed.
//
// Everything here costs the distance walked between neighbouring entries, never the log's length.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "invariants/violation.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::invariants {

/// The first offset that the entry at `key` covers.
[[nodiscard]] inline protocol::leaderless_log::Offset BeginOf(
    protocol::leaderless_log::Offset key, const protocol::leaderless_log::Entry& entry) {
  return key - entry.msg_count + 1;
}

[[nodiscard]] inline bool IsEmpty(const protocol::leaderless_log::Entry& entry) {
  return entry.type == protocol::leaderless_log::EntryType::EMPTY;
}

/// The last key whose entry may reach back to `offset`.
[[nodiscard]] protocol::leaderless_log::Offset LastReaching(
    const protocol::leaderless_log::LogIndex& index, protocol::leaderless_log::Offset offset);

/// The greatest key below `offset` and above `floor` with an entry, or `floor`.
[[nodiscard]] protocol::leaderless_log::Offset PreviousEntry(
    const protocol::leaderless_log::LogIndex& index, protocol::leaderless_log::Offset offset,
    protocol::leaderless_log::Offset floor);

/// What a reader of `offset` finds: the entry with the smallest key at or above it.
struct EffectiveEntry {
  protocol::leaderless_log::Offset key = 0;  ///< 0 = there is none
  protocol::leaderless_log::Entry entry;
  [[nodiscard]] bool Covers(protocol::leaderless_log::Offset offset) const {
    return key != 0 && BeginOf(key, entry) <= offset;
  }
};
[[nodiscard]] EffectiveEntry CeilingLookup(const protocol::leaderless_log::LogIndex& index,
                                           protocol::leaderless_log::Offset offset);

/// Calls `check(first, last)` with ranges that hold every offset whose ceiling lookup may give
/// something else after `changes` than before; stops at the first violation.
///
/// Why these ranges are enough: an offset's effective entry differs only if a key between it and
/// its new effective key came or went, or that key's own entry changed. So it lies between some
/// changed key and the entry before that key. The changes of one range delete ascend, each goes on
/// where the one before ended, and all become one range: together they cost that range once.
template <typename Check>
[[nodiscard]] std::optional<Violation> CheckTouched(
    const protocol::leaderless_log::LogIndex& index,
    const std::vector<protocol::leaderless_log::Changes::IndexChange>& changes, Check&& check) {
  protocol::leaderless_log::Offset first = 1;  // first..last is to be checked
  protocol::leaderless_log::Offset last = 0;
  for (const auto& change : changes) {
    const auto key = change.offset;
    if (key >= first && key <= last) continue;
    const auto begin = PreviousEntry(index, key, key > last ? last : 0) + 1;
    if (begin != last + 1) {
      if (last != 0) {
        if (std::optional<Violation> violation = check(first, last)) return violation;
      }
      first = begin;
    }
    last = key;
  }
  return last == 0 ? std::nullopt : check(first, last);
}

}  // namespace lockstep::invariants
