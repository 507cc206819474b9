// Which action an event is, for appends, fences and reads; and under which name a node works on.
//
// Compaction is in leaderless_log_refinement_compaction_test.cpp, what the store shows in
// log_observation_test.cpp.
#include "protocol/leaderless_log/leaderless_log_refinement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/leaderless_log/refinement_fixture.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using sim::ObjectStatus;
using sim::WorldEventKind;
using testing::ElementsAre;
using testing::IsEmpty;

class RefinementOfAppends : public RefinementFixture {};

// ---- StartAppend
// ---------------------------------------------------------------------------------

TEST_F(RefinementOfAppends, StartsAtTheCommitOfTheReadThatSeesTheLogOpen) {
  EXPECT_THAT(Invoke(kW1, ClientOperation::kAppend, 2), IsEmpty());
  EXPECT_THAT(Happens(WorldEventKind::kSend, kW1), IsEmpty());
  EXPECT_THAT(Apply(By(kW1), ReadLog()), ElementsAre("StartAppend(w1) count=2"));
  EXPECT_THAT(Happens(WorldEventKind::kReply, kW1), IsEmpty());
}

TEST_F(RefinementOfAppends, DoesNotStartWhileFenced) {
  Apply({kF1}, Fence());
  Invoke(kW1, ClientOperation::kAppend, 2);
  EXPECT_THAT(Apply(By(kW1), ReadLog()), IsEmpty());
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kFenced), IsEmpty());
  EXPECT_EQ(StateOf(0), WriterState::IDLE);
}

TEST_F(RefinementOfAppends, StartsOnce) {
  Invoke(kW1, ClientOperation::kAppend, 2);
  Apply(By(kW1), ReadLog());
  EXPECT_THAT(Apply(Late(kW1), ReadLog()), IsEmpty()) << "a duplicate";
  EXPECT_THAT(Apply(By(kW1), ReadLog()), IsEmpty()) << "the read before the assignment";
}

TEST_F(RefinementOfAppends, DoesNotStartForADuplicateOfAReadWhoseAppendIsOver) {
  Append(kW1, 1);
  const Sender of_the_first = Late(kW1);
  EXPECT_THAT(Apply(of_the_first, ReadLog()), IsEmpty()) << "the writer has nothing to do";
  Invoke(kW1, ClientOperation::kAppend, 2);
  EXPECT_THAT(Apply(of_the_first, ReadLog()), IsEmpty()) << "it works on another";
  EXPECT_THAT(Apply(By(kW1), ReadLog()), ElementsAre("StartAppend(w1) count=2"));
}

TEST_F(RefinementOfAppends, DoesNotStartForTheReadOfADeadIncarnation) {
  Invoke(kW1, ClientOperation::kAppend, 2);
  const Sender of_the_dead = Late(kW1);
  Crash(kW1);
  EXPECT_THAT(Apply(of_the_dead, ReadLog()), IsEmpty());
  EXPECT_EQ(StateOf(0), WriterState::IDLE);
}

TEST_F(RefinementOfAppends, DoesNotStartForAReadThatWasRefused) {
  Invoke(kW1, ClientOperation::kAppend, 2);
  const sim::StoreRequest refused = sim::Txn({sim::Exists("log/what")}, {sim::Get("log/state")});
  EXPECT_THAT(Apply(By(kW1), refused), IsEmpty());
}

// ---- WALWriteSuccess, WALWriteFail
// ---------------------------------------------------------------

TEST_F(RefinementOfAppends, AnObjectWriteIsASuccessWhenItIsApplied) {
  Invoke(kW1, ClientOperation::kAppend, 2);
  Apply(By(kW1), ReadLog());
  EXPECT_THAT(ApplyObject(By(kW1), PutObject()), ElementsAre("WALWriteSuccess(w1)"));
  EXPECT_THAT(ApplyObject(By(kW1), PutObject()), IsEmpty()) << "written again, after a lost reply";
}

TEST_F(RefinementOfAppends, AnObjectWriteMayFailAndBeMadeAgain) {
  Invoke(kW1, ClientOperation::kAppend, 2);
  Apply(By(kW1), ReadLog());
  EXPECT_THAT(ApplyObject(By(kW1), PutObject(), ObjectStatus::kFailed), IsEmpty());
  EXPECT_THAT(ApplyObject(By(kW1), PutObject()), ElementsAre("WALWriteSuccess(w1)"));
}

TEST_F(RefinementOfAppends, AnObjectWriteHasFailedWhenTheCallerIsTold) {
  Invoke(kW1, ClientOperation::kAppend, 2);
  Apply(By(kW1), ReadLog());
  ApplyObject(By(kW1), PutObject(), ObjectStatus::kFailed);
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kWriteFailed),
              ElementsAre("WALWriteFail(w1)", "AppendComplete(w1) answers 0"));
  EXPECT_THAT(ApplyObject(Late(kW1), PutObject()), IsEmpty()) << "an earlier try, late";
  EXPECT_EQ(refinement.IdentityOf(kW1), 0U);
}

TEST_F(RefinementOfAppends, AWriteThatSucceededUnknownToItsWriterLeavesTheNameBehind) {
  WriteObject(kW1, 1);
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kWriteFailed), IsEmpty());
  EXPECT_EQ(StateOf(0), WriterState::ASSIGNING_OFFSET);
  EXPECT_EQ(constants.writers[*refinement.IdentityOf(kW1)], "w1.2");
}

TEST_F(RefinementOfAppends, OnlyWritesOfAnAppendAreWALWrites) {
  Invoke(kC1, ClientOperation::kCompact);
  EXPECT_THAT(ApplyObject(By(kC1), PutObject("compacted/c1-1")), IsEmpty());
  Invoke(kW1, ClientOperation::kAppend, 2);
  Apply(By(kW1), ReadLog());
  EXPECT_THAT(ApplyObject(By(kW1), {sim::ObjectOperation::kGetObject, "wal/x", {}}), IsEmpty());
  EXPECT_THAT(ApplyObject(By(kW1), {sim::ObjectOperation::kDeleteObject, "wal/x", {}}), IsEmpty());
  EXPECT_THAT(ApplyObject({kW1}, PutObject()), IsEmpty()) << "of no operation";
}

// ---- AssignOffset
// --------------------------------------------------------------------------------

TEST_F(RefinementOfAppends, AssignsAtTheCommit) {
  WriteObject(kW1, 2);
  EXPECT_THAT(Apply(By(kW1), Assign("1", 2)), ElementsAre("AssignOffset(w1)"));
  ASSERT_TRUE(refinement.assignment().has_value());
  EXPECT_EQ(refinement.assignment()->operation, 1U);
  EXPECT_EQ(refinement.assignment()->end, 2);
  EXPECT_EQ(refinement.assignment()->count, 2);
  EXPECT_FALSE(refinement.assignment()->while_fenced);
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kAppended, 2),
              ElementsAre("AppendComplete(w1) answers 2"));
  EXPECT_FALSE(refinement.assignment().has_value());
}

TEST_F(RefinementOfAppends, AssignsWhenAnUnawaitedRequestIsApplied) {
  WriteObject(kW1, 2);
  EXPECT_THAT(Apply(Late(kW1), Assign("1", 2)), ElementsAre("AssignOffset(w1)"));
}

TEST_F(RefinementOfAppends, ALateRequestOfTheDeadIsAnAssignmentUnderTheirName) {
  WriteObject(kW1, 2);
  const sim::StoreRequest assign = Assign("1", 2);
  const Sender of_the_dead = Late(kW1);
  Crash(kW1);
  EXPECT_EQ(constants.writers[*refinement.IdentityOf(kW1)], "w1.2");
  EXPECT_THAT(Apply(of_the_dead, assign), ElementsAre("AssignOffset(w1)"));
  EXPECT_EQ(StateOf(0), WriterState::DONE);
  EXPECT_EQ(StateOf(*refinement.IdentityOf(kW1)), WriterState::IDLE);
}

TEST_F(RefinementOfAppends, AnAssignmentOutOfTurnIsTranslatedAllTheSame) {
  Invoke(kW1, ClientOperation::kAppend, 1);
  EXPECT_THAT(Apply(By(kW1), Assign("1", 1)),
              ElementsAre("AssignOffset(w1) refused: writerState[w] = \"ASSIGNING_OFFSET\""));
}

TEST_F(RefinementOfAppends, AnEntryOfNobodysAppendIsNoAction) {
  Invoke(kC1, ClientOperation::kCompact);
  EXPECT_THAT(Apply(By(kC1), Assign("1", 1)), IsEmpty());
  Invoke(kR1, ClientOperation::kRead, 1);
  EXPECT_THAT(Apply(By(kR1), Assign("3", 1)), IsEmpty());
  EXPECT_THAT(Apply({kW1}, Assign("2", 1)), IsEmpty()) << "of no operation";
  EXPECT_FALSE(refinement.observed_changes().empty());
}

TEST_F(RefinementOfAppends, TheLedgerLearnsWhetherTheLogWasFenced) {
  WriteObject(kW1, 1);
  sim::StoreRequest assign = Assign("1", 1);
  assign.conditions.clear();
  Apply({kF1}, Fence());
  EXPECT_THAT(Apply(By(kW1), assign), ElementsAre("AssignOffset(w1) refused: logState = \"OPEN\""));
  EXPECT_TRUE(refinement.assignment()->while_fenced);
}

TEST_F(RefinementOfAppends, ACounterConflictIsNoAction) {
  WriteObject(kW1, 1);
  const sim::StoreRequest assign = Assign("1", 1);
  Append(kW2, 1);
  EXPECT_THAT(Apply(By(kW1), assign), IsEmpty());
  EXPECT_THAT(Apply(By(kW1), Assign("1", 1)), ElementsAre("AssignOffset(w1)"));
}

// ---- AssignOffsetFenced
// --------------------------------------------------------------------------

class RefinementOfRefusals : public RefinementFixture {
 protected:
  RefinementOfRefusals() {
    WriteObject(kW1, 1);
    assign = Assign("1", 1);
    Apply({kF1}, Fence());
  }
  sim::StoreRequest assign;
};

TEST_F(RefinementOfRefusals, IsFinalWhenItIsAwaitedAndAlone) {
  EXPECT_THAT(Apply(By(kW1), assign), ElementsAre("AssignOffsetFenced(w1)"));
  EXPECT_THAT(Apply(By(kW1), Withdraw("1")), IsEmpty());
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kFenced),
              ElementsAre("AppendComplete(w1) answers 0"));
}

TEST_F(RefinementOfRefusals, IsNotFinalWhenTheWriterHasMovedOn) {
  EXPECT_THAT(Apply(Late(kW1), assign), IsEmpty());
  EXPECT_EQ(StateOf(0), WriterState::ASSIGNING_OFFSET);
}

TEST_F(RefinementOfRefusals, IsNotFinalWhileADuplicateIsInFlight) {
  Sender with_a_duplicate = By(kW1);
  with_a_duplicate.others_in_flight = 1;
  EXPECT_THAT(Apply(with_a_duplicate, assign), IsEmpty());
  // The duplicate comes after the log was opened again, and before the withdrawal.
  Apply({kF1}, Unfence());
  EXPECT_THAT(Apply(Late(kW1), assign), ElementsAre("AssignOffset(w1)"));
}

TEST_F(RefinementOfRefusals, TheWithdrawalSettlesIt) {
  Apply(Late(kW1), assign);
  EXPECT_THAT(Apply(By(kW1), Withdraw("1")), ElementsAre("AssignOffsetFenced(w1)"));
  EXPECT_THAT(Apply(By(kW1), Withdraw("1")), IsEmpty()) << "sent again, after a lost reply";
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kFenced),
              ElementsAre("AppendComplete(w1) answers 0"));
}

TEST_F(RefinementOfRefusals, AWithdrawalWhileOpenIsNoRefusal) {
  Apply(Late(kW1), assign);
  Apply({kF1}, Unfence());
  EXPECT_THAT(Apply(By(kW1), Withdraw("1")), IsEmpty());
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kFenced), IsEmpty());
  EXPECT_EQ(StateOf(0), WriterState::ASSIGNING_OFFSET) << "the module has no way out";
  EXPECT_EQ(constants.writers[*refinement.IdentityOf(kW1)], "w1.2");
}

TEST_F(RefinementOfRefusals, AnotherConflictBesideTheFenceChangesNothing) {
  Apply({kF1}, Unfence());
  Append(kW2, 1);
  Apply({kF1}, Fence());
  EXPECT_THAT(Apply(By(kW1), assign), ElementsAre("AssignOffsetFenced(w1)"));
}

TEST_F(RefinementOfRefusals, ADuplicateOfWhatIsInTheLogIsNotRefused) {
  Apply({kF1}, Unfence());
  Apply(By(kW1), assign);
  Apply({kF1}, Fence());
  EXPECT_THAT(Apply(By(kW1), assign), IsEmpty());
  EXPECT_EQ(StateOf(0), WriterState::DONE);
}

// The same for one whose entry the spec does not know yet: the token says that it was assigned.
TEST_F(RefinementOfRefusals, AnAppendWhoseTokenStandsIsNotRefused) {
  Apply({kF1}, sim::Single(sim::Put(AppendKey("1"), "1")));
  EXPECT_THAT(Apply(By(kW1), assign), IsEmpty());
}

TEST_F(RefinementOfRefusals, TheWithdrawalOfAnotherOrOfTheDeadSettlesNothing) {
  Apply(Late(kW1), assign);
  const Sender of_the_dead = Late(kW1);
  EXPECT_THAT(Apply({kW2}, Withdraw("x")), IsEmpty());
  Crash(kW1);
  EXPECT_THAT(Apply(of_the_dead, Withdraw("1")), IsEmpty());
  EXPECT_EQ(StateOf(0), WriterState::ASSIGNING_OFFSET);
}

TEST_F(RefinementOfRefusals, AnUnavailableStoreRefusesNothing) {
  response = {sim::StoreStatus::kUnavailable, {}, {}, 0};
  mutations.clear();
  refinement.On({.kind = WorldEventKind::kApply,
                 .node = kW1,
                 .incarnation = 1,
                 .operation = 1,
                 .store_request = &assign,
                 .store_response = &response,
                 .mutations = &mutations,
                 .awaited = true});
  EXPECT_TRUE(refinement.emissions().empty());
}

// ---- AssignOffsetExhausted
// -----------------------------------------------------------------------

class RefinementOfExhaustion : public RefinementFixture {
 protected:
  RefinementOfExhaustion() {
    constants.max_offset = 5;
    Append(kW2, 3);
    WriteObject(kW1, 3);
  }
};

TEST_F(RefinementOfExhaustion, IsTakenWhenTheWriterReadsThatThereIsNoRoom) {
  EXPECT_THAT(Apply(By(kW1), ReadLog()), ElementsAre("AssignOffsetExhausted(w1)"));
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kExhausted),
              ElementsAre("AppendComplete(w1) answers 0"));
}

TEST_F(RefinementOfExhaustion, AFencedLogWithoutRoomIsFenced) {
  Apply({kF1}, Fence());
  EXPECT_THAT(Apply(By(kW1), ReadLog()), ElementsAre("AssignOffsetFenced(w1)"));
}

TEST_F(RefinementOfExhaustion, IsNotTakenWhileThereIsRoom) {
  Append(kW2, 1);
  WriteObject(kW2, 1);
  EXPECT_THAT(Apply(By(kW2), ReadLog()), IsEmpty());
}

// ---- AppendComplete
// ------------------------------------------------------------------------------

TEST_F(RefinementOfAppends, TellsWhatTheCallerWasTold) {
  WriteObject(kW1, 1);
  Apply(By(kW1), Assign("1", 1));
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kAborted, 1),
              ElementsAre("AppendComplete(w1) answers 0"));
}

TEST_F(RefinementOfAppends, AnAnswerOutOfTurnIsTranslatedAllTheSame) {
  Invoke(kW1, ClientOperation::kAppend, 1);
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kAppended, 1),
              ElementsAre("AppendComplete(w1) answers 1 refused: "
                          "writerState[w] \\in {\"DONE\", \"FAILED\"}"));
}

TEST_F(RefinementOfAppends, AnAppendThatWasWithdrawnLeavesTheNameBehind) {
  WriteObject(kW1, 1);
  EXPECT_THAT(Apply(By(kW1), Withdraw("1")), IsEmpty());
  EXPECT_THAT(AnswerAppend(kW1, AppendStatus::kAborted), IsEmpty());
  EXPECT_EQ(constants.writers[*refinement.IdentityOf(kW1)], "w1.2");
}

// ---- FenceLog, UnfenceLog
// ------------------------------------------------------------------------

class RefinementOfFences : public RefinementFixture {};

TEST_F(RefinementOfFences, AreTakenWhenTheStateChanges) {
  Invoke(kF1, ClientOperation::kFence);
  EXPECT_THAT(Apply(By(kF1), Fence()), ElementsAre("FenceLog"));
  EXPECT_THAT(Apply(By(kF1), Fence()), IsEmpty()) << "a conflict";
  EXPECT_THAT(Apply(By(kF1), sim::Single(Set(kStateKey, "FENCED"))), IsEmpty()) << "the same again";
  EXPECT_THAT(AnswerOther(kF1), IsEmpty());
  Invoke(kF1, ClientOperation::kUnfence);
  EXPECT_THAT(Apply(By(kF1), Unfence()), ElementsAre("UnfenceLog"));
  EXPECT_THAT(AnswerOther(kF1), IsEmpty());
}

TEST_F(RefinementOfFences, AreTakenWhoeverMadeThem) {
  EXPECT_THAT(Apply({kF1, 7, 0, false}, Fence()), ElementsAre("FenceLog"));
  EXPECT_THAT(Apply({kW1}, Unfence()), ElementsAre("UnfenceLog"));
}

// ---- ReadEntry
// -----------------------------------------------------------------------------------

class RefinementOfReads : public RefinementFixture {
 protected:
  RefinementOfReads() { Append(kW1, 2); }
};

TEST_F(RefinementOfReads, AreTakenAtTheCommitOfTheLookup) {
  EXPECT_THAT(Invoke(kR1, ClientOperation::kRead, 1), IsEmpty());
  EXPECT_THAT(Apply(By(kR1), LookUp(1)), ElementsAre("ReadEntry(r1, 1) shows OK"));
  EXPECT_THAT(Apply(By(kR1), LookUp(1)), ElementsAre("ReadEntry(r1, 1) shows OK"));
  EXPECT_THAT(AnswerOther(kR1), IsEmpty());
  EXPECT_THAT(Apply(Late(kR1), LookUp(1)), IsEmpty()) << "a duplicate";
}

TEST_F(RefinementOfReads, AWriterReadsUnderItsOwnName) {
  Invoke(kW2, ClientOperation::kRead, 2);
  EXPECT_THAT(Apply(By(kW2), LookUp(2)), ElementsAre("ReadEntry(w2, 2) shows OK"));
}

TEST_F(RefinementOfReads, ShowWhatTheReplyShows) {
  Invoke(kR1, ClientOperation::kRead, 2);
  EXPECT_THAT(Apply(By(kR1), sim::Single(sim::HigherGet(IndexKey(2)))),
              ElementsAre("ReadEntry(r1, 2) shows ERROR"))
      << "the next key is no entry";
  Append(kW1, 1);
  EXPECT_THAT(Apply(By(kR1), sim::Single(sim::HigherGet(IndexKey(2)))),
              ElementsAre("ReadEntry(r1, 2) shows ERROR"))
      << "the next entry does not reach down";
  store.Apply(sim::Txn({}, {sim::Delete(IndexKey(2)), sim::Delete(IndexKey(3)),
                            sim::Delete(std::string(kStateKey))}),
              mutations);
  EXPECT_THAT(Apply(By(kR1), LookUp(2)), ElementsAre("ReadEntry(r1, 2) shows ERROR"))
      << "nothing is found";
}

TEST_F(RefinementOfReads, BeyondTheEndAreNoActions) {
  Invoke(kR1, ClientOperation::kRead, 3);
  EXPECT_THAT(Apply(By(kR1), LookUp(3)), IsEmpty());
  Invoke(kR1, ClientOperation::kRead, 0);
  EXPECT_THAT(Apply(By(kR1), LookUp(1)), IsEmpty());
}

TEST_F(RefinementOfReads, OtherRequestsAreNoLookups) {
  Invoke(kR1, ClientOperation::kRead, 1);
  EXPECT_THAT(Apply(By(kR1), sim::Single(sim::Get(IndexKey(2)))), IsEmpty());
  EXPECT_THAT(Apply(By(kR1), sim::Txn({}, {})), IsEmpty());
  EXPECT_THAT(Apply(By(kR1), sim::Txn({sim::Absent("log/state")}, {sim::CeilingGet("a")})),
              IsEmpty());
  EXPECT_THAT(ApplyObject(By(kR1), {sim::ObjectOperation::kGetObject, "wal/x", {}}), IsEmpty());
}

// ---- Identities
// ----------------------------------------------------------------------------------

class Identities : public RefinementFixture {};

TEST_F(Identities, EveryNodeThatAppendsOrReadsHasOne) {
  EXPECT_EQ(constants.writers, (std::vector<std::string>{"w1", "w2", "r1"}));
  EXPECT_EQ(refinement.IdentityOf(kR1), 2U);
  EXPECT_EQ(refinement.IdentityOf(kC1), std::nullopt);
  EXPECT_TRUE(refinement.CanInvoke(kW1));
}

TEST_F(Identities, IdleNamesSurviveACrash) {
  Append(kW1, 1);
  EXPECT_THAT(Crash(kW1), IsEmpty());
  EXPECT_EQ(refinement.IdentityOf(kW1), 0U);
  Invoke(kW1, ClientOperation::kAppend, 1);
  EXPECT_THAT(Apply(By(kW1, 2), ReadLog()), ElementsAre("StartAppend(w1) count=1"));
}

TEST_F(Identities, ANameIsRetiredInTheStateInWhichItsNodeDied) {
  Invoke(kW1, ClientOperation::kAppend, 1);
  Apply(By(kW1), ReadLog());
  Crash(kW1);
  EXPECT_EQ(StateOf(0), WriterState::WRITING_WAL);
  EXPECT_EQ(refinement.IdentityOf(kW1), 3U);
  WriteObject(kW1, 1);
  Crash(kW1);
  EXPECT_EQ(StateOf(3), WriterState::ASSIGNING_OFFSET);
  EXPECT_EQ(constants.writers, (std::vector<std::string>{"w1", "w2", "r1", "w1.2", "w1.3"}));
  EXPECT_EQ(refinement.IdentityOf(kW1), 4U);
  EXPECT_EQ(StateOf(4), WriterState::IDLE);
}

TEST_F(Identities, TheWorkOfTheDeadIsNotTheirSuccessors) {
  Invoke(kW1, ClientOperation::kAppend, 1);
  Apply(By(kW1), ReadLog());
  const Sender of_the_dead = Late(kW1);
  Crash(kW1);
  EXPECT_EQ(refinement.CurrentOperation(kW1), 0U);
  EXPECT_EQ(refinement.CurrentKind(kW1), std::nullopt);
  Invoke(kW1, ClientOperation::kAppend, 1);
  EXPECT_EQ(refinement.CurrentKind(kW1), ClientOperation::kAppend);
  Apply(By(kW1, 2), ReadLog());
  EXPECT_THAT(ApplyObject(of_the_dead, PutObject()), IsEmpty());
  EXPECT_EQ(StateOf(0), WriterState::WRITING_WAL);
  EXPECT_EQ(StateOf(3), WriterState::WRITING_WAL);
}

class FixedIdentities : public RefinementFixture {
 protected:
  FixedIdentities() : RefinementFixture(false) {}
};

TEST_F(FixedIdentities, NoneIsLeftWithoutFreshOnes) {
  WriteObject(kW1, 1);
  Crash(kW1);
  EXPECT_EQ(refinement.IdentityOf(kW1), std::nullopt);
  EXPECT_FALSE(refinement.CanInvoke(kW1));
  EXPECT_TRUE(refinement.CanInvoke(kW2));
  EXPECT_EQ(constants.writers.size(), 3U);
}

TEST_F(FixedIdentities, IdleNamesSurviveACrash) {
  Append(kW1, 1);
  Crash(kW1);
  EXPECT_TRUE(refinement.CanInvoke(kW1));
}

TEST_F(FixedIdentities, AWithdrawnAppendCostsTheName) {
  WriteObject(kW1, 1);
  Apply(By(kW1), Withdraw("1"));
  AnswerAppend(kW1, AppendStatus::kAborted);
  EXPECT_FALSE(refinement.CanInvoke(kW1));
}

TEST(ClientOperation, HasNames) {
  EXPECT_EQ(ClientOperationName(ClientOperation::kAppend), "append");
  EXPECT_EQ(ClientOperationName(ClientOperation::kRead), "read");
  EXPECT_EQ(ClientOperationName(ClientOperation::kCompact), "compact");
  EXPECT_EQ(ClientOperationName(ClientOperation::kFence), "fence");
  EXPECT_EQ(ClientOperationName(ClientOperation::kUnfence), "unfence");
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
