#include "scenarios/exhaust/overlap_markdown.h"

#include <gtest/gtest.h>

#include "protocol/leaderless_log/enumeration_for_tests.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Constants;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::State;

class OverlapMarkdown : public testing::Test {
 protected:
  Constants constants = protocol::leaderless_log::SmallConstants();
  Machine machine{constants};
  State state = machine.Init();
};

TEST_F(OverlapMarkdown, RejectsACompactedEntryOverTheOnesItReplaces) {
  state.log_index.Set(1, {EntryType::WAL, 1});
  state.log_index.Set(3, {EntryType::COMPACTED, 3});
  const auto violation = NoOverlappingRangesMarkdown(machine, state);
  ASSERT_TRUE(violation.has_value());
  EXPECT_EQ(violation->property, "NoOverlappingRangesMarkdown");
  EXPECT_EQ(violation->message, "the entry at 3 begins at 1, and there is an entry at 1");
  EXPECT_EQ(violation->actual.ToJson(), R"({"first offset of logIndex[3]":1})");
}

TEST_F(OverlapMarkdown, RejectsAnEntryThatReachesIntoACompactedOne) {
  state.log_index.Set(3, {EntryType::COMPACTED, 3});
  state.log_index.Set(4, {EntryType::WAL, 2});
  EXPECT_TRUE(NoOverlappingRangesMarkdown(machine, state).has_value());
}

TEST_F(OverlapMarkdown, AcceptsEntriesSideBySide) {
  EXPECT_FALSE(NoOverlappingRangesMarkdown(machine, state).has_value());
  state.log_index.Set(3, {EntryType::COMPACTED, 3});
  state.log_index.Set(5, {EntryType::WAL, 2});
  EXPECT_FALSE(NoOverlappingRangesMarkdown(machine, state).has_value());
}

}  // namespace
}  // namespace lockstep::scenarios
