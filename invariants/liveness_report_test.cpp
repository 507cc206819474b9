#include "invariants/liveness_report.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogEnd;

TEST(LivenessReport, RejectsToConfuseNotYetWithNever) {
  LogFixture log;
  LogEnd end{.machine = log.machine,
             .state = log.state,
             .observed = log.observed,
             .budget_spent = true,
             .appends_pending = {},
             .reads_unsuccessful = {}};
  const std::string_view not_yet = HowItEnded(end);
  end.budget_spent = false;
  EXPECT_NE(HowItEnded(end), not_yet);
}

TEST(LivenessReport, NamesIdentitiesKnownAndUnknown) {
  LogFixture log;
  const LogEnd end{.machine = log.machine,
                   .state = log.state,
                   .observed = log.observed,
                   .appends_pending = {},
                   .reads_unsuccessful = {}};
  EXPECT_EQ(WriterName(end, 1), "w2");
  EXPECT_EQ(WriterName(end, 7), "#7");
}

}  // namespace
}  // namespace lockstep::invariants
