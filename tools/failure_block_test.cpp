#include "tools/failure_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

using sim::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

FailureFacts Facts() {
  FailureFacts facts;
  facts.scenario = "steady";
  facts.mutant = "tens";
  facts.seed = 0x3f1a;
  facts.property = "NoTens";
  facts.step = 318;
  facts.action = "Step(a)";
  facts.message = "ten is not allowed";
  facts.recent = {"  310 Rest", "  318 Step(a)"};
  facts.enabled = {"Step(a)", "Rest"};
  facts.differences = {{"x", "1", "10"}};
  facts.reproduce = "lockstep run steady --seed 0x3f1a --mutant tens";
  facts.trace = "out/a.trace.ndjson";
  facts.schedule = "out/a.schedule";
  return facts;
}

std::string Block(const FailureFacts& facts) {
  CapturedConsole captured;
  return FailureBlock(facts, "no seed is a multiple of ten", captured.console());
}

TEST(FailureBlock, TellsEverythingInOrder) {
  EXPECT_EQ(Block(Facts()),
            "FAIL  steady / NoTens   seed 0x3f1a   step 318   safety   mutant tens\n"
            "  promised:   no seed is a multiple of ten\n"
            "  seen:       ten is not allowed\n"
            "    310 Rest\n"
            "    318 Step(a)   <- breaks NoTens\n"
            "       x   expected 1   actual 10\n"
            "  enabled:    Step, Rest\n"
            "  replay:     lockstep replay out/a.schedule\n"
            "  reproduce:  lockstep run steady --seed 0x3f1a --mutant tens\n"
            "  in TLC:     lockstep export out/a.trace.ndjson --format tlc\n");
}

TEST(FailureBlock, CountsEnabledActionsByName) {
  FailureFacts facts = Facts();
  facts.enabled = {"Step(a) n=1", "Step(b) n=1", "Rest"};
  EXPECT_THAT(Block(facts), HasSubstr("  enabled:    Step (2), Rest\n"));
}

TEST(FailureBlock, SaysWhyTheSpecRefusesAStepThatBreaksAPromise) {
  FailureFacts facts = Facts();
  facts.refusal = "Step(a) is not enabled: x < 10; it is 10";
  EXPECT_THAT(Block(facts), HasSubstr("  the spec:   Step(a) is not enabled: x < 10; it is 10\n"));
}

TEST(FailureBlock, MarksAStutterThatHasNoLineOfItsOwn) {
  FailureFacts facts = Facts();
  facts.recent = {"  310 Rest"};
  facts.action.clear();
  EXPECT_THAT(Block(facts), HasSubstr("    318 (no action of the spec)   <- breaks NoTens\n"));
}

TEST(FailureBlock, ShowsNoStepsOfAProcessThatDied) {
  FailureFacts facts = Facts();
  facts.kind = ExitCode::kError;
  facts.recent.clear();
  EXPECT_THAT(Block(facts), Not(HasSubstr("<- breaks")));
}

TEST(FailureBlock, StaysShortWhateverIsInIt) {
  FailureFacts facts = Facts();
  facts.message = std::string(10'000, 'm') + "\n\x1b[2J";
  facts.recent.assign(1000, "1 Rest");
  for (int i = 0; i < 1000; ++i) {
    facts.enabled.push_back(std::to_string(i) + std::string(1000, 'e'));
  }
  facts.differences.assign(4, {"x", std::string(1000, '1'), std::string(1000, '2')});
  const std::string block = Block(facts);
  EXPECT_LT(block.size(), 3000U);
  EXPECT_LT(std::ranges::count(block, '\n'), 25);
  EXPECT_EQ(block.find('\x1b'), std::string::npos);
  EXPECT_THAT(block, HasSubstr("and 992 more"));
}

TEST(FailureBlock, FindsTheInnermostDifferences) {
  const Value expected = Value::RecordOf(
      {{"log", Value::SeqOf({Value::Int(1), Value::RecordOf({{"t", Value::String("WAL")}})})},
       {"same", Value::Int(3)},
       {"gone", Value::Int(4)}});
  const Value actual = Value::RecordOf(
      {{"log", Value::SeqOf({Value::Int(1), Value::RecordOf({{"t", Value::String("EMPTY")}})})},
       {"same", Value::Int(3)},
       {"new", Value::Bool(true)}});
  EXPECT_THAT(
      Differences(expected, actual, 9),
      ElementsAre(Difference{"log[2].t", "\"WAL\"", "\"EMPTY\""},
                  Difference{"gone", "4", "(absent)"}, Difference{"new", "(absent)", "TRUE"}));
  EXPECT_EQ(Differences(expected, actual, 1).size(), 1U);
  EXPECT_TRUE(Differences(expected, expected, 9).empty());
  EXPECT_TRUE(Differences(Value(), Value(), 9).empty());
}

TEST(FailureBlock, ComparesSequencesOfOtherLengthsAsAWhole) {
  EXPECT_THAT(Differences(Value::SeqOf({Value::Int(1)}), Value::SeqOf({}), 9),
              ElementsAre(Difference{"", "<<1>>", "<<>>"}));
}

TEST(FailureBlock, TakesTheFactsOfARun) {
  const Catalog catalog = FakeCatalog();
  scenarios::RunSpec spec;
  spec.scenario = catalog.FindScenario("breaks");
  spec.seed = 20;
  const FailureFacts facts = FactsOf(spec, catalog.run(spec), "again");
  EXPECT_EQ(facts.Bucket(), "breaks/NoTens");
  EXPECT_EQ(facts.kind, ExitCode::kSafety);
  EXPECT_EQ(facts.seed, 20U);
  EXPECT_EQ(facts.step, 2);
  EXPECT_THAT(facts.differences, ElementsAre(Difference{"x", "1", "10"}));
}

}  // namespace
}  // namespace lockstep::tools
