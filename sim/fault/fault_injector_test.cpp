#include "sim/fault/fault_injector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "sim/choice/choices.h"
#include "sim/choice/replay_choices.h"
#include "sim/choice/seeded_choices.h"

namespace lockstep::sim {
namespace {

constexpr std::size_t Index(FaultKind kind) { return static_cast<std::size_t>(kind); }

FaultPlan Only(FaultKind kind, std::uint32_t period) {
  FaultPlan plan{};
  plan[Index(kind)] = period;
  return plan;
}

TEST(DrawFaultPlan, UsesPermittedKindsOnly) {
  const FaultSet permitted =
      FaultSet().Add(FaultKind::kCrash).Add(FaultKind::kDelay).Add(FaultKind::kPauseLong);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededChoices choices(seed);
    const FaultPlan plan = DrawFaultPlan(permitted, choices);
    for (const FaultInfo& info : FaultTable()) {
      if (permitted.Has(info.kind)) continue;
      EXPECT_EQ(plan[Index(info.kind)], 0U) << info.name;
    }
    EXPECT_EQ(choices.taken().size(), 3U);
  }
}

TEST(DrawFaultPlan, PermittingNothingDecidesNothing) {
  SeededChoices choices(7);
  EXPECT_EQ(DrawFaultPlan(FaultSet(), choices), FaultPlan{});
  EXPECT_TRUE(choices.taken().empty());
}

TEST(DrawFaultPlan, HasEachKindOffOrAtOneOfThreeStrengths) {
  constexpr std::uint32_t kSeeds = 3000;
  std::array<std::uint32_t, kFaultKinds> off{};
  std::array<std::set<std::uint32_t>, kFaultKinds> periods;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SeededChoices choices(seed);
    const FaultPlan plan = DrawFaultPlan(FaultSet::All(), choices);
    for (std::size_t i = 0; i < kFaultKinds; ++i) {
      if (plan[i] == 0) ++off[i];
      periods[i].insert(plan[i]);
    }
  }
  for (const FaultInfo& info : FaultTable()) {
    const std::set<std::uint32_t> expected = {0, info.period, info.period * 3, info.period * 10};
    EXPECT_EQ(periods[Index(info.kind)], expected) << info.name;
    // One run out of three: 1000 with a standard deviation of 26; five of them either way.
    EXPECT_GT(off[Index(info.kind)], 870U) << info.name;
    EXPECT_LT(off[Index(info.kind)], 1130U) << info.name;
  }
}

TEST(DrawFaultPlan, FollowsTheSeed) {
  SeededChoices first(11);
  SeededChoices second(11);
  SeededChoices other(12);
  const FaultPlan plan = DrawFaultPlan(FaultSet::All(), first);
  EXPECT_EQ(DrawFaultPlan(FaultSet::All(), second), plan);
  EXPECT_NE(DrawFaultPlan(FaultSet::All(), other), plan);
  EXPECT_EQ(first.taken(), second.taken());
}

TEST(DescribePlan, NamesWhatIsOn) {
  EXPECT_EQ(DescribePlan(FaultPlan{}), "none");
  FaultPlan plan = Only(FaultKind::kReplyLost, 60);
  EXPECT_EQ(DescribePlan(plan), "reply_lost/60");
  plan[Index(FaultKind::kCrash)] = 80;
  EXPECT_EQ(DescribePlan(plan), "reply_lost/60 crash/80");
}

TEST(FaultInjector, NeverFiresWhatIsOff) {
  SeededChoices choices(3);
  FaultInjector faults(Only(FaultKind::kCrash, 2), choices);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(faults.Fires(FaultKind::kDelay));
  EXPECT_EQ(faults.struck()[Index(FaultKind::kDelay)], 0U);
  EXPECT_EQ(choices.taken().size(), 1U) << "one gap, for the kind that is on";
}

TEST(FaultInjector, StrikesAfterEachDrawnGap) {
  const FaultKind kind = FaultKind::kRequestLost;
  const std::uint32_t bound = 20;  // period 10
  ReplayChoices choices({{ChoiceKind::kFaultGap, bound, 3},
                         {ChoiceKind::kFaultGap, bound, 1},
                         {ChoiceKind::kFaultGap, bound, 19},
                         {ChoiceKind::kFaultGap, bound, 2}});
  FaultInjector faults(Only(kind, 10), choices);
  std::vector<int> strikes;
  for (int opportunity = 1; opportunity <= 25; ++opportunity) {
    if (faults.Fires(kind)) strikes.push_back(opportunity);
  }
  EXPECT_EQ(strikes, (std::vector<int>{3, 4, 23, 25}));
  EXPECT_EQ(choices.remaining(), 0U);
}

TEST(FaultInjector, AGapOfZeroInAScheduleMeansNeverAgain) {
  const FaultKind kind = FaultKind::kRequestLost;
  ReplayChoices choices({{ChoiceKind::kFaultGap, 20, 3}, {ChoiceKind::kFaultGap, 20, 0}});
  FaultInjector faults(Only(kind, 10), choices);
  std::vector<int> strikes;
  for (int opportunity = 1; opportunity <= 1000; ++opportunity) {
    if (faults.Fires(kind)) strikes.push_back(opportunity);
  }
  EXPECT_EQ(strikes, (std::vector<int>{3}));
  EXPECT_FALSE(choices.divergence().has_value());
}

TEST(FaultInjector, StopEndsAllFaults) {
  SeededChoices choices(5);
  FaultPlan plan;
  plan.fill(2);
  FaultInjector faults(plan, choices);
  for (const FaultInfo& info : FaultTable()) {
    bool fired = false;
    for (int i = 0; i < 4 && !fired; ++i) fired = faults.Fires(info.kind);
    EXPECT_TRUE(fired) << info.name;
  }
  const auto struck = faults.struck();
  const Schedule taken = choices.taken();
  faults.Stop();
  for (const FaultInfo& info : FaultTable()) {
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(faults.Fires(info.kind)) << info.name;
  }
  EXPECT_EQ(faults.struck(), struck);
  EXPECT_EQ(choices.taken(), taken);
}

TEST(FaultInjector, CountsEveryStrikeAndWhatOthersReport) {
  SeededChoices choices(9);
  FaultPlan plan;
  plan.fill(3);
  FaultInjector faults(plan, choices);
  std::array<std::uint64_t, kFaultKinds> expected{};
  for (int i = 0; i < 500; ++i) {
    for (const FaultInfo& info : FaultTable()) {
      if (faults.Fires(info.kind)) ++expected[Index(info.kind)];
    }
  }
  EXPECT_EQ(faults.struck(), expected);
  faults.Count(FaultKind::kPauseLong);
  ++expected[Index(FaultKind::kPauseLong)];
  EXPECT_EQ(faults.struck(), expected);
}

TEST(FaultInjector, AGapIsBetweenOneAndTwicePeriodAndThePeriodOnAverage) {
  constexpr std::uint64_t kStrikes = 20'000;
  for (const std::uint32_t period : {1U, 2U, 5U, 80U, 300U}) {
    SeededChoices choices(period);
    FaultInjector faults(Only(FaultKind::kCrash, period), choices);
    std::uint64_t opportunities = 0;
    std::uint64_t gap = 0;
    std::uint64_t shortest = UINT64_MAX;
    std::uint64_t longest = 0;
    for (std::uint64_t strikes = 0; strikes < kStrikes;) {
      ++opportunities;
      ++gap;
      if (!faults.Fires(FaultKind::kCrash)) continue;
      shortest = std::min(shortest, gap);
      longest = std::max(longest, gap);
      gap = 0;
      ++strikes;
    }
    EXPECT_EQ(shortest, 1U) << period;
    EXPECT_EQ(longest, 2U * period - 1U) << period;
    // Uniform on 1 .. 2p-1: mean p, standard deviation below p; over 20,000 draws the mean's is
    // below p / 141. Within p / 50 of p.
    EXPECT_LE(opportunities * 50, kStrikes * period * 51) << period;
    EXPECT_GE(opportunities * 50, kStrikes * period * 49) << period;
  }
}

TEST(FaultInjector, FollowsTheSeed) {
  const auto run = [](std::uint64_t seed) {
    SeededChoices choices(seed);
    const FaultPlan plan = DrawFaultPlan(FaultSet::All(), choices);
    FaultInjector faults(plan, choices);
    std::vector<std::pair<int, FaultKind>> strikes;
    for (int i = 0; i < 1000; ++i) {
      for (const FaultInfo& info : FaultTable()) {
        if (faults.Fires(info.kind)) strikes.emplace_back(i, info.kind);
      }
    }
    return strikes;
  };
  EXPECT_EQ(run(21), run(21));
  EXPECT_NE(run(21), run(22));
}

}  // namespace
}  // namespace lockstep::sim
