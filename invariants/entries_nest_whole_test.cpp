#include "invariants/entries_nest_whole.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

constexpr const char* kName = "EntriesNestWhole";

TEST(EntriesNestWhole, RejectsACompactedEntryThatCutsAnotherAtItsStart) {
  LogFixture log;
  log.PutEntry(3, Wal(3), "w");
  log.BeginStep();
  log.PutEntry(4, Compacted(3), "c");
  EXPECT_THAT(EntriesNestWhole(log.Step()), Breaks(kName));
}

TEST(EntriesNestWhole, RejectsACompactedEntryThatCutsAnotherAtItsEnd) {
  LogFixture log;
  log.PutEntry(4, Wal(2), "w");
  log.BeginStep();
  log.PutEntry(3, Compacted(3), "c");
  EXPECT_THAT(EntriesNestWhole(log.Step()), Breaks(kName));
}

TEST(EntriesNestWhole, RejectsANewEntryThatCutsACompactedOne) {
  LogFixture log;
  log.PutEntry(4, Compacted(4), "c");
  log.BeginStep();
  log.PutEntry(6, Wal(3), "w");
  EXPECT_THAT(EntriesNestWhole(log.Step()), Breaks(kName));
}

TEST(EntriesNestWhole, RejectsANewEntryThatReachesBelowTheCompactedOne) {
  LogFixture log;
  log.PutEntry(8, Compacted(4), "c");
  log.BeginStep();
  log.PutEntry(6, Wal(3), "w");
  EXPECT_THAT(EntriesNestWhole(log.Step()), Breaks(kName));
}

TEST(EntriesNestWhole, RejectsAnEntryAroundACompactedOne) {
  LogFixture log;
  log.PutEntry(3, Compacted(2), "c");
  log.BeginStep();
  log.PutEntry(4, Wal(4), "w");
  EXPECT_THAT(EntriesNestWhole(log.Step()), Breaks(kName));
}

TEST(EntriesNestWhole, RejectsOneCompactedEntryInsideAnother) {
  LogFixture log;
  log.PutEntry(2, Compacted(2), "c");
  log.BeginStep();
  log.PutEntry(4, Compacted(4), "d");
  EXPECT_THAT(EntriesNestWhole(log.Step()), Breaks(kName));
}

TEST(EntriesNestWhole, RejectsRangesThatOverlap) {
  LogFixture log;
  log.PutEntry(4, Compacted(4), "c");
  log.BeginStep();
  log.PutEntry(6, Compacted(4), "d");
  EXPECT_THAT(EntriesNestWhole(log.Step()), Breaks(kName));
}

TEST(EntriesNestWhole, RejectsTheCursorPassingAnEntryInside) {
  LogFixture log;
  log.Append(1, 2);
  log.Append(2, 2);
  log.WriteCompacted({1, 4});
  log.BeginStep();
  log.MoveCursor({1, 4});
  EXPECT_THAT(EntriesNestWhole(log.Step()), Breaks(kName));
}

TEST(EntriesNestWhole, RejectsAnEntryThatComesBackInside) {
  LogFixture log;
  log.Append(1, 2);
  log.Append(2, 2);
  log.Compact({1, 4});
  log.BeginStep();
  log.PutEntry(2, Wal(2), "wal/1");
  EXPECT_THAT(EntriesNestWhole(log.Step()), Breaks(kName));
}

TEST(EntriesNestWhole, AcceptsWhatACompactionDoes) {
  LogFixture log;
  for (const std::uint64_t operation : {1U, 2U, 3U, 4U}) log.Append(operation, 2);
  for (const protocol::leaderless_log::Range& range : log.constants.ranges) {
    log.BeginStep();
    log.WriteCompacted(range);
    EXPECT_THAT(EntriesNestWhole(log.Step()), Holds());
    log.BeginStep();
    log.DeleteOld(range);
    EXPECT_THAT(EntriesNestWhole(log.Step()), Holds());
    log.BeginStep();
    log.MoveCursor(range);
    EXPECT_THAT(EntriesNestWhole(log.Step()), Holds());
  }
}

TEST(EntriesNestWhole, IgnoresWalEntriesThatOverlapEachOther) {
  LogFixture log;
  log.PutEntry(3, Wal(2), "w");
  log.PutEntry(4, Wal(3), "v");
  EXPECT_THAT(EntriesNestWhole(log.Step()), Holds()) << "NoOverlappingRanges is for that";
}

}  // namespace
}  // namespace lockstep::invariants
