#include "sim/base/check.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::sim {
namespace {

using ::testing::ExitedWithCode;

TEST(CheckDeathTest, EndsTheProcessWithExitCodeOneAndNamesTheCondition) {
  const int three = 3;
  EXPECT_EXIT(LOCKSTEP_CHECK(three == 4), ExitedWithCode(1),
              "check_test\\.cpp:[0-9]+: CHECK\\(three == 4\\) failed");
}

TEST(CheckDeathTest, PrintsTheDetail) {
  const std::string detail = "key log/state";
  EXPECT_EXIT(LOCKSTEP_CHECK_MSG(false, detail), ExitedWithCode(1),
              "CHECK\\(false\\) failed: key log/state");
}

TEST(CheckDeathTest, PrintsTheContextThatTheRunnerHasSet) {
  SetCheckContext("scenario log_small seed 7");
  EXPECT_EXIT(LOCKSTEP_CHECK(false), ExitedWithCode(1), "while in scenario log_small seed 7");
  SetCheckContext("");
}

TEST(CheckDeathTest, PrintsNoContextWhenItHasBeenCleared) {
  SetCheckContext("scenario log_small seed 7");
  SetCheckContext("");
  const auto fail_or_tell = [] { CheckFailed("c", "f.cpp", 1, "the end"); };
  EXPECT_EXIT(fail_or_tell(), ExitedWithCode(1), "the end\n$");
}

TEST(Check, EvaluatesItsConditionOnceAndGoesOnWhenItHolds) {
  int evaluations = 0;
  LOCKSTEP_CHECK(++evaluations == 1);
  LOCKSTEP_CHECK_MSG(++evaluations == 2, "evaluated more than once");
  EXPECT_EQ(evaluations, 2);
}

TEST(Check, DoesNotBuildItsDetailWhenTheConditionHolds) {
  int built = 0;
  const auto detail = [&built] {
    ++built;
    return std::string("costly");
  };
  LOCKSTEP_CHECK_MSG(true, detail());
  EXPECT_EQ(built, 0);
}

TEST(Check, IsOneStatement) {
  bool reached_else = false;
  // An if inside the macro would take this else for itself.
  if (reached_else)
    LOCKSTEP_CHECK(false);
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

}  // namespace
}  // namespace lockstep::sim
