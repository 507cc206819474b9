#include "invariants/records_at_one_offset.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

TEST(RecordsAtOneOffset, RejectsAnAppendAtTwoPlaces) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.Append(1, 2);
  EXPECT_THAT(RecordsAtOneOffset(log.Step()), Breaks("RecordsAtOneOffset"));
}

TEST(RecordsAtOneOffset, RejectsAnotherLengthAtTheSameEnd) {
  LogFixture log;
  log.Assign(1, 4, 2);
  log.BeginStep();
  log.Assign(1, 4, 3);
  EXPECT_THAT(RecordsAtOneOffset(log.Step()), Breaks("RecordsAtOneOffset"));
}

TEST(RecordsAtOneOffset, AcceptsAppendsOfTheirOwn) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.Append(2, 2);
  EXPECT_THAT(RecordsAtOneOffset(log.Step()), Holds());
}

TEST(RecordsAtOneOffset, IgnoresTheSamePlaceAgain) {
  LogFixture log;
  log.Assign(1, 2, 2);
  log.BeginStep();
  log.Assign(1, 2, 2);
  EXPECT_THAT(RecordsAtOneOffset(log.Step()), Holds()) << "OffsetsAssignedOnce is for that";
}

}  // namespace
}  // namespace lockstep::invariants
