#include "sim/fiber/stack_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace lockstep::sim {
namespace {

using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

bool IsZero(const StackPool::Stack& stack) {
  const auto* bytes = static_cast<const unsigned char*>(stack.bottom);
  return std::all_of(bytes, bytes + stack.size, [](unsigned char byte) { return byte == 0; });
}

TEST(StackPool, GivesAStackThatIsAllZeroAndWritable) {
  StackPool pool;
  const StackPool::Stack stack = pool.Take();
  EXPECT_GE(stack.size, 64U * 1024U);
  EXPECT_TRUE(IsZero(stack));
  std::memset(stack.bottom, 0xab, stack.size);
  EXPECT_FALSE(IsZero(stack));
  pool.Give(stack);
}

TEST(StackPool, ReusesAStackAndZeroesItFirst) {
  StackPool pool;
  const StackPool::Stack first = pool.Take();
  std::memset(first.bottom, 0xab, first.size);
  pool.Give(first);
  EXPECT_EQ(pool.free(), 1U);
  const StackPool::Stack second = pool.Take();
  EXPECT_EQ(second.bottom, first.bottom);
  EXPECT_EQ(second.size, first.size);
  EXPECT_EQ(pool.mapped(), 1U);
  EXPECT_EQ(pool.free(), 0U);
  EXPECT_TRUE(IsZero(second));
  pool.Give(second);
}

TEST(StackPool, GivesEachTakerAStackOfHisOwn) {
  StackPool pool;
  std::vector<StackPool::Stack> stacks;
  for (unsigned char i = 0; i < 20; ++i) {
    stacks.push_back(pool.Take());
    std::memset(stacks.back().bottom, i, stacks.back().size);
  }
  EXPECT_EQ(pool.mapped(), 20U);
  for (unsigned char i = 0; i < 20; ++i) {
    const auto* bytes = static_cast<const unsigned char*>(stacks[i].bottom);
    EXPECT_EQ(std::count(bytes, bytes + stacks[i].size, i),
              static_cast<std::ptrdiff_t>(stacks[i].size));
    pool.Give(stacks[i]);
  }
  EXPECT_EQ(pool.free(), 20U);
}

TEST(StackPoolDeathTest, HasAGuardPageBelowEachStack) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  StackPool pool;
  const StackPool::Stack stack = pool.Take();
  volatile char* const bottom = static_cast<char*>(stack.bottom);
  bottom[0] = 1;
  // Instrumented code reports the signal and exits instead.
  EXPECT_DEATH(bottom[-1] = 1, "");
  pool.Give(stack);
  const StackPool::Stack again = pool.Take();
  EXPECT_DEATH(bottom[-1] = 1, "");
  pool.Give(again);
}

TEST(StackPoolDeathTest, MustOutliveItsStacks) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        StackPool pool;
        pool.Take();
      },
      ExitedWithCode(1), "a fiber outlives its stack");
}

}  // namespace
}  // namespace lockstep::sim
