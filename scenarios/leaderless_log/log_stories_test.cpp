#include "scenarios/leaderless_log/log_stories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/test_support.h"

namespace lockstep::scenarios {
namespace {

using ::testing::Contains;
using ::testing::Not;

TEST(LogStories, AreOfTheModule) {
  EXPECT_EQ(LogScenario().protocol, "leaderless_log");
  EXPECT_EQ(LogScenario().spec, "LeaderlessLog");
}

TEST(LogStories, LeaveOutTheActionsNamedAndNoOthers) {
  EXPECT_EQ(LogActionsWithout({}).size(), protocol::leaderless_log::kActionKinds);
  const auto actions = LogActionsWithout({"CompactResume", "FenceLog"});
  EXPECT_EQ(actions.size(), protocol::leaderless_log::kActionKinds - 2);
  EXPECT_THAT(actions, Not(Contains("CompactResume")));
  EXPECT_THAT(actions, Not(Contains("FenceLog")));
  EXPECT_THAT(actions, Contains("UnfenceLog"));
}

/// A mutant's node is another class than the correct one; the other roles stay as they are.
TEST(LogStories, PlayWithTheMutantsNodes) {
  const Scenario& scenario = *FindScenario("log_small");
  RunSpec spec = SpecOf(scenario, 1);
  EXPECT_EQ(RunOf(spec).verdict, invariants::Verdict::kHolds);
  spec.mutant = FindMutant("pointer_before_data");
  EXPECT_EQ(RunOf(spec).verdict, invariants::Verdict::kViolated);
}

}  // namespace
}  // namespace lockstep::scenarios
