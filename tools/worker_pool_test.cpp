#include "tools/worker_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

// Answers "did <task>", or dies in the way that the task says.
std::string Work(const std::string& task, WorkerContext& context) {
  context.Begin(42);
  if (task == "abort") std::raise(SIGABRT);
  if (task == "exit") {
    std::fprintf(stderr, "\n=====\nlast words\n");
    std::fflush(stderr);
    ::_exit(3);
  }
  if (task == "throw") throw std::runtime_error("thrown");
  while (task == "hang") ::pause();
  if (task == "print") std::printf("this must not reach the parent's stdout\n");
  context.End(7);
  if (task == "die between runs") std::raise(SIGKILL);
  if (task == "long") return std::string(3'000'000, 'x');
  return "did " + task;
}

PoolEvent One(WorkerPool& pool, const std::string& task) {
  EXPECT_TRUE(pool.Give(5, task));
  for (int i = 0; i < 1000; ++i) {
    std::vector<PoolEvent> events = pool.Wait(100);
    if (!events.empty()) return events.front();
  }
  ADD_FAILURE() << "nothing happened";
  return {};
}

TEST(WorkerPool, ReportsACrashWithTheRunInFlight) {
  WorkerPool pool(1, 60, Work);
  const PoolEvent event = One(pool, "abort");
  EXPECT_TRUE(event.died);
  EXPECT_EQ(event.task, 5U);
  EXPECT_EQ(event.seed, 42U);
  EXPECT_THAT(event.how, HasSubstr("crashed: signal 6 (Aborted)"));
}

TEST(WorkerPool, ReportsTheLastWords) {
  WorkerPool pool(1, 60, Work);
  EXPECT_EQ(One(pool, "exit").how, "crashed: exit code 3: last words");
  EXPECT_EQ(One(pool, "throw").how, "crashed: exit code 1: exception: thrown");
}

TEST(WorkerPool, KillsARunThatHangs) {
  WorkerPool pool(1, 1, Work);
  const PoolEvent event = One(pool, "hang");
  EXPECT_TRUE(event.died);
  EXPECT_EQ(event.seed, 42U);
  EXPECT_THAT(event.how, HasSubstr("hung: no progress for"));
}

TEST(WorkerPool, KnowsThatNoRunWasInFlight) {
  WorkerPool pool(1, 60, Work);
  const PoolEvent event = One(pool, "die between runs");
  EXPECT_TRUE(event.died);
  EXPECT_EQ(event.seed, std::nullopt);
}

TEST(WorkerPool, GoesOnAfterADeath) {
  WorkerPool pool(2, 60, Work);
  EXPECT_TRUE(One(pool, "abort").died);
  EXPECT_EQ(pool.idle(), 2U);
  EXPECT_EQ(One(pool, "a").answer, "did a");
  EXPECT_EQ(One(pool, "print").answer, "did print");
  EXPECT_EQ(One(pool, "long").answer.size(), 3'000'000U);
  EXPECT_EQ(pool.counts().runs, 3U);
  EXPECT_EQ(pool.counts().steps, 21U);
}

TEST(WorkerPool, WorksOnSeveralTasksAtOnce) {
  WorkerPool pool(3, 60, Work);
  for (std::uint64_t task = 0; task < 3; ++task) EXPECT_TRUE(pool.Give(task, "t"));
  EXPECT_EQ(pool.busy(), 3U);
  std::size_t answers = 0;
  for (int i = 0; i < 1000 && answers < 3; ++i) answers += pool.Wait(100).size();
  EXPECT_EQ(answers, 3U);
  EXPECT_EQ(pool.idle(), 3U);
}

TEST(WorkerPool, KillsWhatIsLeft) {
  WorkerPool pool(2, 60, Work);
  EXPECT_TRUE(pool.Give(1, "hang"));
  pool.KillAll();
  EXPECT_EQ(pool.idle(), 2U);
  EXPECT_EQ(One(pool, "a").answer, "did a");
}

}  // namespace
}  // namespace lockstep::tools
