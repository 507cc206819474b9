#include "traces/schedule_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "traces/test_support.h"
#include "traces/trace_generators.h"

namespace lockstep::traces {
namespace {

const std::string kHeader =
    "{\"format\":\"lockstep-schedule\",\"version\":1,\"lockstep\":\"0.1.0\",\"scenario\":\"x\","
    "\"seed\":\"0x2a\",\"mutant\":\"\",\"max_steps\":5,\"faults\":[\"all\"]}\n";

// The error, or "".
std::string ErrorOf(const std::string& bytes) {
  const auto result = ParseSchedule(bytes, "f");
  const auto* error = std::get_if<ReadError>(&result);
  return error == nullptr ? "" : error->ToString();
}

TEST(ParseSchedule, RejectsEveryPrefix) {
  const std::string bytes = PrintSchedule(ScheduleOf(SampleTrace()));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(ErrorOf(bytes.substr(0, size)), "") << size;
  }
}

TEST(ParseSchedule, RejectsACountThatAnEditMadeWrong) {
  EXPECT_EQ(ErrorOf(kHeader + "event 3 of 7\nend 2\n"),
            "f:3: end says 2, but 1 decisions stand above; accepted: end 1, after an edit");
  EXPECT_EQ(ErrorOf(kHeader + "event 3 of 7\n"),
            "f:3: no end line: the file is truncated; accepted: end 1, if that is all");
}

TEST(ParseSchedule, RejectsOtherLines) {
  for (const char* bad : {"event 7 of 7", "event 0 of 1", "event 0 of 0", "event 03 of 7",
                          "event -1 of 7", "event 3 7", "event 3 of 7 8", "event 3 of 4294967296",
                          "event\t3\tof\t7", "end", "end one", "end 0 0", "\x01"}) {
    EXPECT_TRUE(ErrorOf(kHeader + bad + "\nend 1\n").starts_with("f:2: the line \"")) << bad;
  }
  EXPECT_EQ(ErrorOf(kHeader + "evnet 3 of 7\nend 1\n"),
            "f:2: unknown kind of decision \"evnet\"; accepted: event, workload, fault_swarm, "
            "fault_gap, fault_target, fault_duration, node");
  EXPECT_EQ(ErrorOf(kHeader + "event 3 of 7\r\nend 1\n"),
            "f:2: a carriage return; accepted: lines that end with a line feed alone");
  EXPECT_EQ(ErrorOf(kHeader + "end 0\nevent 3 of 7\n"),
            "f:3: something after the end line; accepted: comments");
  EXPECT_TRUE(ErrorOf(kHeader + std::string(5000, ' ') + "\nend 0\n").starts_with("f:2: a line"));
  EXPECT_EQ(ErrorOf(kHeader + std::string("# \0\nend 0\n", 10)), "f:2: a NUL byte; accepted: text");
}

TEST(ParseSchedule, RejectsOtherHeaders) {
  EXPECT_EQ(ErrorOf("{\"format\":\"lockstep-schedule\",\"version\":7,\"x\":1}\nend 0\n"),
            "f:1: format version \"7\"; accepted: this build reads version 1");
  std::string extra = kHeader;
  extra.insert(extra.size() - 2, ",\"color\":1");
  EXPECT_TRUE(ErrorOf(extra + "end 0\n").starts_with("f:1: unknown key \"color\" in the header"));
  std::string null = kHeader;
  null.replace(null.find("\"x\""), 3, "null");
  EXPECT_EQ(ErrorOf(null + "end 0\n"), "f:1: null for the key \"scenario\"; accepted: a value");
}

TEST(ParseSchedule, AcceptsCommentsAndSpaces) {
  const auto result = ParseSchedule(
      kHeader + "# by hand\n\n  event  3 of 7 # late\nnode 0 of 2#x\nend 2 # all\n# bye\n", "f");
  ASSERT_TRUE(std::holds_alternative<ScheduleFile>(result)) << std::get<1>(result).ToString();
  const sim::Schedule expected = {{sim::ChoiceKind::kEvent, 7, 3}, {sim::ChoiceKind::kNode, 2, 0}};
  EXPECT_EQ(std::get<ScheduleFile>(result).schedule, expected);
  EXPECT_EQ(std::get<ScheduleFile>(result).faults, std::vector<std::string>{"all"});
}

TEST(PrintSchedule, IsGolden) {
  EXPECT_EQ(CompareWithGolden({"log_sample.schedule", PrintSchedule(ScheduleOf(SampleTrace()))}),
            std::nullopt);
}

RC_GTEST_PROP(PrintSchedule, IsReadBackAsTheSame, ()) {
  ScheduleFile file;
  file.lockstep_version = *TextGen();
  file.scenario = *TextGen();
  file.seed = *TextGen();
  file.mutant = *TextGen();
  file.max_steps = *rc::gen::nonNegative<std::int64_t>();
  file.faults = *TextsGen();
  file.schedule = *ScheduleGen();
  const auto result = ParseSchedule(PrintSchedule(file), "f");
  RC_ASSERT(std::holds_alternative<ScheduleFile>(result));
  RC_ASSERT(std::get<ScheduleFile>(result) == file);
}

}  // namespace
}  // namespace lockstep::traces
