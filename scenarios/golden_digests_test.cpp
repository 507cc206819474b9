// The digests of golden_digests.txt hold in this build. tools/determinism asks the same of others.
#include "scenarios/golden_digests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <variant>

#include "scenarios/scenario.h"
#include "traces/file_io.h"
#include "traces/trace_digest.h"

namespace lockstep::scenarios {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ListPath() {
  return std::string(LOCKSTEP_SOURCE_DIR) + "/scenarios/golden_digests.txt";
}

std::string ReadList() {
  const auto bytes = traces::ReadFileBytes(ListPath());
  if (const auto* error = std::get_if<traces::ReadError>(&bytes)) return error->ToString();
  return std::get<std::string>(bytes);
}

TEST(GoldenDigests, AreWhatTheSeedsGiveHere) {
  const std::string list = ReadList();
  const std::string now = RecomputeDigests(list);
  const char* update = std::getenv("LOCKSTEP_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    ASSERT_EQ(traces::WriteFileAtomically(ListPath(), now), std::nullopt);
    return;
  }
  EXPECT_EQ(now, list) << "A seed means something else than before. If that is wanted, run with "
                          "LOCKSTEP_UPDATE_GOLDEN=1 and say why in the commit.";
}

TEST(GoldenDigests, CoverEveryScenarioAndAMutant) {
  const std::string list = ReadList();
  std::map<std::string, int, std::less<>> lines;
  int mutants = 0;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find('\n', at), list.size());
    const std::string line = list.substr(at, end - at);
    at = end + 1;
    if (line.empty() || line.front() == '#') continue;
    ++lines[line.substr(0, line.find(' '))];
    if (line.find(" - ") == std::string::npos) ++mutants;
  }
  for (const Scenario& scenario : AllScenarios()) {
    EXPECT_GE(lines[std::string(scenario.name)], 5) << scenario.name;
  }
  EXPECT_GE(mutants, 2);
}

TEST(GoldenDigests, KeepCommentsAndEmptyLines) {
  EXPECT_EQ(RecomputeDigests("# one\n\n# two\n"), "# one\n\n# two\n");
  EXPECT_EQ(RecomputeDigests(""), "");
}

TEST(GoldenDigests, ReplaceADigest) {
  const std::string line = RecomputeDigests("canary 1 - ?\n");
  EXPECT_THAT(line, StartsWith("canary 1 - xxh3:"));
  EXPECT_EQ(line.size(), std::string("canary 1 - \n").size() + traces::kDigestSize);
  EXPECT_EQ(RecomputeDigests("canary 1 -"), line);
}

TEST(GoldenDigests, SayWhatTheyCannotRun) {
  EXPECT_THAT(RecomputeDigests("cannary 1 - ?"), HasSubstr("no such scenario"));
  EXPECT_THAT(RecomputeDigests("canary 1x - ?"), HasSubstr("no decimal number"));
  EXPECT_THAT(RecomputeDigests("canary - ?"), HasSubstr("no decimal number"));
  EXPECT_THAT(RecomputeDigests("canary 1 nobody ?"), HasSubstr("no such mutant"));
}

}  // namespace
}  // namespace lockstep::scenarios
