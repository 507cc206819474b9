// What the machine's values are called: TLA+ spellings, parameters and variables as Values.
#include <array>
#include <string>

#include "protocol/leaderless_log/leaderless_log_guards.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using sim::Value;
using Fields = std::vector<std::pair<std::string, Value>>;

constexpr std::array<std::string_view, 3> kEntryTypeNames = {"EMPTY", "WAL", "COMPACTED"};
constexpr std::array<std::string_view, 2> kLogStateNames = {"OPEN", "FENCED"};
constexpr std::array<std::string_view, 5> kWriterStateNames = {
    "IDLE", "WRITING_WAL", "ASSIGNING_OFFSET", "DONE", "FAILED"};
constexpr std::array<std::string_view, 5> kCompactorStateNames = {
    "IDLE", "WRITING_COMPACTED_INDEX", "DELETING_OLD", "UPDATING_CURSOR", "DONE"};
constexpr std::array<std::string_view, 3> kReaderResultNames = {"NONE", "OK", "ERROR"};
constexpr std::array<std::string_view, kActionKinds> kActionNames = {
    "StartAppend",
    "WALWriteSuccess",
    "WALWriteFail",
    "AssignOffset",
    "AssignOffsetFenced",
    "AssignOffsetExhausted",
    "AppendComplete",
    "CompactStart",
    "CompactWriteCompactedIndex",
    "CompactDeleteOldEntries",
    "CompactUpdateCursor",
    "CompactReset",
    "CompactorCrash",
    "FenceLog",
    "UnfenceLog",
    "ReadEntry",
    "CompactResume",
};

template <typename Enum, std::size_t N>
constexpr std::string_view NameIn(const std::array<std::string_view, N>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

template <typename Enum>
Value NameValue(Enum value) {
  return Value::String(std::string(Name(value)));
}

Value EntryValue(const Entry& entry) {
  return Value::RecordOf(
      {{"type", NameValue(entry.type)}, {"msgCount", Value::Int(entry.msg_count)}});
}

/// Writers -> what `get` says of each, keyed by the writer's name.
template <typename Get>
Value WritersValue(const Constants& constants, const State& state, Get get) {
  Fields fields;
  fields.reserve(constants.writers.size());
  for (std::size_t i = 0; i < constants.writers.size(); ++i) {
    fields.emplace_back(constants.writers[i], get(WriterOf(state, static_cast<WriterIndex>(i))));
  }
  return Value::RecordOf(std::move(fields));
}

}  // namespace

std::string_view Name(EntryType type) { return NameIn(kEntryTypeNames, type); }
std::string_view Name(LogState state) { return NameIn(kLogStateNames, state); }
std::string_view Name(WriterState state) { return NameIn(kWriterStateNames, state); }
std::string_view Name(CompactorState state) { return NameIn(kCompactorStateNames, state); }
std::string_view Name(ReaderResult result) { return NameIn(kReaderResultNames, result); }
std::string_view Name(ActionKind kind) { return NameIn(kActionNames, kind); }

std::optional<ActionKind> ActionKindFromName(std::string_view name) {
  for (std::size_t i = 0; i < kActionNames.size(); ++i) {
    if (kActionNames.at(i) == name) return static_cast<ActionKind>(i);
  }
  return std::nullopt;
}

bool HasWriter(ActionKind kind) {
  return kind <= ActionKind::AppendComplete || kind == ActionKind::ReadEntry;
}

Value Machine::ToValue(const State& state, Offset max_offset) const {
  std::vector<Value> entries;
  for (Offset offset = 1; offset <= max_offset; ++offset) {
    entries.push_back(EntryValue(state.log_index.At(offset)));
  }
  return Value::RecordOf({
      {"logIndex", Value::SeqOf(std::move(entries))},
      {"sequenceCounter", Value::Int(state.sequence_counter)},
      {"logState", NameValue(state.log_state)},
      {"compactionCursor", Value::Int(state.compaction_cursor)},
      {"writerState", WritersValue(constants_, state,
                                   [](const Writer& writer) { return NameValue(writer.state); })},
      {"writerOffset",
       WritersValue(constants_, state,
                    [](const Writer& writer) { return Value::Int(writer.offset); })},
      {"writerBatchSize",
       WritersValue(constants_, state,
                    [](const Writer& writer) { return Value::Int(writer.batch_size); })},
      {"compactorState", NameValue(state.compactor_state)},
      {"readerResult",
       WritersValue(constants_, state,
                    [](const Writer& writer) { return NameValue(writer.reader_result); })},
      {"compactRound", Value::Int(state.compact_round)},
  });
}

Value Machine::ChangedToValue(const State& state, const Changes& changes) const {
  Fields fields;
  if (!changes.index.empty()) {
    Fields entries;
    for (const Changes::IndexChange& change : changes.index) {
      entries.emplace_back(std::to_string(change.offset),
                           EntryValue(state.log_index.At(change.offset)));
    }
    fields.emplace_back("logIndex", Value::RecordOf(std::move(entries)));
  }
  if (changes.sequence_counter) {
    fields.emplace_back("sequenceCounter", Value::Int(state.sequence_counter));
  }
  if (changes.log_state) fields.emplace_back("logState", NameValue(state.log_state));
  if (changes.compaction_cursor) {
    fields.emplace_back("compactionCursor", Value::Int(state.compaction_cursor));
  }
  Value reader_result;
  bool reader_changed = false;
  if (changes.writer) {
    const Writer& before = changes.writer->second;
    const Writer& after = WriterOf(state, changes.writer->first);
    const std::string& name = constants_.writers.at(changes.writer->first);
    const auto add = [&](std::string variable, Value value) {
      fields.emplace_back(std::move(variable), Value::RecordOf({{name, std::move(value)}}));
    };
    if (before.state != after.state) add("writerState", NameValue(after.state));
    if (before.offset != after.offset) add("writerOffset", Value::Int(after.offset));
    if (before.batch_size != after.batch_size) {
      add("writerBatchSize", Value::Int(after.batch_size));
    }
    reader_changed = before.reader_result != after.reader_result;
    if (reader_changed) reader_result = Value::RecordOf({{name, NameValue(after.reader_result)}});
  }
  if (changes.compactor_state) {
    fields.emplace_back("compactorState", NameValue(state.compactor_state));
  }
  if (reader_changed) fields.emplace_back("readerResult", std::move(reader_result));
  if (changes.compact_round) fields.emplace_back("compactRound", Value::Int(state.compact_round));
  return Value::RecordOf(std::move(fields));
}

Value Machine::Parameters(const Action& action) const {
  if (!HasWriter(action.kind)) return Value::RecordOf({});
  Fields fields = {{"w", Value::String(constants_.writers.at(action.writer))}};
  if (action.kind == ActionKind::StartAppend) {
    fields.emplace_back("count", Value::Int(action.number));
  }
  if (action.kind == ActionKind::ReadEntry) fields.emplace_back("off", Value::Int(action.number));
  return Value::RecordOf(std::move(fields));
}

std::string Machine::ToString(const Action& action) const {
  std::string text(Name(action.kind));
  if (!HasWriter(action.kind)) return text;
  text += '(';
  text += action.writer < constants_.writers.size() ? constants_.writers[action.writer]
                                                    : "#" + std::to_string(action.writer);
  if (action.kind == ActionKind::ReadEntry) text += ", " + std::to_string(action.number);
  text += ')';
  if (action.kind == ActionKind::StartAppend) text += " count=" + std::to_string(action.number);
  return text;
}

}  // namespace lockstep::protocol::leaderless_log
