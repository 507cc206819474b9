// Which action an event is, for compactions: claims, the three steps, crashes and takeovers.
//
// The log has entries 1..2, 3 and 4..5; the plan's requests are those of CompactorNode.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "protocol/leaderless_log/leaderless_log_refinement.h"
#include "protocol/leaderless_log/refinement_fixture.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Dialect Resuming() {
  Dialect dialect;
  dialect.compaction_resume = true;
  return dialect;
}
Dialect InRounds() {
  Dialect dialect = Resuming();
  dialect.rounds = true;
  return dialect;
}

class CompactionFixture : public RefinementFixture {
 protected:
  static constexpr Range kFirst{1, 3};
  static constexpr Range kSecond{4, 5};

  explicit CompactionFixture(Dialect dialect = {}) : RefinementFixture(true, dialect) {
    Append(kW1, 2);
    Append(kW2, 1);
    Append(kW1, 2);
    Invoke(kC1, ClientOperation::kCompact);
    Invoke(kC2, ClientOperation::kCompact);
  }

  Actions Plan(const Sender& sender, std::int64_t round, PlanPhase phase, Range range,
               const std::string& claimant) {
    return Apply(sender, sim::Txn({}, {PlanIs(round, phase, range, claimant)}));
  }
  Actions Claim(const Sender& sender, const std::string& claimant, std::int64_t round = 1,
                Range range = kFirst, PlanPhase phase = PlanPhase::kWriting) {
    return Plan(sender, round, phase, range, claimant);
  }
  Actions GiveBack(const Sender& sender, std::int64_t round = 1) {
    return Plan(sender, round, PlanPhase::kIdle, {}, "-");
  }
  Actions Write(const Sender& sender, const std::string& claimant, std::int64_t round = 1,
                Range range = kFirst) {
    const IndexValue entry{{EntryType::COMPACTED, range.end - range.start + 1}, "compacted/x", "-"};
    return Apply(sender, sim::Txn({}, {sim::Put(IndexKey(range.end), EncodeIndexValue(entry)),
                                       PlanIs(round, PlanPhase::kDeleting, range, claimant)}));
  }
  Actions Delete(const Sender& sender, const std::string& claimant, std::int64_t round = 1,
                 Range range = kFirst) {
    return Apply(sender, sim::Txn({}, {sim::RangeDelete(IndexKey(range.start), IndexKey(range.end)),
                                       PlanIs(round, PlanPhase::kCursor, range, claimant)}));
  }
  Actions MoveCursor(const Sender& sender, const std::string& claimant, std::int64_t round = 1,
                     Range range = kFirst) {
    return Apply(sender, sim::Txn({}, {Set(kCursorKey, std::to_string(range.end + 1)),
                                       PlanIs(round, PlanPhase::kDone, range, claimant)}));
  }
  Actions Close(const Sender& sender, std::int64_t round = 1) {
    return Plan(sender, round + 1, PlanPhase::kIdle, {}, "-");
  }
  /// Claim, reads, and the step into that phase and those before it.
  void CompactUpTo(PlanPhase phase) {
    Claim(By(kC1), "c1");
    Apply(By(kC1), LookUp(1));
    Apply(By(kC1), LookUp(3));
    if (phase >= PlanPhase::kDeleting) Write(By(kC1), "c1");
    if (phase >= PlanPhase::kCursor) Delete(By(kC1), "c1");
    if (phase >= PlanPhase::kDone) MoveCursor(By(kC1), "c1");
  }
};

class RefinementOfCompactions : public CompactionFixture {};

// ---- CompactStart
// --------------------------------------------------------------------------------

TEST_F(RefinementOfCompactions, StartsAtTheLastReadThatValidatesTheRange) {
  EXPECT_THAT(Claim(By(kC1), "c1"), IsEmpty());
  EXPECT_THAT(Apply(By(kC1), LookUp(1)), IsEmpty());
  EXPECT_THAT(Apply(By(kC1), LookUp(3)), ElementsAre("CompactStart"));
  EXPECT_THAT(Apply(By(kC1), LookUp(3)), IsEmpty()) << "read again, after a lost reply";
}

TEST_F(RefinementOfCompactions, StartsNoLaterThanTheWrite) {
  Claim(By(kC1), "c1");
  EXPECT_THAT(Write(By(kC1), "c1"), ElementsAre("CompactStart", "CompactWriteCompactedIndex"));
}

TEST_F(RefinementOfCompactions, AReadOutOfOrderDoesNotValidate) {
  Claim(By(kC1), "c1");
  EXPECT_THAT(Apply(By(kC1), LookUp(3)), IsEmpty()) << "1..2 were not seen";
  EXPECT_THAT(Apply(By(kC1), LookUp(2)), IsEmpty());
  EXPECT_THAT(Apply(By(kC1), LookUp(1)), IsEmpty());
  EXPECT_THAT(Apply(By(kC1), LookUp(3)), ElementsAre("CompactStart"));
}

TEST_F(RefinementOfCompactions, OnlyTheHoldersReadsValidate) {
  EXPECT_THAT(Apply(By(kC1), LookUp(1)), IsEmpty()) << "before the claim";
  EXPECT_THAT(Apply(By(kC1), LookUp(3)), IsEmpty());
  Claim(By(kC1), "c1");
  EXPECT_THAT(Apply(By(kC2), LookUp(1)), IsEmpty());
  EXPECT_THAT(Apply(By(kC2), LookUp(3)), IsEmpty());
  EXPECT_THAT(Apply(By(kC1, 2), LookUp(1)), IsEmpty()) << "another incarnation";
  EXPECT_THAT(Apply(By(kC1, 2), LookUp(3)), IsEmpty());
  Invoke(kR1, ClientOperation::kRead, 1);
  EXPECT_THAT(Apply(By(kR1), LookUp(1)), ElementsAre("ReadEntry(r1, 1) shows OK"));
  EXPECT_EQ(state.compactor_state, CompactorState::IDLE);
}

TEST_F(RefinementOfCompactions, AnEntryAcrossTheEndDoesNotValidate) {
  Claim(By(kC1), "c1", 1, {1, 4});
  Apply(By(kC1), LookUp(1));
  Apply(By(kC1), LookUp(3));
  EXPECT_THAT(Apply(By(kC1), LookUp(4)), IsEmpty());
}

TEST_F(RefinementOfCompactions, AnEntryAcrossTheStartDoesNotValidate) {
  Claim(By(kC1), "c1", 1, {2, 2});
  EXPECT_THAT(Apply(By(kC1), LookUp(2)), IsEmpty());
}

TEST_F(RefinementOfCompactions, AHoleDoesNotValidate) {
  Apply({kW1}, sim::Single(sim::Delete(IndexKey(3))));
  Claim(By(kC1), "c1", 1, {1, 5});
  for (const Offset offset : {1, 3, 4}) {
    EXPECT_THAT(Apply(By(kC1), LookUp(offset)), IsEmpty()) << offset;
  }
}

TEST_F(RefinementOfCompactions, OnlyReadsBeforeTheWriteValidate) {
  Claim(By(kC2), "c2", 1, kFirst, PlanPhase::kDeleting);
  Apply(By(kC2), LookUp(1));
  EXPECT_THAT(Apply(By(kC2), LookUp(3)), IsEmpty());
}

TEST_F(RefinementOfCompactions, NothingAndOtherRequestsDoNotValidate) {
  Claim(By(kC1), "c1", 1, {1, 7});
  for (const Offset offset : {1, 3, 4, 6}) {
    EXPECT_THAT(Apply(By(kC1), LookUp(offset)), IsEmpty());
  }
  EXPECT_THAT(Apply(By(kC1), sim::Single(sim::Get(IndexKey(3)))), IsEmpty());
  EXPECT_THAT(Apply(By(kC1), sim::Single(sim::CeilingGet("log/"))), IsEmpty());
  EXPECT_THAT(Apply(By(kC1), sim::Txn({}, {})), IsEmpty());
}

TEST_F(RefinementOfCompactions, ACompactedEntryDoesNotValidate) {
  CompactUpTo(PlanPhase::kDeleting);
  Retire(kC1);
  Claim(By(kC2), "c2");
  Apply(By(kC2), LookUp(1));
  EXPECT_THAT(Apply(By(kC2), LookUp(3)), IsEmpty());
}

TEST_F(RefinementOfCompactions, ATakeoverValidatesAnew) {
  Claim(By(kC1), "c1");
  Apply(By(kC1), LookUp(1));
  EXPECT_THAT(Claim(By(kC2), "c2"), IsEmpty());
  EXPECT_THAT(Apply(By(kC2), LookUp(3)), IsEmpty());
  Apply(By(kC2), LookUp(1));
  EXPECT_THAT(Apply(By(kC2), LookUp(3)), ElementsAre("CompactStart"));
}

// ---- The three steps and the end
// -----------------------------------------------------------------

TEST_F(RefinementOfCompactions, TheUpdatesAreTakenAtTheirCommits) {
  CompactUpTo(PlanPhase::kWriting);
  EXPECT_THAT(ApplyObject(By(kC1), PutObject("compacted/x")), IsEmpty());
  EXPECT_THAT(Write(By(kC1), "c1"), ElementsAre("CompactWriteCompactedIndex"));
  EXPECT_THAT(Delete(By(kC1), "c1"), ElementsAre("CompactDeleteOldEntries"));
  EXPECT_THAT(MoveCursor(By(kC1), "c1"), ElementsAre("CompactUpdateCursor"));
  EXPECT_THAT(Close(By(kC1)), ElementsAre("CompactReset"));
  EXPECT_THAT(AnswerOther(kC1), IsEmpty());
  EXPECT_EQ(state.compact_round, 2);
}

TEST_F(RefinementOfCompactions, ADeleteThatFindsNothingIsTaken) {
  CompactUpTo(PlanPhase::kDone);
  Close(By(kC1));
  // The second round is one entry: below its end there is nothing to delete.
  Claim(By(kC1), "c1", 2, kSecond);
  Apply(By(kC1), LookUp(4));
  Write(By(kC1), "c1", 2, kSecond);
  EXPECT_THAT(Delete(By(kC1), "c1", 2, kSecond), ElementsAre("CompactDeleteOldEntries"));
}

TEST_F(RefinementOfCompactions, EntriesDeletedOneByOneAreOneStep) {
  CompactUpTo(PlanPhase::kDeleting);
  EXPECT_THAT(Apply(By(kC1), sim::Txn({}, {sim::Delete(IndexKey(1)), sim::Delete(IndexKey(2)),
                                           PlanIs(1, PlanPhase::kCursor, kFirst, "c1")})),
              ElementsAre("CompactDeleteOldEntries"));
}

TEST_F(RefinementOfCompactions, ARefusedStepIsNone) {
  CompactUpTo(PlanPhase::kDeleting);
  const sim::StoreRequest refused =
      sim::Txn({sim::Absent(std::string(kPlanKey))},
               {sim::RangeDelete(IndexKey(1), IndexKey(3)), Set(kCursorKey, "4")});
  EXPECT_THAT(Apply(By(kC1), refused), IsEmpty());
  EXPECT_TRUE(refinement.observed_changes().empty());
}

TEST_F(RefinementOfCompactions, StepsOutOfOrderAreTranslatedAllTheSame) {
  CompactUpTo(PlanPhase::kWriting);
  EXPECT_THAT(Delete(By(kC1), "c1"),
              ElementsAre("CompactDeleteOldEntries refused: compactorState = \"DELETING_OLD\""));
  EXPECT_THAT(MoveCursor(By(kC1), "c1"),
              ElementsAre("CompactUpdateCursor refused: compactorState = \"UPDATING_CURSOR\""));
}

TEST_F(RefinementOfCompactions, AStepIsTakenWhoeverTakesIt) {
  CompactUpTo(PlanPhase::kWriting);
  EXPECT_THAT(Write({kC1, 1, 0, false}, "c1"), ElementsAre("CompactWriteCompactedIndex"));
}

TEST_F(RefinementOfCompactions, TheLastRoundCompletes) {
  CompactUpTo(PlanPhase::kDone);
  Close(By(kC1));
  Claim(By(kC1), "c1", 2, kSecond);
  Apply(By(kC1), LookUp(4));
  Write(By(kC1), "c1", 2, kSecond);
  Delete(By(kC1), "c1", 2, kSecond);
  MoveCursor(By(kC1), "c1", 2, kSecond);
  EXPECT_THAT(Plan(By(kC1), 2, PlanPhase::kComplete, {}, "-"), ElementsAre("CompactReset"));
  EXPECT_EQ(refinement.observed().plan_phase, PlanPhase::kComplete);
}

// ---- CompactorCrash
// ------------------------------------------------------------------------------

class RefinementOfCrashes : public CompactionFixture,
                            public testing::WithParamInterface<PlanPhase> {};

TEST_P(RefinementOfCrashes, ShowWhenNothingOfTheDeadIsInFlight) {
  CompactUpTo(GetParam());
  EXPECT_THAT(Crash(kC1), IsEmpty());
  EXPECT_THAT(Retire(kC2), IsEmpty()) << "it does not hold the plan";
  EXPECT_THAT(Retire(kC1, 2), IsEmpty()) << "nor does this incarnation";
  EXPECT_THAT(Retire(kC1), ElementsAre("CompactorCrash"));
  EXPECT_THAT(Retire(kC1), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(InEachPhase, RefinementOfCrashes,
                         testing::Values(PlanPhase::kWriting, PlanPhase::kDeleting,
                                         PlanPhase::kCursor));

TEST_F(RefinementOfCompactions, AStepOfTheDeadIsTakenBeforeTheirCrash) {
  CompactUpTo(PlanPhase::kWriting);
  const Sender of_the_dead = Late(kC1);
  Crash(kC1);
  EXPECT_THAT(Write(of_the_dead, "c1"), ElementsAre("CompactWriteCompactedIndex"));
  EXPECT_THAT(Retire(kC1), ElementsAre("CompactorCrash"));
}

TEST_F(RefinementOfCompactions, ACrashBeforeTheStartOrAfterTheCursorIsNone) {
  Claim(By(kC1), "c1");
  EXPECT_THAT(Retire(kC1), IsEmpty());
  GiveBack(By(kC2));
  CompactUpTo(PlanPhase::kDone);
  EXPECT_THAT(Retire(kC1), IsEmpty());
  EXPECT_THAT(Claim(By(kC2), "c2", 1, kFirst, PlanPhase::kDone), IsEmpty());
  EXPECT_THAT(Close(By(kC2)), ElementsAre("CompactReset"));
}

TEST_F(RefinementOfCompactions, AnIncarnationIsToldByItsSuffix) {
  Claim(By(kC1, 21), "c1'21");
  Apply(By(kC1, 21), LookUp(1));
  EXPECT_THAT(Apply(By(kC1, 21), LookUp(3)), ElementsAre("CompactStart"));
  for (const std::uint32_t other : {1U, 2U, 211U}) EXPECT_THAT(Retire(kC1, other), IsEmpty());
  EXPECT_THAT(Retire(kC1, 21), ElementsAre("CompactorCrash"));
}

TEST_F(RefinementOfCompactions, ATakeoverIsTheCrashOfThePredecessor) {
  CompactUpTo(PlanPhase::kWriting);
  EXPECT_THAT(Claim(By(kC2), "c2"), ElementsAre("CompactorCrash"));
  EXPECT_THAT(Retire(kC1), IsEmpty()) << "the predecessor holds nothing any more";
}

TEST_F(RefinementOfCompactions, ATakeoverAfterTheCrashShowedIsNone) {
  CompactUpTo(PlanPhase::kWriting);
  Retire(kC1);
  EXPECT_THAT(Claim(By(kC1, 2), "c1'2"), IsEmpty());
}

TEST_F(RefinementOfCompactions, ARoundGivenBackAfterItsStartIsACrash) {
  CompactUpTo(PlanPhase::kWriting);
  EXPECT_THAT(GiveBack(By(kC1)), ElementsAre("CompactorCrash"));
  EXPECT_THAT(Claim(By(kC1), "c1"), IsEmpty());
  EXPECT_THAT(GiveBack(By(kC1)), IsEmpty()) << "before its start it is nothing";
  CompactUpTo(PlanPhase::kCursor);
  EXPECT_THAT(GiveBack(By(kC1)), ElementsAre("CompactorCrash")) << "and it has not reached its end";
}

TEST_F(RefinementOfCompactions, WithoutTheDialectATakeoverDoesNotResume) {
  CompactUpTo(PlanPhase::kDeleting);
  EXPECT_THAT(Claim(By(kC2), "c2", 1, kFirst, PlanPhase::kDeleting), ElementsAre("CompactorCrash"));
  EXPECT_THAT(Delete(By(kC2), "c2"),
              ElementsAre("CompactDeleteOldEntries refused: compactorState = \"DELETING_OLD\""));
}

// ---- CompactResume
// -------------------------------------------------------------------------------

class RefinementOfResumption : public CompactionFixture {
 protected:
  RefinementOfResumption() : CompactionFixture(Resuming()) {}
};

TEST_F(RefinementOfResumption, IsTakenAtTheTakeover) {
  CompactUpTo(PlanPhase::kDeleting);
  Retire(kC1);
  EXPECT_THAT(Claim(By(kC2), "c2", 1, kFirst, PlanPhase::kDeleting), ElementsAre("CompactResume"));
  EXPECT_THAT(Delete(By(kC2), "c2"), ElementsAre("CompactDeleteOldEntries"));
}

TEST_F(RefinementOfResumption, FollowsTheCrashThatTheTakeoverIs) {
  CompactUpTo(PlanPhase::kCursor);
  EXPECT_THAT(Claim(By(kC2), "c2", 1, kFirst, PlanPhase::kDeleting),
              ElementsAre("CompactorCrash", "CompactResume"));
  EXPECT_THAT(Delete(By(kC2), "c2"), ElementsAre("CompactDeleteOldEntries"));
  EXPECT_THAT(MoveCursor(By(kC2), "c2"), ElementsAre("CompactUpdateCursor"));
  EXPECT_THAT(Close(By(kC2)), ElementsAre("CompactReset"));
}

TEST_F(RefinementOfResumption, IsNotTakenInOtherPhases) {
  CompactUpTo(PlanPhase::kWriting);
  EXPECT_THAT(Claim(By(kC2), "c2"), ElementsAre("CompactorCrash"));
  EXPECT_THAT(Plan(By(kC2), 1, PlanPhase::kDeleting, kFirst, "c2"), IsEmpty())
      << "the holder moves its own plan";
}

// ---- Rounds without end
// --------------------------------------------------------------------------

class RefinementOfRounds : public CompactionFixture {
 protected:
  RefinementOfRounds() : CompactionFixture(InRounds()) {}
  void Compact(std::int64_t round, Range range) {
    Claim(By(kC1), "c1", round, range);
    Write(By(kC1), "c1", round, range);
    Delete(By(kC1), "c1", round, range);
    MoveCursor(By(kC1), "c1", round, range);
  }
};

TEST_F(RefinementOfRounds, ARangeIsKnownFromItsClaimOn) {
  EXPECT_TRUE(constants.ranges.empty());
  Claim(By(kC1), "c1", 1, {1, 2});
  ASSERT_EQ(constants.ranges.size(), 1U);
  EXPECT_EQ(constants.ranges[0], (Range{1, 2}));
  EXPECT_THAT(Apply(By(kC1), LookUp(1)), ElementsAre("CompactStart"));
}

TEST_F(RefinementOfRounds, ATakeoverDoesNotAddOne) {
  Claim(By(kC1), "c1", 1, {1, 2});
  Claim(By(kC2), "c2", 1, {1, 2});
  GiveBack(By(kC2));
  Claim(By(kC1), "c1", 1, {1, 2});
  EXPECT_EQ(constants.ranges.size(), 1U);
}

TEST_F(RefinementOfRounds, RoundsFollowOneAnother) {
  Compact(1, {1, 2});
  EXPECT_THAT(Close(By(kC1), 1), ElementsAre("CompactReset"));
  Compact(2, {3, 5});
  EXPECT_THAT(Close(By(kC1), 2), ElementsAre("CompactReset"));
  EXPECT_EQ(constants.ranges, (std::vector<Range>{{1, 2}, {3, 5}}));
  EXPECT_EQ(state.compact_round, 3);
}

// A plan is complete only where the number of rounds is fixed; it keeps the last one's number.
TEST_F(RefinementOfRounds, TheLastResetGoesPastTheLastRound) {
  Compact(1, {1, 2});
  EXPECT_THAT(Plan(By(kC1), 1, PlanPhase::kComplete, {}, "-"), ElementsAre("CompactReset"));
  EXPECT_EQ(refinement.observed().round, 2);
  EXPECT_EQ(refinement.observed_changes().round, 1);
}

TEST_F(RefinementOfRounds, ARoundThatWasSkippedHasNoRange) {
  Claim(By(kC1), "c1", 3, {1, 2});
  EXPECT_TRUE(constants.ranges.empty());
  EXPECT_THAT(Write(By(kC1), "c1", 3, {1, 2}),
              ElementsAre("CompactStart refused: compactRound <= Len(Ranges)",
                          "CompactWriteCompactedIndex refused: "
                          "compactorState = \"WRITING_COMPACTED_INDEX\""));
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
