#include "tools/sweep_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SweepCommandTest : public ::testing::Test {
 protected:
  SweepCommandTest() {
    options_.out = folder_.path();
    options_.runs = 30;
    options_.jobs = 2;
  }

  ExitCode Sweep(std::vector<std::string> names) {
    CapturedConsole captured;
    options_.names = std::move(names);
    const ExitCode code = SweepCommand(FakeCatalog(), options_, captured.console());
    out_ = captured.out();
    err_ = captured.err();
    return code;
  }

  TemporaryFolder folder_;
  Options options_;
  std::string out_;
  std::string err_;
};

TEST_F(SweepCommandTest, RejectsBadInputBeforeTheFirstRun) {
  EXPECT_EQ(Sweep({"stady"}), ExitCode::kError);
  EXPECT_THAT(err_, HasSubstr("lockstep: sweep: unknown scenario"));
  options_.out = folder_.Write("file", "keep");
  EXPECT_EQ(Sweep({"steady"}), ExitCode::kError);
  EXPECT_THAT(err_, HasSubstr("lockstep: sweep: --out: "));
  EXPECT_EQ(out_, "");
  EXPECT_EQ(folder_.Read("file"), "keep");
}

TEST_F(SweepCommandTest, TheWorstWins) {
  EXPECT_EQ(Sweep({"steady"}), ExitCode::kHolds);
  EXPECT_EQ(Sweep({"lazy"}), ExitCode::kInconclusive);
  EXPECT_EQ(Sweep({"unsure"}), ExitCode::kInconclusive);
  EXPECT_EQ(Sweep({"stalls"}), ExitCode::kConformance);
  EXPECT_EQ(Sweep({"stalls", "breaks"}), ExitCode::kSafety);
  EXPECT_EQ(Sweep({"flaky", "breaks"}), ExitCode::kNondeterminism);
  options_.hang_seconds = 1;
  EXPECT_EQ(Sweep({"deadly", "breaks"}), ExitCode::kError);
}

TEST_F(SweepCommandTest, LeavesOutWhatBelongsToNoDefaultSweep) {
  EXPECT_EQ(Sweep({}), ExitCode::kInconclusive);  // steady and lazy
  EXPECT_THAT(out_, HasSubstr("60 runs"));
  EXPECT_THAT(out_, Not(HasSubstr("breaks")));
}

TEST_F(SweepCommandTest, NamesWhatWasNotReached) {
  Sweep({"lazy"});
  EXPECT_THAT(out_, HasSubstr("not met    lazy: situation far\n           lazy: action Rest\n"));
  EXPECT_THAT(out_, HasSubstr("verdict    inconclusive"));
  options_.faults = ParseFaults("delay");
  EXPECT_EQ(Sweep({"lazy"}), ExitCode::kHolds);
  EXPECT_THAT(out_, HasSubstr("is not judged: --faults left some out"));
}

TEST_F(SweepCommandTest, SaysWhatWasDoneAndHowToDoItAgain) {
  Sweep({"steady"});
  EXPECT_THAT(out_,
              HasSubstr("steady         30 runs      300 steps  0 failed  states 8/8 (100%)"));
  EXPECT_THAT(out_, HasSubstr("faults     delay 15, crash 0\n"));
  EXPECT_THAT(out_, HasSubstr("actions    Step 60, Rest 30\n"));
  EXPECT_THAT(out_, HasSubstr("reached    mark 10\n"));
  EXPECT_THAT(out_, HasSubstr("reproduce  lockstep sweep steady --seeds 1..30\n"));
  options_.verbose = true;
  Sweep({"steady"});
  EXPECT_THAT(out_, HasSubstr("  actions  Step 60, Rest 30\n"));
}

TEST_F(SweepCommandTest, ShowsTheFirstOfEachBucketAndALineForEachOther) {
  EXPECT_EQ(Sweep({"breaks"}), ExitCode::kSafety);
  EXPECT_THAT(out_, HasSubstr("FAIL  breaks / NoTens   seed 0xa   step 2   safety\n"));
  EXPECT_THAT(out_, HasSubstr("fail  breaks / NoTens   seed 0x14   step 2\n"));
  EXPECT_THAT(out_, HasSubstr("lockstep replay " + folder_.File("breaks-0xa.schedule")));
}

TEST_F(SweepCommandTest, HasTheJsonThatOthersRelyOn) {
  options_.json = true;
  options_.mutant = "tens";
  EXPECT_EQ(Sweep({}), ExitCode::kSafety);
  const auto document = nlohmann::ordered_json::parse(out_);
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"scenarios", "runs", "steps", "seconds",
                                            "steps_per_second", "verdict", "failures", "coverage",
                                            "failure_count", "ended"}));
  EXPECT_EQ(document.at("scenarios").at(0), "steady");
  EXPECT_EQ(document.at("runs"), 30);
  EXPECT_EQ(document.at("verdict"), "violated");
  ASSERT_EQ(document.at("failures").size(), 3U);
  const auto& failure = document.at("failures").at(0);
  keys.clear();
  for (const auto& [key, value] : failure.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"scenario", "seed", "property", "step", "bucket",
                                            "shrunk_steps", "schedule", "trace"}));
  EXPECT_EQ(failure.at("seed"), 10);
  EXPECT_TRUE(failure.at("shrunk_steps").is_null());
  EXPECT_EQ(failure.at("schedule"), folder_.File("steady-tens-0xa.schedule"));
  EXPECT_TRUE(document.at("failures").at(1).at("schedule").is_null());
  const auto& coverage = document.at("coverage");
  EXPECT_EQ(coverage.at("actions").at("Step"), 60);
  EXPECT_EQ(coverage.at("states_seen"), 8);
  EXPECT_EQ(coverage.at("faults").at("delay"), 15);
  EXPECT_EQ(coverage.at("reached").at("mark"), 10);
  EXPECT_THAT(err_, HasSubstr("FAIL  steady / NoTens"));
}

TEST_F(SweepCommandTest, ABudgetThatLeavesSeedsOverIsInconclusive) {
  options_.runs = std::uint64_t{1} << 40U;
  options_.budget_seconds = 1;
  EXPECT_EQ(Sweep({"steady"}), ExitCode::kInconclusive);
  EXPECT_THAT(out_, HasSubstr("the budget was spent"));
  options_.runs.reset();
  EXPECT_EQ(Sweep({"steady"}), ExitCode::kHolds);
}

}  // namespace
}  // namespace lockstep::tools
