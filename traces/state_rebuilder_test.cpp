#include "traces/state_rebuilder.h"

#include <gtest/gtest.h>

#include "traces/test_support.h"

namespace lockstep::traces {
namespace {

using sim::Value;

Value Initial() {
  return Record({{"index", Value::SeqOf({Value::Int(0), Value::Int(0)})},
                 {"state", Record({{"w1", Text("IDLE")}, {"w2", Text("IDLE")}})},
                 {"counter", Value::Int(1)},
                 {"seen", Value::SetOf({})}});
}

std::string Apply(const Value& changed) {
  StateRebuilder states(Initial());
  const auto problem = states.Apply(changed);
  return problem ? *problem : states.state().ToJson();
}

TEST(StateRebuilder, RejectsWhatDoesNotFit) {
  EXPECT_EQ(Apply(Record({{"other", Value::Int(1)}})),
            "no variable \"other\" in the initial state");
  for (const char* key : {"0", "3", "01", "+1", "-1", "x", "", "99999999999999999999"}) {
    EXPECT_EQ(Apply(Record({{"index", Record({{key, Value::Int(1)}})}})),
              std::string("variable \"index\" has no point \"") + key + "\"");
  }
  EXPECT_EQ(Apply(Record({{"state", Record({{"w3", Text("DONE")}})}})),
            "variable \"state\" has no point \"w3\"");
  EXPECT_EQ(Apply(Record({{"state", Text("DONE")}})),
            "variable \"state\" is a function, but its change is not an object of points");
  EXPECT_EQ(Apply(Value::Int(1)), "a change that is not an object");
}

TEST(StateRebuilder, ReplacesPointsOfFunctionsAndWholeVariables) {
  EXPECT_EQ(Apply(Record({{"index", Record({{"2", Value::Int(7)}})},
                          {"state", Record({{"w2", Text("DONE")}})},
                          {"counter", Value::Int(3)},
                          {"seen", Value::SetOf({Text("w2")})}})),
            "{\"index\":[0,7],\"state\":{\"w1\":\"IDLE\",\"w2\":\"DONE\"},\"counter\":3,"
            "\"seen\":{\"#set\":[\"w2\"]}}");
}

TEST(StateRebuilder, ReplacesASequenceGivenWhole) {
  StateRebuilder states(Initial());
  EXPECT_FALSE(states.Apply(Record({{"index", Value::SeqOf({Value::Int(5)})}})));
  EXPECT_EQ(*states.state().Find("index"), Value::SeqOf({Value::Int(5)}));
}

TEST(StateRebuilder, IgnoresAChangeOfNothing) {
  EXPECT_EQ(Apply(Record({})), Initial().ToJson());
  EXPECT_EQ(Apply(Value()), Initial().ToJson());
}

}  // namespace
}  // namespace lockstep::traces
