// Every mutant is killed by the property it names, and the correct nodes by none: an oracle that
// has not been seen to fail, or that fails on everything, is no oracle.
#include "scenarios/mutants/log_mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "scenarios/test_support.h"

namespace lockstep::scenarios {
namespace {

constexpr std::uint64_t kSeedsMax = 2000;

class EveryLogMutant : public ::testing::TestWithParam<Mutant> {};
INSTANTIATE_TEST_SUITE_P(LogMutants, EveryLogMutant, ::testing::ValuesIn(LogMutants()),
                         NameOfParameter());

TEST_P(EveryLogMutant, IsKilledByThePropertyItNames) {
  const Mutant& mutant = GetParam();
  RunSpec spec = SpecOf(*FindScenario(mutant.scenario), 0);
  spec.mutant = &mutant;
  std::string others;
  for (spec.seed = 1; spec.seed <= kSeedsMax; ++spec.seed) {
    const RunResult result = RunOf(spec);
    if (!result.failure) continue;
    if (result.failure->violation.property == mutant.killer) return;
    others += "\n" + FailureText(result);
  }
  FAIL() << mutant.killer << " has not killed it; others have:" << others.substr(0, 2000);
}

class EveryCorrectScenario : public ::testing::TestWithParam<Scenario> {};
INSTANTIATE_TEST_SUITE_P(LogMutants, EveryCorrectScenario, ::testing::ValuesIn([] {
                           std::vector<Scenario> scenarios;
                           for (const Scenario& scenario : AllScenarios()) {
                             if (scenario.expectation == invariants::Verdict::kHolds) {
                               scenarios.push_back(scenario);
                             }
                           }
                           return scenarios;
                         }()),
                         NameOfParameter());

TEST_P(EveryCorrectScenario, HoldsWithCorrectNodesFor500Seeds) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const RunResult result = RunOf(SpecOf(GetParam(), seed));
    ASSERT_EQ(result.verdict, invariants::Verdict::kHolds)
        << "seed " << seed << ": " << FailureText(result);
  }
}

/// Fewer, and the plumbing from fault to report is dead; more, and it is no rare event.
TEST(Canary, ViolatesInAboutOneRunInAHundred) {
  const Scenario& canary = *FindScenario("canary");
  int violations = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const RunResult result = RunOf(SpecOf(canary, seed));
    if (!result.failure) continue;
    ++violations;
    EXPECT_EQ(result.failure->violation.property, "RecordsAtOneOffset") << FailureText(result);
  }
  EXPECT_GE(violations, 3);
  EXPECT_LE(violations, 30);
}

TEST(LogMutants, ReplaceOneRoleEach) {
  for (const Mutant& mutant : LogMutants()) {
    LogNodes nodes;  // No correct node: what is there afterwards is the mutant's.
    MutateLogNodes(mutant.name, nodes);
    const int replaced = (nodes.writer ? 1 : 0) + (nodes.reader ? 1 : 0) +
                         (nodes.compactor ? 1 : 0) + (nodes.fencer ? 1 : 0);
    EXPECT_EQ(replaced, 1) << mutant.name;
  }
}

TEST(LogMutants, RefuseAnUnknownName) {
  LogNodes nodes;
  EXPECT_EXIT(MutateLogNodes("delete_before_wriet", nodes), ::testing::ExitedWithCode(1),
              ::testing::HasSubstr("delete_before_wriet"));
}

}  // namespace
}  // namespace lockstep::scenarios
