#include "invariants/no_offset_duplicates.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogIndex;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::State;

std::optional<Violation> CheckEntry(const LogIndex& index, Offset key) {
  const EntryType type = index.At(key).type;
  if (type <= EntryType::COMPACTED) return std::nullopt;
  return SafetyViolation("NoOffsetDuplicates",
                         fmt::format("the entry at offset {} is of no known type", key),
                         {{IndexName(key) + ".type", Text("EMPTY, WAL or COMPACTED"),
                           Number(static_cast<int>(type))}});
}

}  // namespace

std::optional<Violation> NoOffsetDuplicates(const Machine& /*machine*/, const State& state) {
  for (Offset key = 1; key <= state.log_index.high(); ++key) {
    if (auto violation = CheckEntry(state.log_index, key)) return violation;
  }
  return std::nullopt;
}

std::optional<Violation> NoOffsetDuplicates(const LogStep& step) {
  for (const auto& change : step.changes.index) {
    if (auto violation = CheckEntry(step.state.log_index, change.offset)) return violation;
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants
