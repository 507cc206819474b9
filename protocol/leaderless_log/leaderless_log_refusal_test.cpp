// Each action is refused by each conjunct of its guard, and the refusal says which one and why.
//
// The states are made by hand, one variable at a time, so that exactly one conjunct is the first to
// fail. That Enabled says the same is asked on every one of them, and on random states elsewhere.
#include <gtest/gtest.h>

#include <string>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using Kind = ActionKind;

class LogRefusal : public testing::Test {
 protected:
  /// Conjunct, expected and actual of the refusal, or "enabled".
  std::string Refused(const Action& action) {
    const auto refusal = machine.Refusal(state, action);
    EXPECT_EQ(machine.Enabled(state, action), !refusal.has_value()) << machine.ToString(action);
    if (!refusal) return "enabled";
    return std::string(refusal->conjunct) + " | " + refusal->expected.ToJson() + " | " +
           refusal->actual.ToJson();
  }

  void Wal(Offset end, std::int64_t count) {
    state.log_index.Set(end, {EntryType::WAL, count});
    state.sequence_counter = end + 1;
  }

  Constants constants = SmallConstants();
  Machine machine{constants};
  State state = machine.Init();
  Writer& w1 = state.writers[0];
};

TEST_F(LogRefusal, OfStartAppend) {
  EXPECT_EQ(Refused({Kind::StartAppend, 2, 1}), R"(w \in Writers | {"#set":["w1","w2"]} | "#2")");
  w1.state = WriterState::FAILED;
  state.log_state = LogState::FENCED;
  EXPECT_EQ(Refused({Kind::StartAppend, 0, 9}), R"(writerState[w] = "IDLE" | "IDLE" | "FAILED")");
  w1.state = WriterState::IDLE;
  EXPECT_EQ(Refused({Kind::StartAppend, 0, 9}), R"(logState = "OPEN" | "OPEN" | "FENCED")");
  state.log_state = LogState::OPEN;
  EXPECT_EQ(Refused({Kind::StartAppend, 0, 3}), R"(count \in 1..MaxBatch | 2 | 3)");
  EXPECT_EQ(Refused({Kind::StartAppend, 0, 0}), R"(count \in 1..MaxBatch | 1 | 0)");
  EXPECT_EQ(Refused({Kind::StartAppend, 0, 2}), "enabled");
}

TEST_F(LogRefusal, OfWALWrites) {
  for (const Kind kind : {Kind::WALWriteSuccess, Kind::WALWriteFail}) {
    w1.state = WriterState::ASSIGNING_OFFSET;
    EXPECT_EQ(Refused({kind, 0, 0}),
              R"(writerState[w] = "WRITING_WAL" | "WRITING_WAL" | "ASSIGNING_OFFSET")");
    EXPECT_EQ(Refused({kind, 7, 0}), R"(w \in Writers | {"#set":["w1","w2"]} | "#7")");
    w1.state = WriterState::WRITING_WAL;
    EXPECT_EQ(Refused({kind, 0, 0}), "enabled");
  }
}

TEST_F(LogRefusal, OfAssignOffset) {
  state.sequence_counter = 5;
  state.log_state = LogState::FENCED;
  w1.batch_size = 2;
  EXPECT_EQ(Refused({Kind::AssignOffset, 0, 0}),
            R"(writerState[w] = "ASSIGNING_OFFSET" | "ASSIGNING_OFFSET" | "IDLE")");
  w1.state = WriterState::ASSIGNING_OFFSET;
  EXPECT_EQ(Refused({Kind::AssignOffset, 0, 0}), R"(logState = "OPEN" | "OPEN" | "FENCED")");
  state.log_state = LogState::OPEN;
  EXPECT_EQ(Refused({Kind::AssignOffset, 0, 0}), "EndOffset(w) <= MaxOffset | 5 | 6");
  w1.batch_size = 1;
  EXPECT_EQ(Refused({Kind::AssignOffset, 0, 0}), "enabled");
}

TEST_F(LogRefusal, OfAssignOffsetFenced) {
  EXPECT_EQ(Refused({Kind::AssignOffsetFenced, 0, 0}),
            R"(writerState[w] = "ASSIGNING_OFFSET" | "ASSIGNING_OFFSET" | "IDLE")");
  w1.state = WriterState::ASSIGNING_OFFSET;
  EXPECT_EQ(Refused({Kind::AssignOffsetFenced, 0, 0}),
            R"(logState = "FENCED" | "FENCED" | "OPEN")");
  state.log_state = LogState::FENCED;
  EXPECT_EQ(Refused({Kind::AssignOffsetFenced, 0, 0}), "enabled");
}

TEST_F(LogRefusal, OfAssignOffsetExhausted) {
  state.sequence_counter = 5;
  state.log_state = LogState::FENCED;
  w1.batch_size = 1;
  EXPECT_EQ(Refused({Kind::AssignOffsetExhausted, 0, 0}),
            R"(writerState[w] = "ASSIGNING_OFFSET" | "ASSIGNING_OFFSET" | "IDLE")");
  w1.state = WriterState::ASSIGNING_OFFSET;
  EXPECT_EQ(Refused({Kind::AssignOffsetExhausted, 0, 0}),
            R"(logState = "OPEN" | "OPEN" | "FENCED")");
  state.log_state = LogState::OPEN;
  EXPECT_EQ(Refused({Kind::AssignOffsetExhausted, 0, 0}), "EndOffset(w) > MaxOffset | 6 | 5");
  w1.batch_size = 2;
  EXPECT_EQ(Refused({Kind::AssignOffsetExhausted, 0, 0}), "enabled");
}

TEST_F(LogRefusal, OfAppendComplete) {
  EXPECT_EQ(Refused({Kind::AppendComplete, 0, 0}),
            R"(writerState[w] \in {"DONE", "FAILED"} | {"#set":["DONE","FAILED"]} | "IDLE")");
  w1.state = WriterState::DONE;
  EXPECT_EQ(Refused({Kind::AppendComplete, 0, 0}), "enabled");
  w1.state = WriterState::FAILED;
  EXPECT_EQ(Refused({Kind::AppendComplete, 0, 0}), "enabled");
}

TEST_F(LogRefusal, OfCompactStart) {
  const Action start{Kind::CompactStart, 0, 0};
  state.compactor_state = CompactorState::DONE;
  EXPECT_EQ(Refused(start), R"(compactorState = "IDLE" | "IDLE" | "DONE")");
  state.compactor_state = CompactorState::IDLE;
  Wal(2, 2);
  EXPECT_EQ(Refused(start), R"(\A off \in CurRangeStart..CurRangeEnd : WalCovered(off))"
                            R"( | {"off":3,"WalCovered":true} | {"off":3,"WalCovered":false})");
  Wal(4, 2);
  EXPECT_EQ(Refused(start), "enabled") << "the end boundary is not looked at";
}

TEST_F(LogRefusal, OfCompactStartAcrossTheStart) {
  Wal(2, 2);
  Wal(4, 2);
  Wal(5, 1);
  state.compact_round = 2;
  EXPECT_EQ(Refused({Kind::CompactStart, 0, 0}),
            R"(\A o \in CurRangeStart..CurRangeEnd : logIndex[o].type # "EMPTY" => )"
            R"(o - logIndex[o].msgCount + 1 >= CurRangeStart)"
            R"( | {"o":4,"First":4} | {"o":4,"First":3})");
}

TEST_F(LogRefusal, OfCompactStartBehindACompactedEntry) {
  state.log_index.Set(3, {EntryType::COMPACTED, 3});
  EXPECT_EQ(Refused({Kind::CompactStart, 0, 0}),
            R"(\A off \in CurRangeStart..CurRangeEnd : WalCovered(off))"
            R"( | {"off":1,"WalCovered":true} | {"off":1,"WalCovered":false})");
}

TEST_F(LogRefusal, OfCompactStartWithoutARange) {
  constants.ranges.pop_back();
  state.compact_round = 2;
  EXPECT_EQ(Refused({Kind::CompactStart, 0, 0}), "compactRound <= Len(Ranges) | 1 | 2");
}

TEST_F(LogRefusal, OfTheOtherCompactionSteps) {
  EXPECT_EQ(Refused({Kind::CompactWriteCompactedIndex, 0, 0}),
            R"(compactorState = "WRITING_COMPACTED_INDEX" | "WRITING_COMPACTED_INDEX" | "IDLE")");
  EXPECT_EQ(Refused({Kind::CompactDeleteOldEntries, 0, 0}),
            R"(compactorState = "DELETING_OLD" | "DELETING_OLD" | "IDLE")");
  EXPECT_EQ(Refused({Kind::CompactUpdateCursor, 0, 0}),
            R"(compactorState = "UPDATING_CURSOR" | "UPDATING_CURSOR" | "IDLE")");
  EXPECT_EQ(Refused({Kind::CompactReset, 0, 0}), R"(compactorState = "DONE" | "DONE" | "IDLE")");
  state.compactor_state = CompactorState::WRITING_COMPACTED_INDEX;
  EXPECT_EQ(Refused({Kind::CompactWriteCompactedIndex, 0, 0}), "enabled");
  state.compactor_state = CompactorState::DELETING_OLD;
  EXPECT_EQ(Refused({Kind::CompactDeleteOldEntries, 0, 0}), "enabled");
  state.compactor_state = CompactorState::UPDATING_CURSOR;
  EXPECT_EQ(Refused({Kind::CompactUpdateCursor, 0, 0}), "enabled");
  state.compactor_state = CompactorState::DONE;
  EXPECT_EQ(Refused({Kind::CompactReset, 0, 0}), "enabled");
}

TEST_F(LogRefusal, OfCompactorCrash) {
  const std::string conjunct =
      R"(compactorState \in {"WRITING_COMPACTED_INDEX", "DELETING_OLD", "UPDATING_CURSOR"})"
      R"( | {"#set":["DELETING_OLD","UPDATING_CURSOR","WRITING_COMPACTED_INDEX"]} | )";
  EXPECT_EQ(Refused({Kind::CompactorCrash, 0, 0}), conjunct + R"("IDLE")");
  state.compactor_state = CompactorState::DONE;
  EXPECT_EQ(Refused({Kind::CompactorCrash, 0, 0}), conjunct + R"("DONE")");
  for (const CompactorState between :
       {CompactorState::WRITING_COMPACTED_INDEX, CompactorState::DELETING_OLD,
        CompactorState::UPDATING_CURSOR}) {
    state.compactor_state = between;
    EXPECT_EQ(Refused({Kind::CompactorCrash, 0, 0}), "enabled");
  }
}

TEST_F(LogRefusal, OfFencing) {
  EXPECT_EQ(Refused({Kind::UnfenceLog, 0, 0}), R"(logState = "FENCED" | "FENCED" | "OPEN")");
  EXPECT_EQ(Refused({Kind::FenceLog, 0, 0}), "enabled");
  state.log_state = LogState::FENCED;
  EXPECT_EQ(Refused({Kind::FenceLog, 0, 0}), R"(logState = "OPEN" | "OPEN" | "FENCED")");
  EXPECT_EQ(Refused({Kind::UnfenceLog, 0, 0}), "enabled");
}

TEST_F(LogRefusal, OfReadEntry) {
  w1.state = WriterState::DONE;
  EXPECT_EQ(Refused({Kind::ReadEntry, 0, 0}), R"(writerState[w] = "IDLE" | "IDLE" | "DONE")");
  w1.state = WriterState::IDLE;
  EXPECT_EQ(Refused({Kind::ReadEntry, 0, 0}), "off >= 1 | 1 | 0");
  EXPECT_EQ(Refused({Kind::ReadEntry, 0, 1}), "off < sequenceCounter | 0 | 1");
  Wal(2, 2);
  EXPECT_EQ(Refused({Kind::ReadEntry, 0, 2}), "enabled");
}

TEST_F(LogRefusal, OfCompactResume) {
  const Action resume{Kind::CompactResume, 0, 0};
  state.compactor_state = CompactorState::DELETING_OLD;
  EXPECT_EQ(Refused(resume), "dialect compaction_resume | true | false");
  constants.dialect.compaction_resume = true;
  EXPECT_EQ(Refused(resume), R"(compactorState = "IDLE" | "IDLE" | "DELETING_OLD")");
  state.compactor_state = CompactorState::IDLE;
  const std::string conjunct =
      R"(logIndex[CurRangeEnd] = [type |-> "COMPACTED", )"
      R"(msgCount |-> CurRangeEnd - CurRangeStart + 1] | {"type":"COMPACTED","msgCount":3} | )";
  Wal(3, 3);
  EXPECT_EQ(Refused(resume), conjunct + R"({"type":"WAL","msgCount":3})");
  state.log_index.Set(3, {EntryType::COMPACTED, 2});
  EXPECT_EQ(Refused(resume), conjunct + R"({"type":"COMPACTED","msgCount":2})");
  state.log_index.Set(3, {EntryType::COMPACTED, 3});
  EXPECT_EQ(Refused(resume), "enabled");
  state.compaction_cursor = 4;
  EXPECT_EQ(Refused(resume), "compactionCursor <= CurRangeEnd | 3 | 4");
  constants.ranges.clear();
  EXPECT_EQ(Refused(resume), "compactRound <= Len(Ranges) | 0 | 1");
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
