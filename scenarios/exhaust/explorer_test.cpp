// The search on squares: from (x, y) to (x + 1, y) and (x, y + 1). Everything about it is known
// by counting; what the search says of it must not depend on the number of workers.
#include "scenarios/exhaust/explorer.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "scenarios/exhaust/toy_model_for_tests.h"

namespace lockstep::scenarios {
namespace {

using invariants::Verdict;

constexpr std::uint64_t kSide = 200;

class ExplorerTest : public testing::Test {
 protected:
  ExplorerTest() { MakeSquare(model, kSide); }

  ExploreResult Search() { return Explore(model, options, serial); }

  /// The same for one, two, three workers; returns the first.
  ExploreResult SearchWithAny() {
    ExploreResult first = Search();
    for (const std::uint32_t workers : {2U, 3U}) {
      BackwardExecutor executor(workers);
      const ExploreResult other = Explore(model, options, executor);
      EXPECT_EQ(other.end, first.end);
      EXPECT_EQ(other.distinct, first.distinct);
      EXPECT_EQ(other.generated, first.generated);
      EXPECT_EQ(other.level_begin, first.level_begin);
      EXPECT_EQ(other.deadlock.trace, first.deadlock.trace);
      for (std::size_t i = 0; i < first.invariants.size(); ++i) {
        EXPECT_EQ(other.invariants[i].verdict, first.invariants[i].verdict);
        EXPECT_EQ(other.invariants[i].trace, first.invariants[i].trace);
      }
      for (std::size_t i = 0; i < first.sometimes.size(); ++i) {
        EXPECT_EQ(other.sometimes[i].trace, first.sometimes[i].trace);
      }
      for (std::size_t i = 0; i < first.actions.size(); ++i) {
        EXPECT_EQ(other.actions[i].generated, first.actions[i].generated);
        EXPECT_EQ(other.actions[i].to_new, first.actions[i].to_new);
      }
    }
    return first;
  }

  ToyModel model;
  ExploreOptions options;
  SerialExecutor serial;
};

TEST_F(ExplorerTest, RejectsTheSmallestStateOfTheFirstBadLevel) {
  model.invariant_infos = {{"NotFar"}};
  model.broken = [](const PackedState& s) { return s[0] + s[1] >= 5 && s[1] >= 2 ? 0 : -1; };
  const ExploreResult result = SearchWithAny();
  EXPECT_EQ(result.end, ExploreEnd::kViolation);
  EXPECT_EQ(result.invariants[0].verdict, Verdict::kViolated);
  // Of (0,5), (1,4), (2,3), (3,2) the smallest, and the smallest way to it.
  const StateTrace expected = {{kNoAction, {0, 0}}, {1, {0, 1}}, {1, {0, 2}},
                               {1, {0, 3}},         {1, {0, 4}}, {1, {0, 5}}};
  EXPECT_EQ(result.invariants[0].trace, expected);
  EXPECT_EQ(result.depth, 6U) << "it stops with that level";
  EXPECT_EQ(result.distinct, 1U + 2 + 3 + 4 + 5 + 6);
}

TEST_F(ExplorerTest, RejectsTheInitialState) {
  model.invariant_infos = {{"Never"}};
  model.broken = [](const PackedState&) { return 0; };
  const ExploreResult result = SearchWithAny();
  EXPECT_EQ(result.end, ExploreEnd::kViolation);
  EXPECT_EQ(result.invariants[0].trace, (StateTrace{{kNoAction, {0, 0}}}));
  EXPECT_EQ(result.distinct, 1U);
  EXPECT_EQ(result.generated, 1U);
}

TEST_F(ExplorerTest, RejectsTheLastLevel) {
  model.invariant_infos = {{"NotTheCorner"}};
  model.broken = [](const PackedState& s) { return s[0] + s[1] == 2 * (kSide - 1) ? 0 : -1; };
  const ExploreResult result = Search();
  EXPECT_EQ(result.end, ExploreEnd::kViolation);
  EXPECT_EQ(result.invariants[0].trace.size(), 2 * kSide - 1);
  EXPECT_EQ(result.distinct, kSide * kSide);
}

TEST_F(ExplorerTest, ReportsADeadlock) {
  model.expand = [](const PackedState& s, std::vector<Successor>& successors) {
    if (s[0] + s[1] < 3) successors.push_back({{s[0] + 1, s[1]}, 0, true});
    if (s[0] + s[1] < 3) successors.push_back({{s[0], s[1] + 1}, 1, true});
  };
  const ExploreResult result = SearchWithAny();
  EXPECT_EQ(result.end, ExploreEnd::kViolation);
  EXPECT_EQ(result.deadlock.verdict, Verdict::kViolated);
  const StateTrace expected = {{kNoAction, {0, 0}}, {1, {0, 1}}, {1, {0, 2}}, {1, {0, 3}}};
  EXPECT_EQ(result.deadlock.trace, expected);
}

TEST_F(ExplorerTest, CountsAsTlcDoes) {
  const ExploreResult result = SearchWithAny();
  EXPECT_EQ(result.end, ExploreEnd::kComplete);
  EXPECT_EQ(result.distinct, kSide * kSide);
  EXPECT_EQ(result.generated, 1 + 2 * kSide * (kSide - 1) + 1) << "initial, steps, the corner's";
  EXPECT_EQ(result.depth, 2 * kSide - 1);
  EXPECT_EQ(result.deadlock.verdict, Verdict::kHolds);
  ASSERT_EQ(result.level_begin.size(), result.depth + 1);
  EXPECT_EQ(result.level_begin[3], 1U + 2 + 3);
  EXPECT_EQ(result.level_begin.back(), result.states->size());
  EXPECT_EQ(result.actions[0].generated, kSide * (kSide - 1));
  EXPECT_EQ(result.actions[0].to_new, kSide * (kSide - 1)) << "every step is to the next level";
  EXPECT_EQ(result.actions[2].generated, 1U);
  EXPECT_EQ(result.actions[2].to_new, 0U) << "a step that changes nothing";
}

// Levels wide enough to be shared out: the initial state fans out, then everything is shuffled.
TEST_F(ExplorerTest, SharesWideLevels) {
  constexpr std::uint64_t kWidth = 5000;
  model.expand = [](const PackedState& s, std::vector<Successor>& successors) {
    const auto [level, i] = s;
    for (std::uint64_t k = 0; level == 0 && k < kWidth; ++k) {
      successors.push_back({{1, k}, static_cast<std::uint32_t>(k % 2), true});
    }
    if (level == 0) return;
    for (const std::uint64_t factor : {7U, 7U, 11U}) {
      successors.push_back({{level + 1, (i * factor + level) % kWidth}, 2, level < 6});
    }
    successors.push_back({s, 3, true});
  };
  model.invariant_infos = {{"A"}, {"B"}, {"C"}};
  model.broken = [](const PackedState& s) {
    if (s[0] < 4) return -1;
    return s[1] % 97 == 5 ? 1 : (s[0] == 7 && s[1] % 89 == 3 ? 0 : -1);
  };
  model.sometimes_names = {"here", "there"};
  model.witness = [](const PackedState& before, std::uint32_t action, const PackedState& after) {
    return std::uint64_t{before[1] + 40 == after[1] ? 1U : 0U} |
           (action == 3 && before[0] == 3 && after[1] > 70 ? 2U : 0U);
  };
  options.stop_at_first_violation = false;
  const ExploreResult result = SearchWithAny();
  EXPECT_EQ(result.distinct, 1 + 6 * kWidth);
  EXPECT_EQ(result.generated, 1 + kWidth + 6 * kWidth * 4);
  EXPECT_EQ(result.actions[3].generated, 6 * kWidth);
  EXPECT_EQ(result.invariants[0].trace.size(), 8U) << "only beyond the constraint";
  EXPECT_EQ(result.invariants[1].trace.size(), 5U);
  EXPECT_TRUE(result.sometimes[0].reached);
  EXPECT_TRUE(result.sometimes[1].reached);
}

TEST_F(ExplorerTest, KeepsToTheConstraint) {
  model.expand = [](const PackedState& s, std::vector<Successor>& successors) {
    successors.push_back({{s[0] + 1, 0}, 0, s[0] < 9});
    successors.push_back({{0, 0}, 1, true});
  };
  const ExploreResult result = SearchWithAny();
  EXPECT_EQ(result.distinct, 10U);
  EXPECT_EQ(result.generated, 1U + 20) << "states beyond it are generated";
  EXPECT_EQ(result.depth, 10U);
  EXPECT_EQ(result.deadlock.verdict, Verdict::kHolds);
}

TEST_F(ExplorerTest, ChecksStatesBeyondTheConstraint) {
  model.expand = [](const PackedState& s, std::vector<Successor>& successors) {
    successors.push_back({{s[0] + 1, 0}, 0, s[0] < 9});
  };
  model.invariant_infos = {{"BelowTen"}};
  model.broken = [](const PackedState& s) { return s[0] >= 10 ? 0 : -1; };
  const ExploreResult result = SearchWithAny();
  EXPECT_EQ(result.end, ExploreEnd::kViolation);
  ASSERT_EQ(result.invariants[0].trace.size(), 11U);
  EXPECT_EQ(result.invariants[0].trace.back(), (TraceStep{0, {10, 0}}));
}

TEST_F(ExplorerTest, GoesOnPastViolations) {
  options.stop_at_first_violation = false;
  model.invariant_infos = {{"A"}, {"B"}, {"C"}, {"D"}};
  model.broken = [](const PackedState& s) {
    if (s[0] == 3) return 1;
    return s[1] == 5 ? 2 : -1;
  };
  const ExploreResult result = SearchWithAny();
  EXPECT_EQ(result.end, ExploreEnd::kComplete);
  EXPECT_EQ(result.distinct, kSide * kSide);
  EXPECT_EQ(result.invariants[0].verdict, Verdict::kHolds);
  EXPECT_EQ(result.invariants[1].trace.back().state, (PackedState{3, 0}));
  EXPECT_EQ(result.invariants[2].trace.back().state, (PackedState{0, 5}));
  EXPECT_EQ(result.invariants[3].verdict, Verdict::kHolds);
}

TEST_F(ExplorerTest, FindsTheFirstWitness) {
  model.sometimes_names = {"initially", "diagonal", "never"};
  model.witness = [](const PackedState& before, std::uint32_t action, const PackedState& after) {
    std::uint64_t bits = action == kNoAction && before == after ? 1 : 0;
    if (after[0] == after[1] && after[0] >= 2) bits |= 2;
    return bits;
  };
  const ExploreResult result = SearchWithAny();
  EXPECT_EQ(result.sometimes[0].trace, (StateTrace{{kNoAction, {0, 0}}}));
  // To (2,2) by way of (1,2), the smaller of its predecessors.
  const StateTrace expected = {
      {kNoAction, {0, 0}}, {1, {0, 1}}, {1, {0, 2}}, {0, {1, 2}}, {0, {2, 2}}};
  EXPECT_EQ(result.sometimes[1].trace, expected);
  EXPECT_FALSE(result.sometimes[2].reached);
  EXPECT_TRUE(result.complete()) << "so it is unreachable";
}

TEST_F(ExplorerTest, EndsWithinItsMemory) {
  for (const std::uint64_t memory_max : {512U, 2048U, 100'000U}) {
    options.memory_max = memory_max;
    const ExploreResult result = Search();
    EXPECT_EQ(result.end, ExploreEnd::kMemory);
    EXPECT_LE(result.memory_bytes, memory_max);
    EXPECT_LT(result.distinct, kSide * kSide);
    EXPECT_EQ(result.deadlock.verdict, Verdict::kInconclusive);
  }
  EXPECT_GT(Search().distinct, 1000U) << "figures so far";
}

TEST_F(ExplorerTest, SaysAViolationThatItSawBeforeItRanOut) {
  options.memory_max = 100'000;
  options.stop_at_first_violation = false;
  model.invariant_infos = {{"NotOne"}};
  model.broken = [](const PackedState& s) { return s[0] == 1 ? 0 : -1; };
  const ExploreResult result = Search();
  EXPECT_EQ(result.end, ExploreEnd::kMemory);
  EXPECT_EQ(result.invariants[0].verdict, Verdict::kViolated);
  EXPECT_EQ(result.invariants[0].trace.size(), 2U);
}

TEST_F(ExplorerTest, StopsWhenProgressSaysSo) {
  std::vector<ExploreProgress> seen;
  options.progress = [&](const ExploreProgress& progress) {
    seen.push_back(progress);
    return progress.level < 7;
  };
  const ExploreResult result = Search();
  EXPECT_EQ(result.end, ExploreEnd::kStopped);
  ASSERT_EQ(seen.size(), 7U);
  EXPECT_EQ(seen[6].distinct, 28U);
  EXPECT_EQ(seen[6].frontier_left, 7U);
  EXPECT_EQ(result.distinct, 28U);
  EXPECT_EQ(result.depth, 7U);
  EXPECT_EQ(result.deadlock.verdict, Verdict::kInconclusive);
}

TEST_F(ExplorerTest, TracesAnyState) {
  const ExploreResult result = Search();
  EXPECT_EQ(ShortestTrace(model, result, {0, 0}, serial), (StateTrace{{kNoAction, {0, 0}}}));
  EXPECT_EQ(ShortestTrace(model, result, {40, 2}, serial).size(), 43U);
  EXPECT_TRUE(ShortestTrace(model, result, {kSide, 0}, serial).empty());
}

TEST(ExploreEnds, HaveNames) {
  EXPECT_EQ(ExploreEndName(ExploreEnd::kComplete), "complete");
  EXPECT_EQ(ExploreEndName(ExploreEnd::kStopped), "stopped");
}

}  // namespace
}  // namespace lockstep::scenarios
