#include "invariants/compaction_completes.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::LogEnd;
using protocol::leaderless_log::PlanPhase;

constexpr const char* kName = "CompactionCompletes";

LogEnd EndOf(const LogFixture& log, bool compactor_lives = true) {
  return {.machine = log.machine,
          .state = log.state,
          .observed = log.observed,
          .appends_pending = {},
          .reads_unsuccessful = {},
          .compactor_lives = compactor_lives};
}

TEST(CompactionCompletes, RejectsACompactorStuckOnItsWay) {
  for (const CompactorState state :
       {CompactorState::WRITING_COMPACTED_INDEX, CompactorState::DELETING_OLD,
        CompactorState::UPDATING_CURSOR}) {
    LogFixture log;
    log.SetSpecCompactor(state);
    EXPECT_THAT(CompactionCompletes(EndOf(log)), Breaks(kName));
  }
}

TEST(CompactionCompletes, RejectsAPlanThatNobodyTakesUpAgain) {
  for (const PlanPhase phase : {PlanPhase::kWriting, PlanPhase::kDeleting, PlanPhase::kCursor}) {
    LogFixture log;
    log.observed.plan_phase = phase;
    EXPECT_THAT(CompactionCompletes(EndOf(log)), Breaks(kName));
  }
}

TEST(CompactionCompletes, RejectsACompactedEntryThatTheCursorHasNotPassed) {
  LogFixture log;
  log.PutEntry(4, Compacted(4), "c");
  EXPECT_THAT(CompactionCompletes(EndOf(log)), Breaks(kName));
}

TEST(CompactionCompletes, AcceptsARangeBehindTheCursor) {
  LogFixture log;
  log.Append(1, 4);
  log.Compact({1, 4});
  log.SetSpecCompactor(CompactorState::DONE);
  log.observed.plan_phase = PlanPhase::kDone;
  EXPECT_THAT(CompactionCompletes(EndOf(log)), Holds());
}

TEST(CompactionCompletes, AcceptsARangeThatWasNeverStarted) {
  LogFixture log;
  log.Append(1, 4);
  EXPECT_THAT(CompactionCompletes(EndOf(log)), Holds());
}

TEST(CompactionCompletes, IgnoresWhatADeadCompactorLeaves) {
  LogFixture log;
  log.SetSpecCompactor(CompactorState::DELETING_OLD);
  log.PutEntry(4, Compacted(4), "c");
  EXPECT_THAT(CompactionCompletes(EndOf(log, false)), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
