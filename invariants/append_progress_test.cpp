#include "invariants/append_progress.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogEnd;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::WriterState;

TEST(AppendProgress, RejectsAnAppendThatIsNeverAnswered) {
  LogFixture log;
  log.SetSpecWriter(1, {WriterState::WRITING_WAL, 0, 1, ReaderResult::NONE});
  for (const bool budget_spent : {false, true}) {
    const LogEnd end{.machine = log.machine,
                     .state = log.state,
                     .observed = log.observed,
                     .budget_spent = budget_spent,
                     .appends_pending = {1},
                     .reads_unsuccessful = {}};
    EXPECT_THAT(AppendProgress(end), Breaks("AppendProgress"));
  }
}

TEST(AppendProgress, RejectsAnIdentityThatTheConstantsDoNotKnow) {
  LogFixture log;
  const LogEnd end{.machine = log.machine,
                   .state = log.state,
                   .observed = log.observed,
                   .appends_pending = {7},
                   .reads_unsuccessful = {}};
  EXPECT_THAT(AppendProgress(end), Breaks("AppendProgress"));
}

TEST(AppendProgress, AcceptsAnEndWithoutPendingAppends) {
  LogFixture log;
  const LogEnd end{.machine = log.machine,
                   .state = log.state,
                   .observed = log.observed,
                   .budget_spent = true,
                   .appends_pending = {},
                   .reads_unsuccessful = {}};
  EXPECT_THAT(AppendProgress(end), Holds());
}

TEST(AppendProgress, IgnoresWritersThatNoLivingNodeUses) {
  LogFixture log;
  log.SetSpecWriter(1, {WriterState::WRITING_WAL, 0, 1, ReaderResult::NONE});
  const LogEnd end{.machine = log.machine,
                   .state = log.state,
                   .observed = log.observed,
                   .appends_pending = {},
                   .reads_unsuccessful = {}};
  EXPECT_THAT(AppendProgress(end), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
