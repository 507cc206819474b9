#include "invariants/type_ok.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogState;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::Writer;
using protocol::leaderless_log::WriterState;

class TypeOk : public ::testing::Test {
 protected:
  TypeOk() { log_.constants.max_offset = 8; }
  void ExpectBothReject() {
    EXPECT_THAT(TypeOK(log_.Step()), Breaks("TypeOK"));
    EXPECT_THAT(TypeOK(log_.machine, log_.state), Breaks("TypeOK"));
  }
  LogFixture log_;
};

TEST_F(TypeOk, RejectsACounterBeyondTheLog) {
  log_.SetSpecCounter(10);
  ExpectBothReject();
}

TEST_F(TypeOk, RejectsACounterBelowTheFirstOffset) {
  log_.SetSpecCounter(0);
  ExpectBothReject();
}

TEST_F(TypeOk, RejectsACursorOutsideTheLog) {
  log_.SetSpecCursor(0);
  ExpectBothReject();
}

TEST_F(TypeOk, RejectsAnUnknownEntryType) {
  log_.SetSpecEntry(3, {static_cast<EntryType>(3), 1});
  ExpectBothReject();
}

TEST_F(TypeOk, RejectsAnEntryLongerThanTheLog) {
  log_.SetSpecEntry(3, Wal(9));
  ExpectBothReject();
}

TEST_F(TypeOk, RejectsAnEntryBeyondTheLog) {
  log_.SetSpecEntry(9, Wal(1));
  ExpectBothReject();
}

TEST_F(TypeOk, RejectsUnknownStates) {
  log_.SetSpecLogState(static_cast<LogState>(2));
  ExpectBothReject();
  log_.SetSpecLogState(LogState::OPEN);
  log_.SetSpecCompactor(static_cast<CompactorState>(5));
  ExpectBothReject();
}

TEST_F(TypeOk, RejectsAWriterOutsideItsDomains) {
  const auto max_batch = log_.constants.max_batch;
  for (const Writer& writer : {Writer{static_cast<WriterState>(5), 0, 0, ReaderResult::NONE},
                               Writer{WriterState::DONE, 9, 1, ReaderResult::NONE},
                               Writer{WriterState::DONE, -1, 1, ReaderResult::NONE},
                               Writer{WriterState::DONE, 1, max_batch + 1, ReaderResult::NONE},
                               Writer{WriterState::IDLE, 0, 0, static_cast<ReaderResult>(3)}}) {
    log_.SetSpecWriter(1, writer);
    ExpectBothReject();
  }
}

TEST_F(TypeOk, RejectsAThirdRoundUnlessRoundsAreCounted) {
  log_.SetSpecRound(3);
  ExpectBothReject();
  log_.constants.dialect.rounds = true;
  EXPECT_THAT(TypeOK(log_.Step()), Holds());
  log_.SetSpecRound(4);
  ExpectBothReject();
}

TEST_F(TypeOk, AcceptsTheBorders) {
  log_.SetSpecCounter(9);
  log_.SetSpecCursor(9);
  log_.SetSpecEntry(8, Compacted(8));
  log_.SetSpecRound(2);
  log_.SetSpecWriter(2, {WriterState::FAILED, 8, log_.constants.max_batch, ReaderResult::ERROR});
  EXPECT_THAT(TypeOK(log_.Step()), Holds());
  EXPECT_THAT(TypeOK(log_.machine, log_.state), Holds());
}

TEST_F(TypeOk, IgnoresEntriesThatTheStepDidNotChange) {
  log_.SetSpecEntry(3, Wal(9));
  log_.BeginStep();
  log_.SetSpecCounter(2);
  EXPECT_THAT(TypeOK(log_.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
