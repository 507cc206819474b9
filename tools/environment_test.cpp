#include "tools/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace lockstep::tools {
namespace {

TEST(Environment, TakesAnEmptyVariableForNone) {
  ::setenv("LOCKSTEP_ENVIRONMENT_TEST", "", 1);
  EXPECT_EQ(ProcessEnvironment()("LOCKSTEP_ENVIRONMENT_TEST"), std::nullopt);
  ::setenv("LOCKSTEP_ENVIRONMENT_TEST", "7", 1);
  EXPECT_EQ(ProcessEnvironment()("LOCKSTEP_ENVIRONMENT_TEST"), "7");
  ::unsetenv("LOCKSTEP_ENVIRONMENT_TEST");
  EXPECT_EQ(ProcessEnvironment()("LOCKSTEP_ENVIRONMENT_TEST"), std::nullopt);
}

}  // namespace
}  // namespace lockstep::tools
