#include "sim/base/value.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lockstep::sim {
namespace {

using ::testing::ExitedWithCode;

Value Ints(std::vector<std::int64_t> numbers) {
  std::vector<Value> items;
  for (const std::int64_t number : numbers) items.push_back(Value::Int(number));
  return Value::SeqOf(std::move(items));
}

Value SetOfInts(std::vector<std::int64_t> numbers) {
  std::vector<Value> items;
  for (const std::int64_t number : numbers) items.push_back(Value::Int(number));
  return Value::SetOf(std::move(items));
}

std::string JsonString(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

TEST(Value, KnowsItsKind) {
  EXPECT_EQ(Value().kind(), Value::Kind::kBool);
  EXPECT_EQ(Value::Bool(true).kind(), Value::Kind::kBool);
  EXPECT_EQ(Value::Int(0).kind(), Value::Kind::kInt);
  EXPECT_EQ(Value::String("").kind(), Value::Kind::kString);
  EXPECT_EQ(Value::SeqOf({}).kind(), Value::Kind::kSeq);
  EXPECT_EQ(Value::SetOf({}).kind(), Value::Kind::kSet);
  EXPECT_EQ(Value::RecordOf({}).kind(), Value::Kind::kRecord);
}

TEST(Value, ReturnsWhatItWasMadeOf) {
  EXPECT_TRUE(Value::Bool(true).AsBool());
  EXPECT_FALSE(Value().AsBool());
  EXPECT_EQ(Value::Int(-7).AsInt(), -7);
  EXPECT_EQ(Value::String("w1").AsString(), "w1");
  EXPECT_EQ(Ints({3, 1, 3}).AsItems().size(), 3U);
  const Value record = Value::RecordOf({{"a", Value::Int(1)}, {"b", Value::Bool(true)}});
  ASSERT_EQ(record.AsFields().size(), 2U);
  EXPECT_EQ(record.AsFields()[1].first, "b");
  ASSERT_NE(record.Find("a"), nullptr);
  EXPECT_EQ(*record.Find("a"), Value::Int(1));
  EXPECT_EQ(record.Find("c"), nullptr);
}

TEST(Value, LetsItemsAndFieldsBeChangedInPlace) {
  Value seq = Ints({1, 2});
  seq.MutableItems()[1] = Value::Int(5);
  EXPECT_EQ(seq, Ints({1, 5}));
  Value record = Value::RecordOf({{"a", Value::Int(1)}});
  record.MutableFields()[0].second = Value::Int(2);
  EXPECT_EQ(record, Value::RecordOf({{"a", Value::Int(2)}}));
}

TEST(Value, SetForgetsOrderAndRepetition) {
  EXPECT_EQ(SetOfInts({3, 1, 2, 1}), SetOfInts({1, 2, 3}));
  EXPECT_EQ(SetOfInts({3, 1, 2, 1}).ToJson(), "{\"#set\":[1,2,3]}");
}

TEST(Value, SeqKeepsOrderAndRepetition) {
  EXPECT_FALSE(Ints({1, 2}) == Ints({2, 1}));
  EXPECT_FALSE(Ints({1}) == Ints({1, 1}));
}

TEST(Value, ValuesOfDifferentKindsDiffer) {
  const std::vector<Value> values = {Value::Bool(false), Value::Int(0),    Value::String(""),
                                     Value::SeqOf({}),   Value::SetOf({}), Value::RecordOf({})};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) EXPECT_EQ(values[i] == values[j], i == j);
  }
}

// Sorted ascending. Every pair is compared, so that the order is total and strict.
TEST(Value, OrderIsTotal) {
  const std::vector<Value> sorted = {
      Value::Bool(false),
      Value::Bool(true),
      Value::Int(std::numeric_limits<std::int64_t>::min()),
      Value::Int(-1),
      Value::Int(0),
      Value::String(""),
      Value::String("a"),
      Value::String("b"),
      Value::SeqOf({}),
      Ints({1}),
      Ints({1, 1}),
      Ints({2}),
      Value::SetOf({}),
      SetOfInts({1}),
      SetOfInts({1, 2}),
      SetOfInts({2}),
      Value::RecordOf({}),
      Value::RecordOf({{"a", Value::Int(1)}}),
      Value::RecordOf({{"a", Value::Int(2)}}),
      Value::RecordOf({{"b", Value::Int(0)}}),
  };
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      EXPECT_EQ(sorted[i] < sorted[j], i < j) << sorted[i].ToJson() << " " << sorted[j].ToJson();
    }
  }
}

TEST(Value, JsonOfNestedValues) {
  const Value value =
      Value::RecordOf({{"logState", Value::String("OPEN")},
                       {"logIndex", Value::SeqOf({Value::RecordOf({{"type", Value::String("WAL")},
                                                                   {"msgCount", Value::Int(2)}})})},
                       {"alive", SetOfInts({2, 1})},
                       {"done", Value::Bool(true)}});
  EXPECT_EQ(value.ToJson(),
            "{\"logState\":\"OPEN\",\"logIndex\":[{\"type\":\"WAL\",\"msgCount\":2}],"
            "\"alive\":{\"#set\":[1,2]},\"done\":true}");
  std::string out = "x";
  value.AppendJson(out);
  EXPECT_EQ(out, "x" + value.ToJson());
}

TEST(Value, RecordKeepsFieldOrder) {
  const Value record = Value::RecordOf({{"z", Value::Int(1)}, {"a", Value::Int(2)}});
  EXPECT_EQ(record.ToJson(), "{\"z\":1,\"a\":2}");
  EXPECT_EQ(record.ToTla(), "[z |-> 1, a |-> 2]");
}

TEST(Value, RendersTheExtremeIntegers) {
  EXPECT_EQ(Value::Int(std::numeric_limits<std::int64_t>::max()).ToJson(), "9223372036854775807");
  EXPECT_EQ(Value::Int(std::numeric_limits<std::int64_t>::min()).ToTla(), "-9223372036854775808");
}

TEST(Value, TlaOfEveryKind) {
  EXPECT_EQ(Value::Bool(true).ToTla(), "TRUE");
  EXPECT_EQ(Value::Bool(false).ToTla(), "FALSE");
  EXPECT_EQ(Value::Int(3).ToTla(), "3");
  EXPECT_EQ(Value::String("w1").ToTla(), "\"w1\"");
  EXPECT_EQ(Ints({1, 2}).ToTla(), "<<1, 2>>");
  EXPECT_EQ(SetOfInts({2, 1}).ToTla(), "{1, 2}");
  EXPECT_EQ(Value::SeqOf({}).ToTla(), "<<>>");
  EXPECT_EQ(Value::SetOf({}).ToTla(), "{}");
  EXPECT_EQ(Value::RecordOf({{"a", Ints({1})}}).ToTla(), "[a |-> <<1>>]");
}

TEST(Value, TlaSpellsOutTheFunctionWhereANameIsNoIdentifier) {
  EXPECT_EQ(Value::RecordOf({{"1", Value::Int(1)}}).ToTla(), "(\"1\" :> 1)");
  EXPECT_EQ(Value::RecordOf({{"a", Value::Int(1)}, {"b c", Value::Int(2)}}).ToTla(),
            "(\"a\" :> 1 @@ \"b c\" :> 2)");
  EXPECT_EQ(Value::RecordOf({{"DOMAIN", Value::Int(1)}}).ToTla(), "(\"DOMAIN\" :> 1)");
  EXPECT_EQ(Value::RecordOf({{"WF_x", Value::Int(1)}}).ToTla(), "(\"WF_x\" :> 1)");
  EXPECT_EQ(Value::RecordOf({{"", Value::Int(1)}}).ToTla(), "(\"\" :> 1)");
  EXPECT_EQ(Value::RecordOf({{"_1a", Value::Int(1)}}).ToTla(), "[_1a |-> 1]");
  // The function with an empty domain is the empty sequence; [] is no expression.
  EXPECT_EQ(Value::RecordOf({}).ToTla(), "<<>>");
}

TEST(Value, TlaEscapesStrings) {
  EXPECT_EQ(Value::String("a\"b\\c\n\t\r\f").ToTla(), "\"a\\\"b\\\\c\\n\\t\\r\\f\"");
}

TEST(JsonString, EscapesQuotesBackslashesAndControlCharacters) {
  EXPECT_EQ(JsonString("plain /"), "\"plain /\"");
  EXPECT_EQ(JsonString("\"\\\b\f\n\r\t"), "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
  EXPECT_EQ(JsonString(std::string_view("\0\x01\x1f", 3)), "\"\\u0000\\u0001\\u001f\"");
}

TEST(JsonString, LeavesOtherBytesAsTheyAre) {
  EXPECT_EQ(JsonString("\x7f\xc3\xa4\xff"), "\"\x7f\xc3\xa4\xff\"");
}

TEST(ValueDeathTest, WrongKindIsABug) {
  EXPECT_EXIT(static_cast<void>(Value::Int(1).AsBool()), ExitedWithCode(1), "CHECK");
  EXPECT_EXIT(static_cast<void>(Value::Bool(true).AsInt()), ExitedWithCode(1), "CHECK");
  EXPECT_EXIT(static_cast<void>(Value::Int(1).AsString()), ExitedWithCode(1), "CHECK");
  EXPECT_EXIT(static_cast<void>(Value::RecordOf({}).AsItems()), ExitedWithCode(1), "CHECK");
  EXPECT_EXIT(static_cast<void>(Value::SeqOf({}).AsFields()), ExitedWithCode(1), "CHECK");
}

TEST(ValueDeathTest, ASetIsNotChangedInPlace) {
  Value set = SetOfInts({1});
  EXPECT_EXIT(static_cast<void>(set.MutableItems()), ExitedWithCode(1), "make a new set");
}

TEST(ValueDeathTest, FieldNamesAreUnique) {
  EXPECT_EXIT(
      static_cast<void>(Value::RecordOf({{"a", Value()}, {"b", Value()}, {"a", Value::Int(1)}})),
      ExitedWithCode(1), "HasUniqueNames");
}

}  // namespace
}  // namespace lockstep::sim
