#include "scenarios/exhaust/overlap_markdown.h"

#include <utility>

#include "protocol/leaderless_log/leaderless_log_guards.h"
#include "sim/base/value.h"

namespace lockstep::scenarios {

using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::FirstCovered;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::State;
using sim::Value;

std::optional<invariants::Violation> NoOverlappingRangesMarkdown(const Machine& /*machine*/,
                                                                 const State& state) {
  // An entry that overlaps any lower entry overlaps the nearest one.
  Offset lower = 0;
  for (Offset key = 1; key <= state.log_index.high(); ++key) {
    const Entry entry = state.log_index.At(key);
    if (entry.type == EntryType::EMPTY) continue;
    const Offset first = FirstCovered(key, entry);
    if (lower != 0 && first <= lower) {
      const std::string fact = "first offset of logIndex[" + std::to_string(key) + "]";
      return invariants::Violation{
          "NoOverlappingRangesMarkdown", invariants::PropertyKind::kSafety,
          "the entry at " + std::to_string(key) + " begins at " + std::to_string(first) +
              ", and there is an entry at " + std::to_string(lower),
          Value::RecordOf({{fact, Value::String("> " + std::to_string(lower))}}),
          Value::RecordOf({{fact, Value::Int(first)}})};
    }
    lower = key;
  }
  return std::nullopt;
}

}  // namespace lockstep::scenarios
