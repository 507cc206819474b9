#include "invariants/no_reader_error.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::ActionKind;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::WriterState;

TEST(NoReaderError, RejectsAReadOfAHole) {
  LogFixture log;
  log.SetSpecCounter(3);
  log.BeginStep();
  log.Take({ActionKind::ReadEntry, 1, 2});
  EXPECT_THAT(NoReaderError(log.Step()), Breaks("NoReaderError"));
  EXPECT_THAT(NoReaderError(log.machine, log.state), Breaks("NoReaderError"));
}

TEST(NoReaderError, AcceptsAReadOfACoveredOffset) {
  LogFixture log;
  log.SetSpecCounter(3);
  log.SetSpecEntry(2, Wal(2));
  log.BeginStep();
  log.Take({ActionKind::ReadEntry, 1, 1});
  EXPECT_EQ(log.state.writers[1].reader_result, ReaderResult::OK);
  EXPECT_THAT(NoReaderError(log.Step()), Holds());
  EXPECT_THAT(NoReaderError(log.machine, log.state), Holds());
}

TEST(NoReaderError, IgnoresReadersThatTheStepDidNotChange) {
  LogFixture log;
  log.SetSpecWriter(0, {WriterState::IDLE, 0, 0, ReaderResult::ERROR});
  log.BeginStep();
  log.SetSpecWriter(1, {WriterState::WRITING_WAL, 0, 1, ReaderResult::NONE});
  EXPECT_THAT(NoReaderError(log.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
