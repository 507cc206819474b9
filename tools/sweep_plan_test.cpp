#include "tools/sweep_plan.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

Selection Two() {
  const auto selected = SelectMany(FakeCatalog(), Options());
  return std::get<Selection>(selected);
}

std::set<std::pair<std::size_t, std::uint64_t>> AllOf(SweepPlan plan) {
  std::set<std::pair<std::size_t, std::uint64_t>> runs;
  while (const auto chunk = plan.Next()) {
    for (std::uint64_t i = 0; i < chunk->count; ++i) {
      EXPECT_TRUE(runs.emplace(chunk->scenario, chunk->first_seed + i * chunk->stride).second);
    }
  }
  return runs;
}

TEST(SweepPlan, GivesOutEverySeedOfEveryScenario) {
  Options options;
  options.seeds = SeedRange{.first = 5, .last = 104};
  const auto runs = AllOf(SweepPlan(options, Two()));
  EXPECT_EQ(runs.size(), 200U);
  EXPECT_EQ(runs.begin()->second, 5U);
  EXPECT_EQ(runs.rbegin()->second, 104U);
  EXPECT_EQ(SweepPlan(options, Two()).total_runs(), 200U);
  EXPECT_EQ(AllOf(SweepPlan(Options(), Two())).size(), 2 * kDefaultSeeds.last);
}

RC_GTEST_PROP(SweepPlan, ShardsAreDisjointAndTogetherEverything, ()) {
  const auto first = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const auto count = *rc::gen::inRange<std::uint64_t>(1, 300);
  const auto shards = *rc::gen::inRange<std::uint64_t>(1, 20);
  Options options;
  options.seeds = SeedRange{.first = first, .last = first + count - 1};
  const auto whole = AllOf(SweepPlan(options, Two()));
  std::set<std::pair<std::size_t, std::uint64_t>> together;
  std::size_t sum = 0;
  for (std::uint64_t i = 1; i <= shards; ++i) {
    options.shard = {.index = i, .count = shards};
    const auto part = AllOf(SweepPlan(options, Two()));
    sum += part.size();
    together.insert(part.begin(), part.end());
  }
  RC_ASSERT(sum == whole.size());
  RC_ASSERT(together == whole);
}

TEST(SweepPlan, TakesTurnsAmongScenarios) {
  SweepPlan plan(Options(), Two());
  EXPECT_EQ(plan.Next()->scenario, 0U);
  EXPECT_EQ(plan.Next()->scenario, 1U);
  EXPECT_EQ(plan.Next()->scenario, 0U);
}

TEST(SweepPlan, OneSeedIsExactlyThatRun) {
  Options options;
  options.seed = std::numeric_limits<std::uint64_t>::max();
  SweepPlan plan(options, Two());
  EXPECT_TRUE(plan.single_seed());
  EXPECT_EQ(plan.total_runs(), 2U);
  EXPECT_EQ(plan.Next()->first_seed, *options.seed);
  EXPECT_TRUE(plan.Next().has_value());
  EXPECT_FALSE(plan.Next().has_value());
}

TEST(SweepPlan, ABudgetAloneHasNoEnd) {
  Options options;
  options.budget_seconds = 60;
  SweepPlan plan(options, Two());
  EXPECT_EQ(plan.total_runs(), std::nullopt);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(plan.Next().has_value());
  EXPECT_EQ(plan.SeedsText(), "1..");
  options.runs = 7;
  EXPECT_EQ(SweepPlan(options, Two()).total_runs(), 14U);
}

TEST(SweepPlan, ReproducesTheSweep) {
  Options options;
  options.names = {"steady", "lazy"};
  options.runs = 9;
  options.shard = {.index = 2, .count = 3};
  options.keep_going = true;
  EXPECT_EQ(SweepPlan(options, Two()).Reproduce(options, Two(), 4),
            "lockstep sweep steady lazy --seeds 1..9 --shard 2/3 --keep-going");
  Options budget;
  budget.budget_seconds = 5;
  EXPECT_EQ(SweepPlan(budget, Two()).Reproduce(budget, Two(), 400),
            "lockstep sweep --seeds 1..400");
}

}  // namespace
}  // namespace lockstep::tools
