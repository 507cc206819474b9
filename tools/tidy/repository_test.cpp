// The lint, run over this repository.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/tidy/tidy.h"

namespace lockstep::tools {
namespace {

TEST(Repository, IsReadAsAWhole) {
  const std::vector<SourceFile> files = ReadRepository(LOCKSTEP_SOURCE_DIR);
  const auto has = [&](const std::string& path) {
    for (const SourceFile& file : files) {
      if (file.path == path) return !file.text.empty();
    }
    return false;
  };
  EXPECT_TRUE(has("CMakeLists.txt"));
  EXPECT_TRUE(has(".ci/run"));
  EXPECT_TRUE(has("sim/CMakeLists.txt"));
  EXPECT_TRUE(has("tools/test"));
  EXPECT_TRUE(has("tools/tidy/repository_test.cpp"));
}

TEST(Repository, FollowsItsOwnRules) {
  std::string texts;
  for (const Finding& finding : CheckRepository(ReadRepository(LOCKSTEP_SOURCE_DIR))) {
    texts += "\n" + Print(finding);
  }
  EXPECT_TRUE(texts.empty()) << texts;
}

}  // namespace
}  // namespace lockstep::tools
