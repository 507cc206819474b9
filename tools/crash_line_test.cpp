#include "tools/crash_line.h"

#include <gtest/gtest.h>

#include <csignal>

namespace lockstep::tools {
namespace {

TEST(CrashLineDeathTest, SaysWhatCrashedAndEndsWithOne) {
  EXPECT_EXIT(
      {
        const CrashLine line("lockstep run x --seed 0x7");
        std::raise(SIGABRT);
      },
      ::testing::ExitedWithCode(1), "lockstep: lockstep run x --seed 0x7 crashed: signal 6\n");
}

TEST(CrashLineDeathTest, LeavesSignalsAloneAfterwards) {
  { const CrashLine line("x"); }
  struct sigaction now = {};
  ::sigaction(SIGABRT, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

}  // namespace
}  // namespace lockstep::tools
