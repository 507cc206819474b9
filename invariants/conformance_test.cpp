#include "invariants/conformance.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Action;
using protocol::leaderless_log::ActionKind;
using protocol::leaderless_log::LogState;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::WriterState;

constexpr Action kAssign{ActionKind::AssignOffset, 0, 0};

TEST(ConformanceGuard, RejectsAnActionThatIsNotEnabled) {
  LogFixture log;
  const auto violation = ConformanceGuard(log.machine, log.state, kAssign);
  ASSERT_THAT(violation, Breaks("ConformanceGuard"));
  EXPECT_THAT(violation->message, testing::HasSubstr("AssignOffset(w1)"));
  EXPECT_THAT(violation->message, testing::HasSubstr("writerState"));
}

TEST(ConformanceGuard, AcceptsAnEnabledAction) {
  LogFixture log;
  EXPECT_THAT(ConformanceGuard(log.machine, log.state, {ActionKind::StartAppend, 0, 1}), Holds());
}

/// Writer w1 is about to be assigned offsets 1..2.
class Conformance : public ::testing::Test {
 protected:
  Conformance() {
    log_.SetSpecWriter(0, {WriterState::ASSIGNING_OFFSET, 0, 2, ReaderResult::NONE});
    log_.BeginStep();
  }
  LogFixture log_;
};

TEST_F(Conformance, RejectsAnActionThatTheStoreDoesNotShow) {
  log_.Take(kAssign);
  EXPECT_THAT(ConformanceEffect(log_.Step()), Breaks("ConformanceEffect"));
}

TEST_F(Conformance, RejectsAnotherEntryThanTheSpecs) {
  log_.Take(kAssign);
  log_.PutEntry(2, Wal(1), "w");
  log_.SetCounter(3);
  EXPECT_THAT(ConformanceEffect(log_.Step()), Breaks("ConformanceEffect"));
}

TEST_F(Conformance, RejectsAnotherCounterThanTheSpecs) {
  log_.Take(kAssign);
  log_.PutEntry(2, Wal(2), "w");
  log_.SetCounter(4);
  EXPECT_THAT(ConformanceEffect(log_.Step()), Breaks("ConformanceEffect"));
}

TEST_F(Conformance, RejectsMoreThanTheActionExplains) {
  for (const int what : {0, 1, 2, 3}) {
    LogFixture log;
    log.Take({ActionKind::StartAppend, 0, 1});
    if (what == 0) log.PutEntry(9, Wal(1), "w");
    if (what == 1) log.SetLogState(LogState::FENCED);
    if (what == 2) log.SetCursor(2);
    if (what == 3) log.SetRound(2);
    EXPECT_THAT(ConformanceEffect(log.Step()), Breaks("ConformanceEffect")) << what;
  }
}

TEST_F(Conformance, RejectsARecordThatTheLayoutDoesNotKnow) {
  log_.observed_changes.malformed_key = "log/cursr";
  EXPECT_THAT(UndeclaredChange(log_.Step()), Breaks("UndeclaredChange"));
  log_.Take(kAssign);
  log_.PutEntry(2, Wal(2), "w");
  log_.SetCounter(3);
  EXPECT_THAT(ConformanceEffect(log_.Step()), Breaks("ConformanceEffect"));
}

TEST_F(Conformance, AcceptsTheEffectThatTheSpecSays) {
  log_.Take(kAssign);
  log_.PutEntry(2, Wal(2), "w");
  log_.SetCounter(3);
  EXPECT_THAT(ConformanceEffect(log_.Step()), Holds());
  EXPECT_THAT(UndeclaredChange(log_.Step()), Holds());
}

TEST_F(Conformance, IgnoresDifferencesThatTheStepDidNotMake) {
  log_.SetCursor(7);
  log_.PutEntry(9, Wal(1), "w");
  log_.BeginStep();
  log_.Take(kAssign);
  log_.PutEntry(2, Wal(2), "w");
  log_.SetCounter(3);
  EXPECT_THAT(ConformanceEffect(log_.Step()), Holds());
}

TEST(UndeclaredChange, RejectsEveryChangeWithoutAnAction) {
  for (const int what : {0, 1, 2, 3, 4}) {
    LogFixture log;
    if (what == 0) log.PutEntry(9, Wal(1), "w");
    if (what == 1) log.SetLogState(LogState::FENCED);
    if (what == 2) log.SetCursor(2);
    if (what == 3) log.SetRound(2);
    if (what == 4) log.SetCounter(2);
    EXPECT_THAT(UndeclaredChange(log.Step()), Breaks("UndeclaredChange")) << what;
  }
}

TEST(UndeclaredChange, AcceptsAStutter) {
  LogFixture log;
  log.PutObject("wal/1", "1.1");
  EXPECT_THAT(UndeclaredChange(log.Step()), Holds());
}

TEST(UndeclaredChange, IgnoresAnEntryWrittenAgainWithAnotherObject) {
  LogFixture log;
  log.PutEntry(1, Wal(1), "v");
  log.BeginStep();
  log.PutEntry(1, Wal(1), "w");
  EXPECT_THAT(UndeclaredChange(log.Step()), Holds()) << "AcknowledgedRecordsReadable reads it";
}

}  // namespace
}  // namespace lockstep::invariants
