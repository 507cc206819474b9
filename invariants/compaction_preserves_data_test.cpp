#include "invariants/compaction_preserves_data.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::CompactorState;

TEST(CompactionPreservesData, RejectsDeletingWithoutACompactedEntry) {
  LogFixture log;
  log.SetSpecEntry(4, Wal(4));
  log.SetSpecCompactor(CompactorState::DELETING_OLD);
  EXPECT_THAT(CompactionPreservesData(log.Step()), Breaks("CompactionPreservesData"));
  EXPECT_THAT(CompactionPreservesData(log.machine, log.state), Breaks("CompactionPreservesData"));
}

TEST(CompactionPreservesData, RejectsLosingTheEntryLater) {
  for (const CompactorState state : {CompactorState::UPDATING_CURSOR, CompactorState::DONE}) {
    LogFixture log;
    log.SetSpecCompactor(state);
    log.SetSpecEntry(4, Compacted(4));
    log.BeginStep();
    log.SetSpecEntry(4, {});
    EXPECT_THAT(CompactionPreservesData(log.Step()), Breaks("CompactionPreservesData"));
  }
}

TEST(CompactionPreservesData, AcceptsACompactedEntryAtTheRangesEnd) {
  LogFixture log;
  log.SetSpecEntry(8, Compacted(4));
  log.SetSpecRound(2);
  log.SetSpecCompactor(CompactorState::DELETING_OLD);
  EXPECT_THAT(CompactionPreservesData(log.Step()), Holds());
}

TEST(CompactionPreservesData, IgnoresACompactorThatHasNotWritten) {
  LogFixture log;
  log.SetSpecCompactor(CompactorState::WRITING_COMPACTED_INDEX);
  EXPECT_THAT(CompactionPreservesData(log.Step()), Holds());
  log.SetSpecCompactor(CompactorState::IDLE);
  EXPECT_THAT(CompactionPreservesData(log.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
