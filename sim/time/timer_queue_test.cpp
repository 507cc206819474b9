#include "sim/time/timer_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::sim {
namespace {

TEST(TimerQueue, StartsEmpty) {
  const TimerQueue<int> timers;
  EXPECT_TRUE(timers.empty());
  EXPECT_EQ(timers.size(), 0U);
}

TEST(TimerQueue, GivesTheEarliestDeadlineFirst) {
  TimerQueue<std::string> timers;
  timers.Add(30, "c");
  timers.Add(-10, "a");
  timers.Add(20, "b");
  EXPECT_EQ(timers.size(), 3U);
  EXPECT_EQ(timers.NextDeadline(), -10);
  EXPECT_EQ(timers.Next(), "a");
  EXPECT_EQ(timers.Pop(), "a");
  EXPECT_EQ(timers.NextDeadline(), 20);
  EXPECT_EQ(timers.Pop(), "b");
  EXPECT_EQ(timers.Pop(), "c");
  EXPECT_TRUE(timers.empty());
}

TEST(TimerQueue, BreaksTiesByTheOrderOfAdding) {
  TimerQueue<int> timers;
  for (int i = 0; i < 50; ++i) timers.Add(i % 2 == 0 ? 5 : 4, i);
  std::vector<int> popped;
  while (!timers.empty()) popped.push_back(timers.Pop());
  std::vector<int> expected;
  for (int i = 1; i < 50; i += 2) expected.push_back(i);
  for (int i = 0; i < 50; i += 2) expected.push_back(i);
  EXPECT_EQ(popped, expected);
}

TEST(TimerQueue, KeepsTheOrderOfAddingAcrossPops) {
  TimerQueue<int> timers;
  timers.Add(1, 0);
  timers.Add(1, 1);
  EXPECT_EQ(timers.Pop(), 0);
  timers.Add(1, 2);
  EXPECT_EQ(timers.Pop(), 1);
  EXPECT_EQ(timers.Pop(), 2);
}

RC_GTEST_PROP(TimerQueue, IsAStableSortWhateverIsInterleaved, ()) {
  // Against the obvious way: a list, searched for its first least deadline.
  TimerQueue<std::size_t> timers;
  std::vector<std::pair<std::int64_t, std::size_t>> list;
  std::size_t added = 0;
  for (const bool add : *rc::gen::arbitrary<std::vector<bool>>()) {
    if (add || list.empty()) {
      const auto deadline = *rc::gen::inRange<std::int64_t>(0, 6);
      timers.Add(deadline, added);
      list.emplace_back(deadline, added);
      ++added;
    } else {
      const auto first = std::min_element(
          list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      RC_ASSERT(timers.NextDeadline() == first->first);
      RC_ASSERT(timers.Next() == first->second);
      RC_ASSERT(timers.Pop() == first->second);
      list.erase(first);
    }
    RC_ASSERT(timers.size() == list.size());
    RC_ASSERT(timers.empty() == list.empty());
  }
}

}  // namespace
}  // namespace lockstep::sim
