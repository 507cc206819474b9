#include "traces/json_line.h"

#include <gtest/gtest.h>

namespace lockstep::traces {
namespace {

using sim::Value;

// The problem, or the JSON of what was read.
std::string Read(std::string_view line, std::size_t values = 1000) {
  const auto result = ParseJsonLine(line, values);
  if (const auto* problem = std::get_if<Problem>(&result)) return problem->problem;
  return std::get<JsonLine>(result).value.ToJson();
}

TEST(ParseJsonLine, RejectsWhatIsNotJson) {
  EXPECT_EQ(
      Read("{\"a\" 1}"),
      "not JSON at column 6: \"syntax error while parsing object separator - unexpected number "
      "literal; expecte...\"");
  for (const char* bad : {"{", "{\"a\":1", "{\"a\":1}}", "{\"a\":1} x", "{a:1}", "{\"a\":01}",
                          "{\"a\":+1}", "{\"a\":1,}", "{\"a\":\"\n\"}", "{\"a\":\"\\q\"}",
                          "{\"a\":\"\\ud800\"}", "{\"a\":NaN}", "// x", ""}) {
    EXPECT_TRUE(Read(bad).starts_with("not JSON at column ")) << bad << " gives " << Read(bad);
  }
}

TEST(ParseJsonLine, RejectsInvalidUtf8) {
  for (const char* bad : {"{\"a\":\"\xff\"}", "{\"a\":\"\xc3\"}", "{\"a\":\"\xc0\x80\"}",
                          "{\"a\":\"\xed\xa0\x80\"}", "{\"a\":\"\xf4\x90\x80\x80\"}"}) {
    EXPECT_TRUE(Read(bad).starts_with("not JSON at column ")) << Read(bad);
  }
}

TEST(ParseJsonLine, RejectsNulAndCarriageReturn) {
  EXPECT_EQ(Read(std::string_view("{\"a\":1}\0", 8)), "a NUL byte");
  EXPECT_EQ(Read("{\"a\":1}\r"), "a carriage return");
}

TEST(ParseJsonLine, RejectsDuplicateKeysAtAnyDepth) {
  EXPECT_EQ(Read("{\"a\":1,\"b\":2,\"a\":1}"), "the key \"a\" stands twice in one object");
  EXPECT_EQ(Read("{\"x\":[{\"a\":1,\"\\u0061\":2}]}"), "the key \"a\" stands twice in one object");
}

TEST(ParseJsonLine, RejectsFloatsAndIntegersOutOfRange) {
  EXPECT_EQ(Read("{\"a\":1.0}"), "the float \"1.0\"");
  EXPECT_EQ(Read("{\"a\":1e3}"), "the float \"1e3\"");
  EXPECT_EQ(Read("{\"a\":9223372036854775808}"), "an integer out of range");
  EXPECT_EQ(Read("{\"a\":-9223372036854775809}"), "an integer out of range");
  EXPECT_EQ(Read("{\"a\":" + std::string(5000, '9') + "}"), "an integer out of range");
}

TEST(ParseJsonLine, RejectsNullBelowTheTop) {
  EXPECT_EQ(Read("{\"a\":[null]}"), "null");
  EXPECT_EQ(Read("{\"a\":{\"b\":null}}"), "null");
  EXPECT_EQ(Read("null"), "null");
}

TEST(ParseJsonLine, RejectsAbsurdNesting) {
  const std::string open(1'000'000, '[');
  EXPECT_EQ(Read("{\"a\":" + open), "nested too deeply");
  EXPECT_EQ(Read(open), "nested too deeply");
}

TEST(ParseJsonLine, RejectsTooManyValues) {
  EXPECT_EQ(Read("{\"a\":[1,2,3,4]}", 3), "too many values");
  EXPECT_EQ(Read("{\"a\":[1,2,3,4]}", 6), "{\"a\":[1,2,3,4]}");
}

TEST(ParseJsonLine, RejectsAnObjectOfManyEqualKeysQuickly) {
  std::string line = "{\"a\":1";
  for (int i = 0; i < 100'000; ++i) line.append(",\"k").append(std::to_string(i)).append("\":1");
  EXPECT_EQ(Read(line + ",\"a\":2}", 200'000), "the key \"a\" stands twice in one object");
}

TEST(ParseJsonLine, RejectsALineThatIsNoObject) {
  EXPECT_EQ(Read("[]"), "a line that is not an object");
  EXPECT_EQ(Read("{\"#set\":[1]}"), "a line that is not an object");
}

TEST(ParseJsonLine, RejectsReservedKeys) {
  EXPECT_EQ(Read("{\"a\":{\"#map\":[]}}"), "the key \"#map\"");
  EXPECT_EQ(Read("{\"a\":{\"#set\":[],\"b\":1}}"), "\"#set\" is not alone or not an array");
  EXPECT_EQ(Read("{\"a\":{\"#set\":1}}"), "\"#set\" is not alone or not an array");
}

TEST(ParseJsonLine, AcceptsEveryKindOfValue) {
  const std::string line =
      "{\"b\":true,\"i\":-9223372036854775808,\"j\":9223372036854775807,\"s\":\"\xc3\xa9\\n\","
      "\"q\":[1,[]],\"t\":{\"#set\":[1,2]},\"r\":{\"x\":{}}}";
  EXPECT_EQ(Read(line), line);
}

TEST(ParseJsonLine, KeepsTheNamesOfNullFieldsApart) {
  std::size_t values = 100;
  const auto result = ParseJsonLine("{\"a\":null,\"b\":1}", values);
  ASSERT_TRUE(std::holds_alternative<JsonLine>(result));
  EXPECT_EQ(std::get<JsonLine>(result).null_fields, std::vector<std::string>{"a"});
  EXPECT_EQ(std::get<JsonLine>(result).value.ToJson(), "{\"b\":1}");
}

class FieldReaderTest : public ::testing::Test {
 protected:
  static Value Sample() {
    return Value::RecordOf({{"i", Value::Int(3)}, {"s", Value::String("x")}});
  }
  static std::string ProblemOf(const FieldReader& in) {
    return in.problem() ? in.problem()->problem + " | " + in.problem()->accepted : "";
  }
};

TEST_F(FieldReaderTest, RejectsUnknownMissingAndMisplacedKeys) {
  const Value value = Sample();
  FieldReader unknown(value, "a step");
  unknown.ExpectKeys({"i"});
  EXPECT_EQ(ProblemOf(unknown), "unknown key \"s\" in a step | i, in this order");
  FieldReader missing(value, "a step");
  missing.ExpectKeys({"i", "s", "t"});
  EXPECT_EQ(ProblemOf(missing), "missing key \"t\" in a step | i, s, t, in this order");
  FieldReader misplaced(value, "a step");
  misplaced.ExpectKeys({"s", "i"});
  EXPECT_EQ(ProblemOf(misplaced), "key \"s\" in a step out of order | s, i, in this order");
}

TEST_F(FieldReaderTest, RejectsWrongTypesAndRanges) {
  const Value value = Sample();
  FieldReader type(value, "a step");
  type.String("i");
  EXPECT_EQ(ProblemOf(type), "wrong type of \"i\" in a step | a string");
  FieldReader range(value, "a step");
  range.Int("i", 4, 9);
  EXPECT_EQ(ProblemOf(range), "\"i\" in a step is 3 | 4 to 9");
}

TEST_F(FieldReaderTest, KeepsTheFirstProblem) {
  const Value value = Sample();
  FieldReader in(value, "a step");
  in.Record("i");
  in.Int("nothing", 0, 1);
  EXPECT_EQ(ProblemOf(in), "wrong type of \"i\" in a step | an object");
}

TEST_F(FieldReaderTest, AcceptsOptionalKeysThatAreMissing) {
  const Value value = Sample();
  FieldReader in(value, "a step");
  in.ExpectKeys({"h", "i", "j", "s", "t"}, {"h", "j", "t"});
  EXPECT_EQ(in.Int("i", 0, 9), 3);
  EXPECT_EQ(in.String("s"), "x");
  EXPECT_EQ(ProblemOf(in), "");
}

}  // namespace
}  // namespace lockstep::traces
