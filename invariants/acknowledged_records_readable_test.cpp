#include "invariants/acknowledged_records_readable.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"
#include "protocol/leaderless_log/log_layout.h"

namespace lockstep::invariants {
namespace {

constexpr const char* kName = "AcknowledgedRecordsReadable";

/// Three acknowledged appends: 1..2, 3..5, 6..6.
class AcknowledgedRecords : public ::testing::Test {
 protected:
  AcknowledgedRecords() {
    log_.AppendAcknowledged(1, 2);
    log_.AppendAcknowledged(2, 3);
    log_.AppendAcknowledged(3, 1);
    log_.BeginStep();
  }
  LogFixture log_;
};

TEST_F(AcknowledgedRecords, RejectsADeletedEntry) {
  log_.DeleteEntry(5);
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsADeletedEntryAtTheTail) {
  log_.DeleteEntry(6);
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsADeletedObject) {
  log_.DeleteObject("wal/2");
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsAnObjectOverwrittenWithOtherRecords) {
  log_.PutObject("wal/2", LogFixture::RecordsOf(1, 3));
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsAnObjectThatIsTooShort) {
  log_.PutObject("wal/2", LogFixture::RecordsOf(2, 2));
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsACompactedObjectWithRecordsOutOfOrder) {
  log_.PutObject("c", LogFixture::RecordsOf(2, 3) + "\n" + LogFixture::RecordsOf(1, 2));
  log_.PutEntry(5, Compacted(5), "c");
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsACompactedEntryThatIsOneTooLong) {
  // Its object begins with 1.1, where the entry says offset 0.
  log_.PutObject("c", log_.RecordsOf({1, 5}));
  log_.PutEntry(5, Compacted(6), "c");
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsDeletingBelowACompactedEntryThatIsTooShort) {
  log_.PutObject("c", log_.RecordsOf({3, 5}));
  log_.PutEntry(5, Compacted(3), "c");
  log_.BeginStep();
  log_.DeleteEntry(2);
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsAnotherAppendInItsPlace) {
  log_.PutObject("wal/9", LogFixture::RecordsOf(9, 3));
  log_.PutEntry(5, Wal(3), "wal/9");
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsAnEntryThatHidesOthers) {
  log_.PutObject("wal/9", LogFixture::RecordsOf(9, 1));
  log_.PutEntry(4, Wal(1), "wal/9");
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsARecordThatNoReaderCanDecode) {
  log_.PutEntry(5, Wal(3), "wal/2");
  log_.PutRecord(protocol::leaderless_log::IndexKey(5), "WAL three wal/2 -");
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsAnAcknowledgementOfNothing) {
  log_.Acknowledge(4, 8, 2);
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, RejectsAnAcknowledgementOfAnotherAppendsRecords) {
  log_.Acknowledge(4, 5, 3);
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Breaks(kName));
}

TEST_F(AcknowledgedRecords, AcceptsAnAcknowledgementOfWhatIsThere) {
  log_.Append(4, 2);
  log_.BeginStep();
  log_.Acknowledge(4, 8, 2);
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Holds());
}

TEST_F(AcknowledgedRecords, AcceptsEveryStepOfACompaction) {
  log_.WriteCompacted({1, 5});
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Holds());
  log_.BeginStep();
  log_.DeleteOld({1, 5});
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Holds());
  log_.BeginStep();
  log_.DeleteObject("wal/1");
  log_.DeleteObject("wal/2");
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Holds());
}

TEST_F(AcknowledgedRecords, AcceptsARangeThatEndsInsideAnEntry) {
  // Upstream's start guard allows it: the entry 3..5 goes on serving 5.
  log_.WriteCompacted({1, 4});
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Holds());
  log_.BeginStep();
  log_.DeleteOld({1, 4});
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Holds());
}

TEST_F(AcknowledgedRecords, AcceptsTheSameObjectWrittenAgain) {
  log_.PutObject("wal/2", LogFixture::RecordsOf(2, 3));
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Holds());
}

TEST_F(AcknowledgedRecords, IgnoresWhatNobodyWasPromised) {
  log_.Append(4, 2);
  log_.BeginStep();
  log_.DeleteEntry(8);
  log_.DeleteObject("wal/4");
  EXPECT_THAT(AcknowledgedRecordsReadable(log_.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
