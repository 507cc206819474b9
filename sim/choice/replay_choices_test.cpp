#include "sim/choice/replay_choices.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

#include "sim/choice/seeded_choices.h"

namespace lockstep::sim {
namespace {

const Schedule kSchedule = {
    {ChoiceKind::kWorkload, 5, 3}, {ChoiceKind::kEvent, 4, 2}, {ChoiceKind::kNode, 2, 1}};

TEST(ReplayChoices, FollowsTheSchedule) {
  ReplayChoices choices(kSchedule);
  const std::vector<EventLabel> enabled(4);
  EXPECT_EQ(choices.remaining(), 3U);
  EXPECT_EQ(choices.Choose(ChoiceKind::kWorkload, 5), 3U);
  EXPECT_EQ(choices.ChooseEvent(enabled), 2U);
  EXPECT_EQ(choices.remaining(), 1U);
  EXPECT_EQ(choices.Choose(ChoiceKind::kNode, 2), 1U);
  EXPECT_EQ(choices.remaining(), 0U);
  EXPECT_FALSE(choices.divergence().has_value());
  EXPECT_EQ(choices.taken(), kSchedule);
}

TEST(ReplayChoices, DecisionWithOneOutcomeConsumesNothing) {
  ReplayChoices choices(kSchedule);
  EXPECT_EQ(choices.Choose(ChoiceKind::kNode, 1), 0U);
  EXPECT_EQ(choices.remaining(), 3U);
  EXPECT_FALSE(choices.divergence().has_value());
}

TEST(ReplayChoices, RecordedValueMayBeBelowTheLowestOneOfAGenerator) {
  ReplayChoices choices({{ChoiceKind::kFaultGap, 9, 0}});
  EXPECT_EQ(choices.Choose(ChoiceKind::kFaultGap, 9, 1), 0U);
  EXPECT_FALSE(choices.divergence().has_value());
}

TEST(ReplayChoices, DivergesAtAnotherKind) {
  ReplayChoices choices(kSchedule);
  choices.Choose(ChoiceKind::kWorkload, 5);
  EXPECT_EQ(choices.Choose(ChoiceKind::kFaultTarget, 4, 1), 1U);
  ASSERT_TRUE(choices.divergence().has_value());
  EXPECT_EQ(choices.divergence()->position, 1U);
  EXPECT_EQ(choices.divergence()->asked.kind, ChoiceKind::kFaultTarget);
  EXPECT_EQ(choices.divergence()->asked.bound, 4U);
  EXPECT_EQ(choices.divergence()->recorded, kSchedule[1]);
}

TEST(ReplayChoices, DivergesAtAnotherBound) {
  ReplayChoices choices(kSchedule);
  EXPECT_EQ(choices.Choose(ChoiceKind::kWorkload, 6), 0U);
  ASSERT_TRUE(choices.divergence().has_value());
  EXPECT_EQ(choices.divergence()->position, 0U);
  EXPECT_EQ(choices.divergence()->recorded, kSchedule[0]);
}

TEST(ReplayChoices, DivergesAtAValueThatIsNotBelowItsBound) {
  ReplayChoices choices({{ChoiceKind::kNode, 2, 2}});
  EXPECT_EQ(choices.Choose(ChoiceKind::kNode, 2), 0U);
  EXPECT_TRUE(choices.divergence().has_value());
}

TEST(ReplayChoices, DivergesWhenTheScheduleIsExhausted) {
  ReplayChoices choices({});
  EXPECT_EQ(choices.Choose(ChoiceKind::kNode, 9, 4), 4U);
  ASSERT_TRUE(choices.divergence().has_value());
  EXPECT_EQ(choices.divergence()->position, 0U);
  EXPECT_FALSE(choices.divergence()->recorded.has_value());
}

TEST(ReplayChoices, TakesLowestValuesAfterADivergenceAndKeepsTheFirstOne) {
  ReplayChoices choices(kSchedule);
  choices.Choose(ChoiceKind::kNode, 2);  // diverges: the schedule has a workload here
  EXPECT_EQ(choices.Choose(ChoiceKind::kWorkload, 5), 0U);
  EXPECT_EQ(choices.Choose(ChoiceKind::kEvent, 4, 1), 1U);
  EXPECT_EQ(choices.divergence()->position, 0U);
  EXPECT_EQ(choices.divergence()->asked.kind, ChoiceKind::kNode);
  EXPECT_EQ(choices.remaining(), 3U);
  EXPECT_EQ(choices.taken().size(), 3U);
}

// A run that asks for whatever it was answered before, so that one changed decision changes what is
// asked from then on.
void Run(Choices& choices, int decisions) {
  std::uint32_t last = 0;
  for (int i = 0; i < decisions; ++i) {
    const auto kind = static_cast<ChoiceKind>(last % kChoiceKinds);
    last = choices.Choose(kind, 2 + last % 11);
  }
}

RC_GTEST_PROP(ReplayChoices, FollowingASeededRunGivesTheSameRun, (std::uint64_t seed)) {
  SeededChoices seeded(seed);
  Run(seeded, 200);
  ReplayChoices replay(seeded.taken());
  Run(replay, 200);
  RC_ASSERT(!replay.divergence().has_value());
  RC_ASSERT(replay.remaining() == 0U);
  RC_ASSERT(replay.taken() == seeded.taken());
}

RC_GTEST_PROP(ReplayChoices, ReplayOfADivergedReplayDoesNotDiverge, (std::uint64_t seed)) {
  SeededChoices seeded(seed);
  Run(seeded, 200);
  Schedule edited = seeded.taken();
  edited.erase(edited.begin() + *rc::gen::inRange(0, 200));
  ReplayChoices diverged(edited);
  Run(diverged, 200);
  ReplayChoices replay(diverged.taken());
  Run(replay, 200);
  RC_ASSERT(!replay.divergence().has_value());
  RC_ASSERT(replay.taken() == diverged.taken());
}

}  // namespace
}  // namespace lockstep::sim
