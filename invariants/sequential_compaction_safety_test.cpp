#include "invariants/sequential_compaction_safety.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

TEST(SequentialCompactionSafety, RejectsARoundThatEndsWithoutItsEntry) {
  LogFixture log;
  log.SetSpecRound(2);
  EXPECT_THAT(SequentialCompactionSafety(log.Step()), Breaks("SequentialCompactionSafety"));
  EXPECT_THAT(SequentialCompactionSafety(log.machine, log.state),
              Breaks("SequentialCompactionSafety"));
}

TEST(SequentialCompactionSafety, RejectsLosingTheFirstRoundsEntryLater) {
  LogFixture log;
  log.SetSpecEntry(4, Compacted(4));
  log.SetSpecRound(2);
  log.BeginStep();
  log.SetSpecEntry(4, Wal(1));
  EXPECT_THAT(SequentialCompactionSafety(log.Step()), Breaks("SequentialCompactionSafety"));
}

TEST(SequentialCompactionSafety, RejectsLosingAnyEarlierRoundsEntryWhereRoundsAreCounted) {
  LogFixture log;
  log.constants.dialect.rounds = true;
  log.SetSpecEntry(4, Compacted(4));
  log.SetSpecEntry(8, Compacted(4));
  log.SetSpecRound(3);
  EXPECT_THAT(SequentialCompactionSafety(log.Step()), Holds());
  log.BeginStep();
  log.SetSpecEntry(8, {});
  EXPECT_THAT(SequentialCompactionSafety(log.Step()), Breaks("SequentialCompactionSafety"));
  EXPECT_THAT(SequentialCompactionSafety(log.machine, log.state),
              Breaks("SequentialCompactionSafety"));
}

TEST(SequentialCompactionSafety, AcceptsAnEntryOfTheRound) {
  LogFixture log;
  log.SetSpecEntry(4, Compacted(4));
  log.SetSpecRound(2);
  EXPECT_THAT(SequentialCompactionSafety(log.Step()), Holds());
  EXPECT_THAT(SequentialCompactionSafety(log.machine, log.state), Holds());
}

TEST(SequentialCompactionSafety, IgnoresTheRoundUnderWay) {
  LogFixture log;
  log.SetSpecEntry(4, Compacted(4));
  log.SetSpecRound(2);
  log.BeginStep();
  log.SetSpecEntry(3, Wal(1));
  log.SetSpecEntry(8, Wal(4));
  EXPECT_THAT(SequentialCompactionSafety(log.Step()), Holds());
  EXPECT_THAT(SequentialCompactionSafety(log.machine, log.state), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
