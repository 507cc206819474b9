#include "scenarios/exhaust/config_reader.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace lockstep::scenarios {
namespace {

/// What is said of `text` after `read` has asked for what it wants.
std::string Said(std::string_view text, const std::function<void(ConfigReader&)>& read) {
  ConfigReader reader(text, "my.json");
  read(reader);
  return reader.problem() ? reader.problem()->ToString() : "nothing";
}

void Nothing(ConfigReader& /*reader*/) {}

TEST(ConfigReader, RejectsWhatIsNoObject) {
  const std::string accepted = "; accepted: a JSON object whose keys are the module's constants";
  EXPECT_EQ(Said("[]", Nothing), "my.json: a line that is not an object" + accepted);
  EXPECT_EQ(Said(R"({"A": 1, "A": 2})", Nothing),
            "my.json: the key \"A\" stands twice in one object" + accepted);
  EXPECT_NE(Said("{", Nothing).find("not JSON"), std::string::npos);
  EXPECT_NE(Said(R"({"A": 1.5})", Nothing).find("float"), std::string::npos);
  EXPECT_EQ(Said(R"({"A": null})", Nothing),
            "my.json: \"A\" is null; accepted: a value, or the key left out");
}

TEST(ConfigReader, RejectsKeysThatNobodyKnows) {
  EXPECT_EQ(Said(R"({"A": 1, "C": 2})",
                 [](ConfigReader& r) {
                   r.AcceptOnly({"A", "B"});
                 }),
            "my.json: unknown key \"C\"; accepted: A, B");
}

TEST(ConfigReader, RejectsMissingAndMistypedValues) {
  const auto read = [](ConfigReader& r) {
    EXPECT_EQ(r.Int("A", 2, 9), 2);
    EXPECT_TRUE(r.Strings("B").empty());
  };
  EXPECT_EQ(Said("{}", read), "my.json: missing key \"A\"; accepted: an integer, 2 to 9");
  EXPECT_EQ(Said(R"({"A": "x"})", read),
            "my.json: wrong type of \"A\"; accepted: an integer, 2 to 9");
  EXPECT_EQ(Said(R"({"A": 1})", read), "my.json: \"A\" is 1; accepted: an integer, 2 to 9");
  const auto strings = [](ConfigReader& r) { EXPECT_TRUE(r.Strings("B").empty()); };
  EXPECT_EQ(Said(R"({"B": ["x", 2]})", strings),
            "my.json: wrong type of an item of \"B\"; accepted: an array of strings");
  EXPECT_EQ(Said(R"({"B": 1})", [](ConfigReader& r) { EXPECT_TRUE(r.Objects("B").empty()); }),
            "my.json: wrong type of \"B\"; accepted: an array of objects");
}

TEST(ConfigReader, RejectsInsideObjectsByPlace) {
  EXPECT_EQ(Said(R"({"R": [{"a": 0}]})",
                 [](ConfigReader& r) {
                   ConfigReader inner(r.Objects("R").at(0), "my.json", "R[1]");
                   inner.Int("a", 1, 3);
                   r.Adopt(inner);
                 }),
            "my.json: \"a\" in R[1] is 0; accepted: an integer, 1 to 3");
  EXPECT_EQ(
      Said(R"({"R": [7]})",
           [](ConfigReader& r) { r.Adopt(ConfigReader(r.Objects("R").at(0), "my.json", "R[1]")); }),
      "my.json: R[1] is not an object; accepted: an object");
}

TEST(ConfigReader, KeepsTheFirstProblem) {
  EXPECT_EQ(Said("{}",
                 [](ConfigReader& r) {
                   r.Fail("first", "this");
                   r.Fail("second", "that");
                   r.Int("A", 0, 1);
                 }),
            "my.json: first; accepted: this");
}

TEST(ConfigReader, AcceptsKeysInAnyOrder) {
  EXPECT_EQ(Said("{\n  \"B\": [\"x\", \"y\"],\n  \"A\": 3\n}\n",
                 [](ConfigReader& r) {
                   r.AcceptOnly({"A", "B", "C"});
                   EXPECT_EQ(r.Int("A", 0, 9), 3);
                   EXPECT_EQ(r.Strings("B"), (std::vector<std::string>{"x", "y"}));
                   EXPECT_TRUE(r.Has("B"));
                   EXPECT_FALSE(r.Has("C"));
                 }),
            "nothing");
}

}  // namespace
}  // namespace lockstep::scenarios
