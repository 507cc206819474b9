#include "tools/sweep_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SweepRunnerTest : public ::testing::Test {
 protected:
  SweepResult Sweep(std::vector<std::string> names, std::uint64_t first, std::uint64_t last) {
    options_.names = std::move(names);
    options_.seeds = SeedRange{.first = first, .last = last};
    options_.out = folder_.path();
    const auto selected = SelectMany(catalog_, options_);
    const Selection& selection = std::get<Selection>(selected);
    SweepPlan plan(options_, selection);
    CapturedConsole captured;
    SweepRunner runner(catalog_, options_, selection, plan, captured.console());
    SweepResult result = runner.Run();
    problems_ = runner.problems();
    return result;
  }

  static std::vector<std::uint64_t> Seeds(const SweepResult& result) {
    std::vector<std::uint64_t> seeds;
    for (const FailureFacts& facts : result.failures()) seeds.push_back(facts.seed);
    return seeds;
  }

  Catalog catalog_ = FakeCatalog();
  TemporaryFolder folder_;
  Options options_;
  std::vector<std::string> problems_;
};

TEST_F(SweepRunnerTest, FindsRunsThatKillTheirWorkerAndLosesNoOther) {
  options_.jobs = 2;
  options_.hang_seconds = 2;
  const SweepResult result = Sweep({"deadly"}, 1, 200);
  EXPECT_THAT(Seeds(result), ElementsAre(5, 7, 9, 12));
  EXPECT_EQ(result.runs(), 200U);
  EXPECT_EQ(result.steps(), 10U * 196U);
  EXPECT_EQ(result.scenarios()[0].coverage.reached[0], 64U);  // 66 multiples of 3 but 9 and 12.
  EXPECT_EQ(result.worst_failure(), ExitCode::kError);
  EXPECT_EQ(result.failures()[0].property, "ProcessSurvives");
  EXPECT_THAT(result.failures()[0].message, HasSubstr("crashed: signal 6"));
  EXPECT_THAT(result.failures()[1].message, HasSubstr("exit code 1: lockstep: internal error at"));
  EXPECT_THAT(result.failures()[2].message, HasSubstr("hung: no progress for"));
  EXPECT_THAT(result.failures()[3].message, HasSubstr("exception: twelve"));
  EXPECT_EQ(result.failures()[0].reproduce, "lockstep run deadly --seed 0x5");
}

TEST_F(SweepRunnerTest, HasTheSameResultForAnyNumberOfJobs) {
  options_.max_failures = 3;
  for (const unsigned jobs : {1U, 2U, 5U}) {
    options_.jobs = jobs;
    const SweepResult result = Sweep({"steady", "breaks"}, 1, 2000);
    EXPECT_THAT(Seeds(result), ElementsAre(10, 20, 30));
    EXPECT_EQ(result.end(), SweepEnd::kMaxFailures);
    // Chunks of 16 in turns; the third failure ends it after 32 steady and 30 breaks.
    EXPECT_EQ(result.scenarios()[0].runs, 32U) << jobs;
    EXPECT_EQ(result.scenarios()[1].runs, 30U) << jobs;
    EXPECT_EQ(result.last_seed(), 32U);
  }
}

TEST_F(SweepRunnerTest, KeepsGoingWhenAskedTo) {
  options_.keep_going = true;
  const SweepResult result = Sweep({"breaks"}, 1, 200);
  EXPECT_EQ(result.failure_count(), 20U);
  EXPECT_EQ(result.runs(), 200U);
  EXPECT_EQ(result.end(), SweepEnd::kAllSeeds);
}

TEST_F(SweepRunnerTest, RecordsTheFirstFailureOfEachBucket) {
  const SweepResult result = Sweep({"breaks", "stalls"}, 1, 25);
  EXPECT_THAT(Seeds(result), ElementsAre(10, 20, 4, 6));
  EXPECT_EQ(result.failures()[0].trace, folder_.File("breaks-0xa.trace.ndjson"));
  EXPECT_EQ(result.failures()[1].trace, "");
  EXPECT_EQ(result.failures()[2].schedule, folder_.File("stalls-0x4.schedule"));
  EXPECT_TRUE(folder_.Has("breaks-0xa.trace.ndjson"));
  EXPECT_FALSE(folder_.Has("breaks-0x14.trace.ndjson"));
  EXPECT_TRUE(problems_.empty());
}

TEST_F(SweepRunnerTest, FindsARunThatComesOutDifferently) {
  const SweepResult result = Sweep({"flaky"}, 1, 5);
  EXPECT_EQ(result.worst_failure(), ExitCode::kNondeterminism);
  ASSERT_EQ(result.failures().size(), 2U);
  EXPECT_EQ(result.failures()[1].property, "SameRunTwice");
  EXPECT_THAT(result.failures()[1].message, HasSubstr("first NoTens at step 2, then held"));
}

TEST_F(SweepRunnerTest, SpendsABudget) {
  options_.budget_seconds = 1;
  options_.names = {"steady"};
  options_.out = folder_.path();
  const auto selected = SelectMany(catalog_, options_);
  const Selection& selection = std::get<Selection>(selected);
  SweepPlan plan(options_, selection);
  CapturedConsole captured;
  SweepRunner runner(catalog_, options_, selection, plan, captured.console());
  const SweepResult result = runner.Run();
  EXPECT_EQ(result.end(), SweepEnd::kBudget);
  EXPECT_GT(result.runs(), 0U);
  EXPECT_LT(result.seconds(), 20);
}

}  // namespace
}  // namespace lockstep::tools
