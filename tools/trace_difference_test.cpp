#include "tools/trace_difference.h"

#include <gtest/gtest.h>

#include <string>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

traces::Trace ATrace() {
  const Catalog catalog = FakeCatalog();
  scenarios::RunSpec spec;
  spec.scenario = catalog.FindScenario("breaks");
  spec.seed = 10;
  spec.record_trace = true;
  return *catalog.run(spec).trace;
}

TEST(TraceDifference, FindsTheFirstStepThatDiffers) {
  const traces::Trace recorded = ATrace();
  traces::Trace now = recorded;
  now.steps[1].time = 77;
  now.footer.verdict = "holds";
  const auto difference = FirstDifference(recorded, now);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->where, "step 2");
  EXPECT_EQ(difference->step, 2);
  EXPECT_EQ(difference->action, "Step");
  EXPECT_NE(difference->recorded.find("\"t\":10"), std::string::npos);
  EXPECT_NE(difference->now.find("\"t\":77"), std::string::npos);
}

TEST(TraceDifference, FindsAMissingStepOnEitherSide) {
  const traces::Trace whole = ATrace();
  traces::Trace less = whole;
  less.steps.pop_back();
  EXPECT_EQ(FirstDifference(whole, less)->now, "");
  EXPECT_EQ(FirstDifference(less, whole)->recorded, "");
  EXPECT_EQ(FirstDifference(less, whole)->step, 2);
}

TEST(TraceDifference, FindsWhatIsNotAStep) {
  const traces::Trace recorded = ATrace();
  traces::Trace now = recorded;
  now.header.strategy = "other";
  EXPECT_EQ(FirstDifference(recorded, now)->where, "the header");
  now = recorded;
  now.schedule.front().value += 1;
  EXPECT_EQ(FirstDifference(recorded, now)->where, "the decisions");
  now = recorded;
  now.footer.violation.reset();
  EXPECT_EQ(FirstDifference(recorded, now)->where, "the footer");
}

TEST(TraceDifference, ShowsThePlaceInALongLine) {
  traces::Trace recorded = ATrace();
  recorded.steps[0].node = std::string(1000, 'n') + "HERE" + std::string(1000, 'n');
  traces::Trace now = recorded;
  now.steps[0].node = std::string(1000, 'n') + "GONE" + std::string(1000, 'n');
  const auto difference = FirstDifference(recorded, now);
  EXPECT_NE(difference->recorded.find("HERE"), std::string::npos);
  EXPECT_NE(difference->now.find("GONE"), std::string::npos);
  EXPECT_LT(difference->recorded.size(), 300U);
}

TEST(TraceDifference, FindsNothingInEqualTraces) {
  EXPECT_FALSE(FirstDifference(ATrace(), ATrace()).has_value());
}

}  // namespace
}  // namespace lockstep::tools
