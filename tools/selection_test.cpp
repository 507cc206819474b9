#include "tools/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

Options Named(std::vector<std::string> names, std::string mutant = "") {
  Options options;
  options.names = std::move(names);
  options.mutant = std::move(mutant);
  return options;
}

std::string Problem(const std::variant<Selection, std::string>& selected) {
  const auto* problem = std::get_if<std::string>(&selected);
  return problem == nullptr ? "no problem" : *problem;
}

TEST(Selection, RejectsWhatIsNotThere) {
  const Catalog catalog = FakeCatalog();
  EXPECT_THAT(Problem(SelectOne(catalog, Named({"stedy"}))),
              HasSubstr("unknown scenario \"stedy\"; accepted: steady, lazy"));
  EXPECT_THAT(Problem(SelectOne(catalog, Named({"stedy"}))), HasSubstr("did you mean steady?"));
  EXPECT_THAT(Problem(SelectOne(catalog, Named({}))), HasSubstr("no SCENARIO given"));
  EXPECT_THAT(Problem(SelectMany(catalog, Named({"lazy", "lazy"}))), HasSubstr("named twice"));
  EXPECT_THAT(Problem(SelectMany(catalog, Named({}, "tons"))),
              HasSubstr("--mutant: unknown mutant \"tons\"; accepted: tens, lost"));
  Options options = Named({"steady"});
  options.strategy = "pct";
  EXPECT_THAT(Problem(SelectOne(catalog, options)),
              HasSubstr("--strategy: unknown strategy \"pct\"; accepted: random"));
}

TEST(Selection, RejectsAFaultThatTheScenarioDoesNotHave) {
  const Catalog catalog = FakeCatalog();
  Options options = Named({"steady"});
  options.faults = ParseFaults("crash,reply_lost");
  EXPECT_EQ(Problem(SelectOne(catalog, options)),
            "--faults: scenario steady does not have reply_lost; accepted: delay,crash");
}

TEST(Selection, TakesTheMutantsOwnScenario) {
  const auto selected = SelectOne(FakeCatalog(), Named({}, "tens"));
  const Selection& selection = std::get<Selection>(selected);
  ASSERT_EQ(selection.scenarios.size(), 1U);
  EXPECT_EQ(selection.scenarios.front()->name, "steady");
}

TEST(Selection, SweepsTheScenariosThatBelongToIt) {
  const auto selected = SelectMany(FakeCatalog(), Named({}));
  EXPECT_EQ(std::get<Selection>(selected).scenarios.size(), 2U);
  const auto named = SelectMany(FakeCatalog(), Named({"breaks"}));
  EXPECT_EQ(std::get<Selection>(named).scenarios.front()->name, "breaks");
}

TEST(Selection, ReproducesTheRunWithEverythingThatMatters) {
  const Catalog catalog = FakeCatalog();
  Options options = Named({"steady"}, "tens");
  options.faults = ParseFaults("crash");
  options.max_steps = 7;
  const auto selected = SelectOne(catalog, options);
  const Selection& selection = std::get<Selection>(selected);
  EXPECT_EQ(selection.Reproduce(*selection.scenarios.front(), 42),
            "lockstep run steady --seed 0x2a --mutant tens --faults crash --max-steps 7");
  const scenarios::RunSpec spec = selection.Spec(*selection.scenarios.front(), 42);
  EXPECT_EQ(spec.seed, 42U);
  EXPECT_EQ(spec.mutant->name, "tens");
  EXPECT_EQ(spec.max_steps, 7);
  EXPECT_FALSE(spec.faults.Has(sim::FaultKind::kDelay));
}

}  // namespace
}  // namespace lockstep::tools
