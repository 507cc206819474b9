#include "invariants/one_sealed_end.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogState;

constexpr const char* kName = "OneSealedEnd";

/// Append 1..2 is acknowledged; the log is FENCED behind it.
class Sealed : public ::testing::Test {
 protected:
  Sealed() {
    log_.AppendAcknowledged(1, 2);
    log_.SetLogState(LogState::FENCED);
    first_ = log_.StateVersion();
    log_.BeginStep();
  }
  /// The log is opened, grows to offset 4, and is fenced again.
  void FenceAgain() {
    log_.SetLogState(LogState::OPEN);
    log_.AppendAcknowledged(2, 2);
    log_.SetLogState(LogState::FENCED);
    second_ = log_.StateVersion();
    log_.BeginStep();
  }
  void Answer(std::int64_t epoch, std::int64_t sealed_end) {
    log_.AnswerFence({.operation = 9, .epoch = epoch, .sealed_end = sealed_end});
  }
  LogFixture log_;
  std::int64_t first_ = 0;
  std::int64_t second_ = 0;
};

TEST_F(Sealed, RejectsALogThatGrows) {
  log_.Append(2, 2);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Breaks(kName));
}

TEST_F(Sealed, RejectsAnAnswerBelowTheEnd) {
  Answer(first_, 1);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Breaks(kName));
}

TEST_F(Sealed, RejectsAnAnswerAboveTheEnd) {
  Answer(first_, 3);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Breaks(kName));
}

TEST_F(Sealed, RejectsAnAcknowledgementBeyondTheEnd) {
  log_.Acknowledge(2, 3, 1);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Breaks(kName));
}

TEST_F(Sealed, RejectsAnEndBelowAnAcknowledgement) {
  log_.Acknowledge(2, 4, 2);
  log_.BeginStep();
  Answer(first_, 2);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Breaks(kName));
}

TEST_F(Sealed, RejectsTheOldEndForTheNewFence) {
  FenceAgain();
  Answer(second_, 2);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Breaks(kName));
}

TEST_F(Sealed, RejectsTheNewEndForTheOldFence) {
  FenceAgain();
  Answer(first_, 4);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Breaks(kName));
}

TEST_F(Sealed, RejectsAnEndThatNoFenceEverHad) {
  FenceAgain();
  Answer(0, 3);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Breaks(kName));
}

TEST(OneSealedEnd, RejectsAFenceThatNeverTookEffect) {
  LogFixture log;
  log.AppendAcknowledged(1, 2);
  log.BeginStep();
  log.AnswerFence({.operation = 9, .epoch = 0, .sealed_end = 2});
  EXPECT_THAT(OneSealedEnd(log.Step()), Breaks(kName));
  log.AnswerFence({.operation = 9, .epoch = log.StateVersion(), .sealed_end = 2});
  EXPECT_THAT(OneSealedEnd(log.Step()), Breaks(kName));
}

TEST_F(Sealed, AcceptsTheEndOfThisFence) {
  Answer(first_, 2);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Holds());
}

TEST_F(Sealed, AcceptsALateAnswerAboutAnOldFence) {
  FenceAgain();
  Answer(first_, 2);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Holds());
}

TEST_F(Sealed, AcceptsAnAnswerThatArrivesWhenTheLogIsOpen) {
  log_.SetLogState(LogState::OPEN);
  log_.AppendAcknowledged(2, 2);
  log_.BeginStep();
  Answer(first_, 2);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Holds());
}

TEST_F(Sealed, AcceptsAnAnswerThatNamesNoFence) {
  FenceAgain();
  Answer(0, 2);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Holds());
  Answer(0, 4);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Holds());
}

TEST_F(Sealed, AcceptsAVersionAtWhichTheRecordWasRewritten) {
  log_.PutRecord("log/state", "FENCED");
  Answer(log_.StateVersion(), 2);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Holds());
}

TEST_F(Sealed, AcceptsAnAcknowledgementUpToTheEnd) {
  log_.Acknowledge(1, 2, 2);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Holds());
}

TEST_F(Sealed, IgnoresTheCounterOfAStepThatChangesTheState) {
  log_.SetLogState(LogState::OPEN);
  log_.SetCounter(5);
  EXPECT_THAT(OneSealedEnd(log_.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
