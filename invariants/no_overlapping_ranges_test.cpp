#include "invariants/no_overlapping_ranges.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

TEST(NoOverlappingRanges, RejectsAnEntryThatReachesBackIntoAnother) {
  LogFixture log;
  log.SetSpecEntry(2, Wal(2));
  log.BeginStep();
  log.SetSpecEntry(4, Wal(3));
  EXPECT_THAT(NoOverlappingRanges(log.Step()), Breaks("NoOverlappingRanges"));
  EXPECT_THAT(NoOverlappingRanges(log.machine, log.state), Breaks("NoOverlappingRanges"));
}

TEST(NoOverlappingRanges, RejectsAnEntryBelowOneThatReachesBack) {
  LogFixture log;
  log.SetSpecEntry(6, Wal(4));
  log.BeginStep();
  log.SetSpecEntry(3, Wal(1));
  EXPECT_THAT(NoOverlappingRanges(log.Step()), Breaks("NoOverlappingRanges"));
  EXPECT_THAT(NoOverlappingRanges(log.machine, log.state), Breaks("NoOverlappingRanges"));
}

TEST(NoOverlappingRanges, RejectsAnEntryAroundAnother) {
  LogFixture log;
  log.SetSpecEntry(3, Wal(1));
  log.SetSpecEntry(4, Compacted(1));
  log.BeginStep();
  log.SetSpecEntry(5, Wal(5));
  EXPECT_THAT(NoOverlappingRanges(log.Step()), Breaks("NoOverlappingRanges"));
  EXPECT_THAT(NoOverlappingRanges(log.machine, log.state), Breaks("NoOverlappingRanges"));
}

TEST(NoOverlappingRanges, AcceptsNeighbours) {
  LogFixture log;
  log.SetSpecEntry(2, Wal(2));
  log.SetSpecEntry(6, Wal(2));
  log.SetSpecEntry(4, Wal(2));
  EXPECT_THAT(NoOverlappingRanges(log.Step()), Holds());
  EXPECT_THAT(NoOverlappingRanges(log.machine, log.state), Holds());
}

TEST(NoOverlappingRanges, IgnoresCompactedEntries) {
  LogFixture log;
  log.SetSpecEntry(2, Wal(2));
  log.SetSpecEntry(4, Compacted(4));
  EXPECT_THAT(NoOverlappingRanges(log.Step()), Holds()) << "EntriesNestWhole is for that";
  EXPECT_THAT(NoOverlappingRanges(log.machine, log.state), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
