#include "tools/sweep_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Selection Two() {
  const auto selected = SelectMany(FakeCatalog(), Options());
  return std::get<Selection>(selected);
}

Segment Ran(std::vector<std::uint64_t> actions, std::vector<std::uint64_t> reached) {
  Segment segment;
  segment.runs = 5;
  segment.steps = 50;
  segment.coverage.actions = std::move(actions);
  segment.coverage.reached = std::move(reached);
  segment.coverage.states = {1, 2, 3};
  return segment;
}

FailureFacts Failed(std::string scenario, std::uint64_t seed, ExitCode kind) {
  FailureFacts facts;
  facts.scenario = std::move(scenario);
  facts.seed = seed;
  facts.kind = kind;
  facts.property = "NoTens";
  return facts;
}

TEST(SweepResult, MissesWhatWasNeverReached) {
  const Selection selection = Two();
  SweepResult result(selection);
  result.Add(0, Ran({4, 2}, {1}));
  result.Add(1, Ran({4, 0}, {0}));
  result.Finish(SweepEnd::kAllSeeds, 1);
  const Reaching reaching = JudgeReaching(result, selection, false);
  EXPECT_TRUE(reaching.asked);
  EXPECT_THAT(reaching.missing,
              ElementsAre(NotReached{.scenario = "lazy", .kind = "must_reach", .name = "far"},
                          NotReached{.scenario = "lazy", .kind = "action", .name = "Rest"}));
}

TEST(SweepResult, DoesNotAskAMutantToReachEverything) {
  Selection selection = Two();
  SweepResult result(selection);
  result.Finish(SweepEnd::kAllSeeds, 1);
  EXPECT_TRUE(JudgeReaching(result, selection, false).asked);
  EXPECT_FALSE(JudgeReaching(result, selection, true).asked);
  const Catalog catalog = FakeCatalog();
  selection.mutant = catalog.FindMutant("tens");
  EXPECT_FALSE(JudgeReaching(result, selection, false).asked);
  selection = Two();
  selection.faults = sim::FaultSet();
  EXPECT_FALSE(JudgeReaching(result, selection, false).asked);
  result.Finish(SweepEnd::kMaxFailures, 1);
  EXPECT_FALSE(JudgeReaching(result, Two(), false).asked);
}

TEST(SweepResult, DoesNotAskAScenarioThatIsExpectedToBreak) {
  Options options;
  options.names = {"breaks"};
  const auto selected = SelectMany(FakeCatalog(), options);
  const Selection& selection = std::get<Selection>(selected);
  SweepResult result(selection);
  result.Finish(SweepEnd::kAllSeeds, 1);
  EXPECT_FALSE(JudgeReaching(result, selection, false).asked);
  EXPECT_THAT(JudgeReaching(result, selection, false).missing, IsEmpty());
}

TEST(SweepResult, AddsUp) {
  SweepResult result(Two());
  result.Add(0, Ran({4, 2}, {1}));
  result.Add(0, Ran({1, 1}, {0}));
  EXPECT_EQ(result.runs(), 10U);
  EXPECT_EQ(result.steps(), 100U);
  EXPECT_EQ(result.states_seen(), 3U);
  EXPECT_EQ(result.states_total(), 8U);
  EXPECT_THAT(result.scenarios()[0].coverage.actions, ElementsAre(5, 3));
}

TEST(SweepResult, OrdersFailuresAndKeepsTheWorst) {
  SweepResult result(Two());
  result.AddFailure(1, Failed("lazy", 2, ExitCode::kLiveness));
  result.AddFailure(0, Failed("steady", 9, ExitCode::kConformance));
  result.AddFailure(0, Failed("steady", 3, ExitCode::kLiveness));
  result.Finish(SweepEnd::kAllSeeds, 1);
  EXPECT_EQ(result.failures()[0].seed, 3U);
  EXPECT_EQ(result.failures()[1].seed, 9U);
  EXPECT_EQ(result.failures()[2].scenario, "lazy");
  EXPECT_EQ(result.worst_failure(), ExitCode::kConformance);
}

TEST(SweepResult, CountsMoreFailuresThanItKeeps) {
  SweepResult result(Two());
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    result.AddFailure(0, Failed("steady", seed, ExitCode::kSafety));
  }
  result.AddFailure(1, Failed("lazy", 1, ExitCode::kSafety));
  EXPECT_EQ(result.failure_count(), 1501U);
  EXPECT_EQ(result.failures().size(), SweepResult::kFailuresKept + 1);
  EXPECT_EQ(result.failures().back().scenario, "lazy");
}

TEST(ExitCodes, TheWorstWins) {
  EXPECT_EQ(Worst(ExitCode::kHolds, ExitCode::kInconclusive), ExitCode::kInconclusive);
  EXPECT_EQ(Worst(ExitCode::kLiveness, ExitCode::kConformance), ExitCode::kConformance);
  EXPECT_EQ(Worst(ExitCode::kConformance, ExitCode::kSafety), ExitCode::kSafety);
  EXPECT_EQ(Worst(ExitCode::kSafety, ExitCode::kNondeterminism), ExitCode::kNondeterminism);
  EXPECT_EQ(Worst(ExitCode::kNondeterminism, ExitCode::kError), ExitCode::kError);
  EXPECT_EQ(Worst(ExitCode::kHolds, ExitCode::kHolds), ExitCode::kHolds);
}

}  // namespace
}  // namespace lockstep::tools
