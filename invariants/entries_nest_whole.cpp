#include "invariants/entries_nest_whole.h"

#include <fmt/format.h>

#include <algorithm>

#include "invariants/index_lookup.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::ObservedLog;
using protocol::leaderless_log::Offset;

Violation Broken(const ObservedLog& log, Offset key, Offset outer, std::string_view want,
                 std::string_view is) {
  const std::string inner_text = DescribeEntry(key, log.index.At(key));
  const std::string outer_text = DescribeEntry(outer, log.index.At(outer));
  return SafetyViolation(
      "EntriesNestWhole", fmt::format("{} {} {}", inner_text, is, outer_text),
      {{fmt::format("{} against {}", inner_text, outer_text), Text(want), Text(is)}});
}

/// The entries at `key` and at `outer` overlap, and the one at `outer` is COMPACTED.
std::optional<Violation> CheckInside(const ObservedLog& log, Offset key, Offset outer) {
  const Entry entry = log.index.At(key);
  const bool whole = key < outer && BeginOf(key, entry) >= BeginOf(outer, log.index.At(outer));
  if (!whole || entry.type == EntryType::COMPACTED) {
    return Broken(log, key, outer, "disjoint or wholly inside", "overlaps");
  }
  if (log.cursor <= outer) return std::nullopt;
  return Broken(log, key, outer, "deleted, the cursor has passed", "is still inside");
}

/// Two overlapping entries, in either order.
std::optional<Violation> CheckPair(const ObservedLog& log, Offset lower, Offset upper) {
  if (log.index.At(upper).type == EntryType::COMPACTED) return CheckInside(log, lower, upper);
  if (log.index.At(lower).type == EntryType::COMPACTED) return CheckInside(log, upper, lower);
  return std::nullopt;
}

/// The entry at `key` against every other that it overlaps.
std::optional<Violation> CheckEntry(const ObservedLog& log, Offset key) {
  const Offset begin = std::max<Offset>(BeginOf(key, log.index.At(key)), 1);
  for (Offset lower = key - 1; lower >= begin; --lower) {
    if (IsEmpty(log.index.At(lower))) continue;
    if (auto violation = CheckPair(log, lower, key)) return violation;
  }
  const Offset last = LastReaching(log.index, key);
  for (Offset upper = key + 1; upper <= last; ++upper) {
    const Entry entry = log.index.At(upper);
    if (IsEmpty(entry) || BeginOf(upper, entry) > key) continue;
    if (auto violation = CheckPair(log, key, upper)) return violation;
  }
  return std::nullopt;
}

/// The COMPACTED entries that the cursor has passed by moving up from `before`.
std::optional<Violation> CheckPassed(const ObservedLog& log, Offset before) {
  Offset key = std::min(log.cursor - 1, log.index.high());
  while (key >= before) {
    const Entry entry = log.index.At(key);
    if (entry.type != EntryType::COMPACTED) {
      --key;
      continue;
    }
    const Offset begin = std::max<Offset>(BeginOf(key, entry), 1);
    for (Offset lower = key - 1; lower >= begin; --lower) {
      if (!IsEmpty(log.index.At(lower))) return CheckInside(log, lower, key);
    }
    key = std::min(begin, key) - 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Violation> EntriesNestWhole(const LogStep& step) {
  for (const auto& change : step.observed_changes.index) {
    if (IsEmpty(step.observed.index.At(change.offset))) continue;
    if (auto violation = CheckEntry(step.observed, change.offset)) return violation;
  }
  if (!step.observed_changes.cursor) return std::nullopt;
  return CheckPassed(step.observed, *step.observed_changes.cursor);
}

}  // namespace lockstep::invariants
