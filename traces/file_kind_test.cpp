#include "traces/file_kind.h"

#include <gtest/gtest.h>

#include "traces/schedule_file.h"
#include "traces/test_support.h"
#include "traces/trace_writer.h"

namespace lockstep::traces {
namespace {

TEST(CheckFormat, RejectsAnUnknownVersionAndNamesItsOwn) {
  const auto problem = CheckFormat(
      "{\"format\":\"lockstep-trace\",\"version\":2,\"lockstep\":\"9\"", FileKind::kTrace);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->problem, "format version \"2\"");
  EXPECT_EQ(problem->accepted, "this build reads version 1");
}

TEST(CheckFormat, RejectsTheOtherFormat) {
  const auto problem = CheckFormat(PrintSchedule({}), FileKind::kTrace);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->problem, "a schedule, not a trace");
}

TEST(CheckFormat, RejectsAForeignFile) {
  const auto problem = CheckFormat("{\"#meta\":{}}", FileKind::kSchedule);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->problem,
            "not a lockstep schedule: the first line begins with \"{\"#meta\":{}}\"");
}

TEST(CheckFormat, TellsACutLineFromAForeignOne) {
  const auto problem = CheckFormat("{\"format\":\"lock", FileKind::kTrace);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->problem, "the first line is cut: the file is truncated");
}

TEST(DetectKind, KnowsItsOwnFiles) {
  EXPECT_EQ(DetectKind(WriteTrace(SampleTrace())), FileKind::kTrace);
  EXPECT_EQ(DetectKind(PrintSchedule({})), FileKind::kSchedule);
  EXPECT_EQ(DetectKind(""), FileKind::kForeign);
  EXPECT_EQ(DetectKind("{\"format\":\"ITF\"}"), FileKind::kForeign);
}

}  // namespace
}  // namespace lockstep::traces
