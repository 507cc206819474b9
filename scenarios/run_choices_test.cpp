#include "scenarios/run_choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/test_support.h"
#include "sim/choice/seeded_choices.h"

namespace lockstep::scenarios {
namespace {

using sim::ChoiceKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Scenario kAny{};

/// Makes three decisions, as a run would, and finishes.
RunResult Decide(const RunSpec& spec) {
  const auto choices = MakeChoices(spec);
  choices->Choose(ChoiceKind::kWorkload, 10);
  choices->Choose(ChoiceKind::kFaultGap, 20, 1);
  choices->Choose(ChoiceKind::kNode, 30);
  RunResult result;
  if (spec.record_trace) result.trace.emplace();
  FinishChoices(spec, *choices, result);
  return result;
}

RunResult Follow(const sim::Schedule& schedule) {
  RunSpec spec = SpecOf(kAny, 1);
  spec.schedule = &schedule;
  return Decide(spec);
}

TEST(RunChoices, DrawFromTheSeed) {
  sim::SeededChoices expected(7);
  expected.Choose(ChoiceKind::kWorkload, 10);
  expected.Choose(ChoiceKind::kFaultGap, 20, 1);
  expected.Choose(ChoiceKind::kNode, 30);
  EXPECT_EQ(Decide(SpecOf(kAny, 7)).schedule, expected.taken());
  EXPECT_NE(Decide(SpecOf(kAny, 8)).schedule, expected.taken());
}

TEST(RunChoices, FollowASchedule) {
  const sim::Schedule schedule = Decide(SpecOf(kAny, 7)).schedule;
  const RunResult result = Follow(schedule);
  EXPECT_EQ(result.schedule, schedule);
  EXPECT_EQ(result.divergence, std::nullopt);
}

TEST(RunChoices, SayThatTheScheduleIsTooShort) {
  const RunResult result = Follow({{ChoiceKind::kWorkload, 10, 4}, {ChoiceKind::kFaultGap, 20, 5}});
  EXPECT_EQ(result.divergence,
            "decision 3: the run asks for node of 30, the schedule has nothing more");
  EXPECT_EQ(result.schedule.size(), 3U);
}

TEST(RunChoices, SayThatTheScheduleHasAnotherKind) {
  const RunResult result = Follow({{ChoiceKind::kEvent, 10, 4}});
  EXPECT_EQ(result.divergence,
            "decision 1: the run asks for workload of 10, the schedule has event 4 of 10");
}

TEST(RunChoices, SayThatTheScheduleHasAnotherBound) {
  const RunResult result = Follow({{ChoiceKind::kWorkload, 11, 4}});
  EXPECT_EQ(result.divergence,
            "decision 1: the run asks for workload of 10, the schedule has workload 4 of 11");
}

TEST(RunChoices, SayThatTheScheduleIsTooLong) {
  sim::Schedule schedule = Decide(SpecOf(kAny, 7)).schedule;
  schedule.push_back({ChoiceKind::kNode, 30, 0});
  schedule.push_back({ChoiceKind::kNode, 30, 0});
  EXPECT_EQ(Follow(schedule).divergence,
            "the run ended with 2 decisions of the schedule left over");
}

TEST(RunChoices, GoIntoTheTraceToo) {
  RunSpec spec = TracedSpecOf(kAny, 7);
  const RunResult result = Decide(spec);
  EXPECT_EQ(result.trace->schedule, result.schedule);
}

TEST(RunChoices, RefuseAStrategyThatIsNotListed) {
  RunSpec spec = SpecOf(kAny, 1);
  spec.strategy = "hope";
  EXPECT_EXIT(MakeChoices(spec), ::testing::ExitedWithCode(1), HasSubstr("unknown strategy"));
}

TEST(Strategies, AreListedOnceAndKnown) {
  std::vector<std::string_view> names;
  for (const StrategyInfo& strategy : AllStrategies()) {
    names.push_back(strategy.name);
    EXPECT_TRUE(IsSnakeCase(strategy.name)) << strategy.name;
    EXPECT_FALSE(strategy.what.empty()) << strategy.name;
    RunSpec spec = SpecOf(kAny, 1);
    spec.strategy = strategy.name;
    EXPECT_NE(MakeChoices(spec), nullptr);
  }
  EXPECT_TRUE(AreUnique(names));
  EXPECT_THAT(names, ::testing::Contains("random"));
}

TEST(FaultNames, AreInTheTablesOrder) {
  const sim::FaultSet faults =
      sim::FaultSet().Add(sim::FaultKind::kReplyLost).Add(sim::FaultKind::kDelay);
  EXPECT_THAT(FaultNames(faults), ElementsAre("delay", "reply_lost"));
}

TEST(FaultNames, SayAllForAll) {
  EXPECT_THAT(FaultNames(sim::FaultSet::All()), ElementsAre("all"));
  EXPECT_TRUE(FaultNames(sim::FaultSet()).empty());
}

}  // namespace
}  // namespace lockstep::scenarios
