// The three steps of a compaction, call by call: what they leave, and that each happens once.
//
// A crash is an exception out of the node's call. Most tests compare the whole store, versions
// included, with that of a compaction nobody disturbed: a step taken twice would show in a version.
#include "protocol/leaderless_log/compactor_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "protocol/leaderless_log/scripted_node_api.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using sim::ObjectOperation;
using testing::ElementsAre;
using testing::IsEmpty;

/// The node dies.
struct Crash {};

constexpr PlanPhase kHeldPhases[] = {PlanPhase::kWriting, PlanPhase::kDeleting, PlanPhase::kCursor,
                                     PlanPhase::kDone};

/// A request that moves the plan to that phase.
CallFilter MovesTo(PlanPhase phase) {
  return [phase](const Call& call) {
    if (!call.store || call.store->operations.back().key != kPlanKey) return false;
    const auto plan = DecodePlan(call.store->operations.back().value);
    return plan && plan->phase == phase;
  };
}
/// A request that closes a round: only then does an idle plan come with a new round.
CallFilter Closes() {
  return [](const Call& call) {
    return MovesTo(PlanPhase::kIdle)(call) || MovesTo(PlanPhase::kComplete)(call);
  };
}

CompactionPolicy TwoRounds(bool resume = false) {
  CompactionPolicy policy;
  policy.ranges = {{1, 3}, {4, 5}};
  policy.resume = resume;
  return policy;
}

/// A log of three entries: 1..2, 3, 4..5.
struct Log {
  Log() {
    services.Append("w1-1", 7, 2);
    services.Append("w2-1", 8, 1);
    services.Append("w1-2", 9, 2);
  }
  /// One attempt of an incarnation that does nothing else. "crashed" when its turn says so.
  std::string CompactAs(const std::string& incarnation, const CompactionPolicy& policy) {
    ScriptedNodeApi api(services, incarnation);
    CompactorNode compactor(api, policy);
    return std::string(CompactStatusName(compactor.CompactOnce()));
  }
  [[nodiscard]] std::string Plan() const { return services.ValueAt(kPlanKey); }

  Services services;
};

class CompactorNodeTest : public testing::Test, protected Log {
 protected:
  std::string CompactOnce(CompactorNode& node) {
    try {
      return std::string(CompactStatusName(node.CompactOnce()));
    } catch (const Crash&) {
      return "crashed";
    }
  }
  std::string CompactOnce() {
    const std::string status = CompactOnce(compactor);
    EXPECT_EQ(api.turns_left(), 0U) << "a turn that no call took";
    return status;
  }
  /// c1 compacts the first round and dies when it has moved the plan to that phase.
  void DieIn(PlanPhase phase) {
    api.When(MovesTo(phase), {.after = [] { throw Crash{}; }});
    EXPECT_EQ(CompactOnce(), "crashed");
  }
  void DeleteObject(const std::string& key) {
    services.objects.Handle({ObjectOperation::kDeleteObject, key, {}});
  }

  ScriptedNodeApi api{services, "c1"};
  CompactorNode compactor{api, TwoRounds()};
};

// ---- Refused
// -------------------------------------------------------------------------------------

TEST_F(CompactorNodeTest, ClaimsNothingThatIsNotInTheLogYet) {
  Services empty;
  ScriptedNodeApi empty_api(empty, "c1");
  CompactorNode node(empty_api, TwoRounds());
  EXPECT_EQ(CompactOnce(node), "not ready");
  EXPECT_EQ(empty.ValueAt(kPlanKey), "");
  empty.Append("w1-1", 7, 2);
  EXPECT_EQ(CompactOnce(node), "not ready");
  empty.Append("w1-2", 8, 1);
  EXPECT_EQ(CompactOnce(node), "compacted");
}

class MisalignedTest : public CompactorNodeTest, public testing::WithParamInterface<Range> {};

TEST_P(MisalignedTest, IsGivenBackAsItWas) {
  CompactionPolicy policy;
  policy.ranges = {GetParam()};
  CompactorNode node(api, policy);
  const auto index = services.Index();
  EXPECT_EQ(CompactOnce(node), "misaligned");
  EXPECT_EQ(services.Index(), index);
  EXPECT_EQ(Plan(), "1 idle 0 0 -");
  EXPECT_EQ(services.ValueAt(kCursorKey), "1");
  EXPECT_EQ(CompactOnce(node), "misaligned");
}

INSTANTIATE_TEST_SUITE_P(CutAtTheStart, MisalignedTest,
                         testing::Values(Range{2, 3}, Range{2, 2}, Range{5, 5}));
INSTANTIATE_TEST_SUITE_P(CutAtTheEnd, MisalignedTest,
                         testing::Values(Range{1, 1}, Range{1, 4}, Range{3, 4}));

TEST_F(CompactorNodeTest, ACompactedEntryIsNotCompactedAgain) {
  services.Put(IndexKey(2), "COMPACTED 2 compacted/c9-1 -");
  EXPECT_EQ(CompactOnce(), "misaligned");
}

TEST_F(CompactorNodeTest, AnEntryThatIsNotThereIsNotReady) {
  services.Apply(sim::Txn({}, {sim::Delete(IndexKey(3)), sim::Delete(IndexKey(5))}));
  EXPECT_EQ(CompactOnce(), "not ready");
  EXPECT_EQ(Plan(), "1 idle 0 0 -");
}

TEST_F(CompactorNodeTest, TheGivenBackRoundMayBeTakenByAnotherMeanwhile) {
  CompactionPolicy policy;
  policy.ranges = {{1, 4}};
  CompactorNode node(api, policy);
  api.When(MovesTo(PlanPhase::kIdle),
           {.before = [this] { services.Put(kPlanKey, "1 writing 1 4 c2"); }});
  EXPECT_EQ(CompactOnce(node), "superseded");
  EXPECT_EQ(Plan(), "1 writing 1 4 c2");
}

// ---- Compacted
// -----------------------------------------------------------------------------------

TEST_F(CompactorNodeTest, ReplacesARangeByOneEntry) {
  EXPECT_EQ(CompactOnce(), "compacted");
  EXPECT_THAT(services.Index(),
              ElementsAre("3 = COMPACTED 3 compacted/c1-1 -", "5 = WAL 2 wal/w1-2 w1-2"));
  EXPECT_EQ(services.ObjectAt("compacted/c1-1"), "7.1\n7.2\n8.1");
  EXPECT_EQ(services.ObjectAt("wal/w1-1"), "");
  EXPECT_EQ(services.ObjectAt("wal/w2-1"), "");
  EXPECT_EQ(services.ObjectAt("wal/w1-2"), "9.1\n9.2");
  EXPECT_EQ(services.ValueAt(kCursorKey), "4");
  EXPECT_EQ(Plan(), "2 idle 0 0 -");
}

TEST_F(CompactorNodeTest, TakesTheStepsInOrder) {
  std::vector<std::string> seen;
  const auto see = [&] {
    seen.push_back(Plan() + "; " + std::to_string(services.Index().size()) + " entries; cursor " +
                   services.ValueAt(kCursorKey));
  };
  for (const PlanPhase phase : kHeldPhases) api.When(MovesTo(phase), {.after = see});
  api.When(Closes(), {.after = see});
  EXPECT_EQ(CompactOnce(), "compacted");
  EXPECT_THAT(
      seen,
      ElementsAre("1 writing 1 3 c1; 3 entries; cursor 1", "1 deleting 1 3 c1; 3 entries; cursor 1",
                  "1 cursor 1 3 c1; 2 entries; cursor 1", "1 done 1 3 c1; 2 entries; cursor 4",
                  "2 idle 0 0 -; 2 entries; cursor 4"));
}

TEST_F(CompactorNodeTest, DeletesObjectsOnlyWhenNoEntryNamesThem) {
  api.When(OnObject(ObjectOperation::kDeleteObject), {.before = [this] {
             EXPECT_EQ(Plan(), "1 done 1 3 c1");
             EXPECT_EQ(services.Index().front(), "3 = COMPACTED 3 compacted/c1-1 -");
           }});
  EXPECT_EQ(CompactOnce(), "compacted");
}

TEST_F(CompactorNodeTest, IsCompleteAfterTheLastRound) {
  EXPECT_EQ(CompactOnce(), "compacted");
  EXPECT_EQ(CompactOnce(), "compacted");
  EXPECT_EQ(Plan(), "2 complete 0 0 -");
  EXPECT_EQ(services.ValueAt(kCursorKey), "6");
  const auto records = services.store.records();
  EXPECT_EQ(CompactOnce(), "complete");
  EXPECT_TRUE(services.store.records() == records);
  EXPECT_THAT(services.Index(),
              ElementsAre("3 = COMPACTED 3 compacted/c1-1 -", "5 = COMPACTED 2 compacted/c1-2 -"));
}

TEST_F(CompactorNodeTest, IsCompleteInARoundThatThePolicyDoesNotKnow) {
  services.Put(kPlanKey, "3 idle 0 0 -");
  EXPECT_EQ(CompactOnce(), "complete");
}

TEST_F(CompactorNodeTest, APlanThatCannotBeReadIsNone) {
  services.Put(kPlanKey, "1 writing 3 1 c9");
  EXPECT_EQ(CompactOnce(), "compacted");
}

TEST_F(CompactorNodeTest, WritesItsObjectUntilItIsThere) {
  for (const Outcome outcome : {Outcome::kRefused, Outcome::kLost, Outcome::kReplyLost}) {
    api.When(OnObject(ObjectOperation::kPutObject), {.outcome = outcome});
  }
  EXPECT_EQ(CompactOnce(), "compacted");
  EXPECT_EQ(api.backoffs(), 3U);
}

TEST_F(CompactorNodeTest, AnObjectThatIsNotDeletedStays) {
  api.When(OnObject(ObjectOperation::kDeleteObject), {.outcome = Outcome::kLost});
  EXPECT_EQ(CompactOnce(), "compacted");
  EXPECT_EQ(services.ObjectAt("wal/w1-1"), "7.1\n7.2");
}

TEST_F(CompactorNodeTest, GoesOnWithItsOwnPlanWhenASourceWasGone) {
  DeleteObject("wal/w1-1");
  EXPECT_EQ(CompactOnce(), "superseded");
  EXPECT_EQ(Plan(), "1 writing 1 3 c1");
  services.objects.Handle({ObjectOperation::kPutObject, "wal/w1-1", "7.1\n7.2"});
  EXPECT_EQ(CompactOnce(), "compacted");
}

// ---- Chosen ranges
// -------------------------------------------------------------------------------

class ChosenRangesTest : public CompactorNodeTest {
 protected:
  static CompactionPolicy Choose(std::int64_t offsets_min, std::int64_t offsets_max) {
    CompactionPolicy policy;
    policy.chosen_offsets_min = offsets_min;
    policy.chosen_offsets_max = offsets_max;
    return policy;
  }
};

TEST_F(ChosenRangesTest, ARangeGrowsToTheEndOfAnEntry) {
  CompactorNode node(api, Choose(1, 5));
  EXPECT_EQ(CompactOnce(node), "compacted");
  EXPECT_EQ(services.Index().front(), "2 = COMPACTED 2 compacted/c1-1 -");
  EXPECT_EQ(CompactOnce(node), "compacted");
  EXPECT_EQ(CompactOnce(node), "compacted");
  EXPECT_THAT(services.Index(),
              ElementsAre("2 = COMPACTED 2 compacted/c1-1 -", "3 = COMPACTED 1 compacted/c1-2 -",
                          "5 = COMPACTED 2 compacted/c1-3 -"));
  EXPECT_EQ(Plan(), "4 idle 0 0 -");
  EXPECT_EQ(CompactOnce(node), "not ready");
}

TEST_F(ChosenRangesTest, WaitsUntilThereIsEnough) {
  CompactorNode node(api, Choose(6, 9));
  EXPECT_EQ(CompactOnce(node), "not ready");
  services.Append("w1-3", 10, 3);
  EXPECT_EQ(CompactOnce(node), "compacted");
  EXPECT_THAT(services.Index(), ElementsAre("8 = COMPACTED 8 compacted/c1-1 -"));
}

TEST_F(ChosenRangesTest, ARangeIsNotLongerThanAllowed) {
  CompactorNode node(api, Choose(4, 4));
  EXPECT_EQ(CompactOnce(node), "not ready") << "no entry ends at 4";
  CompactorNode wider(api, Choose(4, 5));
  EXPECT_EQ(CompactOnce(wider), "compacted");
  EXPECT_THAT(services.Index(), ElementsAre("5 = COMPACTED 5 compacted/c1-1 -"));
}

// ---- Once
// ----------------------------------------------------------------------------------------

/// Whatever happens to one call, the store is as after a compaction that nobody disturbed.
TEST(CompactorNodeOnce, EveryStepIsTakenOnceWhateverBecomesOfACall) {
  Log undisturbed;
  ScriptedNodeApi undisturbed_api(undisturbed.services, "c1");
  std::vector<bool> reads_object;  // by call
  undisturbed_api.When(
      [&reads_object](const Call& call) {
        reads_object.push_back(OnObject(ObjectOperation::kGetObject)(call));
        return false;
      },
      {});
  EXPECT_EQ(CompactorNode(undisturbed_api, TwoRounds()).CompactOnce(), CompactStatus::kCompacted);
  const auto disturbed = [&](std::size_t call, Outcome outcome, bool twin) {
    Log log;
    ScriptedNodeApi api(log.services, "c1");
    api.AtCall(call, {.outcome = outcome, .twin = twin});
    EXPECT_EQ(CompactorNode(api, TwoRounds()).CompactOnce(), CompactStatus::kCompacted);
    EXPECT_EQ(api.turns_left(), 0U);
    log.services.DeliverLate();
    EXPECT_TRUE(log.services.store.records() == undisturbed.services.store.records());
  };
  for (std::size_t call = 1; call <= reads_object.size(); ++call) {
    for (const Outcome outcome : kOutcomes) {
      // Only writing an object can fail.
      if (reads_object[call - 1] && outcome == Outcome::kRefused) continue;
      for (const bool twin : {false, true}) {
        SCOPED_TRACE(testing::Message() << "call " << call << ", outcome "
                                        << static_cast<int>(outcome) << ", twin " << twin);
        disturbed(call, outcome, twin);
      }
    }
  }
}

// ---- Takeover
// ------------------------------------------------------------------------------------

struct Takeover {
  PlanPhase died_in;
  bool resume;
  const char* status;
  friend std::ostream& operator<<(std::ostream& out, const Takeover& takeover) {
    return out << PlanPhaseName(takeover.died_in) << ", resume " << takeover.resume;
  }
};

class TakeoverTest : public CompactorNodeTest, public testing::WithParamInterface<Takeover> {};

TEST_P(TakeoverTest, GoesOnWhereThePredecessorDied) {
  DieIn(GetParam().died_in);
  const auto left = services.store.records();
  std::string claim;
  ScriptedNodeApi successor_api(services, "c1'2");
  successor_api.When(Writes(kPlanKey), {.after = [&] { claim = Plan(); }});
  CompactorNode successor(successor_api, TwoRounds(GetParam().resume));
  EXPECT_EQ(CompactOnce(successor), GetParam().status);
  if (GetParam().status == std::string("stuck")) {
    EXPECT_TRUE(services.store.records() == left);
    return;
  }
  // The module resumes with the deletion, whether or not it has been made.
  const PlanPhase from =
      GetParam().died_in == PlanPhase::kCursor ? PlanPhase::kDeleting : GetParam().died_in;
  EXPECT_EQ(claim, "1 " + std::string(PlanPhaseName(from)) + " 1 3 c1'2");
  EXPECT_EQ(Plan(), "2 idle 0 0 -");
  EXPECT_EQ(services.ValueAt(kCursorKey), "4");
  const std::string object = GetParam().died_in == PlanPhase::kWriting ? "c1'2-1" : "c1-1";
  EXPECT_THAT(services.Index(),
              ElementsAre("3 = COMPACTED 3 compacted/" + object + " -", "5 = WAL 2 wal/w1-2 w1-2"));
  EXPECT_EQ(services.ObjectAt("compacted/" + object), "7.1\n7.2\n8.1");
}

// What the predecessor had sent comes after the takeover, and finds another version of the plan.
// Where nothing was taken over it finds the version it knows: a dead holder's step is still a step.
TEST_P(TakeoverTest, NothingOfThePredecessorTakesEffectAfterwards) {
  const PlanPhase died_in = GetParam().died_in;
  const CallFilter next = died_in == PlanPhase::kWriting    ? MovesTo(PlanPhase::kDeleting)
                          : died_in == PlanPhase::kDeleting ? MovesTo(PlanPhase::kCursor)
                          : died_in == PlanPhase::kCursor   ? MovesTo(PlanPhase::kDone)
                                                            : Closes();
  api.When(next, {.outcome = Outcome::kLate, .after = [] { throw Crash{}; }});
  EXPECT_EQ(CompactOnce(), "crashed");
  if (GetParam().status == std::string("stuck")) {
    EXPECT_EQ(CompactAs("c1'2", TwoRounds()), "stuck");
    services.DeliverLate();
    EXPECT_GT(DecodePlan(Plan())->phase, died_in);
    return;
  }
  ScriptedNodeApi successor_api(services, "c1'2");
  successor_api.When(Closes(), {.before = [this] { services.DeliverLate(); }});
  CompactorNode successor(successor_api, TwoRounds(GetParam().resume));
  EXPECT_EQ(CompactOnce(successor), "compacted");
  const auto records = services.store.records();
  services.DeliverLate();
  EXPECT_TRUE(services.store.records() == records);
  EXPECT_EQ(Plan(), "2 idle 0 0 -");
  EXPECT_EQ(services.ValueAt(kCursorKey), "4");
  EXPECT_EQ(services.Index().size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(WithoutResumption, TakeoverTest,
                         testing::Values(Takeover{PlanPhase::kWriting, false, "compacted"},
                                         Takeover{PlanPhase::kDeleting, false, "stuck"},
                                         Takeover{PlanPhase::kCursor, false, "stuck"},
                                         Takeover{PlanPhase::kDone, false, "compacted"}));
INSTANTIATE_TEST_SUITE_P(WithResumption, TakeoverTest,
                         testing::Values(Takeover{PlanPhase::kWriting, true, "compacted"},
                                         Takeover{PlanPhase::kDeleting, true, "compacted"},
                                         Takeover{PlanPhase::kCursor, true, "compacted"},
                                         Takeover{PlanPhase::kDone, true, "compacted"}));

// ---- Superseded
// ----------------------------------------------------------------------------------

class SupersededTest : public CompactorNodeTest, public testing::WithParamInterface<PlanPhase> {};

// c1 stands still before a step; c2 takes the plan over and finishes the round. Then c1 goes on.
TEST_P(SupersededTest, TheOldHolderHasNoEffectAnyMore) {
  sim::StoreModel::Records finished;
  api.When(MovesTo(GetParam()), {.before = [&] {
             EXPECT_EQ(CompactAs("c2", TwoRounds(true)), "compacted");
             finished = services.store.records();
           }});
  EXPECT_EQ(CompactOnce(), "superseded");
  EXPECT_TRUE(services.store.records() == finished);
  EXPECT_EQ(Plan(), "2 idle 0 0 -");
}

// The same, but c2 has only just taken the plan over.
TEST_P(SupersededTest, TheOldHolderLeavesTheNewOneAtItsWork) {
  std::string claim;
  api.When(MovesTo(GetParam()), {.before = [&] {
             auto plan = DecodePlan(Plan()).value_or(
                 leaderless_log::Plan{1, PlanPhase::kWriting, {1, 3}, {}});
             plan.claimant = "c2";
             claim = EncodePlan(plan);
             services.Put(kPlanKey, claim);
           }});
  EXPECT_EQ(CompactOnce(), "superseded");
  EXPECT_EQ(Plan(), claim);
  EXPECT_EQ(CompactAs("c3", TwoRounds(true)), "compacted");
  EXPECT_EQ(services.Index().size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(BeforeEachStep, SupersededTest, testing::ValuesIn(kHeldPhases));

TEST_F(CompactorNodeTest, SupersededWhenAnotherHasDeletedTheSources) {
  api.When(OnObject(ObjectOperation::kGetObject),
           {.before = [this] { EXPECT_EQ(CompactAs("c2", TwoRounds(true)), "compacted"); }});
  EXPECT_EQ(CompactOnce(), "superseded");
  EXPECT_EQ(services.Index().front(), "3 = COMPACTED 3 compacted/c2-1 -");
  EXPECT_THAT(services.ObjectAt("compacted/c1-1"), IsEmpty());
}

TEST_F(CompactorNodeTest, SupersededBeforeTheCloseUnlessTheOtherHasClosedIt) {
  api.When(Closes(), {.before = [this] { services.Put(kPlanKey, "1 done 1 3 c2"); }});
  EXPECT_EQ(CompactOnce(), "superseded");
  EXPECT_EQ(Plan(), "1 done 1 3 c2");
  // A closed round has no holder: who closed it makes no difference.
  CompactorNode other(api, TwoRounds());
  api.When(Closes(), {.before = [this] { EXPECT_EQ(CompactAs("c3", TwoRounds()), "compacted"); }});
  EXPECT_EQ(CompactOnce(other), "compacted");
  EXPECT_EQ(Plan(), "2 idle 0 0 -");
}

TEST(CompactStatus, HasNames) {
  EXPECT_EQ(CompactStatusName(CompactStatus::kCompacted), "compacted");
  EXPECT_EQ(CompactStatusName(CompactStatus::kNotReady), "not ready");
  EXPECT_EQ(CompactStatusName(CompactStatus::kMisaligned), "misaligned");
  EXPECT_EQ(CompactStatusName(CompactStatus::kStuck), "stuck");
  EXPECT_EQ(CompactStatusName(CompactStatus::kSuperseded), "superseded");
  EXPECT_EQ(CompactStatusName(CompactStatus::kComplete), "complete");
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
