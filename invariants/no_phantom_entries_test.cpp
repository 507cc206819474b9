#include "invariants/no_phantom_entries.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::CompactorState;

TEST(NoPhantomEntries, RejectsAnEntryLeftByTheDeletion) {
  LogFixture log;
  log.SetSpecEntry(3, Wal(1));
  log.BeginStep();
  log.SetSpecCompactor(CompactorState::UPDATING_CURSOR);
  EXPECT_THAT(NoPhantomEntries(log.Step()), Breaks("NoPhantomEntries"));
  EXPECT_THAT(NoPhantomEntries(log.machine, log.state), Breaks("NoPhantomEntries"));
}

TEST(NoPhantomEntries, RejectsAnEntryThatComesBack) {
  LogFixture log;
  log.SetSpecCompactor(CompactorState::UPDATING_CURSOR);
  log.BeginStep();
  log.SetSpecEntry(1, Wal(1));
  EXPECT_THAT(NoPhantomEntries(log.Step()), Breaks("NoPhantomEntries"));
}

TEST(NoPhantomEntries, RejectsAnEntryOfTheRoundThatBegins) {
  LogFixture log;
  log.SetSpecEntry(5, Wal(1));
  log.SetSpecCompactor(CompactorState::DONE);
  log.BeginStep();
  log.SetSpecRound(2);
  EXPECT_THAT(NoPhantomEntries(log.Step()), Breaks("NoPhantomEntries"));
  EXPECT_THAT(NoPhantomEntries(log.machine, log.state), Breaks("NoPhantomEntries"));
}

TEST(NoPhantomEntries, AcceptsTheRangesEndAndWhatLiesBeyond) {
  LogFixture log;
  log.SetSpecEntry(4, Compacted(4));
  log.SetSpecEntry(5, Wal(1));
  log.SetSpecCompactor(CompactorState::UPDATING_CURSOR);
  EXPECT_THAT(NoPhantomEntries(log.Step()), Holds());
  log.BeginStep();
  log.SetSpecCompactor(CompactorState::DONE);
  EXPECT_THAT(NoPhantomEntries(log.Step()), Holds());
}

TEST(NoPhantomEntries, IgnoresEntriesWhileTheyAreToBeDeleted) {
  LogFixture log;
  log.SetSpecEntry(3, Wal(1));
  log.SetSpecCompactor(CompactorState::DELETING_OLD);
  EXPECT_THAT(NoPhantomEntries(log.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
