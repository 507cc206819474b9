// Threads against one: the executor's own promises, then that the state table and the search give
// the same answer with real threads. Run under ThreadSanitizer, this is also what looks for races.
#include "tools/thread_executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <vector>

#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/log_explore_model.h"
#include "scenarios/exhaust/state_table.h"

namespace lockstep::tools {
namespace {

using scenarios::PackedState;
using scenarios::StateTable;

TEST(ThreadExecutor, ThrowsWhatAWorkerThrew) {
  ThreadExecutor executor(3);
  std::atomic<int> ran{0};
  const auto body = [&](std::uint32_t worker) {
    ++ran;
    if (worker != 0) throw std::runtime_error("worker " + std::to_string(worker));
  };
  try {
    executor.RunOnAll(body);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "worker 1");
  }
  EXPECT_EQ(ran, 3) << "the others are not cut short";
  executor.RunOnAll([&](std::uint32_t) { ++ran; });
  EXPECT_EQ(ran, 6) << "a failure is over with its round";
}

TEST(ThreadExecutor, RunsEachWorkerOnceARound) {
  ThreadExecutor executor(4);
  ASSERT_EQ(executor.workers(), 4U);
  std::vector<std::uint32_t> runs(4);
  for (int round = 0; round < 200; ++round) {
    executor.RunOnAll([&](std::uint32_t worker) { ++runs[worker]; });
  }
  EXPECT_EQ(runs, std::vector<std::uint32_t>(4, 200));
}

TEST(ThreadExecutor, OneWorkerIsTheCaller) {
  ThreadExecutor executor(1);
  std::uint32_t calls = 0;
  executor.RunOnAll([&](std::uint32_t worker) { calls += worker + 1; });
  EXPECT_EQ(calls, 1U);
}

// All workers insert the same states, in different orders.
TEST(ThreadExecutor, InsertsEachStateOnce) {
  constexpr std::uint32_t kWorkers = 4;
  constexpr std::uint64_t kStates = 20'000;
  ThreadExecutor executor(kWorkers);
  StateTable table(std::uint64_t{64} << 20U);
  ASSERT_TRUE(table.Grow(kWorkers * kStates, executor));
  std::vector<std::uint64_t> fresh(kWorkers);
  executor.RunOnAll([&](std::uint32_t worker) {
    constexpr std::uint64_t kStride = 7919;  // Prime, so every state is met.
    for (std::uint64_t i = 0; i < kStates; ++i) {
      const std::uint64_t n = (i * kStride + worker * (kStates / kWorkers)) % kStates;
      if (!table.Claim(1)) return;
      if (table.Insert({n, n % 3}).is_new) {
        ++fresh[worker];
      } else {
        table.GiveBack(1);
      }
    }
  });
  EXPECT_EQ(fresh[0] + fresh[1] + fresh[2] + fresh[3], kStates);
  ASSERT_EQ(table.size(), kStates);
  std::set<PackedState> states;
  for (scenarios::StateIndex i = 0; i < table.size(); ++i) {
    EXPECT_EQ(table.Find(table.At(i)), i);
    states.insert(table.At(i));
  }
  EXPECT_EQ(states.size(), kStates);
}

TEST(ThreadExecutor, SearchesAsOneWorkerDoes) {
  auto config = scenarios::FindLogExploreConfig("small");
  ASSERT_TRUE(config.has_value());
  config->overlap_markdown = true;
  auto made = scenarios::LogExploreModel::For(*config);
  const auto& model = *std::get<std::unique_ptr<scenarios::LogExploreModel>>(made);
  scenarios::ExploreOptions options;
  options.stop_at_first_violation = false;
  scenarios::SerialExecutor serial;
  const scenarios::ExploreResult expected = Explore(model, options, serial);
  EXPECT_EQ(expected.distinct, 84'498U);
  for (const std::uint32_t workers : {2U, 3U}) {
    ThreadExecutor executor(workers);
    const scenarios::ExploreResult result = Explore(model, options, executor);
    EXPECT_EQ(result.distinct, expected.distinct);
    EXPECT_EQ(result.generated, expected.generated);
    EXPECT_EQ(result.level_begin, expected.level_begin);
    for (std::size_t i = 0; i < expected.invariants.size(); ++i) {
      EXPECT_EQ(result.invariants[i].trace, expected.invariants[i].trace);
    }
    for (std::size_t i = 0; i < expected.sometimes.size(); ++i) {
      EXPECT_EQ(result.sometimes[i].trace, expected.sometimes[i].trace);
    }
  }
}

}  // namespace
}  // namespace lockstep::tools
