#include "traces/trace_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "traces/test_support.h"
#include "traces/trace_digest.h"
#include "traces/trace_writer.h"

namespace lockstep::traces {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The error, or "".
std::string ErrorOf(const std::string& bytes) {
  const auto result = ReadTrace(bytes, "f");
  const auto* error = std::get_if<ReadError>(&result);
  return error == nullptr ? "" : error->ToString();
}

// `bytes` with its digest made right again: what a careful forger would write.
std::string Resealed(const std::string& bytes) {
  const std::string before = bytes.substr(0, bytes.size() - kDigestSize - kFooterEnd.size());
  return before + Digest(before) + std::string(kFooterEnd);
}

// The error for the sample with the first `from` replaced, behind a right digest.
std::string ErrorAfter(const std::string& from, const std::string& to,
                       const Trace& trace = SampleTrace()) {
  std::string bytes = WriteTrace(trace);
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, bytes.npos) << from;
  return ErrorOf(Resealed(bytes.replace(at, from.size(), to)));
}

Trace SmallTrace() {
  Trace trace = OverlappingTrace();
  trace.header.actions.resize(2);
  trace.steps.erase(trace.steps.begin() + 2, trace.steps.end());
  trace.footer.violation->step = 2;
  return trace;
}

TEST(ReadTrace, RejectsEveryPrefix) {
  const std::string bytes = WriteTrace(SampleTrace());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_NE(ErrorOf(bytes.substr(0, size)), "") << size;
  }
}

TEST(ReadTrace, SaysWhereATruncatedFileEnds) {
  const std::string bytes = WriteTrace(SampleTrace());
  const std::size_t last_line = bytes.rfind("{\"verdict\"");
  EXPECT_EQ(ErrorOf(bytes.substr(0, last_line)),
            "f:15: no footer: the file is truncated; accepted: a header, steps, the schedule, a "
            "footer");
  EXPECT_THAT(ErrorOf(bytes.substr(0, last_line + 9)),
              StartsWith("f:15: the line has no end: the file is truncated"));
  EXPECT_THAT(ErrorOf(bytes.substr(0, 20)), StartsWith("f:1: the first line is cut"));
  EXPECT_THAT(ErrorOf(""), StartsWith("f: an empty file"));
}

TEST(ReadTrace, RejectsEveryCorruptedByte) {
  const std::string good = WriteTrace(SmallTrace());
  std::string bytes = good;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      ASSERT_NE(ErrorOf(bytes), "") << i << " " << flip;
      bytes[i] = good[i];
    }
    for (const char other : {'\0', '\n', '\r', '"', ' ', '{', '}', '0', '\xff'}) {
      bytes[i] = other;
      ASSERT_EQ(ErrorOf(bytes) == "", other == good[i]) << i << " " << static_cast<int>(other);
      bytes[i] = good[i];
    }
  }
}

// Behind a right digest the reader must still refuse, or read a trace that is written the same.
TEST(ReadTrace, RejectsOrReadsExactlyWhatAForgerWrites) {
  const std::string good = WriteTrace(SmallTrace());
  const std::size_t sealed = good.size() - kDigestSize - kFooterEnd.size();
  for (std::size_t i = 0; i < sealed; ++i) {
    for (const int flip : {0x01, 0x02, 0x04, 0x10, 0x20, 0x80}) {
      std::string bytes = good;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      bytes = Resealed(bytes);
      const auto result = ReadTrace(bytes, "f");
      if (const auto* trace = std::get_if<Trace>(&result)) {
        ASSERT_EQ(WriteTrace(*trace), bytes);
      }
    }
  }
}

TEST(ReadTrace, RejectsOtherFormatsAndVersions) {
  EXPECT_THAT(ErrorOf("{\"#meta\":{\"format\":\"ITF\"}}\n"),
              StartsWith("f:1: not a lockstep trace: the first line begins with"));
  EXPECT_EQ(ErrorAfter("\"version\":1", "\"version\":2"),
            "f:1: format version \"2\"; accepted: this build reads version 1");
  EXPECT_THAT(ErrorAfter("lockstep-trace", "lockstep-schedule"),
              StartsWith("f:1: a schedule, not a trace"));
}

TEST(ReadTrace, RejectsAWrongDigest) {
  std::string bytes = WriteTrace(SampleTrace());
  const std::string right = TraceDigest(SampleTrace());
  const std::size_t at = bytes.find("\"t\":15");
  bytes.replace(at, 6, "\"t\":16");
  EXPECT_THAT(ErrorOf(bytes), StartsWith("f:15: wrong digest \"" + right + "\""));
  EXPECT_THAT(ErrorOf(bytes), HasSubstr("; accepted: xxh3:"));
}

TEST(ReadTrace, RejectsUnknownMissingDuplicateAndMisplacedKeys) {
  EXPECT_EQ(ErrorAfter("\"t\":0,", "\"t\":0,\"nod\":1,"),
            "f:2: unknown key \"nod\" in a step; accepted: n, t, node, event, action, changed, in "
            "this order");
  EXPECT_THAT(ErrorAfter("\"t\":0,", ""), StartsWith("f:2: missing key \"t\" in a step"));
  EXPECT_EQ(ErrorAfter("\"t\":0,", "\"t\":0,\"t\":0,"),
            "f:2: the key \"t\" stands twice in one object; accepted: each key once");
  EXPECT_THAT(ErrorAfter("\"t\":0,\"node\":\"w1\"", "\"node\":\"w1\",\"t\":0"),
              StartsWith("f:2: key \"t\" in a step out of order"));
  EXPECT_THAT(ErrorAfter("\"spec\":", "\"Spec\":"),
              StartsWith("f:1: unknown key \"Spec\" in the header"));
}

TEST(ReadTrace, RejectsWrongTypesFloatsAndRanges) {
  EXPECT_EQ(ErrorAfter("\"t\":0,", "\"t\":\"0\","),
            "f:2: wrong type of \"t\" in a step; accepted: an integer");
  EXPECT_EQ(ErrorAfter("\"t\":0,", "\"t\":0.0,"),
            "f:2: the float \"0.0\"; accepted: integers only");
  EXPECT_THAT(ErrorAfter("\"t\":0,", "\"t\":-1,"), StartsWith("f:2: \"t\" in a step is -1"));
  EXPECT_THAT(ErrorAfter("\"t\":0,", "\"t\":18446744073709551616,"),
              StartsWith("f:2: an integer out of range"));
  EXPECT_THAT(ErrorAfter("\"t\":0,", "\"t\":null,"), StartsWith("f:2: null for the key \"t\""));
  EXPECT_THAT(ErrorAfter("[\"all\"]", "[1]"),
              StartsWith("f:1: wrong type of an item of \"faults\""));
  EXPECT_THAT(ErrorAfter("{\"name\":\"FenceLog\",\"arguments\":[]", "{\"name\":\"FenceLog\""),
              StartsWith("f:1: missing key \"arguments\" in an action of the header"));
}

TEST(ReadTrace, RejectsStepNumbersThatAreNotConsecutive) {
  EXPECT_EQ(ErrorAfter("{\"n\":3,", "{\"n\":4,"), "f:4: \"n\" in a step is 4; accepted: 3 to 3");
  EXPECT_EQ(ErrorAfter("\"steps\":12", "\"steps\":11"),
            "f:15: \"steps\" in the footer is 11; accepted: 12 to 12");
}

TEST(ReadTrace, RejectsLinesOutOfPlace) {
  const std::string bytes = WriteTrace(SampleTrace());
  EXPECT_THAT(ErrorOf(bytes + "\n"), StartsWith("f:16: something after the footer"));
  EXPECT_THAT(ErrorOf(bytes + "x"), StartsWith("f:16: something after the footer"));
  EXPECT_THAT(ErrorAfter("{\"schedule\"", "{\"n\":1}\n{\"schedule\""),
              StartsWith("f:14: missing key \"t\" in a step"));
  EXPECT_THAT(ErrorAfter("{\"schedule\"", "{}\n{\"schedule\""),
              StartsWith("f:14: a line that begins with the key \"\""));
  EXPECT_THAT(
      ErrorAfter("{\"verdict\"", "{\"schedule\":\"\"}\n{\"verdict\""),
      StartsWith("f:15: a line that begins with the key \"schedule\"; accepted: the footer"));
}

TEST(ReadTrace, RejectsWhatTheWriterWouldWriteOtherwise) {
  EXPECT_EQ(
      ErrorAfter("\"t\":0,", "\"t\": 0,"),
      "f:2: not in the one form of the format from column 12: \" 0,\"node\":\"w1\",\"event\":{"
      "\"kind\":\"send\",\"w\"; accepted: \"0,\"node\":\"w1\",\"event\":{\"kind\":\"send\","
      "\"wh\" (no white space, fixed order of keys, shortest escapes, sets sorted)");
  EXPECT_THAT(ErrorAfter("\"t\":0,", "\"t\":-0,"), HasSubstr("not in the one form"));
  EXPECT_THAT(ErrorAfter("\"node\":\"w1\"", "\"node\":\"\\u00771\""),
              HasSubstr("not in the one form"));
  EXPECT_THAT(ErrorAfter("[\"w1\",\"w2\"]", "[\"w2\",\"w1\"]"), HasSubstr("not in the one form"));
  EXPECT_THAT(ErrorAfter("{\"format\"", "\xef\xbb\xbf{\"format\""),
              StartsWith("f:1: not a lockstep trace"));
  EXPECT_THAT(ErrorAfter("\"n\":1,", "\xef\xbb\xbf\"n\":1,"), StartsWith("f:2: not JSON"));
  EXPECT_THAT(ErrorAfter("{\"n\":1,", "\xef\xbb\xbf{\"n\":1,"), HasSubstr("not in the one form"));
}

TEST(ReadTrace, RejectsCarriageReturnsNulsAndInvalidUtf8) {
  EXPECT_THAT(ErrorAfter("\n{\"n\":1", "\r\n{\"n\":1"), StartsWith("f:1: a carriage return"));
  EXPECT_THAT(ErrorAfter("\"w1\"", std::string("\"\0\"", 3)), StartsWith("f:1: a NUL byte"));
  EXPECT_THAT(ErrorAfter("\"w1\"", "\"\xff\""), StartsWith("f:1: not JSON"));
}

TEST(ReadTrace, RejectsHalfAStutter) {
  EXPECT_THAT(ErrorAfter(",\"changed\":{\"logState\":\"OPEN\"}", ""),
              StartsWith("f:13: a step with only one of \"action\" and \"changed\""));
  EXPECT_THAT(ErrorAfter("{\"kind\":\"send\",", "{\"Kind\":\"send\","),
              StartsWith("f:2: missing key \"kind\" in an event"));
  EXPECT_THAT(ErrorAfter("{\"name\":\"UnfenceLog\"}", "{\"nam\":\"UnfenceLog\"}"),
              StartsWith("f:13: missing key \"name\" in an action"));
}

TEST(ReadTrace, RejectsOtherDecisions) {
  for (const char* bad : {"e7/7", "e0/1", "e0/0", "x0/2", "e3", "e/7", "e-1/7", "e3/7e", "/",
                          "e4294967296/4294967297", " "}) {
    EXPECT_THAT(ErrorAfter("e3/7", bad), StartsWith("f:14: decision 2 is \"")) << bad;
  }
  EXPECT_THAT(ErrorAfter("e3/7", "e03/7"), HasSubstr("not in the one form"));
  EXPECT_THAT(ErrorAfter("n15/16", "n15/16 "), HasSubstr("not in the one form"));
}

TEST(ReadTrace, RejectsAFooterThatContradictsItself) {
  EXPECT_THAT(ErrorAfter("\"holds\"", "\"fine\""), StartsWith("f:15: unknown verdict \"fine\""));
  EXPECT_THAT(ErrorAfter("\"holds\"", "\"violated\""),
              StartsWith("f:15: verdict and violation disagree"));
  EXPECT_THAT(ErrorAfter("\"conformance\"", "\"bad luck\"", OverlappingTrace()),
              StartsWith("f:10: unknown violation kind \"bad luck\""));
  EXPECT_THAT(ErrorAfter("\"step\":7", "\"step\":8", OverlappingTrace()),
              StartsWith("f:10: \"step\" in a violation is 8; accepted: 0 to 7"));
}

TEST(ReadTrace, RejectsAbsurdNestingAndLength) {
  EXPECT_THAT(ErrorAfter("\"OPEN\"", std::string(100'000, '[')),
              StartsWith("f:1: nested too deeply"));
  std::string bytes = WriteTrace(SampleTrace());
  bytes.insert(bytes.find("\n{\"n\":1") + 1, kLineBytesMax + 1, ' ');
  EXPECT_THAT(ErrorOf(bytes), StartsWith("f:2: a line too long; accepted: at most"));
}

RC_GTEST_PROP(ReadTrace, SurvivesAnyBytes, (const std::string& bytes)) {
  RC_ASSERT(ErrorOf(bytes) != "");
  RC_ASSERT(ErrorOf("{\"format\":\"lockstep-trace\",\"version\":1," + bytes) != "");
}

TEST(ReadTrace, AcceptsWhatTheWriterWrites) {
  for (const Trace& trace : {SampleTrace(), OverlappingTrace(), SmallTrace(), Trace()}) {
    Trace complete = trace;
    if (complete.footer.verdict.empty()) complete.footer.verdict = "inconclusive";
    EXPECT_EQ(ErrorOf(WriteTrace(complete)), "");
  }
}

}  // namespace
}  // namespace lockstep::traces
