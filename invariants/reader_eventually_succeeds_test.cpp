#include "invariants/reader_eventually_succeeds.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogEnd;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::WriterIndex;
using protocol::leaderless_log::WriterState;

LogEnd EndOf(const LogFixture& log, std::vector<WriterIndex> reads_unsuccessful) {
  return {.machine = log.machine,
          .state = log.state,
          .observed = log.observed,
          .appends_pending = {},
          .reads_unsuccessful = std::move(reads_unsuccessful)};
}

TEST(ReaderEventuallySucceeds, RejectsAReaderLeftWithAnError) {
  LogFixture log;
  log.SetSpecWriter(2, {WriterState::IDLE, 0, 0, ReaderResult::ERROR});
  EXPECT_THAT(ReaderEventuallySucceeds(EndOf(log, {2})), Breaks("ReaderEventuallySucceeds"));
}

TEST(ReaderEventuallySucceeds, RejectsAReadThatIsNeverAnswered) {
  LogFixture log;
  EXPECT_THAT(ReaderEventuallySucceeds(EndOf(log, {0, 2})), Breaks("ReaderEventuallySucceeds"));
}

TEST(ReaderEventuallySucceeds, AcceptsAnEndWithoutUnsuccessfulReads) {
  LogFixture log;
  log.SetSpecWriter(2, {WriterState::IDLE, 0, 0, ReaderResult::OK});
  EXPECT_THAT(ReaderEventuallySucceeds(EndOf(log, {})), Holds());
}

TEST(ReaderEventuallySucceeds, IgnoresReadersThatNoLivingNodeUses) {
  LogFixture log;
  log.SetSpecWriter(2, {WriterState::IDLE, 0, 0, ReaderResult::ERROR});
  EXPECT_THAT(ReaderEventuallySucceeds(EndOf(log, {})), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
