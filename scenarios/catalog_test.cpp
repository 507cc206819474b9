// The two tables hold together: names, and whatever they refer to.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "invariants/log_registry.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "scenarios/leaderless_log/log_situation.h"
#include "scenarios/scenario.h"
#include "scenarios/test_support.h"
#include "traces/file_io.h"

namespace lockstep::scenarios {
namespace {

using ::testing::Contains;

TEST(Catalog, HasUniqueNames) {
  std::vector<std::string_view> scenarios;
  for (const Scenario& scenario : AllScenarios()) scenarios.push_back(scenario.name);
  EXPECT_TRUE(AreUnique(scenarios));
  std::vector<std::string_view> mutants;
  for (const Mutant& mutant : AllMutants()) mutants.push_back(mutant.name);
  EXPECT_TRUE(AreUnique(mutants));
}

TEST(Catalog, FindsWhatItHasAndNothingElse) {
  EXPECT_EQ(FindScenario("log_small"), &AllScenarios().front());
  EXPECT_EQ(FindScenario("log_smal"), nullptr);
  EXPECT_EQ(FindScenario(""), nullptr);
  EXPECT_EQ(FindMutant(AllMutants().back().name), &AllMutants().back());
  EXPECT_EQ(FindMutant("log_small"), nullptr);
}

TEST(Catalog, HasACanaryThatNoDefaultSweepRuns) {
  const Scenario* canary = FindScenario("canary");
  ASSERT_NE(canary, nullptr);
  EXPECT_EQ(canary->expectation, invariants::Verdict::kViolated);
  EXPECT_FALSE(canary->in_default_sweep);
}

/// The rows of README.md's tables that begin with a name in backquotes, under this heading.
std::vector<std::string> ReadmeRows(std::string_view heading) {
  const auto bytes =
      traces::ReadFileBytes(std::string(LOCKSTEP_SOURCE_DIR) + "/scenarios/README.md");
  std::string_view text = std::get<std::string>(bytes);
  text.remove_prefix(std::min(text.find(std::string(heading) + "\n"), text.size() - 1) + 1);
  text = text.substr(0, text.find("\n## "));
  std::vector<std::string> rows;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with("| `")) rows.emplace_back(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return rows;
}

TEST(Readme, ListsTheScenariosAsTheyAre) {
  std::vector<std::string> rows;
  for (const Scenario& scenario : AllScenarios()) {
    rows.push_back(fmt::format("| `{}` | {} |", scenario.name, scenario.story));
  }
  EXPECT_THAT(ReadmeRows("## Scenarios"), ::testing::ElementsAreArray(rows));
}

TEST(Readme, ListsTheMutantsAsTheyAre) {
  std::vector<std::string> rows;
  for (const Mutant& mutant : AllMutants()) {
    rows.push_back(fmt::format("| `{}` | `{}` | `{}` | {} |", mutant.name, mutant.scenario,
                               mutant.killer, mutant.source));
  }
  EXPECT_THAT(ReadmeRows("## Mutants"), ::testing::ElementsAreArray(rows));
}

class EveryScenario : public ::testing::TestWithParam<Scenario> {};
INSTANTIATE_TEST_SUITE_P(Catalog, EveryScenario, ::testing::ValuesIn(AllScenarios()),
                         NameOfParameter());

TEST_P(EveryScenario, IsSpelledInSnakeCaseAndHasAFileOfItsName) {
  const Scenario& scenario = GetParam();
  EXPECT_TRUE(IsSnakeCase(scenario.name));
  const std::string file = std::string(LOCKSTEP_SOURCE_DIR) + "/scenarios/" +
                           std::string(scenario.protocol) + "/" + std::string(scenario.name) +
                           ".cpp";
  EXPECT_TRUE(std::filesystem::exists(file)) << file;
}

TEST_P(EveryScenario, HasAStoryOfOneSentence) {
  const std::string_view story = GetParam().story;
  EXPECT_GT(story.size(), 20U);
  EXPECT_LT(story.size(), 100U);
  EXPECT_TRUE(story.ends_with('.'));
  EXPECT_EQ(story.find('\n'), std::string_view::npos);
}

TEST_P(EveryScenario, CanBeRunAndEnds) {
  const Scenario& scenario = GetParam();
  EXPECT_NE(scenario.run, nullptr);
  EXPECT_GT(scenario.max_steps, 0);
  EXPECT_FALSE(scenario.faults.empty());
}

TEST_P(EveryScenario, IsExpectedToHoldWhenADefaultSweepRunsIt) {
  const Scenario& scenario = GetParam();
  if (scenario.in_default_sweep) {
    EXPECT_EQ(scenario.expectation, invariants::Verdict::kHolds);
  }
}

TEST_P(EveryScenario, StaysWithinTheModelWhenItIsToHold) {
  const Scenario& scenario = GetParam();
  if (scenario.expectation != invariants::Verdict::kHolds) return;
  EXPECT_EQ(scenario.faults.Intersect(sim::FaultSet::WithinModel()), scenario.faults);
}

TEST_P(EveryScenario, NamesActionsOfTheModule) {
  const Scenario& scenario = GetParam();
  EXPECT_EQ(scenario.spec, "LeaderlessLog");
  EXPECT_FALSE(scenario.actions.empty());
  EXPECT_TRUE(AreUnique(scenario.actions));
  std::size_t before = 0;
  for (const std::string_view action : scenario.actions) {
    const auto kind = protocol::leaderless_log::ActionKindFromName(action);
    ASSERT_TRUE(kind.has_value()) << action;
    const auto order = static_cast<std::size_t>(*kind) + 1;
    EXPECT_GT(order, before) << action << " is out of Next's order";
    before = order;
  }
}

TEST_P(EveryScenario, NamesSituationsThatExist) {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < kLogSituations; ++i) {
    known.push_back(LogSituationName(static_cast<LogSituation>(i)));
  }
  EXPECT_TRUE(AreUnique(GetParam().must_reach));
  for (const std::string_view name : GetParam().must_reach) EXPECT_THAT(known, Contains(name));
}

class EveryMutant : public ::testing::TestWithParam<Mutant> {};
INSTANTIATE_TEST_SUITE_P(Catalog, EveryMutant, ::testing::ValuesIn(AllMutants()),
                         NameOfParameter());

TEST_P(EveryMutant, IsSpelledInSnakeCase) { EXPECT_TRUE(IsSnakeCase(GetParam().name)); }

TEST_P(EveryMutant, SaysWhatIsWrongAndWhoReportedIt) {
  EXPECT_GT(GetParam().what.size(), 20U);
  EXPECT_FALSE(GetParam().source.empty());
}

TEST_P(EveryMutant, IsHuntedWhereCorrectNodesHold) {
  const Scenario* scenario = FindScenario(GetParam().scenario);
  ASSERT_NE(scenario, nullptr) << GetParam().scenario;
  EXPECT_EQ(scenario->expectation, invariants::Verdict::kHolds);
}

TEST_P(EveryMutant, NamesARegisteredPropertyAsItsKiller) {
  EXPECT_NE(invariants::FindLogProperty(GetParam().killer), nullptr) << GetParam().killer;
}

}  // namespace
}  // namespace lockstep::scenarios
