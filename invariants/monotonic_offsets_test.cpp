#include "invariants/monotonic_offsets.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

TEST(MonotonicOffsets, RejectsACounterBelowOne) {
  LogFixture log;
  log.SetSpecCounter(0);
  EXPECT_THAT(MonotonicOffsets(log.Step()), Breaks("MonotonicOffsets"));
  EXPECT_THAT(MonotonicOffsets(log.machine, log.state), Breaks("MonotonicOffsets"));
}

TEST(MonotonicOffsets, AcceptsTheFirstOffset) {
  LogFixture log;
  EXPECT_THAT(MonotonicOffsets(log.Step()), Holds());
  EXPECT_THAT(MonotonicOffsets(log.machine, log.state), Holds());
}

TEST(MonotonicOffsets, IgnoresACounterThatGoesBack) {
  LogFixture log;
  log.SetSpecCounter(7);
  log.BeginStep();
  log.SetSpecCounter(3);
  EXPECT_THAT(MonotonicOffsets(log.Step()), Holds()) << "OffsetsAssignedOnce is for that";
}

}  // namespace
}  // namespace lockstep::invariants
