#include "invariants/acknowledged_before_fence.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogState;

TEST(AcknowledgedBeforeFence, RejectsAnAppendAssignedWhileFenced) {
  LogFixture log;
  log.SetLogState(LogState::FENCED);
  const auto end = log.Append(1, 2);
  log.BeginStep();
  log.Acknowledge(1, end, 2);
  EXPECT_THAT(AcknowledgedBeforeFence(log.Step()), Breaks("AcknowledgedBeforeFence"));
}

TEST(AcknowledgedBeforeFence, RejectsItAlsoWhenTheLogIsOpenAgain) {
  LogFixture log;
  log.SetLogState(LogState::FENCED);
  const auto end = log.Append(1, 2);
  log.SetLogState(LogState::OPEN);
  log.BeginStep();
  log.Acknowledge(1, end, 2);
  EXPECT_THAT(AcknowledgedBeforeFence(log.Step()), Breaks("AcknowledgedBeforeFence"));
}

TEST(AcknowledgedBeforeFence, RejectsAnAppendThatWasNeverAssigned) {
  LogFixture log;
  log.Acknowledge(1, 2, 2);
  EXPECT_THAT(AcknowledgedBeforeFence(log.Step()), Breaks("AcknowledgedBeforeFence"));
}

TEST(AcknowledgedBeforeFence, RejectsAnotherAppendsPlace) {
  LogFixture log;
  log.Append(1, 2);
  const auto end = log.Append(2, 2);
  log.BeginStep();
  log.Acknowledge(1, end, 2);
  EXPECT_THAT(AcknowledgedBeforeFence(log.Step()), Breaks("AcknowledgedBeforeFence"));
}

TEST(AcknowledgedBeforeFence, RejectsAPlaceThatIsOffByARecord) {
  LogFixture log;
  const auto end = log.Append(1, 2);
  log.BeginStep();
  log.Acknowledge(1, end - 1, 2);
  EXPECT_THAT(AcknowledgedBeforeFence(log.Step()), Breaks("AcknowledgedBeforeFence"));
}

TEST(AcknowledgedBeforeFence, RejectsNoPlaceAtAll) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.Acknowledge(1, 0, 2);
  EXPECT_THAT(AcknowledgedBeforeFence(log.Step()), Breaks("AcknowledgedBeforeFence"));
}

TEST(AcknowledgedBeforeFence, AcceptsAnAnswerThatArrivesDuringTheFence) {
  LogFixture log;
  const auto end = log.Append(1, 2);
  log.SetLogState(LogState::FENCED);
  log.BeginStep();
  log.Acknowledge(1, end, 2);
  EXPECT_THAT(AcknowledgedBeforeFence(log.Step()), Holds());
}

TEST(AcknowledgedBeforeFence, IgnoresAnAssignmentThatNobodyIsTold) {
  LogFixture log;
  log.SetLogState(LogState::FENCED);
  log.BeginStep();
  log.Append(1, 2);
  EXPECT_THAT(AcknowledgedBeforeFence(log.Step()), Holds()) << "ConformanceGuard is for that";
}

}  // namespace
}  // namespace lockstep::invariants
