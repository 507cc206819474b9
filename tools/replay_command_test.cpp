#include "tools/replay_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tools/fake_catalog.h"
#include "traces/schedule_file.h"
#include "traces/trace_writer.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

class ReplayCommandTest : public ::testing::Test {
 protected:
  traces::Trace Recorded(std::string_view scenario, std::uint64_t seed) {
    scenarios::RunSpec spec;
    spec.scenario = catalog_.FindScenario(scenario);
    spec.seed = seed;
    spec.record_trace = true;
    return *catalog_.run(spec).trace;
  }

  ExitCode Replay(std::string_view bytes) {
    CapturedConsole captured;
    options_.names = {folder_.Write("file", bytes)};
    const ExitCode code = ReplayCommand(catalog_, options_, captured.console());
    out_ = captured.out();
    err_ = captured.err();
    return code;
  }

  Catalog catalog_ = FakeCatalog();
  TemporaryFolder folder_;
  Options options_;
  std::string out_;
  std::string err_;
};

TEST_F(ReplayCommandTest, RejectsATraceThatComesOutDifferently) {
  traces::Trace trace = Recorded("steady", 42);
  trace.steps[1].time = 77;
  EXPECT_EQ(Replay(traces::WriteTrace(trace)), ExitCode::kNondeterminism);
  EXPECT_THAT(out_, HasSubstr("FAIL  steady / SameRunTwice"));
  EXPECT_THAT(out_, HasSubstr("step 2 is not as recorded"));
  EXPECT_THAT(out_, HasSubstr("  recorded:   {\"n\":2,\"t\":77,"));
  EXPECT_THAT(out_, HasSubstr("  now:        {\"n\":2,\"t\":10,"));
  options_.json = true;
  EXPECT_EQ(Replay(traces::WriteTrace(trace)), ExitCode::kNondeterminism);
  const nlohmann::json document = nlohmann::json::parse(out_);
  EXPECT_EQ(document.at("verdict"), "violated");
  EXPECT_EQ(document.at("violation").at("property"), "SameRunTwice");
  EXPECT_EQ(document.at("violation").at("step"), 2);
}

TEST_F(ReplayCommandTest, RejectsAScheduleThatDoesNotFit) {
  traces::ScheduleFile file = traces::ScheduleOf(Recorded("steady", 42));
  file.schedule.pop_back();
  EXPECT_EQ(Replay(traces::PrintSchedule(file)), ExitCode::kNondeterminism);
  EXPECT_THAT(out_, HasSubstr("the schedule does not fit: decision 1: something else"));
}

TEST_F(ReplayCommandTest, RejectsBadFilesInOneLine) {
  EXPECT_EQ(Replay("hello\n"), ExitCode::kError);
  EXPECT_EQ(out_, "");
  EXPECT_THAT(err_, HasSubstr("lockstep: replay: "));
}

TEST_F(ReplayCommandTest, GivesTheSameTraceAgain) {
  const traces::Trace trace = Recorded("steady", 42);
  EXPECT_EQ(Replay(traces::WriteTrace(trace)), ExitCode::kHolds);
  EXPECT_THAT(out_, HasSubstr("digest     " + traces::TraceDigest(trace)));
  EXPECT_EQ(Replay(traces::PrintSchedule(traces::ScheduleOf(trace))), ExitCode::kHolds);
  EXPECT_THAT(out_, HasSubstr("digest     " + traces::TraceDigest(trace)));
}

TEST_F(ReplayCommandTest, AcceptsATraceOfAnotherVersionWithTheSameSteps) {
  traces::Trace trace = Recorded("steady", 42);
  trace.header.lockstep_version = "0.0.1";
  EXPECT_EQ(Replay(traces::WriteTrace(trace)), ExitCode::kHolds);
}

TEST_F(ReplayCommandTest, ExitsByTheVerdictOfTheRun) {
  EXPECT_EQ(Replay(traces::WriteTrace(Recorded("breaks", 10))), ExitCode::kSafety);
  EXPECT_THAT(out_, HasSubstr("FAIL  breaks / NoTens"));
}

TEST_F(ReplayCommandTest, WritesFilesOnlyWhenAskedTo) {
  const traces::Trace trace = Recorded("steady", 42);
  options_.out = folder_.File("out");
  EXPECT_EQ(Replay(traces::WriteTrace(trace)), ExitCode::kHolds);
  EXPECT_FALSE(folder_.Has("out"));
  options_.out_given = true;
  EXPECT_EQ(Replay(traces::WriteTrace(trace)), ExitCode::kHolds);
  EXPECT_EQ(folder_.Read("out/steady-0x2a.trace.ndjson"), traces::WriteTrace(trace));
}

}  // namespace
}  // namespace lockstep::tools
