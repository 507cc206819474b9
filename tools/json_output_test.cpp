#include "tools/json_output.h"

#include <gtest/gtest.h>

#include <array>

namespace lockstep::tools {
namespace {

using sim::Value;

TEST(JsonOutput, ReplacesBytesThatAreNoText) {
  Json json;
  json["x"] = "a\xff";
  EXPECT_EQ(Document(json), "{\n  \"x\": \"a\xEF\xBF\xBD\"\n}\n");
  EXPECT_TRUE(ToJson(Value::String("a\xff")).is_string());
}

TEST(JsonOutput, KeepsTheOrderOfKeys) {
  Json json;
  json["z"] = 1;
  json["a"] = TextOrNull("");
  EXPECT_EQ(Document(json), "{\n  \"z\": 1,\n  \"a\": null\n}\n");
}

TEST(JsonOutput, WritesValuesAsTracesDo) {
  const Value value = Value::RecordOf(
      {{"b", Value::SetOf({Value::Int(2), Value::Int(1)})}, {"a", Value::SeqOf({})}});
  EXPECT_EQ(ToJson(value).dump(), "{\"b\":{\"#set\":[1,2]},\"a\":[]}");
}

TEST(JsonOutput, CountsWhatNobodyCountedAsZero) {
  constexpr std::array<std::string_view, 2> kNames = {"b", "a"};
  EXPECT_EQ(Counts(kNames, std::array<std::uint64_t, 1>{7}).dump(), "{\"b\":7,\"a\":0}");
}

}  // namespace
}  // namespace lockstep::tools
