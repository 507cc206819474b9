// What can happen at all, dialect by dialect: for each property the length of the shortest trace,
// 0 where it is unreachable. The verdicts come from complete searches.
#include "scenarios/exhaust/log_sometimes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/log_explore_model.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Constants;
using protocol::leaderless_log::SmallConstants;

std::map<std::string_view, std::size_t> Steps(const Constants& constants) {
  auto made = LogExploreModel::For({constants, false});
  const auto& model = *std::get<std::unique_ptr<LogExploreModel>>(made);
  SerialExecutor serial;
  const ExploreResult result = Explore(model, {}, serial);
  EXPECT_TRUE(result.complete());
  std::map<std::string_view, std::size_t> steps;
  for (std::size_t i = 0; i < result.sometimes.size(); ++i) {
    const SometimesResult& found = result.sometimes[i];
    steps[model.sometimes()[i]] = found.reached ? found.trace.size() - 1 : 0;
  }
  return steps;
}

TEST(LogSometimes, RejectsWhatIsUnreachable) {
  auto upstream = Steps(SmallConstants());
  EXPECT_EQ(upstream["reader_error"], 0U);
  EXPECT_EQ(upstream["compaction_resumed"], 0U) << "there is no such action";
  EXPECT_EQ(upstream["compaction_starts_inside_an_entry"], 0U) << "a batch is too short for that";

  Constants constants = SmallConstants();
  constants.dialect.end_boundary_guard = true;
  auto guarded = Steps(constants);
  EXPECT_EQ(guarded["compaction_starts_across_an_entry"], 0U);
  EXPECT_EQ(guarded["compaction_starts_after_crash"], 0U);
  EXPECT_EQ(guarded["crash_behind_write_goes_on"], 0U) << "that round is lost";
  EXPECT_EQ(guarded["crash_behind_write_gets_stuck"], 9U);

  constants.dialect = {};
  constants.dialect.compaction_resume = true;
  EXPECT_EQ(Steps(constants)["crash_behind_write_gets_stuck"], 0U) << "no round is lost";
}

// golden.md says that after a crash behind the write CompactStart is never enabled again in that
// round. It can be: when an entry reaches into the range from beyond.
TEST(LogSometimes, FindsTheUpstreamFacts) {
  auto upstream = Steps(SmallConstants());
  EXPECT_EQ(upstream["compaction_starts_across_an_entry"], 7U) << "6 steps before it";
  EXPECT_EQ(upstream["compaction_starts_after_crash"], 10U);
  EXPECT_EQ(upstream["crash_behind_write_gets_stuck"], 9U);
  EXPECT_EQ(upstream["compaction_written_twice"], 11U);
  EXPECT_EQ(upstream["fence_between_write_and_offset"], 3U);
  EXPECT_EQ(upstream["append_exhausted"], 10U);
  EXPECT_EQ(upstream["last_range_compacted"], 19U);
}

TEST(LogSometimes, FindsWhatDialectsAdd) {
  Constants constants = SmallConstants();
  constants.dialect.compaction_resume = true;
  EXPECT_EQ(Steps(constants)["compaction_resumed"], 10U);
  constants = SmallConstants();
  constants.ranges = {{2, 2}, {3, 5}};
  constants.max_batch = 3;
  EXPECT_EQ(Steps(constants)["compaction_starts_inside_an_entry"], 4U);
}

TEST(LogSometimes, HasUniqueNamesAndAMaskForEach) {
  const auto properties = LogSometimesProperties();
  const auto by_kind = LogSometimesByKind();
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    names.push_back(properties[i].name);
    EXPECT_FALSE(properties[i].what.empty());
    const std::uint64_t mask = by_kind[static_cast<std::size_t>(properties[i].action)];
    EXPECT_EQ((mask >> i) & 1U, 1U) << properties[i].name;
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace lockstep::scenarios
