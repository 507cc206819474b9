#include "tools/run_again.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tools/fake_catalog.h"
#include "traces/schedule_file.h"
#include "traces/trace_writer.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

class RunAgainTest : public ::testing::Test {
 protected:
  RunAgainTest() {
    scenarios::RunSpec spec;
    spec.scenario = catalog_.FindScenario("steady");
    spec.mutant = catalog_.FindMutant("tens");
    spec.seed = 42;
    spec.faults = sim::FaultSet().Add(sim::FaultKind::kCrash);
    spec.max_steps = 5;
    spec.record_trace = true;
    trace_ = *catalog_.run(spec).trace;
  }

  std::string Problem(std::string_view bytes) {
    const auto read = ReadRunAgain(catalog_, folder_.Write("file", bytes));
    const auto* error = std::get_if<FileError>(&read);
    if (error == nullptr) return "no problem";
    EXPECT_EQ(error->line.find('\n'), std::string::npos);
    return error->line;
  }

  Catalog catalog_ = FakeCatalog();
  TemporaryFolder folder_;
  traces::Trace trace_;
};

TEST_F(RunAgainTest, RejectsForeignFilesByNameAndLine) {
  EXPECT_THAT(Problem(""), HasSubstr("file:1: an empty file; accepted: a first line"));
  EXPECT_THAT(Problem("hello\n"), HasSubstr("neither a lockstep trace nor a schedule"));
  EXPECT_THAT(Problem(std::string("\x7f"
                                  "ELF\0\0\n",
                                  7)),
              HasSubstr("accepted: a first line"));
  const auto missing = ReadRunAgain(catalog_, folder_.File("missing"));
  EXPECT_THAT(std::get<FileError>(missing).line, HasSubstr("No such file"));
  EXPECT_TRUE(std::holds_alternative<FileError>(ReadRunAgain(catalog_, folder_.path())));
}

TEST_F(RunAgainTest, RejectsTruncatedFilesAndOtherVersions) {
  const std::string bytes = traces::WriteTrace(trace_);
  EXPECT_THAT(Problem(bytes.substr(0, bytes.find('\n') + 1)), HasSubstr("truncated"));
  std::string other = bytes;
  other.replace(other.find("\"version\":1"), 11, "\"version\":7");
  EXPECT_THAT(Problem(other), HasSubstr("this build reads version 1"));
}

TEST_F(RunAgainTest, RejectsWhatThisBuildDoesNotHave) {
  traces::Trace trace = trace_;
  trace.header.scenario = "stedy";
  EXPECT_THAT(Problem(traces::WriteTrace(trace)),
              HasSubstr("file:1: unknown scenario \"stedy\"; accepted: steady"));
  trace = trace_;
  trace.header.mutant = "tons";
  EXPECT_THAT(Problem(traces::WriteTrace(trace)), HasSubstr("unknown mutant \"tons\""));
  trace = trace_;
  trace.header.faults = {"earthquake"};
  EXPECT_THAT(Problem(traces::WriteTrace(trace)), HasSubstr("unknown fault \"earthquake\""));
  trace = trace_;
  trace.header.seed = "0xq";
  EXPECT_THAT(Problem(traces::WriteTrace(trace)), HasSubstr("the seed \"0xq\""));
  trace = trace_;
  trace.header.max_steps = std::int64_t{1} << 50U;
  EXPECT_THAT(Problem(traces::WriteTrace(trace)), HasSubstr("max_steps"));
}

TEST_F(RunAgainTest, ReadsATrace) {
  const auto read = ReadRunAgain(catalog_, folder_.Write("file", traces::WriteTrace(trace_)));
  const RunAgain& again = std::get<RunAgain>(read);
  ASSERT_TRUE(again.trace.has_value());
  EXPECT_EQ(again.spec.scenario->name, "steady");
  EXPECT_EQ(again.spec.mutant->name, "tens");
  EXPECT_EQ(again.spec.seed, 42U);
  EXPECT_EQ(again.spec.max_steps, 5);
  EXPECT_EQ(again.spec.faults, sim::FaultSet().Add(sim::FaultKind::kCrash));
  EXPECT_EQ(again.schedule, trace_.schedule);
}

TEST_F(RunAgainTest, ReadsASchedule) {
  const std::string bytes = traces::PrintSchedule(traces::ScheduleOf(trace_));
  const auto read = ReadRunAgain(catalog_, folder_.Write("file", bytes));
  const RunAgain& again = std::get<RunAgain>(read);
  EXPECT_FALSE(again.trace.has_value());
  EXPECT_EQ(again.spec.mutant->name, "tens");
  EXPECT_EQ(again.schedule, trace_.schedule);
}

TEST_F(RunAgainTest, ReadsATraceOfAnything) {
  trace_.header.scenario = "somebody_elses";
  const auto read = ReadTraceFile(folder_.Write("file", traces::WriteTrace(trace_)));
  EXPECT_TRUE(std::holds_alternative<traces::Trace>(read));
}

}  // namespace
}  // namespace lockstep::tools
