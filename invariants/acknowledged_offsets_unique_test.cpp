#include "invariants/acknowledged_offsets_unique.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

TEST(AcknowledgedOffsetsUnique, RejectsTwoAppendsThatShareAnOffset) {
  LogFixture log;
  log.Acknowledge(1, 3, 3);
  log.BeginStep();
  log.Acknowledge(2, 4, 2);
  EXPECT_THAT(AcknowledgedOffsetsUnique(log.Step()), Breaks("AcknowledgedOffsetsUnique"));
}

TEST(AcknowledgedOffsetsUnique, RejectsOneAppendWithTwoRecordsAtAnOffset) {
  LogFixture log;
  log.Acknowledge(1, 3, 2);
  log.BeginStep();
  log.Acknowledge(1, 4, 2);
  EXPECT_THAT(AcknowledgedOffsetsUnique(log.Step()), Breaks("AcknowledgedOffsetsUnique"));
}

TEST(AcknowledgedOffsetsUnique, AcceptsNeighbours) {
  LogFixture log;
  log.Acknowledge(1, 3, 3);
  log.BeginStep();
  log.Acknowledge(2, 5, 2);
  EXPECT_THAT(AcknowledgedOffsetsUnique(log.Step()), Holds());
}

TEST(AcknowledgedOffsetsUnique, AcceptsTheSameAnswerAgain) {
  LogFixture log;
  log.Acknowledge(1, 3, 3);
  log.BeginStep();
  log.Acknowledge(1, 3, 3);
  EXPECT_THAT(AcknowledgedOffsetsUnique(log.Step()), Holds());
}

TEST(AcknowledgedOffsetsUnique, IgnoresStepsThatAcknowledgeNothing) {
  LogFixture log;
  log.Append(1, 2);
  EXPECT_THAT(AcknowledgedOffsetsUnique(log.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
