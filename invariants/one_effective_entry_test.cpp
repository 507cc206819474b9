#include "invariants/one_effective_entry.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

constexpr const char* kName = "OneEffectiveEntry";

TEST(OneEffectiveEntry, RejectsACounterWithoutAnEntry) {
  LogFixture log;
  log.SetCounter(3);
  EXPECT_THAT(OneEffectiveEntry(log.Step()), Breaks(kName));
}

TEST(OneEffectiveEntry, RejectsAHoleBelowANewEntry) {
  LogFixture log;
  log.PutEntry(4, Wal(2), "w");
  log.SetCounter(5);
  EXPECT_THAT(OneEffectiveEntry(log.Step()), Breaks(kName));
}

TEST(OneEffectiveEntry, RejectsADeletedEntry) {
  LogFixture log;
  log.Append(1, 2);
  log.Append(2, 2);
  log.BeginStep();
  log.DeleteEntry(2);
  EXPECT_THAT(OneEffectiveEntry(log.Step()), Breaks(kName));
}

TEST(OneEffectiveEntry, RejectsAShortEntryThatHidesALongOne) {
  LogFixture log;
  log.Append(1, 4);
  log.BeginStep();
  log.PutEntry(3, Wal(1), "w");
  EXPECT_THAT(OneEffectiveEntry(log.Step()), Breaks(kName));
}

TEST(OneEffectiveEntry, RejectsDeletingTheTail) {
  LogFixture log;
  log.Append(1, 2);
  log.BeginStep();
  log.DeleteEntry(2);
  EXPECT_THAT(OneEffectiveEntry(log.Step()), Breaks(kName));
}

TEST(OneEffectiveEntry, RejectsDeletingBeforeTheCompactedEntryIsThere) {
  LogFixture log;
  log.Append(1, 2);
  log.Append(2, 2);
  log.BeginStep();
  log.DeleteOld({1, 4});
  EXPECT_THAT(OneEffectiveEntry(log.Step()), Breaks(kName));
}

TEST(OneEffectiveEntry, AcceptsAppendsAndCompactions) {
  LogFixture log;
  for (const std::uint64_t operation : {1U, 2U, 3U, 4U}) {
    log.BeginStep();
    log.Append(operation, 2);
    EXPECT_THAT(OneEffectiveEntry(log.Step()), Holds());
  }
  for (const protocol::leaderless_log::Range& range : log.constants.ranges) {
    log.BeginStep();
    log.WriteCompacted(range);
    EXPECT_THAT(OneEffectiveEntry(log.Step()), Holds());
    log.BeginStep();
    log.DeleteOld(range);
    EXPECT_THAT(OneEffectiveEntry(log.Step()), Holds());
  }
}

TEST(OneEffectiveEntry, IgnoresOffsetsThatAreNotCommitted) {
  LogFixture log;
  log.PutEntry(4, Wal(2), "w");
  EXPECT_THAT(OneEffectiveEntry(log.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
