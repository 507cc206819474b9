#include "invariants/cursor_behind_compaction.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

constexpr const char* kName = "CursorBehindCompaction";

/// Appends 1..2, 3..4, 5..6, 7..8.
class Cursor : public ::testing::Test {
 protected:
  Cursor() {
    for (const std::uint64_t operation : {1U, 2U, 3U, 4U}) log_.Append(operation, 2);
    log_.BeginStep();
  }
  LogFixture log_;
};

TEST_F(Cursor, RejectsACursorBeforeTheCompactedEntry) {
  log_.MoveCursor({1, 4});
  EXPECT_THAT(CursorBehindCompaction(log_.Step()), Breaks(kName));
}

TEST_F(Cursor, RejectsACursorThatGoesBack) {
  log_.Compact({1, 4});
  log_.BeginStep();
  log_.SetCursor(3);
  EXPECT_THAT(CursorBehindCompaction(log_.Step()), Breaks(kName));
}

TEST_F(Cursor, RejectsACursorOneTooFar) {
  log_.WriteCompacted({1, 4});
  log_.DeleteOld({1, 4});
  log_.BeginStep();
  log_.SetCursor(6);
  EXPECT_THAT(CursorBehindCompaction(log_.Step()), Breaks(kName));
}

TEST_F(Cursor, RejectsACursorThatSkipsARange) {
  log_.WriteCompacted({5, 8});
  log_.DeleteOld({5, 8});
  log_.BeginStep();
  log_.MoveCursor({5, 8});
  EXPECT_THAT(CursorBehindCompaction(log_.Step()), Breaks(kName));
}

TEST_F(Cursor, RejectsACursorBeforeTheDeletion) {
  log_.WriteCompacted({1, 4});
  log_.BeginStep();
  log_.MoveCursor({1, 4});
  EXPECT_THAT(CursorBehindCompaction(log_.Step()), Breaks(kName));
}

TEST_F(Cursor, RejectsLosingTheCompactedEntryBelowIt) {
  log_.Compact({1, 4});
  log_.BeginStep();
  log_.DeleteEntry(4);
  EXPECT_THAT(CursorBehindCompaction(log_.Step()), Breaks(kName));
}

TEST_F(Cursor, RejectsANewEntryBelowIt) {
  log_.Compact({1, 4});
  log_.BeginStep();
  log_.PutEntry(2, Wal(2), "wal/1");
  EXPECT_THAT(CursorBehindCompaction(log_.Step()), Breaks(kName));
}

TEST_F(Cursor, RejectsACursorBeyondTheLog) {
  log_.SetCursor(1'000'000'000'000'000);
  EXPECT_THAT(CursorBehindCompaction(log_.Step()), Breaks(kName));
}

TEST_F(Cursor, AcceptsTheStepsInTheirOrder) {
  for (const protocol::leaderless_log::Range& range : log_.constants.ranges) {
    log_.WriteCompacted(range);
    EXPECT_THAT(CursorBehindCompaction(log_.Step()), Holds());
    log_.BeginStep();
    log_.DeleteOld(range);
    EXPECT_THAT(CursorBehindCompaction(log_.Step()), Holds());
    log_.BeginStep();
    log_.MoveCursor(range);
    EXPECT_THAT(CursorBehindCompaction(log_.Step()), Holds());
    log_.BeginStep();
  }
}

TEST_F(Cursor, IgnoresChangesAboveIt) {
  log_.Compact({1, 4});
  log_.BeginStep();
  log_.DeleteEntry(6);
  EXPECT_THAT(CursorBehindCompaction(log_.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
