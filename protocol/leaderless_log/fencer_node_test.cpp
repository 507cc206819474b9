#include "protocol/leaderless_log/fencer_node.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/leaderless_log/scripted_node_api.h"

namespace lockstep::protocol::leaderless_log {
namespace {

class FencerNodeTest : public testing::Test {
 protected:
  static CallFilter Moves() { return Writes(kStateKey); }
  static CallFilter ReadsEnd() { return Reads(kStateKey); }

  FenceResult Fence() {
    const FenceResult result = fencer.Fence();
    EXPECT_EQ(api.turns_left(), 0U) << "a turn that no call took";
    return result;
  }
  [[nodiscard]] std::string LogIs() const { return services.ValueAt(kStateKey); }
  [[nodiscard]] sim::Version StateVersion() const {
    return services.store.Find(kStateKey)->version;
  }

  Services services;
  ScriptedNodeApi api{services, "f1"};
  FencerNode fencer{api};
};

TEST_F(FencerNodeTest, OpenedAgainBeforeTheEndWasReadIsNotFenced) {
  api.When(ReadsEnd(), {.before = [this] { services.Unfence(); }});
  const FenceResult result = Fence();
  EXPECT_FALSE(result.fenced);
  EXPECT_EQ(result.sealed_end, 0);
  EXPECT_EQ(result.epoch, 0);
}

TEST_F(FencerNodeTest, FencesAndReadsTheEnd) {
  services.Append("w1-1", 1, 3);
  const FenceResult result = Fence();
  EXPECT_TRUE(result.fenced);
  EXPECT_EQ(result.sealed_end, 3);
  EXPECT_EQ(result.epoch, StateVersion());
  EXPECT_EQ(LogIs(), "FENCED");
  EXPECT_EQ(api.calls(), 2U);
}

TEST_F(FencerNodeTest, AnEmptyLogEndsAtNothing) { EXPECT_EQ(Fence().sealed_end, 0); }

TEST_F(FencerNodeTest, WhatIsAppendedBeforeTheFenceIsBelowTheEnd) {
  api.When(Moves(), {.before = [this] { services.Append("w1-1", 1, 2); }});
  EXPECT_EQ(Fence().sealed_end, 2);
}

// Another's fence is as good as one's own: the same epoch, the same end.
TEST_F(FencerNodeTest, AConflictIsAnothersFence) {
  services.Append("w1-1", 1, 2);
  services.Fence();
  const sim::Version epoch = StateVersion();
  const FenceResult result = Fence();
  EXPECT_TRUE(result.fenced);
  EXPECT_EQ(result.sealed_end, 2);
  EXPECT_EQ(result.epoch, epoch);
}

TEST_F(FencerNodeTest, AFenceWithoutReplyIsFoundToBeOnesOwn) {
  api.When(Moves(), {.outcome = Outcome::kReplyLost});
  const FenceResult result = Fence();
  EXPECT_TRUE(result.fenced);
  EXPECT_EQ(result.epoch, StateVersion());
  EXPECT_EQ(api.backoffs(), 1U);
}

TEST_F(FencerNodeTest, AsksUntilItIsAnswered) {
  services.Append("w1-1", 1, 2);
  for (const Outcome outcome : {Outcome::kLost, Outcome::kRefused, Outcome::kLate}) {
    api.When(Moves(), {.outcome = outcome});
    api.When(ReadsEnd(), {.outcome = outcome});
  }
  const FenceResult result = Fence();
  EXPECT_TRUE(result.fenced);
  EXPECT_EQ(result.sealed_end, 2);
  EXPECT_EQ(api.backoffs(), 6U);
  services.DeliverLate();
  EXPECT_EQ(LogIs(), "FENCED");
}

// The epoch is of the fence whose end is told, although this fencer's own is long past.
TEST_F(FencerNodeTest, FencedAgainMeanwhileItTellsTheLatestFence) {
  api.When(ReadsEnd(), {.before = [this] {
             services.Unfence();
             services.Append("w1-1", 1, 4);
             services.Fence();
           }});
  const FenceResult result = Fence();
  EXPECT_TRUE(result.fenced);
  EXPECT_EQ(result.sealed_end, 4);
  EXPECT_EQ(result.epoch, StateVersion());
}

TEST_F(FencerNodeTest, ALogWithoutStateIsNotFenced) {
  services.Apply(sim::Single(sim::Delete(std::string(kStateKey))));
  EXPECT_FALSE(Fence().fenced);
}

TEST_F(FencerNodeTest, UnfencesWhateverTheOutcome) {
  for (const Outcome outcome : kOutcomes) {
    services.Fence();
    api.When(Moves(), {.outcome = outcome});
    fencer.Unfence();
    EXPECT_EQ(LogIs(), "OPEN") << static_cast<int>(outcome);
    services.DeliverLate();
    EXPECT_EQ(LogIs(), "OPEN") << static_cast<int>(outcome);
  }
}

TEST_F(FencerNodeTest, UnfencingAnOpenLogChangesNothing) {
  const auto records = services.store.records();
  fencer.Unfence();
  EXPECT_TRUE(services.store.records() == records);
}

// What the compare-and-set by value cannot tell apart: the module allows both moves at any time.
TEST_F(FencerNodeTest, ALateFenceFencesWhatIsOpenAgain) {
  api.When(Moves(), {.twin = true});
  EXPECT_TRUE(Fence().fenced);
  fencer.Unfence();
  services.DeliverLate();
  EXPECT_EQ(LogIs(), "FENCED");
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
