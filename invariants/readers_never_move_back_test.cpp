#include "invariants/readers_never_move_back.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

TEST(ReadersNeverMoveBack, RejectsLosingWhatWasFound) {
  LogFixture log;
  log.AnswerRead({.operation = 1, .offset = 3, .bytes = {}, .highest_found_before = 3});
  EXPECT_THAT(ReadersNeverMoveBack(log.Step()), Breaks("ReadersNeverMoveBack"));
}

TEST(ReadersNeverMoveBack, RejectsAHoleBelowWhatWasFound) {
  LogFixture log;
  log.AnswerRead({.operation = 1, .offset = 1, .bytes = {}, .highest_found_before = 3});
  EXPECT_THAT(ReadersNeverMoveBack(log.Step()), Breaks("ReadersNeverMoveBack"));
}

TEST(ReadersNeverMoveBack, AcceptsFindingAgain) {
  LogFixture log;
  log.AnswerRead(
      {.operation = 1, .offset = 3, .found = true, .bytes = {}, .highest_found_before = 3});
  EXPECT_THAT(ReadersNeverMoveBack(log.Step()), Holds());
}

TEST(ReadersNeverMoveBack, AcceptsTheLogsEnd) {
  LogFixture log;
  log.AnswerRead({.operation = 1, .offset = 4, .bytes = {}, .highest_found_before = 3});
  EXPECT_THAT(ReadersNeverMoveBack(log.Step()), Holds());
}

TEST(ReadersNeverMoveBack, IgnoresStepsWithoutAnAnswer) {
  LogFixture log;
  EXPECT_THAT(ReadersNeverMoveBack(log.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
