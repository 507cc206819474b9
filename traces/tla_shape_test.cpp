#include "traces/tla_shape.h"

#include <gtest/gtest.h>

#include "traces/test_support.h"

namespace lockstep::traces {
namespace {

using sim::Value;

// The expression for `values` together, or why there is none.
std::string Decoded(const std::vector<Value>& values) {
  std::optional<Shape> shape;
  for (const Value& value : values) {
    auto one = ShapeOf(value);
    if (const auto* why = std::get_if<std::string>(&one)) return *why;
    if (!shape) {
      shape = std::get<Shape>(one);
    } else if (const auto why = Unify(*shape, std::get<Shape>(one))) {
      return *why;
    }
  }
  return DecodeExpression("x", *shape).value_or("no expression");
}

TEST(Shape, RejectsValuesThatTlcCannotCompare) {
  EXPECT_EQ(Decoded({Text("NONE"), Value::Int(0)}),
            "it holds a string and an integer, which TLC cannot compare");
  EXPECT_EQ(Decoded({Value::SeqOf({Value::Bool(true), Record({})})}),
            "it holds a boolean and a record, which TLC cannot compare");
  EXPECT_EQ(Decoded({Record({{"a", Value::SeqOf({})}}), Record({{"a", Value::SetOf({})}})}),
            "it holds a sequence and a set, which TLC cannot compare");
}

TEST(Shape, RejectsSetsInRecordsOfManyForms) {
  const Value set = Value::SetOf({Value::Int(1)});
  EXPECT_EQ(Decoded({Record({{"a", set}}), Record({{"a", set}, {"b", set}})}), "no expression");
  EXPECT_EQ(Decoded({Record({{"a", set}, {"b", set}}), Record({{"b", set}, {"a", set}})}),
            "no expression");
  EXPECT_EQ(Decoded({Record({{"a b", set}})}), "no expression");
}

TEST(Shape, LeavesValuesWithoutSetsAlone) {
  EXPECT_EQ(Decoded({Value::SeqOf({Record({{"a", Value::Int(1)}})}), Value::SeqOf({})}), "x");
  EXPECT_EQ(Decoded({Record({{"a", Value::Int(1)}}), Record({{"b", Text("x")}})}), "x");
}

TEST(Shape, TurnsArraysBackIntoSets) {
  const std::string set = "{x[replayIndex1] : replayIndex1 \\in DOMAIN x}";
  EXPECT_EQ(Decoded({Value::SetOf({}), Value::SetOf({Value::Int(1)})}), set);
  EXPECT_EQ(Decoded({Value::SetOf({})}), set);
}

TEST(Shape, TurnsNestedArraysBack) {
  const Value inner = Value::SetOf({Value::Int(1)});
  EXPECT_EQ(Decoded({Value::SeqOf({Value::SetOf({inner})})}),
            "[replayIndex1 \\in DOMAIN x |-> {{x[replayIndex1][replayIndex2][replayIndex3] : "
            "replayIndex3 \\in DOMAIN x[replayIndex1][replayIndex2]} : replayIndex2 \\in DOMAIN "
            "x[replayIndex1]}]");
  EXPECT_EQ(Decoded({Record({{"w1", inner}, {"n", Value::Int(1)}})}),
            "[w1 |-> {x.w1[replayIndex1] : replayIndex1 \\in DOMAIN x.w1}, n |-> x.n]");
}

}  // namespace
}  // namespace lockstep::traces
