// The checker can fail: events that no correct implementation produces, made by hand. And it does
// not fail on those that one does.
#include "scenarios/leaderless_log/log_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/leaderless_log/hand_made_log.h"

namespace lockstep::scenarios {
namespace {

namespace log = protocol::leaderless_log;
using log::AppendStatus;
using log::IndexKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string WalValue(std::int64_t count, const std::string& object) {
  return log::EncodeIndexValue({{log::EntryType::WAL, count}, object, "x"});
}

/// The actions of a finished run, in order, without their parameters.
std::vector<std::string> ActionsOf(const RunResult& result) {
  std::vector<std::string> actions;
  for (const traces::Step& step : result.trace->steps) {
    if (step.action) actions.push_back(*step.action);
  }
  return actions;
}

// ---- Rejects: the store -------------------------------------------------------------------------

TEST(LogChecker, RejectsACounterThatMovesAlone) {
  HandMadeLog hand;
  hand.Commit(kW1, sim::Single(sim::Put(std::string(log::kCounterKey), "2")));
  EXPECT_EQ(hand.Refused(), "UndeclaredChange");
}

TEST(LogChecker, RejectsACursorThatMovesAlone) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.Commit(kC1, sim::Single(sim::Put(std::string(log::kCursorKey), "2")));
  EXPECT_EQ(hand.Broken(), "CursorBehindCompaction");
  EXPECT_EQ(hand.Refused(), "ConformanceGuard");
}

TEST(LogChecker, RejectsAnEntryThatNobodyAppended) {
  HandMadeLog hand;
  hand.Objects(kC1, HandMadeLog::WalObject(7, 1));
  hand.Commit(kC1, sim::Txn({}, {sim::Put(std::string(log::kCounterKey), "2"),
                                 sim::Put(IndexKey(1), WalValue(1, "wal/7"))}));
  EXPECT_EQ(hand.Refused(), "UndeclaredChange");
}

TEST(LogChecker, RejectsAnEntryWithoutData) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.StartAppend(kW1, 1);
  hand.Commit(kW1, hand.AssignRequest(operation, 1));
  EXPECT_EQ(hand.Broken(), "EntriesPointToData");
  EXPECT_EQ(hand.Refused(), "ConformanceGuard");
}

TEST(LogChecker, RejectsAnEntryLongerThanTheAppend) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  hand.Commit(kW1, hand.AssignRequest(operation, 2));
  EXPECT_EQ(hand.Refused(), "ConformanceEffect");
}

TEST(LogChecker, RejectsAnEntryThatGoesAway) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.Commit(kC1, sim::Single(sim::Delete(IndexKey(2))));
  EXPECT_EQ(hand.Broken(), "AcknowledgedRecordsReadable");
  EXPECT_EQ(hand.Refused(), "ConformanceGuard");
}

TEST(LogChecker, RejectsAnObjectThatGoesAway) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.Objects(kC1, {sim::ObjectOperation::kDeleteObject, "wal/1", {}});
  EXPECT_NE(hand.Broken(), "");
  EXPECT_EQ(hand.Refused(), "");  // The module knows no objects.
}

TEST(LogChecker, RejectsAssigningWhileFenced) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  sim::StoreRequest request = hand.AssignRequest(operation, 1);
  request.conditions.clear();
  hand.Fence();
  hand.Commit(kW1, request);
  EXPECT_EQ(hand.Broken(), "OneSealedEnd");
  EXPECT_EQ(hand.Refused(), "ConformanceGuard");
}

TEST(LogChecker, RejectsARecordThatTheLayoutDoesNotKnow) {
  HandMadeLog hand;
  hand.Commit(kW1, sim::Single(sim::Put("log/cuonter", "2")));
  EXPECT_EQ(hand.Refused(), "UndeclaredChange");
}

TEST(LogChecker, RejectsACounterThatIsNoNumber) {
  HandMadeLog hand;
  hand.Commit(kW1, sim::Single(sim::Put(std::string(log::kCounterKey), "many")));
  EXPECT_EQ(hand.Refused(), "UndeclaredChange");
}

// ---- Rejects: compaction ------------------------------------------------------------------------

TEST(LogChecker, RejectsDeletingBeforeWriting) {
  HandMadeLog hand;
  hand.Append(kW1, 1);
  hand.Append(kW1, 1);
  hand.StartCompaction({1, 2});
  hand.DeleteOld({1, 2});
  EXPECT_EQ(hand.Broken(), "AcknowledgedRecordsReadable");
  EXPECT_EQ(hand.Refused(), "ConformanceGuard");
}

TEST(LogChecker, RejectsMovingTheCursorBeforeDeleting) {
  HandMadeLog hand;
  hand.Append(kW1, 1);
  hand.Append(kW1, 1);
  hand.StartCompaction({1, 2});
  hand.WriteCompacted({1, 2});
  EXPECT_EQ(hand.Broken(), "");
  hand.MoveCursor({1, 2});
  EXPECT_EQ(hand.Broken(), "CursorBehindCompaction");
}

TEST(LogChecker, RejectsCompactingWhatIsNotThere) {
  HandMadeLog hand;
  hand.Append(kW1, 1);
  hand.StartCompaction({1, 2});
  hand.WriteCompacted({1, 2});
  EXPECT_EQ(hand.Refused(), "ConformanceGuard");
}

// ---- Rejects: answers ---------------------------------------------------------------------------

TEST(LogChecker, RejectsTheWrongEnd) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 2);
  hand.Commit(kW1, hand.AssignRequest(operation, 2));
  hand.Answer(kW1, operation, 2, AppendStatus::kAppended, 3);
  EXPECT_EQ(hand.Refused(), "ConformanceEffect");
}

TEST(LogChecker, RejectsAnAnswerBeforeTheAppend) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 2);
  hand.Answer(kW1, operation, 2, AppendStatus::kAppended, 2);
  EXPECT_EQ(hand.Broken(), "AcknowledgedBeforeFence");
  EXPECT_EQ(hand.Refused(), "ConformanceGuard");
}

TEST(LogChecker, RejectsDenyingAnAppendThatIsInTheLog) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 2);
  hand.Commit(kW1, hand.AssignRequest(operation, 2));
  hand.Answer(kW1, operation, 2, AppendStatus::kFenced);
  EXPECT_EQ(hand.Broken(), "ConformanceEffect");
  EXPECT_THAT(hand.checker().failure()->violation.message,
              HasSubstr("told that the log has nothing of it, but it has it at end offset 2"));
}

TEST(LogChecker, RejectsALookupThatMisses) {
  HandMadeLog hand;
  hand.Append(kW1, 1);
  hand.Append(kW1, 1);
  hand.Invoke(kR1, HandMadeLog::Operation::kRead, 2);
  hand.Commit(kR1, sim::Single(sim::HigherGet(IndexKey(2))));
  EXPECT_EQ(hand.Broken(), "ConformanceEffect");
  EXPECT_THAT(hand.checker().failure()->action, HasSubstr("ReadEntry(r1"));
}

TEST(LogChecker, RejectsOtherBytes) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  const sim::OperationId operation = hand.Lookup(kR1, 2);
  hand.checker().AnswerRead(kR1, operation, {log::ReadStatus::kFound, "1.1"});
  EXPECT_EQ(hand.Broken(), "ReadsReturnAppendedBytes");
}

TEST(LogChecker, RejectsNotFindingWhatWasAcknowledged) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  const sim::OperationId operation = hand.Lookup(kR1, 2);
  hand.checker().AnswerRead(kR1, operation, {log::ReadStatus::kNotFound, {}});
  EXPECT_EQ(hand.Broken(), "ReadsReturnAppendedBytes");
}

TEST(LogChecker, RejectsAReaderThatMovesBack) {
  HandMadeLog hand;
  // Not acknowledged yet, so that only the reader's own past speaks for the record.
  const sim::OperationId append = hand.AppendUpToAssign(kW1, 2);
  hand.Commit(kW1, hand.AssignRequest(append, 2));
  const sim::OperationId first = hand.Lookup(kR1, 2);
  hand.checker().AnswerRead(kR1, first, {log::ReadStatus::kFound, log::RecordBytes(append, 2)});
  EXPECT_EQ(hand.Broken(), "");
  const sim::OperationId second = hand.Lookup(kR1, 1);
  hand.checker().AnswerRead(kR1, second, {log::ReadStatus::kNotFound, {}});
  EXPECT_EQ(hand.Broken(), "ReadersNeverMoveBack");
}

TEST(LogChecker, RejectsAnotherEndOfTheSameFence) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.Fence();
  const sim::OperationId operation = 2;
  const sim::StoreResponse state =
      hand.Commit(kF1, sim::Single(sim::Get(std::string(log::kStateKey))));
  hand.checker().AnswerFence(kF1, operation, {true, 1, state.results[0].version});
  EXPECT_EQ(hand.Broken(), "OneSealedEnd");
}

// ---- Rejects: the end ---------------------------------------------------------------------------

TEST(LogChecker, RejectsAnAppendWithoutAnAnswer) {
  HandMadeLog hand;
  hand.AppendUpToAssign(kW1, 2);
  hand.checker().CheckEnd(true);
  EXPECT_EQ(hand.Broken(), "AppendProgress");
  EXPECT_EQ(hand.checker().failure()->violation.kind, invariants::PropertyKind::kLiveness);
  EXPECT_EQ(hand.checker().failure()->conformance, std::nullopt);
}

TEST(LogChecker, RejectsAReadWithoutAnAnswer) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.Lookup(kR1, 2);
  hand.checker().CheckEnd(true);
  EXPECT_EQ(hand.Broken(), "ReaderEventuallySucceeds");
}

TEST(LogChecker, RejectsACompactionThatStopsHalfway) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.StartCompaction({1, 2});
  hand.WriteCompacted({1, 2});
  hand.checker().CheckEnd(false);
  EXPECT_EQ(hand.Broken(), "CompactionCompletes");
}

// ---- A failure ----------------------------------------------------------------------------------

TEST(LogChecker, KeepsTheFirstFailure) {
  HandMadeLog hand;
  hand.Commit(kW1, sim::Single(sim::Put(std::string(log::kCounterKey), "2")));
  hand.Commit(kW1, sim::Single(sim::Put(std::string(log::kCursorKey), "9")));
  hand.checker().CheckEnd(true);
  EXPECT_EQ(hand.Refused(), "UndeclaredChange");
  EXPECT_EQ(hand.checker().failure()->step, 1);
  const RunResult result = hand.Finish();
  EXPECT_EQ(result.verdict, invariants::Verdict::kViolated);
  EXPECT_EQ(result.trace->steps.size(), 1U);
}

TEST(LogChecker, ShowsWhatWasEnabledAndWhatCameBefore) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  hand.Commit(kW1, hand.AssignRequest(operation, 2));
  const Failure& failure = *hand.checker().failure();
  EXPECT_EQ(failure.node, "w1");
  EXPECT_EQ(failure.action, "AssignOffset(w1)");
  // Before the step, the writer could be given an offset.
  EXPECT_THAT(failure.enabled, ::testing::Contains("AssignOffset(w1)"));
  ASSERT_GE(failure.recent.size(), 2U);
  EXPECT_THAT(failure.recent.front(), HasSubstr("StartAppend(w1) count=1"));
}

TEST(LogChecker, ShowsWhatTheStoreSaysInstead) {
  HandMadeLog hand;
  hand.Commit(kW1, sim::Single(sim::Put(std::string(log::kCounterKey), "2")));
  const RunResult result = hand.Finish();
  ASSERT_TRUE(result.trace->footer.violation.has_value());
  EXPECT_EQ(result.trace->footer.violation->observed.ToJson(), R"({"sequenceCounter":2})");
}

// ---- Accepts ------------------------------------------------------------------------------------

TEST(LogChecker, AcceptsAnAppendAndARead) {
  HandMadeLog hand;
  EXPECT_EQ(hand.Append(kW1, 2), 2);
  const sim::OperationId read = hand.Lookup(kR1, 1);
  hand.checker().AnswerRead(kR1, read, {log::ReadStatus::kFound, log::RecordBytes(1, 1)});
  hand.checker().CheckEnd(false);
  const RunResult result = hand.Finish();
  EXPECT_EQ(result.failure, std::nullopt) << result.failure->violation.message;
  EXPECT_EQ(result.verdict, invariants::Verdict::kHolds);
  EXPECT_THAT(ActionsOf(result), ElementsAre("StartAppend", "WALWriteSuccess", "AssignOffset",
                                             "AppendComplete", "ReadEntry"));
}

TEST(LogChecker, AcceptsAWholeCompactionRound) {
  HandMadeLog hand;
  hand.Append(kW1, 1);
  hand.Append(kW2, 2);
  hand.Compact({1, 3});
  hand.checker().CheckEnd(false);
  EXPECT_EQ(hand.Broken(), "");
  const std::vector<std::string> actions = ActionsOf(hand.Finish());
  const std::vector<std::string> latest(actions.end() - 5, actions.end());
  EXPECT_THAT(latest,
              ElementsAre("CompactStart", "CompactWriteCompactedIndex", "CompactDeleteOldEntries",
                          "CompactUpdateCursor", "CompactReset"));
}

TEST(LogChecker, AcceptsAFenceAndARefusal) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  const sim::StoreRequest request = hand.AssignRequest(operation, 1);
  hand.Fence();
  hand.Commit(kW1, request);
  hand.Answer(kW1, operation, 1, AppendStatus::kFenced);
  hand.Unfence();
  hand.Append(kW1, 1);
  EXPECT_EQ(hand.Broken(), "");
  EXPECT_THAT(ActionsOf(hand.Finish()),
              ElementsAre("StartAppend", "WALWriteSuccess", "FenceLog", "AssignOffsetFenced",
                          "AppendComplete", "UnfenceLog", "StartAppend", "WALWriteSuccess",
                          "AssignOffset", "AppendComplete"));
}

TEST(LogChecker, AcceptsAFailedWrite) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.StartAppend(kW1, 1);
  hand.FailObjects(kW1, HandMadeLog::WalObject(operation, 1));
  hand.Answer(kW1, operation, 1, AppendStatus::kWriteFailed);
  EXPECT_EQ(hand.Broken(), "");
  EXPECT_THAT(ActionsOf(hand.Finish()),
              ElementsAre("StartAppend", "WALWriteFail", "AppendComplete"));
}

TEST(LogChecker, IgnoresReadsThatChangeNothing) {
  HandMadeLog hand;
  hand.ReadLog(kC1);
  hand.Happen(sim::WorldEventKind::kPause, kW1);
  hand.Happen(sim::WorldEventKind::kResume, kW1);
  EXPECT_EQ(hand.Broken(), "");
  EXPECT_THAT(ActionsOf(hand.Finish()), IsEmpty());
}

TEST(LogChecker, IgnoresARefusalThatADuplicateMayOverturn) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  const sim::StoreRequest request = hand.AssignRequest(operation, 1);
  hand.Fence();
  hand.Commit(kW1, request, {.others_in_flight = 1});
  hand.Unfence();
  hand.Commit(kW1, request);  // The duplicate.
  EXPECT_EQ(hand.Broken(), "");
  hand.Answer(kW1, operation, 1, AppendStatus::kAppended, 1);
  EXPECT_EQ(hand.Broken(), "");
}

TEST(LogChecker, IgnoresAHalfDoneRoundWhereTheModuleGivesItUp) {
  LogSetup setup = HandMadeLog::OpenSetup();
  setup.constants.dialect.compaction_resume = false;
  HandMadeLog hand(setup);
  hand.Append(kW1, 2);
  hand.StartCompaction({1, 2});
  hand.WriteCompacted({1, 2});
  hand.Happen(sim::WorldEventKind::kCrash, kC1);
  hand.Happen(sim::WorldEventKind::kRetired, kC1);
  hand.checker().CheckEnd(false);
  EXPECT_EQ(hand.Broken(), "");
}

}  // namespace
}  // namespace lockstep::scenarios
