#include "sim/choice/seeded_choices.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace lockstep::sim {
namespace {

using Values = std::vector<std::uint32_t>;

Values Draw(Choices& choices, ChoiceKind kind, std::uint32_t bound, int count,
            std::uint32_t at_least = 0) {
  Values values;
  for (int i = 0; i < count; ++i) values.push_back(choices.Choose(kind, bound, at_least));
  return values;
}

// From the implementation that gives the golden draws of rng_test.cpp.
TEST(SeededChoices, GoldenFirstDecisions) {
  SeededChoices choices(1);
  EXPECT_EQ(Draw(choices, ChoiceKind::kEvent, 10, 6), (Values{3, 2, 0, 4, 3, 3}));
  EXPECT_EQ(Draw(choices, ChoiceKind::kWorkload, 10, 6), (Values{8, 4, 2, 8, 2, 2}));
  EXPECT_EQ(Draw(choices, ChoiceKind::kFaultGap, 10, 4, 1), (Values{3, 1, 6, 1}));
}

TEST(SeededChoices, SameSeedGivesTheSameSchedule) {
  SeededChoices a(77);
  SeededChoices b(77);
  SeededChoices other(78);
  for (SeededChoices* choices : {&a, &b, &other}) {
    for (std::size_t i = 0; i < 500; ++i) {
      choices->Choose(static_cast<ChoiceKind>(i % kChoiceKinds), 1000);
    }
  }
  EXPECT_EQ(a.taken(), b.taken());
  EXPECT_NE(a.taken(), other.taken());
}

TEST(SeededChoices, DrawsOfOneKindDoNotShiftAnother) {
  for (std::size_t i = 0; i < kChoiceKinds; ++i) {
    const auto kind = static_cast<ChoiceKind>(i);
    SeededChoices quiet(3);
    SeededChoices busy(3);
    for (std::size_t j = 0; j < kChoiceKinds; ++j) {
      if (j != i) Draw(busy, static_cast<ChoiceKind>(j), 100, 50);
    }
    EXPECT_EQ(Draw(quiet, kind, 1000, 50), Draw(busy, kind, 1000, 50)) << ChoiceKindName(kind);
  }
}

TEST(SeededChoices, KindsHaveStreamsOfTheirOwn) {
  SeededChoices choices(3);
  std::vector<Values> streams;
  for (std::size_t i = 0; i < kChoiceKinds; ++i) {
    streams.push_back(Draw(choices, static_cast<ChoiceKind>(i), 1000, 10));
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(streams[i], streams[j]);
  }
}

TEST(SeededChoices, DecisionWithOneOutcomeDrawsNothing) {
  SeededChoices asked(3);
  SeededChoices not_asked(3);
  Draw(asked, ChoiceKind::kNode, 1, 50);
  EXPECT_EQ(Draw(asked, ChoiceKind::kNode, 1000, 50), Draw(not_asked, ChoiceKind::kNode, 1000, 50));
}

TEST(SeededChoices, ReachesEveryValueFromTheLowestToTheBound) {
  SeededChoices choices(3);
  std::vector<int> seen(5, 0);
  for (const std::uint32_t value : Draw(choices, ChoiceKind::kFaultGap, 5, 200, 2)) ++seen[value];
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[1], 0);
  EXPECT_GT(seen[2], 0);
  EXPECT_GT(seen[3], 0);
  EXPECT_GT(seen[4], 0);
}

TEST(SeededChoices, EventsComeFromTheStreamOfTheirKind) {
  SeededChoices by_event(3);
  SeededChoices by_kind(3);
  const std::vector<EventLabel> enabled(7);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(by_event.ChooseEvent(enabled), by_kind.Choose(ChoiceKind::kEvent, 7));
  }
}

}  // namespace
}  // namespace lockstep::sim
