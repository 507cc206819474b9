// The set against std::set on states made to collide, growth, limits, and several threads' worth of
// insertions; that threads agree is shown by thread_executor_test.cpp with real ones.
#include "scenarios/exhaust/state_table.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "sim/random/rng.h"

namespace lockstep::scenarios {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;

/// Room for every state, growing when there is none.
void InsertAll(StateTable& table, const std::vector<PackedState>& states,
               std::vector<StateTable::Inserted>& results) {
  SerialExecutor serial;
  const auto count = static_cast<std::uint32_t>(states.size());
  results.resize(states.size());
  if (!table.Claim(count)) {
    ASSERT_TRUE(table.Grow(count, serial));
    ASSERT_TRUE(table.Claim(count));
  }
  table.Insert(states, results);
  std::uint32_t fresh = 0;
  for (const StateTable::Inserted& result : results) fresh += result.is_new ? 1 : 0;
  table.GiveBack(count - fresh);
}

TEST(StateTable, RefusesMoreThanItsLimit) {
  StateTable table(kMegabyte);
  SerialExecutor serial;
  std::uint64_t next = 0;
  std::vector<PackedState> states(100);
  std::vector<StateTable::Inserted> results(100);
  while (table.Claim(100) || (table.Grow(100, serial) && table.Claim(100))) {
    for (PackedState& state : states) state = {next++, 0};
    table.Insert(states, results);
  }
  EXPECT_FALSE(table.Grow(100, serial));
  EXPECT_LE(table.memory_bytes(), kMegabyte);
  EXPECT_GT(table.memory_bytes(), kMegabyte * 3 / 4) << "the limit should be made use of";
  EXPECT_EQ(table.size(), next);
  EXPECT_EQ(table.At(table.Find({next - 1, 0})), (PackedState{next - 1, 0}));
  EXPECT_EQ(table.Find({next, 0}), kNoState);
}

TEST(StateTable, RefusesEverythingWithoutMemory) {
  StateTable table(0);
  SerialExecutor serial;
  EXPECT_FALSE(table.Claim(1));
  EXPECT_FALSE(table.Grow(1, serial));
  EXPECT_EQ(table.Find({0, 0}), kNoState);
}

TEST(StateTable, RefusesAClaimBeyondItsRoomWhole) {
  StateTable table(kMegabyte);
  EXPECT_FALSE(table.Claim(1U << 30U));
  EXPECT_TRUE(table.Claim(1)) << "a refused claim takes nothing";
}

TEST(StateTable, AgreesWithAMap) {
  sim::Rng rng(7);
  StateTable table(64 * kMegabyte);
  std::map<PackedState, StateIndex> expected;
  std::vector<StateTable::Inserted> results;
  for (int round = 0; round < 1000; ++round) {
    std::vector<PackedState> states(1 + rng.Below(200));
    for (PackedState& state : states) state = {rng.Below(300), rng.Below(400)};
    ASSERT_NO_FATAL_FAILURE(InsertAll(table, states, results));
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto [at, is_new] = expected.emplace(states[i], results[i].index);
      EXPECT_EQ(results[i].is_new, is_new);
      EXPECT_EQ(results[i].index, at->second);
    }
  }
  EXPECT_EQ(table.size(), expected.size());
  for (const auto& [state, index] : expected) {
    EXPECT_EQ(table.Find(state), index);
    EXPECT_EQ(table.At(index), state);
  }
}

TEST(StateTable, TellsWordsApart) {
  StateTable table(kMegabyte);
  ASSERT_TRUE(table.Claim(3));
  EXPECT_TRUE(table.Insert({1, 2}).is_new);
  EXPECT_TRUE(table.Insert({2, 1}).is_new);
  EXPECT_TRUE(table.Insert({0, 0}).is_new);
  EXPECT_FALSE(table.Insert({2, 1}).is_new);
  EXPECT_EQ(table.Find({1, 1}), kNoState);
}

TEST(StateTable, KeepsNumbersWhenItGrows) {
  StateTable table(64 * kMegabyte);
  std::vector<PackedState> states(1000);
  std::vector<StateTable::Inserted> results;
  for (std::uint64_t round = 0; round < 500; ++round) {
    for (std::uint64_t i = 0; i < states.size(); ++i) states[i] = {i << 40U, round};
    ASSERT_NO_FATAL_FAILURE(InsertAll(table, states, results));
  }
  ASSERT_EQ(table.size(), 500'000U);
  for (std::uint64_t round = 0; round < 500; ++round) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
      ASSERT_EQ(table.Find({i << 40U, round}), round * 1000 + i);
    }
  }
}

TEST(StateTable, FindsInBatches) {
  StateTable table(kMegabyte);
  ASSERT_TRUE(table.Claim(200));
  std::vector<PackedState> states;
  for (std::uint64_t i = 0; i < 200; ++i) {
    if (i % 2 == 0) table.Insert({i, i});
    states.push_back({i, i});
  }
  std::vector<StateIndex> found(states.size());
  table.Find(states, found);
  for (std::uint64_t i = 0; i < 200; ++i) EXPECT_EQ(found[i], i % 2 == 0 ? i / 2 : kNoState);
}

}  // namespace
}  // namespace lockstep::scenarios
