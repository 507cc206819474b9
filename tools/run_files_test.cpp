#include "tools/run_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tools/fake_catalog.h"
#include "traces/trace_writer.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

TEST(RunFiles, RejectsAFolderThatIsNone) {
  const TemporaryFolder folder;
  const std::string file = folder.Write("file", "keep");
  const auto problem = PrepareFolder(file);
  ASSERT_TRUE(problem.has_value());
  EXPECT_THAT(*problem, HasSubstr("--out: "));
  EXPECT_THAT(*problem, HasSubstr("accepted: a folder where files can be written"));
  EXPECT_EQ(folder.Read("file"), "keep");
  EXPECT_TRUE(PrepareFolder(file + "/below").has_value());
  EXPECT_TRUE(PrepareFolder("/proc/lockstep").has_value());
}

TEST(RunFiles, CreatesFoldersAndLeavesNothingInThem) {
  const TemporaryFolder folder;
  EXPECT_EQ(PrepareFolder(folder.File("a/b")), std::nullopt);
  EXPECT_TRUE(folder.Has("a/b"));
  EXPECT_FALSE(folder.Has("a/b/.lockstep-probe"));
}

TEST(RunFiles, SavesBothFilesUnderTheRunsName) {
  const Catalog catalog = FakeCatalog();
  const TemporaryFolder folder;
  scenarios::RunSpec spec;
  spec.scenario = catalog.FindScenario("steady");
  spec.mutant = catalog.FindMutant("tens");
  spec.seed = 42;
  spec.record_trace = true;
  const scenarios::RunResult result = catalog.run(spec);
  const auto saved = SaveRun(folder.path(), spec, result);
  ASSERT_TRUE(std::holds_alternative<SavedRun>(saved));
  EXPECT_EQ(std::get<SavedRun>(saved).trace, folder.File("steady-tens-0x2a.trace.ndjson"));
  EXPECT_EQ(folder.Read("steady-tens-0x2a.trace.ndjson"), traces::WriteTrace(*result.trace));
  EXPECT_EQ(std::get<SavedRun>(saved).digest, traces::TraceDigest(*result.trace));
  EXPECT_THAT(folder.Read("steady-tens-0x2a.schedule"), HasSubstr("event 42 of 1000"));
}

TEST(RunFiles, SaysWhatCouldNotBeSaved) {
  const Catalog catalog = FakeCatalog();
  scenarios::RunSpec spec;
  spec.scenario = catalog.FindScenario("steady");
  spec.record_trace = true;
  const auto saved = SaveRun("/proc/lockstep", spec, catalog.run(spec));
  EXPECT_TRUE(std::holds_alternative<std::string>(saved));
}

}  // namespace
}  // namespace lockstep::tools
