#include "tools/console.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

TEST(Console, KeepsResultsAndEverythingElseApart) {
  CapturedConsole captured;
  captured.console().Out("result\n");
  captured.console().Error("no such thing");
  EXPECT_EQ(captured.out(), "result\n");
  EXPECT_EQ(captured.err(), "lockstep: no such thing\n");
}

TEST(Console, UsesNoColoursInAFile) {
  CapturedConsole captured;
  EXPECT_EQ(captured.console().Bad("FAIL"), "FAIL");
  EXPECT_EQ(captured.console().Good("holds"), "holds");
  EXPECT_FALSE(captured.console().live());
}

TEST(Console, NoticesOutputThatDoesNotArrive) {
  std::FILE* const full = std::fopen("/dev/full", "w");
  if (full == nullptr) GTEST_SKIP() << "no /dev/full here";
  Console console(full, stderr);
  console.Out("result\n");
  std::string why;
  EXPECT_FALSE(console.Flush(why));
  EXPECT_EQ(why, "No space left on device");
  std::fclose(full);
}

TEST(Console, ConfirmsOutputThatArrived) {
  CapturedConsole captured;
  captured.console().Out("result\n");
  std::string why;
  EXPECT_TRUE(captured.console().Flush(why));
}

}  // namespace
}  // namespace lockstep::tools
