#include "tools/walk_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tools/fake_catalog.h"
#include "tools/replay_command.h"

namespace lockstep::tools {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class WalkCommandTest : public ::testing::Test {
 protected:
  WalkCommandTest() {
    options_.out = folder_.File("out");
    options_.names = {"leaderless_log"};
  }

  ExitCode Walk() {
    CapturedConsole captured;
    const ExitCode code = WalkCommand(options_, captured.console());
    out_ = captured.out();
    err_ = captured.err();
    return code;
  }

  json WalkJson(ExitCode code) {
    options_.json = true;
    EXPECT_EQ(Walk(), code) << err_;
    options_.json = false;
    return json::parse(out_);
  }

  void ExpectRefusal(const std::string& line) {
    EXPECT_EQ(Walk(), ExitCode::kError);
    EXPECT_EQ(out_, "");
    EXPECT_THAT(err_, AllOf(StartsWith("lockstep: walk: "), HasSubstr(line)));
  }

  TemporaryFolder folder_;
  Options options_;
  std::string out_;
  std::string err_;
};

TEST_F(WalkCommandTest, RejectsWhatIsNotThere) {
  options_.config = "large";
  ExpectRefusal("unknown configuration \"large\"");
  options_.config = folder_.File("nothing.json");
  ExpectRefusal("No such file or directory");
  options_.config = "small";
  options_.dialect = "nonsense";
  ExpectRefusal("unknown dialect \"nonsense\"");
  options_.names = {"raft"};
  ExpectRefusal("unknown protocol \"raft\"");
}

TEST_F(WalkCommandTest, AViolationIsSavedComesBackAndIsReproduced) {
  options_.names = {"task_claiming"};
  options_.dialect = "recover_markdown";
  options_.max_steps = 200;
  const json document = WalkJson(ExitCode::kSafety);
  EXPECT_EQ(document.at("verdict"), "violated");
  EXPECT_EQ(document.at("property"), "LockConsistency");
  const std::string trace = document.at("trace");
  const std::string bytes = folder_.Read(trace.substr(folder_.path().size() + 1));
  Options replay;
  replay.names = {trace};
  CapturedConsole captured;
  EXPECT_EQ(ReplayCommand(FakeCatalog(), replay, captured.console()), ExitCode::kSafety);
  // The line that reproduces it says all that it depends on.
  EXPECT_EQ(Walk(), ExitCode::kSafety);
  const std::string seed = document.at("seed").dump();
  EXPECT_THAT(out_, HasSubstr("  reproduce:  lockstep walk task_claiming --config small --dialect "
                              "recover_markdown --max-steps 200 --seed 0x"));
  options_.seed = document.at("seed").get<std::uint64_t>();
  const json again = WalkJson(ExitCode::kSafety);
  EXPECT_EQ(again.at("runs"), 1);
  EXPECT_EQ(again.at("seed").dump(), seed);
  EXPECT_EQ(folder_.Read(trace.substr(folder_.path().size() + 1)), bytes);
}

TEST_F(WalkCommandTest, SaysWhatTheContractPromises) {
  options_.runs = 50;
  options_.max_steps = 40;
  const json document = WalkJson(ExitCode::kHolds);
  EXPECT_EQ(document.at("protocol"), "leaderless_log");
  EXPECT_EQ(document.at("config"), "small");
  EXPECT_EQ(document.at("runs"), 50);
  EXPECT_EQ(document.at("steps"), 50 * 40) << "the log can always go on";
  EXPECT_TRUE(document.at("seconds").is_number());
  EXPECT_TRUE(document.at("steps_per_second").is_number());
  EXPECT_EQ(document.at("verdict"), "holds");
  EXPECT_TRUE(document.at("property").is_null());
  EXPECT_TRUE(document.at("trace").is_null());
  EXPECT_FALSE(folder_.Has("out"));
}

TEST_F(WalkCommandTest, ASeedAloneIsOneRun) {
  options_.seed = 9;
  EXPECT_EQ(WalkJson(ExitCode::kHolds).at("runs"), 1);
  options_.runs = 3;
  EXPECT_EQ(WalkJson(ExitCode::kHolds).at("runs"), 3);
  options_.seed.reset();
  options_.runs.reset();
  EXPECT_EQ(WalkJson(ExitCode::kHolds).at("runs"), 1000);
}

TEST_F(WalkCommandTest, WalksEveryKindOfModel) {
  options_.runs = 20;
  options_.config = "medium";
  EXPECT_EQ(Walk(), ExitCode::kHolds);
  EXPECT_THAT(out_, StartsWith("walk       leaderless_log, medium: 20 runs, 2,000 steps in "));
  options_.names = {"task_claiming"};
  options_.config = "four_quotient";
  EXPECT_EQ(Walk(), ExitCode::kHolds);
}

}  // namespace
}  // namespace lockstep::tools
