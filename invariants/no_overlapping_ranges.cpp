#include "invariants/no_overlapping_ranges.h"

#include <fmt/format.h>

#include <algorithm>

#include "invariants/index_lookup.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogIndex;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::State;

Violation Overlap(const LogIndex& index, Offset lower, Offset upper) {
  const Entry entry = index.At(upper);
  return SafetyViolation("NoOverlappingRanges",
                         fmt::format("{} and {} overlap", DescribeEntry(lower, index.At(lower)),
                                     DescribeEntry(upper, entry)),
                         {{fmt::format("first offset of {}", IndexName(upper)), Bound(">", lower),
                           Number(BeginOf(upper, entry))}});
}

/// The WAL entry at `key` against its neighbourhood.
std::optional<Violation> CheckWalEntry(const LogIndex& index, Offset key) {
  const Offset begin = std::max<Offset>(BeginOf(key, index.At(key)), 1);
  for (Offset lower = key - 1; lower >= begin; --lower) {
    if (index.At(lower).type == EntryType::WAL) return Overlap(index, lower, key);
  }
  for (Offset upper = key + 1; upper <= LastReaching(index, key); ++upper) {
    const Entry entry = index.At(upper);
    if (entry.type == EntryType::WAL && BeginOf(upper, entry) <= key) {
      return Overlap(index, key, upper);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Violation> NoOverlappingRanges(const Machine& /*machine*/, const State& state) {
  // An entry that overlaps any lower WAL entry overlaps the nearest one.
  Offset lower = 0;
  for (Offset key = 1; key <= state.log_index.high(); ++key) {
    const Entry entry = state.log_index.At(key);
    if (entry.type != EntryType::WAL) continue;
    if (lower != 0 && BeginOf(key, entry) <= lower) return Overlap(state.log_index, lower, key);
    lower = key;
  }
  return std::nullopt;
}

std::optional<Violation> NoOverlappingRanges(const LogStep& step) {
  const LogIndex& index = step.state.log_index;
  for (const auto& change : step.changes.index) {
    if (index.At(change.offset).type != EntryType::WAL) continue;
    if (auto violation = CheckWalEntry(index, change.offset)) return violation;
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants
