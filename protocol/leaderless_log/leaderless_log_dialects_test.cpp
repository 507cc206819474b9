// The machine under each dialect: what the dialect changes, and the figures that TLC counts on its
// module.
//
// Figures are TLC's, one worker, all invariants holding: LeaderlessLogEndBoundary, ...Resume and
// ...Rounds with the constants of LeaderlessLog_small.cfg; LeaderlessLogRounds also with other
// sequences of ranges.
#include <gtest/gtest.h>

#include <vector>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using Kind = ActionKind;

constexpr Entry Wal(std::int64_t count) { return {EntryType::WAL, count}; }

class LogDialect : public testing::Test {
 protected:
  [[nodiscard]] bool Enabled(Kind kind) const { return machine.Enabled(state, {kind, 0, 0}); }
  void Take(Kind kind) {
    ASSERT_TRUE(Enabled(kind)) << Name(kind);
    machine.Apply(state, {kind, 0, 0}, changes);
  }
  void Compact() {
    for (const Kind kind :
         {Kind::CompactStart, Kind::CompactWriteCompactedIndex, Kind::CompactDeleteOldEntries,
          Kind::CompactUpdateCursor, Kind::CompactReset}) {
      ASSERT_NO_FATAL_FAILURE(Take(kind));
    }
  }
  void Append(std::int64_t count) {
    state.sequence_counter += count;
    state.log_index.Set(state.sequence_counter - 1, Wal(count));
  }

  Constants constants = SmallConstants();
  Machine machine{constants};
  State state = machine.Init();
  Changes changes;
};

// end_boundary_guard.

TEST_F(LogDialect, EndBoundaryRefusesAnEntryAcrossTheEnd) {
  Append(2);
  Append(2);
  EXPECT_TRUE(Enabled(Kind::CompactStart));
  constants.dialect.end_boundary_guard = true;
  EXPECT_FALSE(Enabled(Kind::CompactStart));
  const auto refusal = machine.Refusal(state, {Kind::CompactStart, 0, 0});
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->conjunct,
            R"(\A o \in (CurRangeEnd + 1)..MaxOffset : logIndex[o].type # "EMPTY" => )"
            R"(o - logIndex[o].msgCount + 1 > CurRangeEnd)");
  EXPECT_EQ(refusal->expected.ToJson(), R"({"o":4,"First":4})");
  EXPECT_EQ(refusal->actual.ToJson(), R"({"o":4,"First":3})");
}

TEST_F(LogDialect, EndBoundaryRefusesAnEntryAcrossTheWholeRange) {
  constants.ranges = {{2, 2}, {4, 5}};
  Append(3);
  EXPECT_TRUE(Enabled(Kind::CompactStart)) << "no key lies in the range";
  constants.dialect.end_boundary_guard = true;
  EXPECT_FALSE(Enabled(Kind::CompactStart));
}

TEST_F(LogDialect, EndBoundaryAcceptsWholeEntries) {
  constants.dialect.end_boundary_guard = true;
  Append(2);
  Append(1);
  Append(2);
  ASSERT_NO_FATAL_FAILURE(Compact());
  ASSERT_NO_FATAL_FAILURE(Compact());
  EXPECT_EQ(state.compaction_cursor, 6);
}

// compaction_resume.

TEST_F(LogDialect, ResumeIsRefusedInUpstreamsDialect) {
  Append(3);
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactStart));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactWriteCompactedIndex));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactorCrash));
  EXPECT_FALSE(Enabled(Kind::CompactResume));
  constants.dialect.compaction_resume = true;
  EXPECT_TRUE(Enabled(Kind::CompactResume));
}

TEST_F(LogDialect, ResumeGoesOnAfterACrashInEitherPlace) {
  constants.dialect.compaction_resume = true;
  Append(1);
  Append(2);
  EXPECT_FALSE(Enabled(Kind::CompactResume)) << "nothing was written yet";
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactStart));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactWriteCompactedIndex));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactorCrash));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactResume));
  EXPECT_EQ(state.compactor_state, CompactorState::DELETING_OLD);
  EXPECT_EQ(machine.ChangedToValue(state, changes).ToJson(),
            R"({"compactorState":"DELETING_OLD"})");
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactDeleteOldEntries));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactorCrash));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactResume));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactDeleteOldEntries));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactUpdateCursor));
  ASSERT_NO_FATAL_FAILURE(Take(Kind::CompactReset));
  EXPECT_EQ(state.compaction_cursor, 4);
}

TEST_F(LogDialect, ResumeIsOverOnceTheCursorHasPassed) {
  constants.dialect.compaction_resume = true;
  Append(3);
  Append(2);
  ASSERT_NO_FATAL_FAILURE(Compact());
  ASSERT_NO_FATAL_FAILURE(Compact());
  EXPECT_FALSE(Enabled(Kind::CompactResume)) << "round 2 stays the current one, and is done";
}

// rounds.

TEST_F(LogDialect, RoundsStopAtTheLastRangeUntilOneIsAppended) {
  constants.dialect.rounds = true;
  constants.ranges = {{1, 2}};
  Append(2);
  Append(3);
  ASSERT_NO_FATAL_FAILURE(Compact());
  EXPECT_EQ(state.compact_round, 2);
  EXPECT_EQ(machine.CurrentRange(state), Range{});
  EXPECT_FALSE(Enabled(Kind::CompactStart));
  EXPECT_FALSE(Enabled(Kind::CompactResume));
  constants.ranges.push_back({3, 5});
  EXPECT_EQ(machine.CurrentRange(state), (Range{3, 5}));
  ASSERT_NO_FATAL_FAILURE(Compact());
  EXPECT_EQ(state.compact_round, 3);
}

TEST_F(LogDialect, RoundsAssumeRangesInOrder) {
  constants.dialect.rounds = true;
  const auto broken = [&](std::vector<Range> ranges) {
    constants.ranges = std::move(ranges);
    return BrokenAssumption(constants).value_or("none");
  };
  EXPECT_EQ(broken({{0, 1}}), "Ranges[1].start beyond the range before it");
  EXPECT_EQ(broken({{1, 2}, {2, 3}}), "Ranges[2].start beyond the range before it");
  EXPECT_EQ(broken({{1, 2}, {4, 3}}), "Ranges[2].end >= Ranges[2].start");
  EXPECT_EQ(broken({{1, 2}, {4, 6}}), "Ranges[2].end <= MaxOffset");
  EXPECT_EQ(broken({}), "none");
  EXPECT_EQ(broken({{1, 1}, {2, 2}, {4, 5}}), "none");
}

// Figures.

struct Pinned {
  const char* what;
  Dialect dialect;
  std::vector<Range> ranges;
  Figures figures;
};

constexpr Dialect With(bool end_boundary_guard, bool compaction_resume, bool rounds) {
  return {end_boundary_guard, compaction_resume, rounds};
}

TEST(LogDialects, HaveTheStatesThatTlcCounts) {
  const std::vector<Range> two = {{1, 3}, {4, 5}};
  const std::vector<Range> three = {{1, 1}, {2, 3}, {4, 5}};
  const std::vector<Range> one = {{2, 4}};
  const std::vector<Pinned> table = {
      {"end boundary", With(true, false, false), two, {66770, 357207, 33}},
      {"resume", With(false, true, false), two, {90506, 519351, 33}},
      {"end boundary, resume", With(true, true, false), two, {71130, 399447, 33}},
      // Two rounds are upstream's two: what round 2 done is there is round 3 begun here.
      {"two rounds", With(false, false, true), two, {84498, 462247, 33}},
      {"two rounds, end boundary", With(true, false, true), two, {66770, 357207, 33}},
      {"two rounds, resume", With(false, true, true), two, {90506, 519351, 33}},
      {"two rounds, both", With(true, true, true), two, {71130, 399447, 33}},
      {"three rounds", With(false, false, true), three, {149330, 834199, 38}},
      {"three rounds, both", With(true, true, true), three, {107010, 602703, 38}},
      {"one round, resume", With(false, true, true), one, {49978, 277679, 31}},
      {"no round", With(false, false, true), {}, {13210, 56935, 28}},
  };
  for (const Pinned& pinned : table) {
    Constants constants = SmallConstants();
    constants.dialect = pinned.dialect;
    constants.ranges = pinned.ranges;
    ASSERT_EQ(BrokenAssumption(constants), std::nullopt) << pinned.what;
    EXPECT_EQ(Enumerate(Machine(constants)), pinned.figures) << pinned.what;
  }
}

// A range compacted out of the middle of an entry, in TLC's figures too: the module's Covered looks
// past an entry that does not cover.
TEST(LogDialects, CountRangesInsideAnEntryAsTlcDoes) {
  Constants constants = SmallConstants();
  constants.ranges = {{2, 2}, {3, 5}};
  constants.max_batch = 3;
  EXPECT_EQ(Enumerate(Machine(constants)), (Figures{198712, 1091925, 36}));
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
