// Goal: the list of unseen states is what exhaustive search knows without what the runs passed.
#include "tools/unseen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <variant>

#include "scenarios/scenario.h"
#include "tools/selection.h"
#include "traces/file_io.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

SweepResult ResultOf(std::string_view scenario, std::uint64_t seeds) {
  Selection selection;
  selection.scenarios = {scenarios::FindScenario(scenario)};
  SweepResult result(selection);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    scenarios::RunSpec spec;
    spec.scenario = selection.scenarios.front();
    spec.seed = seed;
    Segment segment;
    segment.runs = 1;
    segment.coverage = scenarios::Run(spec).coverage;
    result.Add(0, segment);
  }
  return result;
}

std::string FileFor(std::string_view name) {
  return (std::filesystem::temp_directory_path() / std::string(name)).string();
}

std::size_t Lines(const std::string& path) {
  const auto read = traces::ReadFileBytes(path);
  std::filesystem::remove(path);
  return static_cast<std::size_t>(std::ranges::count(std::get<std::string>(read), '\n'));
}

TEST(Unseen, RejectsASweepWhoseStatesNobodyKnows) {
  const auto problem = WriteUnseen(ResultOf("fence_flap", 0), FileFor("lockstep_unseen_no"));
  ASSERT_TRUE(problem);
  EXPECT_THAT(*problem, StartsWith("--unseen: no scenario"));
  EXPECT_THAT(*problem, HasSubstr("accepted:"));
}

TEST(Unseen, ListsEveryStateOfASweepThatRanNothing) {
  const std::string path = FileFor("lockstep_unseen_all");
  EXPECT_EQ(WriteUnseen(ResultOf("log_small", 0), path), std::nullopt);
  EXPECT_EQ(Lines(path), scenarios::FindScenario("log_small")->states_total);
}

TEST(Unseen, LeavesOutExactlyWhatWasSeen) {
  const SweepResult result = ResultOf("log_small", 20);
  const std::string path = FileFor("lockstep_unseen_some");
  EXPECT_EQ(WriteUnseen(result, path), std::nullopt);
  EXPECT_GT(result.states_seen(), 100U);
  // Every state that a run passed is one of those that the search knows.
  EXPECT_EQ(Lines(path), 84498U - result.states_seen());
}

}  // namespace
}  // namespace lockstep::tools
