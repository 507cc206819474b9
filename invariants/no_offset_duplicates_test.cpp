#include "invariants/no_offset_duplicates.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::EntryType;

TEST(NoOffsetDuplicates, RejectsAnEntryOfNoKnownType) {
  LogFixture log;
  log.SetSpecEntry(2, {static_cast<EntryType>(7), 1});
  EXPECT_THAT(NoOffsetDuplicates(log.Step()), Breaks("NoOffsetDuplicates"));
  EXPECT_THAT(NoOffsetDuplicates(log.machine, log.state), Breaks("NoOffsetDuplicates"));
}

TEST(NoOffsetDuplicates, AcceptsEveryKnownType) {
  LogFixture log;
  log.SetSpecEntry(1, Wal(1));
  log.SetSpecEntry(2, Compacted(1));
  log.SetSpecEntry(3, {});
  EXPECT_THAT(NoOffsetDuplicates(log.Step()), Holds());
  EXPECT_THAT(NoOffsetDuplicates(log.machine, log.state), Holds());
}

TEST(NoOffsetDuplicates, IgnoresEntriesThatTheStepDidNotChange) {
  LogFixture log;
  log.SetSpecEntry(2, {static_cast<EntryType>(7), 1});
  log.BeginStep();
  log.SetSpecEntry(3, Wal(1));
  EXPECT_THAT(NoOffsetDuplicates(log.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
