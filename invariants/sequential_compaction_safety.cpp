#include "invariants/sequential_compaction_safety.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Constants;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::Range;
using protocol::leaderless_log::State;

/// The ranges of the rounds that are over in `compact_round`, first to last.
std::span<const Range> RangesBelow(const Constants& constants, std::int64_t compact_round) {
  const auto known = static_cast<std::int64_t>(constants.ranges.size());
  const std::int64_t over =
      constants.dialect.rounds ? compact_round - 1 : (compact_round == 2 ? 1 : 0);
  const auto count = std::clamp<std::int64_t>(over, 0, known);
  return std::span(constants.ranges).first(static_cast<std::size_t>(count));
}

std::optional<Violation> CheckRange(const State& state, const Range& range) {
  const Entry entry = state.log_index.At(range.end);
  if (entry.type == EntryType::COMPACTED) return std::nullopt;
  return SafetyViolation(
      "SequentialCompactionSafety",
      fmt::format("compactRound is {}, but at the end of {}..{} there is {}", state.compact_round,
                  range.start, range.end, DescribeEntry(range.end, entry)),
      {{IndexName(range.end) + ".type", Text(Name(EntryType::COMPACTED)),
        Text(TypeName(entry.type))}});
}

}  // namespace

std::optional<Violation> SequentialCompactionSafety(const Machine& machine, const State& state) {
  for (const Range& range : RangesBelow(machine.constants(), state.compact_round)) {
    if (auto violation = CheckRange(state, range)) return violation;
  }
  return std::nullopt;
}

std::optional<Violation> SequentialCompactionSafety(const LogStep& step) {
  const Constants& constants = step.machine.constants();
  const std::span<const Range> over = RangesBelow(constants, step.state.compact_round);
  if (step.changes.compact_round) {
    const std::size_t before = RangesBelow(constants, *step.changes.compact_round).size();
    for (std::size_t i = before; i < over.size(); ++i) {
      if (auto violation = CheckRange(step.state, over[i])) return violation;
    }
  }
  if (over.empty()) return std::nullopt;
  for (const auto& change : step.changes.index) {
    if (change.offset > over.back().end) continue;
    // Ranges ascend (Machine's assumption).
    const auto range = std::lower_bound(
        over.begin(), over.end(), change.offset,
        [](const Range& candidate, Offset offset) { return candidate.end < offset; });
    if (range->end != change.offset) continue;
    if (auto violation = CheckRange(step.state, *range)) return violation;
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants
