#include "invariants/type_ok.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::Constants;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogState;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::State;
using protocol::leaderless_log::Writer;
using protocol::leaderless_log::WriterIndex;
using protocol::leaderless_log::WriterState;

Violation Outside(std::string variable, std::string domain, sim::Value actual) {
  std::string message = fmt::format("{} is outside of {}", variable, domain);
  return SafetyViolation("TypeOK", std::move(message),
                         {{std::move(variable), Text(domain), std::move(actual)}});
}

/// An enumerator, by comparison with the type's last one.
template <typename Enum>
bool IsKnown(Enum value, Enum last) {
  return value <= last;
}

std::optional<Violation> Within(const char* variable, std::int64_t value, std::int64_t first,
                                std::int64_t last) {
  if (value >= first && value <= last) return std::nullopt;
  return Outside(variable, fmt::format("{}..{}", first, last), Number(value));
}

template <typename Enum>
std::optional<Violation> Known(const char* variable, Enum value, Enum last) {
  if (IsKnown(value, last)) return std::nullopt;
  return Outside(variable, fmt::format("its {} values", static_cast<int>(last) + 1),
                 Number(static_cast<int>(value)));
}

std::optional<Violation> CheckEntry(const Constants& constants, Offset key, const Entry& entry) {
  if (key < 1 || key > constants.max_offset) {
    if (entry == Entry{}) return std::nullopt;
    return Outside("DOMAIN logIndex", fmt::format("1..{}", constants.max_offset), Number(key));
  }
  if (!IsKnown(entry.type, EntryType::COMPACTED)) {
    return Outside(IndexName(key) + ".type", "EMPTY, WAL, COMPACTED",
                   Number(static_cast<int>(entry.type)));
  }
  if (entry.msg_count >= 0 && entry.msg_count <= constants.max_offset) return std::nullopt;
  return Outside(IndexName(key) + ".msgCount", fmt::format("0..{}", constants.max_offset),
                 Number(entry.msg_count));
}

std::optional<Violation> CheckWriter(const Constants& constants, const State& state,
                                     WriterIndex index) {
  if (index >= constants.writers.size()) {
    return Outside("DOMAIN writerState", fmt::format("{} writers", constants.writers.size()),
                   Number(index));
  }
  const Writer& writer = state.writers[index];
  const std::string& name = constants.writers[index];
  if (!IsKnown(writer.state, WriterState::FAILED)) {
    return Outside(fmt::format("writerState[{}]", name), "the writer states",
                   Number(static_cast<int>(writer.state)));
  }
  if (writer.offset < 0 || writer.offset > constants.max_offset) {
    return Outside(fmt::format("writerOffset[{}]", name),
                   fmt::format("0..{}", constants.max_offset), Number(writer.offset));
  }
  if (writer.batch_size < 0 || writer.batch_size > constants.max_batch) {
    return Outside(fmt::format("writerBatchSize[{}]", name),
                   fmt::format("0..{}", constants.max_batch), Number(writer.batch_size));
  }
  if (!IsKnown(writer.reader_result, ReaderResult::ERROR)) {
    return Outside(fmt::format("readerResult[{}]", name), "NONE, OK, ERROR",
                   Number(static_cast<int>(writer.reader_result)));
  }
  return std::nullopt;
}

/// The variables that are not functions; they cost the same whether or not they changed.
std::optional<Violation> CheckPlainVariables(const Constants& constants, const State& state) {
  const Offset beyond = constants.max_offset + 1;
  if (auto outside = Within("sequenceCounter", state.sequence_counter, 1, beyond)) return outside;
  if (auto outside = Known("logState", state.log_state, LogState::FENCED)) return outside;
  if (auto outside = Within("compactionCursor", state.compaction_cursor, 1, beyond)) return outside;
  if (auto outside = Known("compactorState", state.compactor_state, CompactorState::DONE)) {
    return outside;
  }
  const auto rounds = static_cast<std::int64_t>(constants.ranges.size());
  return Within("compactRound", state.compact_round, 1, constants.dialect.rounds ? rounds + 1 : 2);
}

}  // namespace

std::optional<Violation> TypeOK(const Machine& machine, const State& state) {
  const Constants& constants = machine.constants();
  if (auto outside = CheckPlainVariables(constants, state)) return outside;
  for (Offset key = 1; key <= state.log_index.high(); ++key) {
    if (auto outside = CheckEntry(constants, key, state.log_index.At(key))) return outside;
  }
  for (std::size_t i = 0; i < state.writers.size(); ++i) {
    if (auto outside = CheckWriter(constants, state, static_cast<WriterIndex>(i))) return outside;
  }
  return std::nullopt;
}

std::optional<Violation> TypeOK(const LogStep& step) {
  const Constants& constants = step.machine.constants();
  if (auto outside = CheckPlainVariables(constants, step.state)) return outside;
  for (const auto& change : step.changes.index) {
    const Entry entry = step.state.log_index.At(change.offset);
    if (auto outside = CheckEntry(constants, change.offset, entry)) return outside;
  }
  if (!step.changes.writer) return std::nullopt;
  return CheckWriter(constants, step.state, step.changes.writer->first);
}

}  // namespace lockstep::invariants
