#include "invariants/offsets_assigned_once.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

TEST(OffsetsAssignedOnce, RejectsASecondAssignmentOfAnOffset) {
  LogFixture log;
  log.Assign(1, 3, 3);
  log.BeginStep();
  log.Assign(2, 5, 3);
  EXPECT_THAT(OffsetsAssignedOnce(log.Step()), Breaks("OffsetsAssignedOnce"));
}

TEST(OffsetsAssignedOnce, RejectsACounterThatGoesBack) {
  LogFixture log;
  log.SetCounter(6);
  log.BeginStep();
  log.SetCounter(5);
  EXPECT_THAT(OffsetsAssignedOnce(log.Step()), Breaks("OffsetsAssignedOnce"));
}

TEST(OffsetsAssignedOnce, RejectsReuseAfterTheTailWasDeleted) {
  LogFixture log;
  log.Append(1, 2);
  log.DeleteEntry(2);
  log.BeginStep();
  log.Assign(2, 2, 1);
  EXPECT_THAT(OffsetsAssignedOnce(log.Step()), Breaks("OffsetsAssignedOnce"));
}

TEST(OffsetsAssignedOnce, RejectsTheSameAppendAtTheSamePlaceAgain) {
  LogFixture log;
  log.Assign(1, 3, 3);
  log.BeginStep();
  log.Assign(1, 3, 3);
  EXPECT_THAT(OffsetsAssignedOnce(log.Step()), Breaks("OffsetsAssignedOnce"));
}

TEST(OffsetsAssignedOnce, AcceptsAppendsOneAfterAnother) {
  LogFixture log;
  log.Append(1, 2);
  EXPECT_THAT(OffsetsAssignedOnce(log.Step()), Holds());
  log.BeginStep();
  log.Append(2, 3);
  EXPECT_THAT(OffsetsAssignedOnce(log.Step()), Holds());
}

TEST(OffsetsAssignedOnce, IgnoresAnAppendAtTwoPlaces) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.Append(1, 2);
  EXPECT_THAT(OffsetsAssignedOnce(log.Step()), Holds()) << "RecordsAtOneOffset is for that";
}

}  // namespace
}  // namespace lockstep::invariants
