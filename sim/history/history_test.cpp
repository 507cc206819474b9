#include "sim/history/history.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace lockstep::sim {
namespace {

TEST(History, StartsEmpty) {
  const History history;
  EXPECT_TRUE(history.entries().empty());
  EXPECT_EQ(history.operations(), 0U);
}

TEST(History, NumbersInvocationsFromOne) {
  History history;
  EXPECT_EQ(history.Invoke(0, 10, 1, 100), 1U);
  EXPECT_EQ(history.Invoke(2, 10, 1, 200), 2U);
  EXPECT_EQ(history.Invoke(0, 11, 2, 300), 3U);
  EXPECT_EQ(history.operations(), 3U);
}

TEST(History, KeepsInvocationsAndAnswersInTheOrderInWhichTheyHappened) {
  History history;
  const std::uint64_t a = history.Invoke(0, 10, 1, 100);
  const std::uint64_t b = history.Invoke(1, 11, 2, 200);
  history.Answer(HistoryEntryKind::kFail, b, 1, 15);
  history.Answer(HistoryEntryKind::kOk, a, 0, 15, 7, 8);
  ASSERT_EQ(history.entries().size(), 4U);

  const HistoryEntry& invoked = history.entries()[0];
  EXPECT_EQ(invoked.kind, HistoryEntryKind::kInvoke);
  EXPECT_EQ(invoked.operation, a);
  EXPECT_EQ(invoked.node, 0U);
  EXPECT_EQ(invoked.time, 10);
  EXPECT_EQ(invoked.first, 1);
  EXPECT_EQ(invoked.second, 100);

  EXPECT_EQ(history.entries()[1].operation, b);
  const HistoryEntry& failed = history.entries()[2];
  EXPECT_EQ(failed.kind, HistoryEntryKind::kFail);
  EXPECT_EQ(failed.operation, b);
  EXPECT_EQ(failed.first, 0);
  EXPECT_EQ(failed.second, 0);

  const HistoryEntry& answered = history.entries()[3];
  EXPECT_EQ(answered.kind, HistoryEntryKind::kOk);
  EXPECT_EQ(answered.operation, a);
  EXPECT_EQ(answered.time, 15);
  EXPECT_EQ(answered.first, 7);
  EXPECT_EQ(answered.second, 8);
}

TEST(History, AnOperationWithoutAnAnswerStaysOpen) {
  History history;
  history.Invoke(0, 10, 1, 100);
  const std::uint64_t unknown = history.Invoke(1, 11, 1, 200);
  history.Answer(HistoryEntryKind::kUnknown, unknown, 1, 20);
  EXPECT_EQ(history.operations(), 2U);
  ASSERT_EQ(history.entries().size(), 3U);
  EXPECT_EQ(history.entries().back().kind, HistoryEntryKind::kUnknown);
}

}  // namespace
}  // namespace lockstep::sim
