#include "protocol/leaderless_log/leaderless_log_machine.h"

#include <algorithm>
#include <utility>

#include "protocol/leaderless_log/leaderless_log_guards.h"
#include "sim/base/check.h"

namespace lockstep::protocol::leaderless_log {
namespace {

/// The last key whose entry can still cover `offset`.
Offset LastReaching(const LogIndex& log_index, Offset offset) {
  return std::min(log_index.high(), offset + log_index.longest() - 1);
}

bool Covers(Offset key, const Entry& entry, Offset offset) {
  return entry.type != EntryType::EMPTY && FirstCovered(key, entry) <= offset;
}

std::optional<std::string> BrokenTwoRanges(const Constants& constants) {
  const std::vector<Range>& ranges = constants.ranges;
  const bool bounded = constants.max_offset != kUnboundedOffset;
  if (ranges.size() > 2 || (bounded && ranges.size() != 2)) {
    return "CompactRangeStart..CompactRangeEnd, CompactRange2Start..CompactRange2End: two ranges";
  }
  if (ranges.empty()) return std::nullopt;
  if (ranges[0].start < 1) return "CompactRangeStart >= 1";
  if (ranges[0].end < ranges[0].start) return "CompactRangeEnd >= CompactRangeStart";
  if (ranges[0].end >= constants.max_offset) return "CompactRangeEnd < MaxOffset";
  if (ranges.size() < 2) return std::nullopt;
  if (ranges[1].start <= ranges[0].end) return "CompactRange2Start > CompactRangeEnd";
  if (ranges[1].end < ranges[1].start) return "CompactRange2End >= CompactRange2Start";
  if (ranges[1].end > constants.max_offset) return "CompactRange2End <= MaxOffset";
  return std::nullopt;
}

std::optional<std::string> BrokenRounds(const Constants& constants) {
  Offset end = 0;
  for (std::size_t i = 0; i < constants.ranges.size(); ++i) {
    const Range& range = constants.ranges[i];
    const std::string name = "Ranges[" + std::to_string(i + 1) + "]";
    if (range.start <= end) return name + ".start beyond the range before it";
    if (range.end < range.start) return name + ".end >= " + name + ".start";
    if (range.end > constants.max_offset) return name + ".end <= MaxOffset";
    end = range.end;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> BrokenAssumption(const Constants& constants) {
  std::vector<std::string> names = constants.writers;
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) != names.end()) {
    return "Writers: a set, without duplicates";
  }
  if (constants.max_offset < 1) return "MaxOffset >= 1";
  if (constants.max_offset > kUnboundedOffset) return "MaxOffset <= kUnboundedOffset";
  if (constants.max_batch < 1) return "MaxBatch >= 1";
  return constants.dialect.rounds ? BrokenRounds(constants) : BrokenTwoRanges(constants);
}

// LogIndex.

void LogIndex::Set(Offset offset, Entry entry) {
  LOCKSTEP_CHECK(offset >= 1);
  const auto i = static_cast<std::size_t>(offset);
  if (i >= entries_.size()) {
    if (entry == Entry{}) return;
    entries_.resize(i + 1);
  }
  entries_[i] = entry;
  longest_ = std::max(longest_, entry.msg_count);
}

Offset LogIndex::NextNonEmpty(Offset offset) const {
  const auto size = entries_.size();
  for (auto i = static_cast<std::size_t>(std::max<Offset>(offset, 1)); i < size; ++i) {
    if (entries_[i].type != EntryType::EMPTY) return static_cast<Offset>(i);
  }
  return 0;
}

bool operator==(const LogIndex& a, const LogIndex& b) {
  const std::vector<Entry>& shorter =
      a.entries_.size() < b.entries_.size() ? a.entries_ : b.entries_;
  const std::vector<Entry>& longer =
      a.entries_.size() < b.entries_.size() ? b.entries_ : a.entries_;
  const auto rest = longer.begin() + static_cast<std::ptrdiff_t>(shorter.size());
  return std::equal(shorter.begin(), shorter.end(), longer.begin()) &&
         std::all_of(rest, longer.end(), [](const Entry& entry) { return entry == Entry{}; });
}

// Range conditions.

Offset FirstNotWalCovered(const LogIndex& log_index, const Range& range) {
  Offset offset = range.start;
  while (offset <= range.end) {
    const Offset last = LastReaching(log_index, offset);
    Offset key = offset;
    while (key <= last) {
      const Entry entry = log_index.At(key);
      if (entry.type == EntryType::WAL && Covers(key, entry, offset)) break;
      ++key;
    }
    if (key > last) return offset;
    offset = key + 1;  // What covers `offset` covers everything up to its key.
  }
  return 0;
}

Offset FirstBeginningBefore(const LogIndex& log_index, const Range& range) {
  const Offset last = std::min(range.end, log_index.high());
  for (Offset key = range.start; key <= last; ++key) {
    if (Covers(key, log_index.At(key), range.start - 1)) return key;
  }
  return 0;
}

Offset FirstReachingBack(const LogIndex& log_index, const Range& range) {
  const Offset last = LastReaching(log_index, range.end);
  for (Offset key = range.end + 1; key <= last; ++key) {
    if (Covers(key, log_index.At(key), range.end)) return key;
  }
  return 0;
}

// Machine.

void Changes::Clear() {
  index.clear();
  sequence_counter.reset();
  log_state.reset();
  compaction_cursor.reset();
  writer.reset();
  compactor_state.reset();
  compact_round.reset();
}

State Machine::Init() const {
  State state;
  state.writers.resize(constants_.writers.size());
  return state;
}

Range Machine::CurrentRange(const State& state) const {
  if (!HasRange(constants_, state)) return Range{};
  return constants_.ranges[static_cast<std::size_t>(state.compact_round - 1)];
}

bool Machine::Covered(const State& state, Offset offset) const {
  if (offset < 1) return false;
  const Offset last = LastReaching(state.log_index, offset);
  for (Offset key = offset; key <= last; ++key) {
    if (Covers(key, state.log_index.At(key), offset)) return true;
  }
  return false;
}

namespace {

bool CompactStartEnabled(const Constants& constants, const State& state, const Range& range) {
  return state.compactor_state == CompactorState::IDLE && HasRange(constants, state) &&
         FirstNotWalCovered(state.log_index, range) == 0 &&
         FirstBeginningBefore(state.log_index, range) == 0 &&
         (!constants.dialect.end_boundary_guard || FirstReachingBack(state.log_index, range) == 0);
}

bool CompactResumeEnabled(const Constants& constants, const State& state, const Range& range) {
  return constants.dialect.compaction_resume && state.compactor_state == CompactorState::IDLE &&
         HasRange(constants, state) && state.log_index.At(range.end) == CompactedEntry(range) &&
         state.compaction_cursor <= range.end;
}

bool CompactorInProgress(CompactorState state) {
  return state == CompactorState::WRITING_COMPACTED_INDEX ||
         state == CompactorState::DELETING_OLD || state == CompactorState::UPDATING_CURSOR;
}

bool WriterActionEnabled(const Constants& constants, const State& state, const Action& action) {
  if (action.writer >= constants.writers.size()) return false;
  const Writer& writer = WriterOf(state, action.writer);
  const bool open = state.log_state == LogState::OPEN;
  const Offset end_offset = state.sequence_counter + writer.batch_size - 1;
  switch (action.kind) {
    case ActionKind::StartAppend:
      return writer.state == WriterState::IDLE && open && action.number >= 1 &&
             action.number <= constants.max_batch;
    case ActionKind::WALWriteSuccess:
    case ActionKind::WALWriteFail:
      return writer.state == WriterState::WRITING_WAL;
    case ActionKind::AssignOffset:
      return writer.state == WriterState::ASSIGNING_OFFSET && open &&
             end_offset <= constants.max_offset;
    case ActionKind::AssignOffsetFenced:
      return writer.state == WriterState::ASSIGNING_OFFSET && !open;
    case ActionKind::AssignOffsetExhausted:
      return writer.state == WriterState::ASSIGNING_OFFSET && open &&
             end_offset > constants.max_offset;
    case ActionKind::AppendComplete:
      return writer.state == WriterState::DONE || writer.state == WriterState::FAILED;
    case ActionKind::ReadEntry:
      return writer.state == WriterState::IDLE && action.number >= 1 &&
             action.number < state.sequence_counter;
    default:
      return false;
  }
}

}  // namespace

bool Machine::Enabled(const State& state, const Action& action) const {
  const CompactorState compactor = state.compactor_state;
  switch (action.kind) {
    case ActionKind::CompactStart:
      return CompactStartEnabled(constants_, state, CurrentRange(state));
    case ActionKind::CompactWriteCompactedIndex:
      return compactor == CompactorState::WRITING_COMPACTED_INDEX;
    case ActionKind::CompactDeleteOldEntries:
      return compactor == CompactorState::DELETING_OLD;
    case ActionKind::CompactUpdateCursor:
      return compactor == CompactorState::UPDATING_CURSOR;
    case ActionKind::CompactReset:
      return compactor == CompactorState::DONE;
    case ActionKind::CompactorCrash:
      return CompactorInProgress(compactor);
    case ActionKind::FenceLog:
      return state.log_state == LogState::OPEN;
    case ActionKind::UnfenceLog:
      return state.log_state == LogState::FENCED;
    case ActionKind::CompactResume:
      return CompactResumeEnabled(constants_, state, CurrentRange(state));
    default:
      return WriterActionEnabled(constants_, state, action);
  }
}

namespace {

/// Writes one state in place and notes what was there before. Values that do not change leave no
/// trace, so that `changes` names exactly the variables whose value differs.
class Effect {
 public:
  Effect(State& state, Changes& changes) : state_(state), changes_(changes) { changes_.Clear(); }

  void SetEntry(Offset offset, Entry entry) {
    const Entry before = state_.log_index.At(offset);
    if (before == entry) return;
    changes_.index.push_back({offset, before});
    state_.log_index.Set(offset, entry);
  }
  void SetSequenceCounter(Offset value) {
    Replace(state_.sequence_counter, value, changes_.sequence_counter);
  }
  void SetLogState(LogState value) { Replace(state_.log_state, value, changes_.log_state); }
  void SetCompactionCursor(Offset value) {
    Replace(state_.compaction_cursor, value, changes_.compaction_cursor);
  }
  void SetCompactorState(CompactorState value) {
    Replace(state_.compactor_state, value, changes_.compactor_state);
  }
  void SetCompactRound(std::int64_t value) {
    Replace(state_.compact_round, value, changes_.compact_round);
  }
  void SetWriter(WriterIndex index, const Writer& value) {
    if (index >= state_.writers.size()) state_.writers.resize(index + std::size_t{1});
    Writer& writer = state_.writers[index];
    if (writer == value) return;
    changes_.writer.emplace(index, writer);
    writer = value;
  }

 private:
  template <typename T>
  static void Replace(T& variable, T value, std::optional<T>& before) {
    if (variable == value) return;
    before = variable;
    variable = value;
  }

  State& state_;
  Changes& changes_;
};

void ApplyToWriter(const Machine& machine, State& state, const Action& action, Effect& effect) {
  Writer writer = WriterOf(state, action.writer);
  switch (action.kind) {
    case ActionKind::StartAppend:
      writer.batch_size = action.number;
      writer.state = WriterState::WRITING_WAL;
      break;
    case ActionKind::WALWriteSuccess:
      writer.state = WriterState::ASSIGNING_OFFSET;
      break;
    case ActionKind::WALWriteFail:
    case ActionKind::AssignOffsetFenced:
    case ActionKind::AssignOffsetExhausted:
      writer.state = WriterState::FAILED;
      break;
    case ActionKind::AssignOffset: {
      const Offset end_offset = state.sequence_counter + writer.batch_size - 1;
      effect.SetSequenceCounter(end_offset + 1);
      effect.SetEntry(end_offset, {EntryType::WAL, writer.batch_size});
      writer.offset = end_offset;
      writer.state = WriterState::DONE;
      break;
    }
    case ActionKind::AppendComplete:
      writer.state = WriterState::IDLE;
      writer.offset = 0;
      writer.batch_size = 0;
      break;
    case ActionKind::ReadEntry:
      writer.reader_result =
          machine.Covered(state, action.number) ? ReaderResult::OK : ReaderResult::ERROR;
      break;
    default:
      LOCKSTEP_CHECK_MSG(false, "not an action of a writer");
  }
  effect.SetWriter(action.writer, writer);
}

}  // namespace

void Machine::Apply(State& state, const Action& action, Changes& changes) const {
  Effect effect(state, changes);
  const Range range = CurrentRange(state);
  switch (action.kind) {
    case ActionKind::CompactStart:
      effect.SetCompactorState(CompactorState::WRITING_COMPACTED_INDEX);
      return;
    case ActionKind::CompactWriteCompactedIndex:
      effect.SetEntry(range.end, CompactedEntry(range));
      effect.SetCompactorState(CompactorState::DELETING_OLD);
      return;
    case ActionKind::CompactDeleteOldEntries:
      for (Offset key = range.start; key < range.end; ++key) effect.SetEntry(key, Entry{});
      effect.SetCompactorState(CompactorState::UPDATING_CURSOR);
      return;
    case ActionKind::CompactUpdateCursor:
      effect.SetCompactionCursor(range.end + 1);
      effect.SetCompactorState(CompactorState::DONE);
      return;
    case ActionKind::CompactReset:
      effect.SetCompactorState(CompactorState::IDLE);
      effect.SetCompactRound(constants_.dialect.rounds ? state.compact_round + 1 : 2);
      return;
    case ActionKind::CompactorCrash:
      effect.SetCompactorState(CompactorState::IDLE);
      return;
    case ActionKind::FenceLog:
      effect.SetLogState(LogState::FENCED);
      return;
    case ActionKind::UnfenceLog:
      effect.SetLogState(LogState::OPEN);
      return;
    case ActionKind::CompactResume:
      effect.SetCompactorState(CompactorState::DELETING_OLD);
      return;
    default:
      ApplyToWriter(*this, state, action, effect);
  }
}

void Machine::Undo(State& state, const Changes& changes) {
  for (auto change = changes.index.rbegin(); change != changes.index.rend(); ++change) {
    state.log_index.Set(change->offset, change->before);
  }
  if (changes.sequence_counter) state.sequence_counter = *changes.sequence_counter;
  if (changes.log_state) state.log_state = *changes.log_state;
  if (changes.compaction_cursor) state.compaction_cursor = *changes.compaction_cursor;
  if (changes.writer) state.writers[changes.writer->first] = changes.writer->second;
  if (changes.compactor_state) state.compactor_state = *changes.compactor_state;
  if (changes.compact_round) state.compact_round = *changes.compact_round;
}

namespace {

/// One action a writer that is in `wanted`, in the order of writers.
void AddForWritersIn(const State& state, WriterState wanted, WriterIndex writers, ActionKind kind,
                     std::vector<Action>& actions) {
  for (WriterIndex w = 0; w < writers; ++w) {
    if (WriterOf(state, w).state == wanted) actions.push_back({kind, w, 0});
  }
}

/// The same with every number in 1..last.
void AddNumberedForIdleWriters(const State& state, std::int64_t last, WriterIndex writers,
                               ActionKind kind, std::vector<Action>& actions) {
  for (WriterIndex w = 0; w < writers; ++w) {
    if (WriterOf(state, w).state != WriterState::IDLE) continue;
    for (std::int64_t number = 1; number <= last; ++number) actions.push_back({kind, w, number});
  }
}

void AddAssignments(const State& state, Offset max_offset, WriterIndex writers, bool fits,
                    ActionKind kind, std::vector<Action>& actions) {
  for (WriterIndex w = 0; w < writers; ++w) {
    const Writer& writer = WriterOf(state, w);
    if (writer.state != WriterState::ASSIGNING_OFFSET) continue;
    const Offset end_offset = state.sequence_counter + writer.batch_size - 1;
    if ((end_offset <= max_offset) == fits) actions.push_back({kind, w, 0});
  }
}

}  // namespace

// Not a loop over Enabled: a random walk asks this at every step, and a writer's or the compactor's
// state rules out most actions at once.
void Machine::EnabledActions(const State& state, std::vector<Action>& actions) const {
  using Kind = ActionKind;
  actions.clear();
  const auto writers = static_cast<WriterIndex>(constants_.writers.size());
  const bool open = state.log_state == LogState::OPEN;
  const Offset max_offset = constants_.max_offset;
  if (open) {
    AddNumberedForIdleWriters(state, constants_.max_batch, writers, Kind::StartAppend, actions);
  }
  AddForWritersIn(state, WriterState::WRITING_WAL, writers, Kind::WALWriteSuccess, actions);
  AddForWritersIn(state, WriterState::WRITING_WAL, writers, Kind::WALWriteFail, actions);
  if (open) {
    AddAssignments(state, max_offset, writers, true, Kind::AssignOffset, actions);
    AddAssignments(state, max_offset, writers, false, Kind::AssignOffsetExhausted, actions);
  } else {
    AddForWritersIn(state, WriterState::ASSIGNING_OFFSET, writers, Kind::AssignOffsetFenced,
                    actions);
  }
  for (WriterIndex w = 0; w < writers; ++w) {
    const WriterState writer = WriterOf(state, w).state;
    if (writer == WriterState::DONE || writer == WriterState::FAILED) {
      actions.push_back({Kind::AppendComplete, w, 0});
    }
  }
  switch (state.compactor_state) {
    case CompactorState::IDLE:
      if (CompactStartEnabled(constants_, state, CurrentRange(state))) {
        actions.push_back({Kind::CompactStart, 0, 0});
      }
      break;
    case CompactorState::WRITING_COMPACTED_INDEX:
      actions.push_back({Kind::CompactWriteCompactedIndex, 0, 0});
      break;
    case CompactorState::DELETING_OLD:
      actions.push_back({Kind::CompactDeleteOldEntries, 0, 0});
      break;
    case CompactorState::UPDATING_CURSOR:
      actions.push_back({Kind::CompactUpdateCursor, 0, 0});
      break;
    case CompactorState::DONE:
      actions.push_back({Kind::CompactReset, 0, 0});
      break;
  }
  if (CompactorInProgress(state.compactor_state)) actions.push_back({Kind::CompactorCrash, 0, 0});
  actions.push_back({open ? Kind::FenceLog : Kind::UnfenceLog, 0, 0});
  AddNumberedForIdleWriters(state, state.sequence_counter - 1, writers, Kind::ReadEntry, actions);
  if (CompactResumeEnabled(constants_, state, CurrentRange(state))) {
    actions.push_back({Kind::CompactResume, 0, 0});
  }
}

}  // namespace lockstep::protocol::leaderless_log
