// Machine::Refusal: the guards again, conjunct by conjunct, with what was expected and found.
//
// Machine::Enabled is the fast form of the same guards; the machine's test compares the two.
#include <string>

#include "protocol/leaderless_log/leaderless_log_guards.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using sim::Value;
using Refused = std::optional<GuardFailure>;

Value Text(std::string_view text) { return Value::String(std::string(text)); }

template <typename Enum>
Refused Is(std::string_view conjunct, Enum expected, Enum actual) {
  if (expected == actual) return std::nullopt;
  return GuardFailure{conjunct, Text(Name(expected)), Text(Name(actual))};
}

/// A comparison. `nearest` is the value nearest to `actual` with which it would hold: the bound on
/// its other side alone would look like the actual value when "<" fails by one.
Refused Compared(std::string_view conjunct, bool holds, std::int64_t nearest, std::int64_t actual) {
  if (holds) return std::nullopt;
  return GuardFailure{conjunct, Value::Int(nearest), Value::Int(actual)};
}

/// The first refusal of an and, in the order written.
template <typename... Conjuncts>
Refused First(Conjuncts... conjuncts) {
  Refused result;
  const auto ask = [&](auto& conjunct) {
    result = conjunct();
    return result.has_value();
  };
  static_cast<void>((ask(conjuncts) || ...));
  return result;
}

/// The conjuncts of one action in one state.
class Guard {
 public:
  Guard(const Constants& constants, const State& state, const Action& action, Range range)
      : constants_(constants),
        state_(state),
        action_(action),
        writer_(WriterOf(state, action.writer)),
        range_(range) {}

  [[nodiscard]] Refused OfWriterAction() const {
    if (Refused refused = IsAWriter()) return refused;
    switch (action_.kind) {
      case ActionKind::StartAppend:
        return First([&] { return WriterIs(R"(writerState[w] = "IDLE")", WriterState::IDLE); },
                     [&] { return Open(); }, [&] { return CountIsABatch(); });
      case ActionKind::WALWriteSuccess:
      case ActionKind::WALWriteFail:
        return WriterIs(R"(writerState[w] = "WRITING_WAL")", WriterState::WRITING_WAL);
      case ActionKind::AssignOffset:
        return First([&] { return Assigning(); }, [&] { return Open(); },
                     [&] { return EndOffsetFits(); });
      case ActionKind::AssignOffsetFenced:
        return First([&] { return Assigning(); }, [&] { return Fenced(); });
      case ActionKind::AssignOffsetExhausted:
        return First([&] { return Assigning(); }, [&] { return Open(); },
                     [&] { return EndOffsetDoesNotFit(); });
      case ActionKind::AppendComplete:
        return DoneOrFailed();
      case ActionKind::ReadEntry:
        return First([&] { return WriterIs(R"(writerState[w] = "IDLE")", WriterState::IDLE); },
                     [&] { return Compared("off >= 1", action_.number >= 1, 1, action_.number); },
                     [&] { return BelowCounter(); });
      default:
        return GuardFailure{"action of a writer", Value::Bool(true), Value::Bool(false)};
    }
  }

  [[nodiscard]] Refused OfOtherAction() const {
    switch (action_.kind) {
      case ActionKind::CompactStart:
        return First([&] { return CompactorIdle(); }, [&] { return RoundHasRange(); },
                     [&] { return RangeWalCovered(); }, [&] { return NoneBeginsBefore(); },
                     [&] { return NoneReachesBack(); });
      case ActionKind::CompactWriteCompactedIndex:
        return Is(R"(compactorState = "WRITING_COMPACTED_INDEX")",
                  CompactorState::WRITING_COMPACTED_INDEX, state_.compactor_state);
      case ActionKind::CompactDeleteOldEntries:
        return Is(R"(compactorState = "DELETING_OLD")", CompactorState::DELETING_OLD,
                  state_.compactor_state);
      case ActionKind::CompactUpdateCursor:
        return Is(R"(compactorState = "UPDATING_CURSOR")", CompactorState::UPDATING_CURSOR,
                  state_.compactor_state);
      case ActionKind::CompactReset:
        return Is(R"(compactorState = "DONE")", CompactorState::DONE, state_.compactor_state);
      case ActionKind::CompactorCrash:
        return InProgress();
      case ActionKind::FenceLog:
        return Open();
      case ActionKind::UnfenceLog:
        return Fenced();
      case ActionKind::CompactResume:
        return First([&] { return ResumeInDialect(); }, [&] { return CompactorIdle(); },
                     [&] { return RoundHasRange(); }, [&] { return EndIsCompacted(); },
                     [&] { return CursorNotPast(); });
      default:
        return GuardFailure{"action of no writer", Value::Bool(true), Value::Bool(false)};
    }
  }

 private:
  [[nodiscard]] Refused IsAWriter() const {
    if (action_.writer < constants_.writers.size()) return std::nullopt;
    std::vector<Value> names;
    for (const std::string& name : constants_.writers) names.push_back(Text(name));
    return GuardFailure{R"(w \in Writers)", Value::SetOf(std::move(names)),
                        Text("#" + std::to_string(action_.writer))};
  }
  [[nodiscard]] Refused WriterIs(std::string_view conjunct, WriterState expected) const {
    return Is(conjunct, expected, writer_.state);
  }
  [[nodiscard]] Refused Assigning() const {
    return WriterIs(R"(writerState[w] = "ASSIGNING_OFFSET")", WriterState::ASSIGNING_OFFSET);
  }
  [[nodiscard]] Refused DoneOrFailed() const {
    if (writer_.state == WriterState::DONE || writer_.state == WriterState::FAILED) {
      return std::nullopt;
    }
    return GuardFailure{R"(writerState[w] \in {"DONE", "FAILED"})",
                        Value::SetOf({Text("DONE"), Text("FAILED")}), Text(Name(writer_.state))};
  }
  [[nodiscard]] Refused Open() const {
    return Is(R"(logState = "OPEN")", LogState::OPEN, state_.log_state);
  }
  [[nodiscard]] Refused Fenced() const {
    return Is(R"(logState = "FENCED")", LogState::FENCED, state_.log_state);
  }
  [[nodiscard]] Refused CountIsABatch() const {
    constexpr std::string_view conjunct = R"(count \in 1..MaxBatch)";
    const std::int64_t nearest = action_.number < 1 ? 1 : constants_.max_batch;
    return Compared(conjunct, action_.number >= 1 && action_.number <= constants_.max_batch,
                    nearest, action_.number);
  }
  [[nodiscard]] Offset EndOffset() const {
    return state_.sequence_counter + writer_.batch_size - 1;
  }
  [[nodiscard]] Refused EndOffsetFits() const {
    return Compared("EndOffset(w) <= MaxOffset", EndOffset() <= constants_.max_offset,
                    constants_.max_offset, EndOffset());
  }
  [[nodiscard]] Refused EndOffsetDoesNotFit() const {
    return Compared("EndOffset(w) > MaxOffset", EndOffset() > constants_.max_offset,
                    constants_.max_offset + 1, EndOffset());
  }
  [[nodiscard]] Refused BelowCounter() const {
    return Compared("off < sequenceCounter", action_.number < state_.sequence_counter,
                    state_.sequence_counter - 1, action_.number);
  }
  [[nodiscard]] Refused CompactorIdle() const {
    return Is(R"(compactorState = "IDLE")", CompactorState::IDLE, state_.compactor_state);
  }
  [[nodiscard]] Refused InProgress() const {
    switch (state_.compactor_state) {
      case CompactorState::WRITING_COMPACTED_INDEX:
      case CompactorState::DELETING_OLD:
      case CompactorState::UPDATING_CURSOR:
        return std::nullopt;
      default:
        return GuardFailure{
            R"(compactorState \in {"WRITING_COMPACTED_INDEX", "DELETING_OLD", "UPDATING_CURSOR"})",
            Value::SetOf(
                {Text("WRITING_COMPACTED_INDEX"), Text("DELETING_OLD"), Text("UPDATING_CURSOR")}),
            Text(Name(state_.compactor_state))};
    }
  }
  [[nodiscard]] Refused RoundHasRange() const {
    return Compared("compactRound <= Len(Ranges)", HasRange(constants_, state_),
                    static_cast<std::int64_t>(constants_.ranges.size()), state_.compact_round);
  }
  [[nodiscard]] Refused RangeWalCovered() const {
    const Offset bare = FirstNotWalCovered(state_.log_index, range_);
    if (bare == 0) return std::nullopt;
    const auto covered = [&](bool value) {
      return Value::RecordOf({{"off", Value::Int(bare)}, {"WalCovered", Value::Bool(value)}});
    };
    return GuardFailure{R"(\A off \in CurRangeStart..CurRangeEnd : WalCovered(off))", covered(true),
                        covered(false)};
  }
  /// The entry at `key` begins where it should not; from `nearest` on it might.
  [[nodiscard]] GuardFailure Misplaced(std::string_view conjunct, Offset key,
                                       Offset nearest) const {
    const auto first = [&](Offset value) {
      return Value::RecordOf({{"o", Value::Int(key)}, {"First", Value::Int(value)}});
    };
    return {conjunct, first(nearest), first(FirstCovered(key, state_.log_index.At(key)))};
  }
  [[nodiscard]] Refused NoneBeginsBefore() const {
    const Offset key = FirstBeginningBefore(state_.log_index, range_);
    if (key == 0) return std::nullopt;
    constexpr std::string_view conjunct =
        R"(\A o \in CurRangeStart..CurRangeEnd : logIndex[o].type # "EMPTY" => )"
        R"(o - logIndex[o].msgCount + 1 >= CurRangeStart)";
    return Misplaced(conjunct, key, range_.start);
  }
  [[nodiscard]] Refused NoneReachesBack() const {
    if (!constants_.dialect.end_boundary_guard) return std::nullopt;
    const Offset key = FirstReachingBack(state_.log_index, range_);
    if (key == 0) return std::nullopt;
    constexpr std::string_view conjunct =
        R"(\A o \in (CurRangeEnd + 1)..MaxOffset : logIndex[o].type # "EMPTY" => )"
        R"(o - logIndex[o].msgCount + 1 > CurRangeEnd)";
    return Misplaced(conjunct, key, range_.end + 1);
  }
  [[nodiscard]] Refused ResumeInDialect() const {
    if (constants_.dialect.compaction_resume) return std::nullopt;
    return GuardFailure{"dialect compaction_resume", Value::Bool(true), Value::Bool(false)};
  }
  [[nodiscard]] Refused EndIsCompacted() const {
    const Entry expected = CompactedEntry(range_);
    const Entry actual = state_.log_index.At(range_.end);
    if (actual == expected) return std::nullopt;
    const auto value = [](const Entry& entry) {
      return Value::RecordOf(
          {{"type", Text(Name(entry.type))}, {"msgCount", Value::Int(entry.msg_count)}});
    };
    constexpr std::string_view conjunct = R"(logIndex[CurRangeEnd] = [type |-> "COMPACTED", )"
                                          R"(msgCount |-> CurRangeEnd - CurRangeStart + 1])";
    return GuardFailure{conjunct, value(expected), value(actual)};
  }
  [[nodiscard]] Refused CursorNotPast() const {
    return Compared("compactionCursor <= CurRangeEnd", state_.compaction_cursor <= range_.end,
                    range_.end, state_.compaction_cursor);
  }

  const Constants& constants_;
  const State& state_;
  const Action& action_;
  const Writer& writer_;
  const Range range_;
};

}  // namespace

std::optional<GuardFailure> Machine::Refusal(const State& state, const Action& action) const {
  const Guard guard(constants_, state, action, CurrentRange(state));
  return HasWriter(action.kind) ? guard.OfWriterAction() : guard.OfOtherAction();
}

}  // namespace lockstep::protocol::leaderless_log
