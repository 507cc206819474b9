#include "tools/export_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tools/fake_catalog.h"
#include "traces/trace_writer.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ExportCommandTest : public ::testing::Test {
 protected:
  ExportCommandTest() {
    const Catalog catalog = FakeCatalog();
    scenarios::RunSpec spec;
    spec.scenario = catalog.FindScenario("steady");
    spec.seed = 42;
    spec.record_trace = true;
    trace_ = *catalog.run(spec).trace;
    options_.out = folder_.File("out");
    options_.format = "tlc";
  }

  ExitCode Export() {
    CapturedConsole captured;
    options_.names = {folder_.Write("file", traces::WriteTrace(trace_))};
    const ExitCode code = ExportCommand(options_, captured.console());
    out_ = captured.out();
    err_ = captured.err();
    return code;
  }

  TemporaryFolder folder_;
  traces::Trace trace_;
  Options options_;
  std::string out_;
  std::string err_;
};

TEST_F(ExportCommandTest, RejectsBadInputAndWritesNothing) {
  options_.format.clear();
  EXPECT_EQ(Export(), ExitCode::kError);
  EXPECT_EQ(err_, "lockstep: export: --format is missing; accepted: tlc or text\n");
  options_.format = "tlc";
  options_.module_dir = folder_.path();
  EXPECT_EQ(Export(), ExitCode::kError);
  EXPECT_THAT(err_, HasSubstr("--module-dir: Fake.tla is not in "));
  options_.module_dir.clear();
  trace_.header.tla_module = "../evil";
  EXPECT_EQ(Export(), ExitCode::kError);
  EXPECT_FALSE(folder_.Has("out"));
  EXPECT_EQ(out_, "");
}

TEST_F(ExportCommandTest, WritesFilesForTlcAndPrintsTheCommandAlone) {
  (void)folder_.Write("Fake.tla", "");
  options_.module_dir = folder_.path();
  EXPECT_EQ(Export(), ExitCode::kHolds);
  EXPECT_TRUE(folder_.Has("out/Replay_steady_0x2a.tla"));
  EXPECT_TRUE(folder_.Has("out/Replay_steady_0x2a.cfg"));
  EXPECT_TRUE(folder_.Has("out/Replay_steady_0x2a.ndjson"));
  EXPECT_THAT(out_, StartsWith("cd "));
  EXPECT_THAT(out_, HasSubstr("-DTLA-Library='" + folder_.path() + "'"));
  EXPECT_EQ(out_.find('\n'), out_.size() - 1);
  EXPECT_THAT(err_, StartsWith("wrote "));
}

TEST_F(ExportCommandTest, SaysWhenTheModuleIsNotFound) {
  EXPECT_EQ(Export(), ExitCode::kHolds);
  EXPECT_THAT(err_, HasSubstr("Fake.tla was not found: copy it into "));
}

TEST_F(ExportCommandTest, ObservingHasFilesOfItsOwn) {
  options_.mode = "observe";
  EXPECT_EQ(Export(), ExitCode::kHolds);
  EXPECT_TRUE(folder_.Has("out/Replay_steady_0x2a_observe.tla"));
}

TEST_F(ExportCommandTest, MakesAModuleNameOfAnyName) {
  trace_.header.scenario = "a-b c/" + std::string(100, 'x');
  trace_.header.mutant = std::string(100, 'm');
  EXPECT_EQ(Export(), ExitCode::kHolds);
  EXPECT_THAT(err_, HasSubstr("Replay_a_b_c_xxx"));
}

TEST_F(ExportCommandTest, PrintsText) {
  options_.format = "text";
  EXPECT_EQ(Export(), ExitCode::kHolds);
  EXPECT_THAT(out_, HasSubstr("scenario steady, seed 0x2a"));
  EXPECT_FALSE(folder_.Has("out"));
}

}  // namespace
}  // namespace lockstep::tools
