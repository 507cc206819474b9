// Beside the plain behaviour: what the C++ runtime keeps a thread and must be kept a stack
// (exceptions), and what a reused stack must not carry over. The same tests run under the
// sanitizers, which then check that every switch is announced.

#include "sim/fiber/fiber.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/fiber/stack_pool.h"

namespace lockstep::sim {
namespace {

using ::testing::ExitedWithCode;

using Log = std::vector<std::string>;

// Writes its name when it is destroyed.
class Guard {
 public:
  Guard(Log& log, std::string name) : log_(log), name_(std::move(name)) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { log_.push_back("~" + name_); }

 private:
  Log& log_;
  std::string name_;
};

// A fiber whose body is given itself.
class Coroutine {
 public:
  template <typename Body>
  Coroutine(StackPool& pool, Body body) {
    fiber_ = std::make_unique<Fiber>(pool, [this, body] { body(*fiber_); });
  }
  void Resume() { fiber_->Resume(); }
  [[nodiscard]] bool done() const { return fiber_->done(); }
  void Destroy() { fiber_.reset(); }

 private:
  std::unique_ptr<Fiber> fiber_;
};

TEST(Fiber, StartsAtTheFirstResumeAndStopsAtEachSuspend) {
  StackPool pool;
  Log log;
  Coroutine coroutine(pool, [&log](Fiber& self) {
    log.emplace_back("a");
    self.Suspend();
    log.emplace_back("b");
    self.Suspend();
    log.emplace_back("c");
  });
  EXPECT_EQ(log, Log{});
  EXPECT_FALSE(coroutine.done());
  coroutine.Resume();
  EXPECT_EQ(log, (Log{"a"}));
  log.emplace_back("outside");
  coroutine.Resume();
  EXPECT_EQ(log, (Log{"a", "outside", "b"}));
  EXPECT_FALSE(coroutine.done());
  coroutine.Resume();
  EXPECT_EQ(log, (Log{"a", "outside", "b", "c"}));
  EXPECT_TRUE(coroutine.done());
}

TEST(Fiber, SeveralInterleaveAsTheyAreResumed) {
  StackPool pool;
  Log log;
  const auto body = [&log](const std::string& name) {
    return [&log, name](Fiber& self) {
      for (int i = 0; i < 3; ++i) {
        log.push_back(name + std::to_string(i));
        self.Suspend();
      }
    };
  };
  Coroutine a(pool, body("a"));
  Coroutine b(pool, body("b"));
  a.Resume();
  b.Resume();
  b.Resume();
  a.Resume();
  a.Resume();
  b.Resume();
  EXPECT_EQ(log, (Log{"a0", "b0", "b1", "a1", "a2", "b2"}));
}

TEST(Fiber, OneCanRunAnother) {
  StackPool pool;
  Log log;
  Coroutine inner(pool, [&log](Fiber& self) {
    log.emplace_back("inner 1");
    self.Suspend();
    log.emplace_back("inner 2");
  });
  Coroutine outer(pool, [&log, &inner](Fiber& self) {
    inner.Resume();
    log.emplace_back("outer 1");
    self.Suspend();
    inner.Resume();
    log.emplace_back("outer 2");
  });
  outer.Resume();
  outer.Resume();
  EXPECT_EQ(log, (Log{"inner 1", "outer 1", "inner 2", "outer 2"}));
  EXPECT_TRUE(inner.done());
  EXPECT_TRUE(outer.done());
}

TEST(Fiber, GivesItsStackBackWhenItEnds) {
  StackPool pool;
  Coroutine coroutine(pool, [](Fiber&) {});
  EXPECT_EQ(pool.free(), 0U);
  coroutine.Resume();
  EXPECT_EQ(pool.free(), 1U);
  coroutine.Destroy();
  EXPECT_EQ(pool.free(), 1U);
}

TEST(Fiber, DestructionUnwindsTheBodyOnceAndRunsNothingElse) {
  StackPool pool;
  Log log;
  Coroutine coroutine(pool, [&log](Fiber& self) {
    const Guard a(log, "a");
    { const Guard gone(log, "gone"); }
    const auto deeper = [&log, &self] {
      const Guard b(log, "b");
      self.Suspend();
      log.emplace_back("after the suspension");
    };
    try {
      deeper();
    } catch (const std::exception&) {
      log.emplace_back("handler");
    }
    log.emplace_back("after the call");
  });
  coroutine.Resume();
  log.clear();
  coroutine.Destroy();
  EXPECT_EQ(log, (Log{"~b", "~a"}));
  EXPECT_EQ(pool.free(), 1U);
}

TEST(Fiber, DestructionOfOneThatNeverRanRunsNothing) {
  StackPool pool;
  Log log;
  {
    const auto captured = std::make_shared<Guard>(log, "captured");
    Coroutine coroutine(pool, [&log, captured](Fiber&) { log.emplace_back("body"); });
  }
  EXPECT_EQ(log, (Log{"~captured"}));
  EXPECT_EQ(pool.free(), 1U);
}

TEST(Fiber, DestructionOfOneThatEndedRunsNothing) {
  StackPool pool;
  Log log;
  Coroutine coroutine(pool, [&log](Fiber&) { const Guard a(log, "a"); });
  coroutine.Resume();
  EXPECT_EQ(log, (Log{"~a"}));
  coroutine.Destroy();
  EXPECT_EQ(log, (Log{"~a"}));
}

TEST(Fiber, DestructionWorksWhileAnExceptionIsUnderWay) {
  StackPool pool;
  Log log;
  try {
    Coroutine coroutine(pool, [&log](Fiber& self) {
      const Guard a(log, "a");
      self.Suspend();
    });
    coroutine.Resume();
    throw std::runtime_error("outside");
  } catch (const std::runtime_error& error) {
    log.emplace_back(error.what());
  }
  EXPECT_EQ(log, (Log{"~a", "outside"}));
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

TEST(Fiber, FindsAReusedStackZeroed) {
  StackPool pool;
  constexpr std::size_t kBytes = 16 * 1024;
  Coroutine dirty(pool, [](Fiber& self) {
    volatile unsigned char bytes[kBytes];
    for (volatile unsigned char& byte : bytes) byte = 0xab;
    self.Suspend();
  });
  dirty.Resume();
  dirty.Destroy();
  const StackPool::Stack stack = pool.Take();
  EXPECT_EQ(pool.mapped(), 1U);
  const auto* bytes = static_cast<const unsigned char*>(stack.bottom);
  EXPECT_EQ(std::memchr(bytes, 0xab, stack.size), nullptr);
  pool.Give(stack);
  Log log;
  Coroutine next(pool, [&log](Fiber&) { log.emplace_back("ran"); });
  next.Resume();
  EXPECT_EQ(log, (Log{"ran"}));
  EXPECT_EQ(pool.mapped(), 1U);
}

TEST(Fiber, ThousandsLiveAtOnceAndAreReused) {
  constexpr std::size_t kFibers = 2000;
  StackPool pool;
  std::uint64_t sum = 0;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::unique_ptr<Coroutine>> coroutines;
    for (std::size_t i = 0; i < kFibers; ++i) {
      coroutines.push_back(std::make_unique<Coroutine>(pool, [i, &sum](Fiber& self) {
        sum += i;
        self.Suspend();
        sum += i;
      }));
    }
    for (const auto& coroutine : coroutines) coroutine->Resume();
    // Every other one ends, the others are unwound.
    for (std::size_t i = 0; i < kFibers; i += 2) coroutines[i]->Resume();
  }
  const std::uint64_t all = kFibers * (kFibers - 1) / 2;
  const std::uint64_t even = (kFibers / 2) * (kFibers / 2 - 1);
  EXPECT_EQ(sum, 2 * (all + even));
  EXPECT_EQ(pool.mapped(), kFibers);
  EXPECT_EQ(pool.free(), kFibers);
}

TEST(Fiber, SwitchesManyTimes) {
  StackPool pool;
  std::uint64_t count = 0;
  Coroutine coroutine(pool, [&count](Fiber& self) {
    while (true) {
      ++count;
      self.Suspend();
    }
  });
  for (int i = 0; i < 200'000; ++i) coroutine.Resume();
  EXPECT_EQ(count, 200'000U);
}

// Uses `depth` frames of more than 256 bytes and suspends at the bottom.
// NOLINTNEXTLINE(misc-no-recursion)
std::uint64_t Dig(Fiber& self, std::uint64_t depth) {
  volatile std::uint64_t frame[32];
  for (std::uint64_t i = 0; i < 32; ++i) frame[i] = depth + i;
  if (depth == 0) {
    self.Suspend();
    return 0;
  }
  const std::uint64_t below = Dig(self, depth - 1);
  for (std::uint64_t i = 0; i < 32; ++i) {
    if (frame[i] != depth + i) return 0;
  }
  return below + 1;
}

TEST(Fiber, HasRoomForADeepStack) {
  StackPool pool;
  std::vector<std::uint64_t> depths;
  const auto body = [&depths](Fiber& self) { depths.push_back(Dig(self, 120)); };
  Coroutine a(pool, body);
  Coroutine b(pool, body);
  a.Resume();
  b.Resume();
  a.Resume();
  b.Resume();
  EXPECT_EQ(depths, (std::vector<std::uint64_t>{120, 120}));
}

TEST(Fiber, CatchesItsOwnExceptions) {
  StackPool pool;
  Log log;
  Coroutine coroutine(pool, [&log](Fiber& self) {
    try {
      const Guard a(log, "a");
      self.Suspend();
      throw std::runtime_error("inside");
    } catch (const std::runtime_error& error) {
      log.emplace_back(error.what());
    }
  });
  coroutine.Resume();
  coroutine.Resume();
  EXPECT_EQ(log, (Log{"~a", "inside"}));
  EXPECT_TRUE(coroutine.done());
}

TEST(Fiber, KeepsTheExceptionItHandlesWhileOthersHandleTheirs) {
  StackPool pool;
  Log log;
  const auto body = [&log](const std::string& name) {
    return [&log, name](Fiber& self) {
      try {
        throw std::runtime_error(name);
      } catch (const std::runtime_error& error) {
        self.Suspend();
        log.emplace_back(error.what());
        try {
          throw;
        } catch (const std::runtime_error& again) {
          self.Suspend();
          log.push_back(std::string(again.what()) + " again");
        }
      }
      log.emplace_back(std::current_exception() ? "some" : "none");
    };
  };
  Coroutine a(pool, body("a"));
  Coroutine b(pool, body("b"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(std::current_exception(), nullptr);
    a.Resume();
    EXPECT_EQ(std::current_exception(), nullptr);
    b.Resume();
  }
  EXPECT_EQ(log, (Log{"a", "b", "a again", "none", "b again", "none"}));
  EXPECT_TRUE(a.done());
  EXPECT_TRUE(b.done());
}

TEST(Fiber, SeesNoExceptionOfTheOutside) {
  StackPool pool;
  std::optional<bool> clean;
  Coroutine coroutine(pool, [&clean](Fiber& self) {
    self.Suspend();
    clean = std::current_exception() == nullptr && std::uncaught_exceptions() == 0;
  });
  coroutine.Resume();
  try {
    throw std::runtime_error("outside");
  } catch (const std::runtime_error&) {
    coroutine.Resume();
    EXPECT_NE(std::current_exception(), nullptr);
  }
  EXPECT_EQ(clean, true);
  EXPECT_EQ(std::current_exception(), nullptr);
}

TEST(Fiber, IsUnwoundOutOfAHandler) {
  StackPool pool;
  Log log;
  Coroutine coroutine(pool, [&log](Fiber& self) {
    try {
      throw std::runtime_error("inside");
    } catch (const std::runtime_error&) {
      const Guard a(log, "a");
      self.Suspend();
    }
  });
  coroutine.Resume();
  try {
    throw std::runtime_error("outside");
  } catch (const std::runtime_error& error) {
    coroutine.Destroy();
    log.emplace_back(error.what());
  }
  EXPECT_EQ(log, (Log{"~a", "outside"}));
  EXPECT_EQ(std::current_exception(), nullptr);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

class FiberDeathTest : public testing::Test {
 protected:
  FiberDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  StackPool pool_;
};

TEST_F(FiberDeathTest, RefusesAnExceptionThatLeavesTheBody) {
  Coroutine known(pool_, [](Fiber&) { throw std::runtime_error("lost in the node"); });
  EXPECT_EXIT(known.Resume(), ExitedWithCode(1), "no exception leaves a fiber.*lost in the node");
  Coroutine unknown(pool_, [](Fiber&) { throw 7; });
  EXPECT_EXIT(unknown.Resume(), ExitedWithCode(1), "no exception leaves a fiber");
}

TEST_F(FiberDeathTest, RefusesToResumeOneThatEnded) {
  Coroutine coroutine(pool_, [](Fiber&) {});
  coroutine.Resume();
  EXPECT_EXIT(coroutine.Resume(), ExitedWithCode(1), "done");
}

TEST_F(FiberDeathTest, RefusesToResumeItself) {
  Coroutine coroutine(pool_, [](Fiber& self) { self.Resume(); });
  EXPECT_EXIT(coroutine.Resume(), ExitedWithCode(1), "a running fiber resumes itself");
}

TEST_F(FiberDeathTest, RefusesSuspensionFromOutside) {
  Fiber fiber(pool_, [] {});
  EXPECT_EXIT(fiber.Suspend(), ExitedWithCode(1), "suspended from outside");
}

TEST_F(FiberDeathTest, RefusesSuspensionWhileItIsUnwound) {
  struct Suspender {
    Fiber& fiber;
    ~Suspender() { fiber.Suspend(); }
  };
  EXPECT_EXIT(
      {
        Coroutine coroutine(pool_, [](Fiber& self) {
          const Suspender suspender{self};
          self.Suspend();
        });
        coroutine.Resume();
        coroutine.Destroy();
      },
      ExitedWithCode(1), "while it is unwound");
}

TEST_F(FiberDeathTest, DiesOfAnEndlessRecursionAtTheGuardPage) {
  Coroutine coroutine(pool_, [](Fiber& self) { Dig(self, 1'000'000); });
  EXPECT_DEATH(coroutine.Resume(), "");
}

}  // namespace
}  // namespace lockstep::sim
