#include "scenarios/exhaust/shortest_trace.h"

#include <gtest/gtest.h>

#include <vector>

#include "scenarios/exhaust/toy_model_for_tests.h"

namespace lockstep::scenarios {
namespace {

// A square of side 4, level by level.
class ShortestTraceTest : public testing::Test {
 protected:
  ShortestTraceTest() {
    MakeSquare(model, 4);
    EXPECT_TRUE(table.Claim(16));
    for (std::uint64_t level = 0; level <= 6; ++level) {
      level_begin.push_back(table.size());
      // The greatest first, so that numbers and states are in opposite orders.
      for (std::uint64_t x = 4; x-- > 0;) {
        if (x <= level && level - x < 4) table.Insert({x, level - x});
      }
    }
    level_begin.push_back(table.size());
  }

  std::vector<StateTrace> Trace(const std::vector<TraceTarget>& targets) {
    return ShortestTraces(model, table, level_begin, targets, serial);
  }

  ToyModel model;
  StateTable table{std::uint64_t{1} << 20U};
  std::vector<StateIndex> level_begin;
  SerialExecutor serial;
};

TEST_F(ShortestTraceTest, RejectsAStateThatNothingLeadsTo) {
  EXPECT_DEATH(Trace({{{9, 9}, 3}}), "a state without a predecessor");
}

TEST_F(ShortestTraceTest, TakesTheSmallestPredecessorAtEachLevel) {
  const StateTrace expected = {
      {kNoAction, {0, 0}}, {1, {0, 1}}, {1, {0, 2}}, {0, {1, 2}}, {0, {2, 2}}};
  EXPECT_EQ(Trace({{{2, 2}, 4}}).at(0), expected);
}

TEST_F(ShortestTraceTest, TakesTheSmallestActionOfAPredecessor) {
  model.expand = [](const PackedState& s, std::vector<Successor>& successors) {
    successors.push_back({{s[0] + 1, s[1]}, 3, true});
    successors.push_back({{s[0] + 1, s[1]}, 1, true});
  };
  EXPECT_EQ(Trace({{{1, 0}, 1}}).at(0), (StateTrace{{kNoAction, {0, 0}}, {1, {1, 0}}}));
}

TEST_F(ShortestTraceTest, FollowsSeveralAtOnce) {
  const std::vector<StateTrace> traces =
      Trace({{{3, 3}, 6}, {{0, 0}, 0}, {{3, 3}, 6}, {{1, 0}, 1}});
  ASSERT_EQ(traces.size(), 4U);
  EXPECT_EQ(traces[0].size(), 7U);
  EXPECT_EQ(traces[1], (StateTrace{{kNoAction, {0, 0}}}));
  EXPECT_EQ(traces[2], traces[0]);
  EXPECT_EQ(traces[3], (StateTrace{{kNoAction, {0, 0}}, {0, {1, 0}}}));
}

TEST_F(ShortestTraceTest, FollowsAStateBeyondTheConstraint) {
  model.expand = [](const PackedState& s, std::vector<Successor>& successors) {
    successors.push_back({{s[0] + 1, s[1]}, 0, s[0] < 3});
  };
  const StateTrace trace = Trace({{{4, 0}, 4}}).at(0);
  ASSERT_EQ(trace.size(), 5U);
  EXPECT_EQ(trace.back(), (TraceStep{0, {4, 0}}));
}

TEST_F(ShortestTraceTest, DoesNotDependOnTheWorkers) {
  BackwardExecutor three(3);
  const std::vector<TraceTarget> targets = {{{3, 2}, 5}, {{1, 3}, 4}};
  EXPECT_EQ(ShortestTraces(model, table, level_begin, targets, three), Trace(targets));
}

TEST_F(ShortestTraceTest, HasNothingToDoForNoTargets) { EXPECT_TRUE(Trace({}).empty()); }

}  // namespace
}  // namespace lockstep::scenarios
