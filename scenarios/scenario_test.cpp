#include "scenarios/scenario.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "scenarios/test_support.h"

namespace lockstep::scenarios {
namespace {

using Counts = std::vector<std::uint64_t>;

Coverage CoverageOf(Counts actions, Counts reached, Counts states) {
  Coverage coverage;
  coverage.actions = std::move(actions);
  coverage.reached = std::move(reached);
  coverage.states = std::move(states);
  return coverage;
}

TEST(Coverage, MergeAddsCounts) {
  Coverage sum = CoverageOf({1, 2}, {3}, {});
  Coverage more = CoverageOf({10, 20}, {30}, {});
  sum.faults[2] = 5;
  more.faults[2] = 7;
  more.faults[3] = 1;
  sum.Merge(more);
  EXPECT_EQ(sum.actions, (Counts{11, 22}));
  EXPECT_EQ(sum.reached, Counts{33});
  EXPECT_EQ(sum.faults[2], 12U);
  EXPECT_EQ(sum.faults[3], 1U);
}

TEST(Coverage, MergeIntoNothingIsACopy) {
  Coverage sum;
  sum.Merge(CoverageOf({1, 2}, {3}, {4, 5}));
  EXPECT_EQ(sum.actions, (Counts{1, 2}));
  EXPECT_EQ(sum.reached, Counts{3});
  EXPECT_EQ(sum.states, (Counts{4, 5}));
}

TEST(Coverage, MergeKeepsALongerListThanTheOther) {
  Coverage sum = CoverageOf({1, 2, 3}, {}, {});
  sum.Merge(CoverageOf({1}, {}, {}));
  EXPECT_EQ(sum.actions, (Counts{2, 2, 3}));
}

TEST(Coverage, MergeCountsAStateOnce) {
  Coverage sum = CoverageOf({}, {}, {1, 3, 5});
  sum.Merge(CoverageOf({}, {}, {2, 3, 6}));
  EXPECT_EQ(sum.states, (Counts{1, 2, 3, 5, 6}));
}

/// What a sweep adds up must not depend on which job finished first.
RC_GTEST_PROP(Coverage, MergesInAnyOrderToTheSame,
              (const std::vector<std::set<std::uint64_t>>& runs)) {
  std::vector<Coverage> coverages;
  for (const auto& states : runs) {
    coverages.push_back(
        CoverageOf({states.size(), 1}, {states.size() % 2}, Counts(states.begin(), states.end())));
  }
  const auto merged = [&coverages](const std::vector<std::size_t>& order) {
    Coverage sum;
    for (const std::size_t i : order) sum.Merge(coverages[i]);
    return sum;
  };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < coverages.size(); ++i) order.push_back(i);
  const Coverage forward = merged(order);
  std::ranges::reverse(order);
  const Coverage backward = merged(order);
  RC_ASSERT(forward.actions == backward.actions);
  RC_ASSERT(forward.reached == backward.reached);
  RC_ASSERT(forward.states == backward.states);
  RC_ASSERT(std::ranges::is_sorted(forward.states));
}

TEST(Run, IsTheScenariosOwnFunction) {
  Scenario scenario;
  scenario.run = [](const RunSpec& spec) {
    RunResult result;
    result.seed = spec.seed + 1;
    return result;
  };
  EXPECT_EQ(RunOf(SpecOf(scenario, 41)).seed, 42U);
}

}  // namespace
}  // namespace lockstep::scenarios
