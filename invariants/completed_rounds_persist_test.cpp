#include "invariants/completed_rounds_persist.h"

#include <gtest/gtest.h>

#include "invariants/log_fixture.h"

namespace lockstep::invariants {
namespace {

constexpr const char* kName = "CompletedRoundsPersist";

/// Rounds 1..4 and 5..8 are completed.
class CompletedRounds : public ::testing::Test {
 protected:
  CompletedRounds() {
    for (const std::uint64_t operation : {1U, 2U, 3U, 4U}) log_.Append(operation, 2);
    log_.Compact({1, 4});
    log_.Compact({5, 8});
    log_.BeginStep();
  }
  LogFixture log_;
};

TEST_F(CompletedRounds, RejectsLosingTheFirstEntry) {
  log_.DeleteEntry(4);
  EXPECT_THAT(CompletedRoundsPersist(log_.Step()), Breaks(kName));
}

TEST_F(CompletedRounds, RejectsLosingTheLatestEntry) {
  log_.DeleteEntry(8);
  EXPECT_THAT(CompletedRoundsPersist(log_.Step()), Breaks(kName));
}

TEST_F(CompletedRounds, RejectsAnEntryOfAnotherLength) {
  log_.PutEntry(8, Compacted(8), "c");
  EXPECT_THAT(CompletedRoundsPersist(log_.Step()), Breaks(kName));
}

TEST_F(CompletedRounds, RejectsAnotherTypeInItsPlace) {
  log_.PutEntry(4, Wal(4), "w");
  EXPECT_THAT(CompletedRoundsPersist(log_.Step()), Breaks(kName));
}

TEST_F(CompletedRounds, RejectsARoundCompletedWithoutItsEntry) {
  log_.MoveCursor({9, 12});
  EXPECT_THAT(CompletedRoundsPersist(log_.Step()), Breaks(kName));
}

TEST_F(CompletedRounds, AcceptsTheNextRound) {
  log_.Append(5, 4);
  log_.Compact({9, 12});
  EXPECT_THAT(CompletedRoundsPersist(log_.Step()), Holds());
}

TEST_F(CompletedRounds, AcceptsTheSameEntryWrittenAgain) {
  log_.PutEntry(4, Compacted(4), "compacted/again");
  EXPECT_THAT(CompletedRoundsPersist(log_.Step()), Holds());
}

TEST_F(CompletedRounds, IgnoresEntriesThatEndNoRound) {
  log_.PutEntry(6, Wal(1), "w");
  log_.PutEntry(9, Wal(1), "w");
  EXPECT_THAT(CompletedRoundsPersist(log_.Step()), Holds());
}

}  // namespace
}  // namespace lockstep::invariants
