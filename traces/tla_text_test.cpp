#include "traces/tla_text.h"

#include <gtest/gtest.h>

#include "traces/test_support.h"

namespace lockstep::traces {
namespace {

using sim::Value;

TEST(IsTlaName, RejectsWhatIsNoNameOrTaken) {
  for (const char* bad :
       {"", "1a", "_a", "a-b", "a b", "a(b)", "a'", "a!b", "a\n", "\xc3\xa9", "IF", "UNCHANGED",
        "TRUE", "WF_vars", "SF_", "ReplayNext", "replayCursor", "REPLAY_X", "a\" \\* b"}) {
    EXPECT_FALSE(IsTlaName(bad)) << bad;
  }
  EXPECT_FALSE(IsTlaName(std::string(201, 'a')));
}

TEST(IsTlaName, AcceptsNames) {
  for (const char* good : {"a", "AssignOffset", "CompactRange2End", "a_1", "If", "Repla"}) {
    EXPECT_TRUE(IsTlaName(good)) << good;
  }
}

TEST(WhyNotForTlc, RejectsBigIntegersAndStrangeStrings) {
  EXPECT_EQ(WhyNotForTlc(Value::Int(2147483648)),
            "the integer 2147483648 does not fit TLC's 32 bits");
  EXPECT_EQ(WhyNotForTlc(Record({{"a", Value::SeqOf({Value::Int(-2147483649)})}})),
            "the integer -2147483649 does not fit TLC's 32 bits");
  EXPECT_EQ(WhyNotForTlc(Text("a\n")), "the string \"a\\x0a\" is not printable ASCII");
  EXPECT_EQ(WhyNotForTlc(Record({{"\xc3\xa9", Value::Int(1)}})),
            "the string \"\\xc3\\xa9\" is not printable ASCII");
  EXPECT_EQ(WhyNotForTlc(Value::SetOf({Value::Int(2147483647), Text("\"\\")})), std::nullopt);
}

TEST(AppendTlcJson, WritesSetsAsArrays) {
  std::string out;
  AppendTlcJson(out, Record({{"a", Value::SetOf({Text("y"), Text("x")})},
                             {"b", Value::SeqOf({Value::Bool(true), Value::Int(-1)})},
                             {"c", Record({})}}));
  EXPECT_EQ(out, R"({"a":["x","y"],"b":[true,-1],"c":{}})");
}

TEST(AsCfgText, RejectsWhatACfgCannotWrite) {
  for (const Value& value : {Value::Int(-1), Value::SeqOf({}), Record({}), Text("a\"b"),
                             Text("a b"), Value::SetOf({Value::SeqOf({})})}) {
    EXPECT_EQ(AsCfgText(value), std::nullopt) << value.ToJson();
  }
}

TEST(AsCfgText, AcceptsNumbersStringsBooleansAndSets) {
  EXPECT_EQ(AsCfgText(Value::SetOf({Text("w1"), Text("w2")})), "{\"w1\", \"w2\"}");
  EXPECT_EQ(AsCfgText(Value::Int(5)), "5");
  EXPECT_EQ(AsCfgText(Value::Bool(false)), "FALSE");
}

TEST(WhyNotInModule, RejectsFieldNamesThatAreNoNames) {
  EXPECT_EQ(WhyNotInModule(Value::SeqOf({Record({{"a b", Value::Int(1)}})})),
            "the field name \"a b\" is no TLA+ name");
  EXPECT_EQ(WhyNotInModule(Record({{"start", Value::Int(1)}})), std::nullopt);
}

TEST(CommentText, LeavesNothingThatEndsAComment) {
  EXPECT_EQ(CommentText("a\n====\n*) (* \\* b: 0x2a, 1.2"), "a???????? ?? ?? b: 0x2a, 1.2");
}

}  // namespace
}  // namespace lockstep::traces
