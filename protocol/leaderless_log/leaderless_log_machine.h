// The leaderless log's machine: a pure mirror of LeaderlessLog.tla.
//
// State, Action, Init, Enabled, Apply, with the module's names. No clock, no store, no choice. One
// alternative of Next is one ActionKind, spelled the same. A State may be bounded by MaxOffset (as
// the module is) or grow without end (kUnboundedOffset), for runs of real code.
//
// SPEC: LeaderlessLog.tla
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/value.h"

namespace lockstep::protocol::leaderless_log {

using Offset = std::int64_t;        ///< 1-based; 0 = none
using WriterIndex = std::uint32_t;  ///< index into Constants::writers
inline constexpr Offset kUnboundedOffset = std::numeric_limits<std::int64_t>::max() / 4;

struct Range {
  Offset start = 0;
  Offset end = 0;  ///< inclusive
  friend bool operator==(const Range&, const Range&) = default;
};

/// Variations of the module's meaning. All off = upstream.
struct Dialect {
  /// CompactStart also requires that no entry beginning in the range ends beyond it.
  bool end_boundary_guard = false;
  /// Adds CompactResume: an IDLE compactor goes on behind a COMPACTED write of this round.
  bool compaction_resume = false;
  /// The compaction ranges are Constants::ranges, any number of them, instead of the module's two.
  bool rounds = false;
  friend bool operator==(const Dialect&, const Dialect&) = default;
};

/// The module's CONSTANTS. `ranges[0]` is CompactRangeStart..CompactRangeEnd, `ranges[1]`
/// CompactRange2Start..CompactRange2End. In a run without bounds, writers and ranges may be
/// appended while the run goes on: nothing already decided depends on later ones.
struct Constants {
  std::vector<std::string> writers;
  Offset max_offset = kUnboundedOffset;
  std::vector<Range> ranges;
  std::int64_t max_batch = 1;
  Dialect dialect;
};

/// The module's ASSUME, with the constants' names; nothing when they hold, else which one is
/// broken. (Unbounded or `rounds` constants: the corresponding weaker assumption.)
std::optional<std::string> BrokenAssumption(const Constants& constants);

enum class EntryType : std::uint8_t { EMPTY, WAL, COMPACTED };
enum class LogState : std::uint8_t { OPEN, FENCED };
enum class WriterState : std::uint8_t { IDLE, WRITING_WAL, ASSIGNING_OFFSET, DONE, FAILED };
enum class CompactorState : std::uint8_t {
  IDLE,
  WRITING_COMPACTED_INDEX,
  DELETING_OLD,
  UPDATING_CURSOR,
  DONE,
};
enum class ReaderResult : std::uint8_t { NONE, OK, ERROR };
std::string_view Name(EntryType type);
std::string_view Name(LogState state);
std::string_view Name(WriterState state);
std::string_view Name(CompactorState state);
std::string_view Name(ReaderResult result);

/// logIndex[o]. An entry at o with msg_count n covers o-n+1 .. o.
struct Entry {
  EntryType type = EntryType::EMPTY;
  std::int64_t msg_count = 0;
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// logIndex: EMPTY everywhere but where set. Dense by offset; grows when a bound is not given.
class LogIndex {
 public:
  /// The entry at `offset` (EMPTY beyond what was ever set). REQUIRES: offset >= 1.
  [[nodiscard]] Entry At(Offset offset) const {
    const auto i = static_cast<std::size_t>(offset);
    return i < entries_.size() ? entries_[i] : Entry{};
  }
  void Set(Offset offset, Entry entry);
  /// The smallest offset >= `offset` with a non-EMPTY entry, or 0.
  [[nodiscard]] Offset NextNonEmpty(Offset offset) const;
  /// The greatest offset ever set (a bound for scans); 0 at first.
  [[nodiscard]] Offset high() const { return static_cast<Offset>(entries_.size()) - 1; }
  /// No entry ever set covers more offsets than this (the other bound for scans).
  [[nodiscard]] std::int64_t longest() const { return longest_; }
  friend bool operator==(const LogIndex& a, const LogIndex& b);

 private:
  std::vector<Entry> entries_ = std::vector<Entry>(1);  // [0] is unused
  std::int64_t longest_ = 0;                            // not part of the value
};

struct Writer {
  WriterState state = WriterState::IDLE;            ///< writerState[w]
  Offset offset = 0;                                ///< writerOffset[w]
  std::int64_t batch_size = 0;                      ///< writerBatchSize[w]
  ReaderResult reader_result = ReaderResult::NONE;  ///< readerResult[w]
  friend bool operator==(const Writer&, const Writer&) = default;
};

/// The module's variables.
struct State {
  LogIndex log_index;
  Offset sequence_counter = 1;
  LogState log_state = LogState::OPEN;
  Offset compaction_cursor = 1;
  /// Parallel to Constants::writers. A writer that joined later is as in Init until its first step,
  /// which makes room for it here.
  std::vector<Writer> writers;
  CompactorState compactor_state = CompactorState::IDLE;
  std::int64_t compact_round = 1;
  friend bool operator==(const State&, const State&) = default;
};

/// One alternative of Next. CompactResume belongs to the dialect compaction_resume only.
enum class ActionKind : std::uint8_t {
  StartAppend,
  WALWriteSuccess,
  WALWriteFail,
  AssignOffset,
  AssignOffsetFenced,
  AssignOffsetExhausted,
  AppendComplete,
  CompactStart,
  CompactWriteCompactedIndex,
  CompactDeleteOldEntries,
  CompactUpdateCursor,
  CompactReset,
  CompactorCrash,
  FenceLog,
  UnfenceLog,
  ReadEntry,
  CompactResume,
};
inline constexpr std::size_t kActionKinds = 17;
std::string_view Name(ActionKind kind);
std::optional<ActionKind> ActionKindFromName(std::string_view name);
/// True when the action is parameterised by a writer.
bool HasWriter(ActionKind kind);

struct Action {
  ActionKind kind = ActionKind::StartAppend;
  WriterIndex writer = 0;   ///< writer actions and ReadEntry
  std::int64_t number = 0;  ///< StartAppend: count; ReadEntry: off
  friend bool operator==(const Action&, const Action&) = default;
};

/// Which conjunct of a guard failed, and with which values.
struct GuardFailure {
  std::string_view conjunct;  ///< as in the module: "logState = \"OPEN\""
  sim::Value expected;
  sim::Value actual;
};

/// What an action changed: enough to restore the state before it. Reused between steps.
struct Changes {
  struct IndexChange {
    Offset offset = 0;
    Entry before;
  };
  std::vector<IndexChange> index;
  std::optional<Offset> sequence_counter;  ///< values before; nothing = unchanged
  std::optional<LogState> log_state;
  std::optional<Offset> compaction_cursor;
  std::optional<std::pair<WriterIndex, Writer>> writer;
  std::optional<CompactorState> compactor_state;
  std::optional<std::int64_t> compact_round;
  void Clear();
};

class Machine {
 public:
  /// Keeps a reference: the constants may grow (writers, ranges) while the machine is used.
  explicit Machine(const Constants& constants) : constants_(constants) {}

  [[nodiscard]] State Init() const;

  /// The first conjunct of the action's guard that fails, in the module's order; nothing when the
  /// action is enabled. A CompactResume outside its dialect is refused.
  [[nodiscard]] std::optional<GuardFailure> Refusal(const State& state, const Action& action) const;
  /// The same without an explanation; the fast form.
  [[nodiscard]] bool Enabled(const State& state, const Action& action) const;

  /// Takes the action in place. `changes` is cleared and then filled.
  /// REQUIRES: Enabled(state, action).
  void Apply(State& state, const Action& action, Changes& changes) const;
  /// Restores what `changes` (of the latest Apply) says.
  static void Undo(State& state, const Changes& changes);

  /// Every enabled action, in the order of ActionKind, then writer, then number, as Next yields
  /// them. Unbounded ReadEntry offsets are listed up to the counter.
  void EnabledActions(const State& state, std::vector<Action>& actions) const;

  /// The current round's range (Start, End).
  [[nodiscard]] Range CurrentRange(const State& state) const;
  /// Covered(off): some entry at or above `off` covers it.
  [[nodiscard]] bool Covered(const State& state, Offset offset) const;

  /// Variables by their TLA+ names, in the module's order. `max_offset` bounds logIndex's domain.
  [[nodiscard]] sim::Value ToValue(const State& state, Offset max_offset) const;
  /// The new values of what `changes` names: functions as partial functions (records keyed by
  /// offset or writer), other variables whole.
  [[nodiscard]] sim::Value ChangedToValue(const State& state, const Changes& changes) const;
  /// Action parameters by name: {"w": "w1", "count": 2}.
  [[nodiscard]] sim::Value Parameters(const Action& action) const;
  /// "StartAppend(w1) count=2"
  [[nodiscard]] std::string ToString(const Action& action) const;

  [[nodiscard]] const Constants& constants() const { return constants_; }

 private:
  const Constants& constants_;
};

}  // namespace lockstep::protocol::leaderless_log
