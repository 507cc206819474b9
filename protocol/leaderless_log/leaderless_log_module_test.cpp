#include "protocol/leaderless_log/leaderless_log_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/leaderless_log/enumeration_for_tests.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr Dialect kUpstream{};
constexpr Dialect kEndBoundary{true, false, false};
constexpr Dialect kResume{false, true, false};
constexpr Dialect kEverything{true, true, true};

TEST(LogModule, RejectsAnUnknownDialect) {
  EXPECT_EQ(DialectFromNames({"rounds", "end_boundary"}), std::nullopt);
}

TEST(LogModule, NamesDialectsBothWays) {
  EXPECT_THAT(DialectNames(kUpstream), IsEmpty());
  EXPECT_THAT(DialectNames(kEverything),
              ElementsAre("compaction_resume", "end_boundary_guard", "rounds"));
  for (const Dialect& dialect : {kUpstream, kEndBoundary, kResume, kEverything}) {
    EXPECT_EQ(DialectFromNames(DialectNames(dialect)), dialect);
  }
}

TEST(LogModule, HasOneModuleForEachCombination) {
  EXPECT_EQ(ModuleName(kUpstream), "LeaderlessLog");
  EXPECT_EQ(ModuleName(kResume), "LeaderlessLogResume");
  EXPECT_EQ(ModuleName(kEndBoundary), "LeaderlessLogEndBoundary");
  EXPECT_EQ(ModuleName({true, true, false}), "LeaderlessLogEndBoundary");
  EXPECT_EQ(ModuleName({false, false, true}), "LeaderlessLogRounds");
  EXPECT_EQ(ModuleName(kEverything), "LeaderlessLogRounds");
}

TEST(LogModule, HasCompactResumeInItsDialectOnly) {
  EXPECT_THAT(ActionKinds(kUpstream), Not(Contains(ActionKind::CompactResume)));
  EXPECT_THAT(ActionKinds(kResume), Contains(ActionKind::CompactResume));
  EXPECT_EQ(ActionKinds(kResume).size(), kActionKinds);
}

TEST(LogModule, WritesConstantsByTheirNames) {
  Constants constants = SmallConstants();
  EXPECT_EQ(ConstantsToValue(constants, 5).ToJson(),
            R"({"Writers":{"#set":["w1","w2"]},"MaxOffset":5,"CompactRangeStart":1,)"
            R"("CompactRangeEnd":3,"CompactRange2Start":4,"CompactRange2End":5,"MaxBatch":2})");
  constants.dialect.end_boundary_guard = true;
  EXPECT_EQ(ConstantsToValue(constants, 5).Find("Resume")->ToTla(), "FALSE");
}

TEST(LogModule, WritesTheRangesOfRoundsAsASequence) {
  Constants constants;
  constants.writers = {"w1"};
  constants.ranges = {{1, 4}, {5, 9}, {10, 12}};
  constants.max_batch = 3;
  constants.dialect = {false, true, true};
  EXPECT_EQ(ConstantsToValue(constants, 20).ToJson(),
            R"({"Writers":{"#set":["w1"]},"MaxOffset":20,"CompactRangeStart":1,)"
            R"("CompactRangeEnd":1,"CompactRange2Start":2,"CompactRange2End":2,"MaxBatch":3,)"
            R"("Ranges":[{"start":1,"end":4},{"start":5,"end":9},{"start":10,"end":12}],)"
            R"("Resume":true,"EndBoundary":false})");
  EXPECT_EQ(ConstantsToValue(constants, 20).Find("Ranges")->AsItems()[0].ToTla(),
            "[start |-> 1, end |-> 4]");
}

TEST(LogModule, GivesMissingRangesAPlaceInOrder) {
  Constants constants;
  constants.ranges = {{1, 7}};
  const sim::Value value = ConstantsToValue(constants, 10);
  EXPECT_EQ(value.Find("CompactRangeEnd")->AsInt(), 7);
  EXPECT_EQ(value.Find("CompactRange2Start")->AsInt(), 8);
  EXPECT_EQ(value.Find("CompactRange2End")->AsInt(), 8);
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
