#include "invariants/cursor_behind_compaction.h"

#include <fmt/format.h>

#include <algorithm>

#include "invariants/index_lookup.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::ObservedLog;
using protocol::leaderless_log::Offset;

constexpr std::string_view kName = "CursorBehindCompaction";

Violation NotCompacted(const ObservedLog& log, Offset offset, const EffectiveEntry& effective) {
  const std::string found =
      effective.key == 0 ? std::string("nothing") : DescribeEntry(effective.key, effective.entry);
  return SafetyViolation(
      kName,
      fmt::format("the cursor is {}, but offset {} is not compacted: a lookup finds {}", log.cursor,
                  offset, found),
      {{fmt::format("lookup({})", offset), Text(Name(EntryType::COMPACTED)), Text(found)}});
}

/// Every offset of first..last that is below the cursor is compacted.
std::optional<Violation> CheckCompacted(const ObservedLog& log, Offset first, Offset last) {
  last = std::min(last, log.cursor - 1);
  for (Offset offset = std::max<Offset>(first, 1); offset <= last;) {
    const EffectiveEntry effective = CeilingLookup(log.index, offset);
    if (!effective.Covers(offset) || effective.entry.type != EntryType::COMPACTED) {
      return NotCompacted(log, offset, effective);
    }
    offset = effective.key + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Violation> CursorBehindCompaction(const LogStep& step) {
  const ObservedLog& log = step.observed;
  if (const auto& before = step.observed_changes.cursor) {
    if (log.cursor < *before) {
      return SafetyViolation(kName,
                             fmt::format("the cursor went back from {} to {}", *before, log.cursor),
                             {{"compactionCursor", Bound(">=", *before), Number(log.cursor)}});
    }
    if (auto violation = CheckCompacted(log, *before, log.cursor - 1)) return violation;
  }
  return CheckTouched(log.index, step.observed_changes.index,
                      [&](Offset first, Offset last) { return CheckCompacted(log, first, last); });
}

}  // namespace lockstep::invariants
