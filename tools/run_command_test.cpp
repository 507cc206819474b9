#include "tools/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Ran {
  ExitCode code;
  std::string out;
  std::string err;
};

class RunCommandTest : public ::testing::Test {
 protected:
  Ran Run(const std::string& scenario, std::uint64_t seed) {
    CapturedConsole captured;
    options_.names = {scenario};
    options_.seed = seed;
    if (!options_.out_given) options_.out = folder_.path();
    const ExitCode code = RunCommand(FakeCatalog(), options_, captured.console());
    return {code, captured.out(), captured.err()};
  }

  TemporaryFolder folder_;
  Options options_;
};

TEST_F(RunCommandTest, RejectsBadInputBeforeAnythingIsWritten) {
  const Ran unknown = Run("stady", 1);
  EXPECT_EQ(unknown.code, ExitCode::kError);
  EXPECT_EQ(unknown.out, "");
  EXPECT_THAT(unknown.err, HasSubstr("lockstep: run: unknown scenario \"stady\""));
  options_.out = folder_.Write("file", "keep");
  options_.out_given = true;
  const Ran unwritable = Run("steady", 1);
  EXPECT_EQ(unwritable.code, ExitCode::kError);
  EXPECT_THAT(unwritable.err, HasSubstr("lockstep: run: --out: "));
  EXPECT_EQ(folder_.Read("file"), "keep");
}

TEST_F(RunCommandTest, ExitsByTheKindOfTheViolation) {
  EXPECT_EQ(Run("steady", 10).code, ExitCode::kHolds);
  EXPECT_EQ(Run("breaks", 10).code, ExitCode::kSafety);
  EXPECT_EQ(Run("stalls", 4).code, ExitCode::kLiveness);
  EXPECT_EQ(Run("stalls", 6).code, ExitCode::kConformance);
  EXPECT_EQ(Run("unsure", 3).code, ExitCode::kInconclusive);
  options_.mutant = "tens";
  EXPECT_EQ(Run("steady", 10).code, ExitCode::kSafety);
}

TEST_F(RunCommandTest, SavesTheRunAndSaysHowToMakeItAgain) {
  const Ran ran = Run("steady", 42);
  EXPECT_TRUE(folder_.Has("steady-0x2a.trace.ndjson"));
  EXPECT_TRUE(folder_.Has("steady-0x2a.schedule"));
  EXPECT_THAT(ran.out, HasSubstr("drawn      delay/12\n"));
  EXPECT_THAT(ran.out, HasSubstr("verdict    holds\n"));
  EXPECT_THAT(ran.out, HasSubstr("digest     xxh3:"));
  EXPECT_THAT(ran.out, HasSubstr("reproduce  lockstep run steady --seed 0x2a\n"));
  EXPECT_EQ(ran.err, "");
}

TEST_F(RunCommandTest, ShowsWhatBroke) {
  const Ran ran = Run("breaks", 10);
  EXPECT_THAT(ran.out, HasSubstr("FAIL  breaks / NoTens   seed 0xa   step 2   safety\n"));
  EXPECT_THAT(ran.out, HasSubstr("no seed is a multiple of ten"));
  EXPECT_THAT(ran.out, HasSubstr("lockstep export "));
}

TEST_F(RunCommandTest, HasTheJsonThatOthersRelyOn) {
  options_.json = true;
  const Ran good = Run("steady", 42);
  const auto document = nlohmann::ordered_json::parse(good.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"scenario", "seed", "steps", "verdict", "digest",
                                            "violation", "trace", "schedule"}));
  EXPECT_EQ(document.at("seed"), 42);
  EXPECT_TRUE(document.at("violation").is_null());
  const Ran bad = Run("breaks", 10);
  const nlohmann::json violation = nlohmann::json::parse(bad.out).at("violation");
  EXPECT_EQ(violation.at("property"), "NoTens");
  EXPECT_EQ(violation.at("step"), 2);
  EXPECT_EQ(violation.at("action"), "Step(a)");
  EXPECT_EQ(violation.at("expected").at("x"), 1);
  EXPECT_EQ(violation.at("actual").at("x"), 10);
  EXPECT_EQ(violation.at("enabled").size(), 2U);
  EXPECT_THAT(bad.err, HasSubstr("FAIL  breaks / NoTens"));
}

TEST_F(RunCommandTest, ARunThatCrashesIsAnErrorThatNamesIt) {
  EXPECT_EXIT((void)Run("deadly", 5), ::testing::ExitedWithCode(1),
              "lockstep: lockstep run deadly --seed 0x5 crashed: signal 6");
}

TEST_F(RunCommandTest, QuietSaysOnlyTheVerdict) {
  options_.quiet = true;
  EXPECT_THAT(Run("steady", 1).out, Not(HasSubstr("reproduce")));
  options_.json = true;
  EXPECT_EQ(Run("breaks", 10).err, "");
}

TEST_F(RunCommandTest, VerboseShowsEveryTable) {
  options_.verbose = true;
  const Ran ran = Run("steady", 3);
  EXPECT_THAT(ran.out, HasSubstr("             2  Step\n"));
  EXPECT_THAT(ran.out, HasSubstr("             1  mark\n"));
  EXPECT_THAT(ran.out, HasSubstr("             1  delay\n"));
}

}  // namespace
}  // namespace lockstep::tools
