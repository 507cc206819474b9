#include "protocol/leaderless_log/log_step.h"

#include <gtest/gtest.h>

namespace lockstep::protocol::leaderless_log {
namespace {

/// An append as a ledger is told of it; the step and the fence do not matter here.
Assignment Assigned(OperationId operation, Offset end, std::int64_t count) {
  return {operation, end, count, 0, false};
}

TEST(ObservedChanges, EveryFieldCounts) {
  ObservedChanges changes;
  EXPECT_TRUE(changes.empty());
  const auto counts = [&changes] {
    const bool counted = !changes.empty();
    changes.Clear();
    return counted && changes.empty();
  };
  changes.index.push_back({1, {}});
  EXPECT_TRUE(counts());
  changes.counter = 1;
  EXPECT_TRUE(counts());
  changes.log_state = LogState::OPEN;
  EXPECT_TRUE(counts());
  changes.cursor = 1;
  EXPECT_TRUE(counts());
  changes.round = 1;
  EXPECT_TRUE(counts());
  changes.objects_written.emplace_back("wal/w1-1");
  EXPECT_TRUE(counts());
  changes.objects_deleted.emplace_back("wal/w1-1");
  EXPECT_TRUE(counts());
  changes.malformed_key = "log/what";
  EXPECT_TRUE(counts());
}

TEST(Ledger, KnowsNothingAtFirst) {
  const Ledger ledger;
  EXPECT_EQ(ledger.AssignedAt(1), 0U);
  EXPECT_EQ(ledger.RecordAssignedAt(1), 0);
  EXPECT_EQ(ledger.AcknowledgedAt(1), 0U);
  EXPECT_EQ(ledger.RecordAcknowledgedAt(1), 0);
  EXPECT_EQ(ledger.AssignmentOf(1), nullptr);
  EXPECT_TRUE(ledger.completed().empty());
  EXPECT_TRUE(ledger.seals().empty());
  EXPECT_EQ(ledger.highest_acknowledged(), 0);
}

TEST(Ledger, AnAssignmentOwnsEveryOffsetItCovers) {
  Ledger ledger;
  ledger.Assign(Assigned(7, 5, 3));
  EXPECT_EQ(ledger.AssignedAt(2), 0U);
  for (Offset offset = 3; offset <= 5; ++offset) {
    EXPECT_EQ(ledger.AssignedAt(offset), 7U) << offset;
    EXPECT_EQ(ledger.RecordAssignedAt(offset), offset - 2) << offset;
    EXPECT_EQ(ledger.AcknowledgedAt(offset), 0U) << offset;
  }
  EXPECT_EQ(ledger.AssignedAt(6), 0U);
}

TEST(Ledger, TheFirstAssignmentOfAnOffsetStays) {
  Ledger ledger;
  ledger.Assign(Assigned(1, 2, 2));
  ledger.Assign(Assigned(2, 3, 2));
  EXPECT_EQ(ledger.AssignedAt(1), 1U);
  EXPECT_EQ(ledger.AssignedAt(2), 1U);
  EXPECT_EQ(ledger.RecordAssignedAt(2), 2);
  EXPECT_EQ(ledger.AssignedAt(3), 2U);
  EXPECT_EQ(ledger.RecordAssignedAt(3), 2);
}

TEST(Ledger, TheFirstAssignmentOfAnOperationStays) {
  Ledger ledger;
  ledger.Assign({4, 2, 2, 10, true});
  ledger.Assign({4, 9, 2, 11, false});
  const Assignment* assignment = ledger.AssignmentOf(4);
  ASSERT_NE(assignment, nullptr);
  EXPECT_EQ(assignment->operation, 4U);
  EXPECT_EQ(assignment->end, 2);
  EXPECT_EQ(assignment->count, 2);
  EXPECT_EQ(assignment->step, 10);
  EXPECT_TRUE(assignment->while_fenced);
  EXPECT_EQ(ledger.AssignedAt(9), 4U);
  EXPECT_EQ(ledger.AssignmentOf(3), nullptr);
  EXPECT_EQ(ledger.AssignmentOf(5), nullptr);
}

TEST(Ledger, AnEntryThatReachesBelowTheFirstOffsetOwnsWhatThereIs) {
  Ledger ledger;
  ledger.Assign(Assigned(1, 1, 3));
  EXPECT_EQ(ledger.AssignedAt(1), 1U);
  EXPECT_EQ(ledger.RecordAssignedAt(1), 3);
  ledger.Acknowledge({1, 1, 3});
  EXPECT_EQ(ledger.AcknowledgedAt(1), 1U);
  EXPECT_EQ(ledger.RecordAcknowledgedAt(1), 3);
}

TEST(Ledger, AcknowledgementsAreKeptBesideAssignments) {
  Ledger ledger;
  ledger.Assign(Assigned(1, 2, 2));
  ledger.Acknowledge({2, 3, 2});
  EXPECT_EQ(ledger.AssignedAt(2), 1U);
  EXPECT_EQ(ledger.RecordAssignedAt(2), 2);
  EXPECT_EQ(ledger.AcknowledgedAt(2), 2U);
  EXPECT_EQ(ledger.RecordAcknowledgedAt(2), 1);
  EXPECT_EQ(ledger.AcknowledgedAt(1), 0U);
  EXPECT_EQ(ledger.AssignmentOf(2), nullptr);
}

TEST(Ledger, TheFirstAcknowledgementOfAnOffsetStaysAndTheHighestCounts) {
  Ledger ledger;
  ledger.Acknowledge({1, 4, 1});
  EXPECT_EQ(ledger.highest_acknowledged(), 4);
  ledger.Acknowledge({2, 4, 2});
  EXPECT_EQ(ledger.AcknowledgedAt(4), 1U);
  EXPECT_EQ(ledger.AcknowledgedAt(3), 2U);
  EXPECT_EQ(ledger.highest_acknowledged(), 4);
  ledger.Acknowledge({3, 2, 1});
  EXPECT_EQ(ledger.highest_acknowledged(), 4);
}

TEST(Ledger, KeepsManyOffsetsAndOperations) {
  Ledger ledger;
  for (OperationId operation = 1; operation <= 1000; ++operation) {
    ledger.Assign(Assigned(operation, static_cast<Offset>(operation) * 3, 3));
  }
  for (Offset offset = 1; offset <= 3000; ++offset) {
    ASSERT_EQ(ledger.AssignedAt(offset), static_cast<OperationId>((offset + 2) / 3)) << offset;
    ASSERT_EQ(ledger.RecordAssignedAt(offset), (offset + 2) % 3 + 1) << offset;
  }
  EXPECT_EQ(ledger.AssignmentOf(1000)->end, 3000);
}

TEST(Ledger, RoundsAndSealsStandInOrder) {
  Ledger ledger;
  ledger.CompleteRound({1, 3});
  ledger.CompleteRound({4, 5});
  ASSERT_EQ(ledger.completed().size(), 2U);
  EXPECT_EQ(ledger.completed()[0], (Range{1, 3}));
  EXPECT_EQ(ledger.completed()[1], (Range{4, 5}));
  ledger.SealLog({11, 2});
  ledger.SealLog({17, 5});
  ASSERT_EQ(ledger.seals().size(), 2U);
  EXPECT_EQ(ledger.seals()[0].epoch, 11);
  EXPECT_EQ(ledger.seals()[1].end, 5);
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
