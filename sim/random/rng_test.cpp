// The golden draws come from an independent implementation (in Python, itself held to the published
// first outputs of xoshiro256** from state 1, 2, 3, 4). They pin the meaning of every seed: a
// change here makes all recorded seeds worthless.
#include "sim/random/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace lockstep::sim {
namespace {

using Draws = std::vector<std::uint64_t>;

Draws FirstDraws(Rng rng, int count) {
  Draws draws;
  for (int i = 0; i < count; ++i) draws.push_back(rng.Next());
  return draws;
}

TEST(Rng, GoldenFirstDraws) {
  EXPECT_EQ(FirstDraws(Rng(0), 4), (Draws{0x99ec5f36cb75f2b4U, 0xbf6e1f784956452aU,
                                          0x1a5f849d4933e6e0U, 0x6aa594f1262d2d2cU}));
  EXPECT_EQ(FirstDraws(Rng(1), 4), (Draws{0xb3f2af6d0fc710c5U, 0x853b559647364ceaU,
                                          0x92f89756082a4514U, 0x642e1c7bc266a3a7U}));
  EXPECT_EQ(FirstDraws(Rng(42), 4), (Draws{0x15780b2e0c2ec716U, 0x6104d9866d113a7eU,
                                           0xae17533239e499a1U, 0xecb8ad4703b360a1U}));
  EXPECT_EQ(
      FirstDraws(Rng(std::numeric_limits<std::uint64_t>::max()), 4),
      (Draws{0x8f5520d52a7ead08U, 0xc476a018caa1802dU, 0x81de31c0d260469eU, 0xbf658d7e065f3c2fU}));
}

TEST(Rng, GoldenBoundedDraws) {
  Rng rng(42);
  std::vector<std::uint32_t> draws;
  for (int i = 0; i < 12; ++i) draws.push_back(rng.Below(10));
  EXPECT_EQ(draws, (std::vector<std::uint32_t>{0, 3, 6, 9, 9, 7, 7, 8, 7, 5, 6, 2}));
  // With this bound a quarter of all words is rejected.
  Rng rejecting(42);
  draws.clear();
  for (int i = 0; i < 4; ++i) draws.push_back(rejecting.Below(3U << 30U));
  EXPECT_EQ(draws, (std::vector<std::uint32_t>{270141538, 1220780836, 2190573157U, 2978644469U}));
}

TEST(Rng, GoldenForks) {
  EXPECT_EQ(FirstDraws(Rng(1).Fork("event"), 3),
            (Draws{0x634c719a01ba3c18U, 0x4c4e093daea57207U, 0x10fec70af84d491cU}));
  EXPECT_EQ(FirstDraws(Rng(1).Fork("a").Fork("b"), 2),
            (Draws{0x99c3a2096a499466U, 0x75ce7eb17473148bU}));
}

TEST(Rng, ForkIsNotAffectedByDrawsOfTheParent) {
  Rng parent(5);
  const Draws before = FirstDraws(parent.Fork("store"), 100);
  for (int i = 0; i < 1000; ++i) parent.Next();
  EXPECT_EQ(FirstDraws(parent.Fork("store"), 100), before);
}

TEST(Rng, ParentIsNotAffectedByForks) {
  Rng forked(5);
  Rng untouched(5);
  static_cast<void>(forked.Fork("store").Next());
  EXPECT_EQ(FirstDraws(forked, 100), FirstDraws(untouched, 100));
}

TEST(Rng, StreamsDiffer) {
  const Rng root(5);
  std::vector<Draws> streams = {FirstDraws(root, 4), FirstDraws(Rng(6), 4)};
  for (const std::string_view name : {"", "a", "b", "ab", "ba", "event", "Event"}) {
    streams.push_back(FirstDraws(root.Fork(name), 4));
    streams.push_back(FirstDraws(root.Fork(name).Fork(name), 4));
    streams.push_back(FirstDraws(Rng(6).Fork(name), 4));
  }
  for (std::size_t i = 0; i < streams.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(streams[i], streams[j]) << i << " " << j;
  }
}

TEST(Rng, BoundOneHasOneOutcome) {
  Rng rng(9);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.Below(1), 0U);
}

TEST(Rng, DrawsStayBelowTheirBound) {
  Rng rng(9);
  for (const std::uint32_t bound : {2U, 3U, 7U, 1U << 16U, (1U << 31U) - 1, (1U << 31U) + 1,
                                    std::numeric_limits<std::uint32_t>::max()}) {
    for (int i = 0; i < 1000; ++i) ASSERT_LT(rng.Below(bound), bound);
  }
}

TEST(RngDeathTest, BoundZeroIsABug) {
  Rng rng(9);
  EXPECT_EXIT(rng.Below(0), ::testing::ExitedWithCode(1), "bound >= 1");
}

// Pearson's statistic in integers: sum (count - n/k)^2 / (n/k) <= limit, times n*k on both sides.
template <std::size_t kBuckets>
bool IsUniform(const std::array<std::int64_t, kBuckets>& counts, std::int64_t limit) {
  constexpr auto k = static_cast<std::int64_t>(kBuckets);
  std::int64_t n = 0;
  for (const std::int64_t count : counts) n += count;
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += (count * k - n) * (count * k - n);
  return sum <= limit * n * k;
}

TEST(Rng, ExactCountsOfASmallBound) {
  Rng rng(7);
  std::array<std::int64_t, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts[rng.Below(6)];
  EXPECT_EQ(counts, (std::array<std::int64_t, 6>{10094, 10190, 9784, 9876, 9953, 10103}));
  EXPECT_TRUE(IsUniform(counts, 21));  // 5 degrees of freedom: exceeded once in 1,200 seeds
}

TEST(Rng, LargeBoundHasNoModuloBias) {
  // `word % bound` would give the lowest third of this range half of all draws.
  constexpr std::uint32_t kThird = 1U << 30U;
  Rng rng(7);
  Rng biased(7);
  std::array<std::int64_t, 3> counts{};
  std::array<std::int64_t, 3> biased_counts{};
  for (int i = 0; i < 30000; ++i) {
    ++counts[rng.Below(3 * kThird) / kThird];
    ++biased_counts[static_cast<std::uint32_t>(biased.Next() >> 32U) % (3 * kThird) / kThird];
  }
  EXPECT_TRUE(IsUniform(counts, 14));  // 2 degrees of freedom: exceeded once in 1,000 seeds
  EXPECT_FALSE(IsUniform(biased_counts, 14));
}

TEST(Rng, EveryBitIsBalanced) {
  Rng rng(7);
  std::array<std::int64_t, 64> ones{};
  constexpr std::int64_t kDraws = 10000;
  for (std::int64_t i = 0; i < kDraws; ++i) {
    const std::uint64_t word = rng.Next();
    for (std::size_t bit = 0; bit < 64; ++bit) {
      ones[bit] += static_cast<std::int64_t>((word >> bit) & 1U);
    }
  }
  for (std::size_t bit = 0; bit < 64; ++bit) {
    const std::array<std::int64_t, 2> counts{ones[bit], kDraws - ones[bit]};
    EXPECT_TRUE(IsUniform(counts, 20)) << "bit " << bit << ": " << ones[bit];
  }
}

}  // namespace
}  // namespace lockstep::sim
