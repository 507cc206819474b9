#include "tools/progress.h"

#include <gtest/gtest.h>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

TEST(Progress, SaysHowFarItIs) {
  const ProgressFacts facts{.runs = 41200,
                            .steps = 8'200'000,
                            .seconds = 6.26,
                            .states_seen = 79411,
                            .states_total = 84498,
                            .failures = 0,
                            .seconds_left = 12};
  EXPECT_EQ(ProgressLine(facts),
            "runs 41,200  steps 8.20M  1.31M steps/s  states 79,411/84,498 (94%)  failures 0  ETA "
            "12s");
}

TEST(Progress, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(ProgressLine({}), "runs 0  steps 0  0 steps/s  failures 0");
}

TEST(Progress, DrawsNothingWhereNobodyLooks) {
  CapturedConsole captured;
  {
    Progress progress(captured.console(), false);
    EXPECT_FALSE(progress.Due());
    progress.Draw({});
  }
  EXPECT_EQ(captured.err(), "");
}

}  // namespace
}  // namespace lockstep::tools
