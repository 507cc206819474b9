#include "tools/sweep_worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

class SweepWorkerTest : public ::testing::Test {
 protected:
  std::string Work(const std::string& scenario, const std::string& task) {
    Options options;
    options.names = {scenario};
    const auto selected = SelectMany(catalog_, options);
    const Selection& selection = std::get<Selection>(selected);
    WorkerContext context(state_, stop_);
    return SweepWorker(catalog_, selection, folder_.path())(task, context);
  }

  Catalog catalog_ = FakeCatalog();
  TemporaryFolder folder_;
  WorkerState state_;
  std::atomic<std::uint64_t> stop_{0};
};

TEST_F(SweepWorkerTest, EndsASegmentAtEachFailingRun) {
  const Chunk chunk{.scenario = 0, .first_seed = 8, .stride = 1, .count = 14};
  const std::vector<Segment> segments = DecodeSegments(Work("breaks", EncodeChunk(chunk)));
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_EQ(segments[0].runs, 3U);
  ASSERT_TRUE(segments[0].failure.has_value());
  EXPECT_EQ(segments[0].failure->seed, 10U);
  EXPECT_EQ(segments[0].failure->reproduce, "lockstep run breaks --seed 0xa");
  EXPECT_EQ(segments[0].failure->differences.size(), 1U);
  EXPECT_EQ(segments[0].failure->recent.size(), 2U);
  EXPECT_EQ(segments[1].failure->seed, 20U);
  EXPECT_EQ(segments[2].runs, 1U);
  EXPECT_FALSE(segments[2].failure.has_value());
  EXPECT_EQ(segments[2].last_seed, 21U);
}

TEST_F(SweepWorkerTest, CarriesTheCoverage) {
  const Chunk chunk{.scenario = 0, .first_seed = 1, .stride = 2, .count = 4};  // 1 3 5 7
  const std::vector<Segment> segments = DecodeSegments(Work("steady", EncodeChunk(chunk)));
  ASSERT_EQ(segments.size(), 1U);
  EXPECT_EQ(segments[0].steps, 40U);
  EXPECT_EQ(segments[0].coverage.actions, (std::vector<std::uint64_t>{8, 4}));
  EXPECT_EQ(segments[0].coverage.reached, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(segments[0].coverage.faults[0], 4U);
  EXPECT_EQ(segments[0].coverage.states, (std::vector<std::uint64_t>{0, 1, 3, 5, 100}));
  EXPECT_EQ(state_.runs, 4U);
  EXPECT_EQ(state_.steps, 40U);
  EXPECT_EQ(state_.running, 0U);
}

TEST_F(SweepWorkerTest, CountsRunsThatGaveUp) {
  const Chunk chunk{.scenario = 0, .first_seed = 1, .stride = 1, .count = 5};
  const std::vector<Segment> segments = DecodeSegments(Work("unsure", EncodeChunk(chunk)));
  EXPECT_EQ(segments.at(0).inconclusive, 1U);
  EXPECT_EQ(segments.at(0).inconclusive_seed, 3U);
}

TEST_F(SweepWorkerTest, AnswersWithWhatItHasWhenAskedToStop) {
  stop_ = 1;
  const Chunk chunk{.scenario = 0, .first_seed = 1, .stride = 1, .count = 5};
  EXPECT_TRUE(DecodeSegments(Work("steady", EncodeChunk(chunk))).empty());
}

TEST_F(SweepWorkerTest, RecordsAFailingRun) {
  const Chunk chunk{.scenario = 0, .first_seed = 10, .stride = 1, .count = 1};
  const Recorded recorded = DecodeRecorded(Work("breaks", EncodeRecord(chunk)));
  EXPECT_EQ(recorded.property, "NoTens");
  EXPECT_EQ(recorded.step, 2);
  EXPECT_EQ(recorded.trace, folder_.File("breaks-0xa.trace.ndjson"));
  EXPECT_TRUE(folder_.Has("breaks-0xa.schedule"));
  EXPECT_EQ(recorded.problem, "");
}

}  // namespace
}  // namespace lockstep::tools
