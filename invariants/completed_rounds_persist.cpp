#include "invariants/completed_rounds_persist.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::Range;

std::optional<Violation> CheckRange(const LogStep& step, const Range& range) {
  const Entry expected{EntryType::COMPACTED, range.end - range.start + 1};
  const Entry actual = step.observed.index.At(range.end);
  if (actual == expected) return std::nullopt;
  return SafetyViolation("CompletedRoundsPersist",
                         fmt::format("{}..{} was compacted, but at {} there is {}", range.start,
                                     range.end, range.end, DescribeEntry(range.end, actual)),
                         {{IndexName(range.end), EntryValue(expected), EntryValue(actual)}});
}

}  // namespace

std::optional<Violation> CompletedRoundsPersist(const LogStep& step) {
  const std::vector<Range>& completed = step.ledger.completed();
  if (completed.empty()) return std::nullopt;
  if (step.observed_changes.cursor) {
    if (auto violation = CheckRange(step, completed.back())) return violation;
  }
  for (const auto& change : step.observed_changes.index) {
    if (change.offset > completed.back().end) continue;
    const auto range = std::lower_bound(
        completed.begin(), completed.end(), change.offset,
        [](const Range& candidate, Offset offset) { return candidate.end < offset; });
    if (range == completed.end() || range->end != change.offset) continue;
    if (auto violation = CheckRange(step, *range)) return violation;
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants
