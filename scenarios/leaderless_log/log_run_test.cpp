// A run follows from its spec alone: same spec, same bytes; its schedule brings it back; what ran
// before it in the process does not matter. And: every schedule whatever is a run that ends.
#include "scenarios/leaderless_log/log_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/test_support.h"
#include "traces/trace_digest.h"

namespace lockstep::scenarios {
namespace {

using sim::ChoiceKind;
using sim::FaultKind;
using sim::FaultSet;
using ::testing::HasSubstr;

/// More than any heal phase of the catalog takes.
constexpr std::int64_t kHealStepsMax = 20000;

RunResult Replay(const Scenario& scenario, std::uint64_t seed, const sim::Schedule& schedule) {
  RunSpec spec = TracedSpecOf(scenario, seed);
  spec.schedule = &schedule;
  return RunOf(spec);
}

/// Where correct nodes play, they hold in any run whatever.
void ExpectItHoldsIfItShould(const Scenario& scenario, const RunResult& result) {
  if (scenario.expectation != invariants::Verdict::kHolds) return;
  EXPECT_EQ(result.verdict, invariants::Verdict::kHolds) << FailureText(result);
}

class EveryScenarioRuns : public ::testing::TestWithParam<Scenario> {};
INSTANTIATE_TEST_SUITE_P(LogRun, EveryScenarioRuns, ::testing::ValuesIn(AllScenarios()),
                         NameOfParameter());

TEST_P(EveryScenarioRuns, TheSameSpecTwiceToTheSameBytes) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const RunResult first = RunOf(TracedSpecOf(GetParam(), seed));
    const RunResult second = RunOf(TracedSpecOf(GetParam(), seed));
    ASSERT_EQ(first.schedule, second.schedule) << "seed " << seed;
    ASSERT_EQ(TraceBytes(first), TraceBytes(second)) << "seed " << seed;
    ASSERT_EQ(first.steps, second.steps);
    ASSERT_EQ(first.plan, second.plan);
  }
}

TEST_P(EveryScenarioRuns, ItsScheduleToTheSameBytes) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const RunResult run = RunOf(TracedSpecOf(GetParam(), seed));
    const RunResult replayed = Replay(GetParam(), seed, run.schedule);
    ASSERT_EQ(replayed.divergence, std::nullopt) << "seed " << seed;
    ASSERT_EQ(replayed.schedule, run.schedule) << "seed " << seed;
    ASSERT_EQ(TraceBytes(replayed), TraceBytes(run)) << "seed " << seed;
  }
}

TEST_P(EveryScenarioRuns, DifferentSeedsDifferently) {
  const RunResult one = RunOf(SpecOf(GetParam(), 1));
  const RunResult two = RunOf(SpecOf(GetParam(), 2));
  EXPECT_NE(one.schedule, two.schedule);
}

TEST_P(EveryScenarioRuns, TheSameWhetherItsTraceIsRecordedOrNot) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RunResult traced = RunOf(TracedSpecOf(GetParam(), seed));
    const RunResult plain = RunOf(SpecOf(GetParam(), seed));
    EXPECT_FALSE(plain.trace.has_value());
    ASSERT_EQ(plain.schedule, traced.schedule) << "seed " << seed;
    ASSERT_EQ(plain.verdict, traced.verdict);
    ASSERT_EQ(plain.coverage.actions, traced.coverage.actions);
    ASSERT_EQ(plain.coverage.reached, traced.coverage.reached);
    ASSERT_EQ(plain.coverage.states, traced.coverage.states);
  }
}

TEST_P(EveryScenarioRuns, TheSameWhateverRanBefore) {
  constexpr std::uint64_t kSeeds = 16;
  const auto digest = [](std::uint64_t seed) {
    return traces::Digest(TraceBytes(RunOf(TracedSpecOf(GetParam(), seed))));
  };
  std::vector<std::string> upwards(kSeeds + 1);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) upwards[seed] = digest(seed);
  for (std::uint64_t seed = kSeeds; seed >= 1; --seed) {
    // Something else in between: other scenarios leave other things behind.
    for (const Scenario& other : AllScenarios()) RunOf(SpecOf(other, seed + 100));
    EXPECT_EQ(digest(seed), upwards[seed]) << "seed " << seed;
  }
}

TEST_P(EveryScenarioRuns, WithCoverageThatFitsItsLists) {
  const Scenario& scenario = GetParam();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RunResult result = RunOf(SpecOf(scenario, seed));
    EXPECT_EQ(result.seed, seed);
    EXPECT_EQ(result.coverage.actions.size(), scenario.actions.size());
    EXPECT_EQ(result.coverage.reached.size(), scenario.must_reach.size());
    EXPECT_TRUE(std::ranges::is_sorted(result.coverage.states));
    EXPECT_EQ(std::ranges::adjacent_find(result.coverage.states), result.coverage.states.end());
    EXPECT_EQ(result.coverage.states.empty(), scenario.states_total == 0);
    EXPECT_FALSE(result.plan.empty());
  }
}

TEST_P(EveryScenarioRuns, WithNoOtherFaultsThanItsOwn) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const RunResult result = RunOf(SpecOf(GetParam(), seed));
    for (const sim::FaultInfo& info : sim::FaultTable()) {
      if (GetParam().faults.Has(info.kind)) continue;
      EXPECT_EQ(result.coverage.faults[static_cast<std::size_t>(info.kind)], 0U) << info.name;
    }
  }
}

TEST_P(EveryScenarioRuns, WithoutFaultsWhenAskedTo) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    RunSpec spec = SpecOf(GetParam(), seed);
    spec.faults = FaultSet();
    const RunResult result = RunOf(spec);
    EXPECT_EQ(result.plan, "none");
    for (const std::uint64_t strikes : result.coverage.faults) EXPECT_EQ(strikes, 0U);
    EXPECT_EQ(result.verdict, invariants::Verdict::kHolds) << FailureText(result);
  }
}

/// Decisions about events are made in the hurt phase only, and at most one an event.
std::int64_t EventsChosen(const sim::Schedule& schedule) {
  return std::ranges::count_if(schedule,
                               [](const sim::Choice& c) { return c.kind == ChoiceKind::kEvent; });
}

TEST_P(EveryScenarioRuns, NoLongerThanAllowed) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    for (const std::int64_t max_steps : {1, 20, 150}) {
      RunSpec spec = SpecOf(GetParam(), seed);
      spec.max_steps = max_steps;
      const RunResult result = RunOf(spec);
      EXPECT_LE(EventsChosen(result.schedule), max_steps);
      EXPECT_LE(result.steps, max_steps + kHealStepsMax);
      EXPECT_NE(result.failure ? result.failure->violation.kind : invariants::PropertyKind::kSafety,
                invariants::PropertyKind::kLiveness)
          << FailureText(result);
    }
  }
}

TEST_P(EveryScenarioRuns, AsLongAsTheScenarioSaysByDefault) {
  RunSpec spec = TracedSpecOf(GetParam(), 3);
  const RunResult by_default = RunOf(spec);
  spec.max_steps = GetParam().max_steps;
  EXPECT_EQ(TraceBytes(RunOf(spec)), TraceBytes(by_default));
  EXPECT_EQ(by_default.trace->header.max_steps, GetParam().max_steps);
}

TEST_P(EveryScenarioRuns, ACutScheduleToItsEnd) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    sim::Schedule schedule = RunOf(SpecOf(GetParam(), seed)).schedule;
    schedule.resize(schedule.size() / 2);
    const RunResult result = Replay(GetParam(), seed, schedule);
    ASSERT_TRUE(result.divergence.has_value());
    EXPECT_THAT(*result.divergence, HasSubstr("the schedule has nothing more"));
    EXPECT_LE(result.steps, GetParam().max_steps + kHealStepsMax);
    ExpectItHoldsIfItShould(GetParam(), result);
  }
}

TEST_P(EveryScenarioRuns, NoSchedule) {
  const RunResult result = Replay(GetParam(), 1, {});
  ASSERT_TRUE(result.divergence.has_value());
  EXPECT_THAT(*result.divergence, HasSubstr("decision 1: "));
  ExpectItHoldsIfItShould(GetParam(), result);
}

TEST_P(EveryScenarioRuns, AScheduleWithAnotherBoundToItsEnd) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    sim::Schedule schedule = RunOf(SpecOf(GetParam(), seed)).schedule;
    const std::size_t at = schedule.size() / 3;
    schedule[at].bound += 1;
    const RunResult result = Replay(GetParam(), seed, schedule);
    ASSERT_TRUE(result.divergence.has_value());
    EXPECT_THAT(*result.divergence, HasSubstr("decision " + std::to_string(at + 1) + ": "));
    ExpectItHoldsIfItShould(GetParam(), result);
  }
}

TEST_P(EveryScenarioRuns, AScheduleThatIsTooLong) {
  sim::Schedule schedule = RunOf(SpecOf(GetParam(), 1)).schedule;
  schedule.push_back({ChoiceKind::kEvent, 2, 1});
  const RunResult result = Replay(GetParam(), 1, schedule);
  ASSERT_TRUE(result.divergence.has_value());
  EXPECT_THAT(*result.divergence, HasSubstr("1 decisions of the schedule left over"));
}

/// Another value below the bound: one of the decisions is made differently, or dropped, or swapped.
sim::Schedule Damage(sim::Schedule schedule) {
  const auto edits = *rc::gen::inRange(1, 8);
  for (int i = 0; i < edits && schedule.size() > 1; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, schedule.size());
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        schedule[at].value = *rc::gen::inRange<std::uint32_t>(0, schedule[at].bound);
        break;
      case 1:
        schedule.erase(schedule.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 2:
        std::swap(schedule[at], schedule[schedule.size() / 2]);
        break;
      default:
        schedule[at].value = 0;
        break;
    }
  }
  return schedule;
}

/// What shrinking relies on: any list of decisions is a run that ends, its own decisions bring it
/// back, and a correct implementation holds in it like in any other.
RC_GTEST_PROP(LogRun, HoldsAndEndsUnderAnySchedule, ()) {
  const auto scenarios = AllScenarios();
  const Scenario& scenario = scenarios[*rc::gen::inRange<std::size_t>(0, scenarios.size())];
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const sim::Schedule damaged = Damage(RunOf(SpecOf(scenario, seed)).schedule);
  const RunResult result = Replay(scenario, seed, damaged);
  RC_ASSERT(result.steps <= scenario.max_steps + kHealStepsMax);
  if (scenario.expectation == invariants::Verdict::kHolds && result.failure) {
    RC_FAIL(FailureText(result));
  }
  const RunResult again = Replay(scenario, seed, result.schedule);
  RC_ASSERT(again.divergence == std::nullopt);
  RC_ASSERT(TraceBytes(again) == TraceBytes(result));
}

// ---- A failure ----------------------------------------------------------------------------------

class AFailedRun : public ::testing::Test {
 protected:
  AFailedRun() {
    RunSpec spec = TracedSpecOf(*FindScenario("log_faults"), 1);
    spec.mutant = FindMutant("cursor_before_delete");
    result_ = RunOf(spec);
  }
  RunResult result_;
};

TEST_F(AFailedRun, NamesThePropertyTheStepAndTheAction) {
  ASSERT_TRUE(result_.failure.has_value());
  EXPECT_EQ(result_.verdict, invariants::Verdict::kViolated);
  EXPECT_EQ(result_.failure->violation.property, "CursorBehindCompaction");
  EXPECT_FALSE(result_.failure->action.empty());
  EXPECT_EQ(result_.failure->node, "c1");
  EXPECT_FALSE(result_.failure->enabled.empty());
  EXPECT_FALSE(result_.failure->recent.empty());
}

TEST_F(AFailedRun, EndsItsTraceAtTheFailure) {
  ASSERT_TRUE(result_.failure.has_value());
  const traces::Trace& trace = *result_.trace;
  EXPECT_EQ(trace.steps.back().number, result_.failure->step);
  EXPECT_EQ(trace.footer.verdict, "violated");
  EXPECT_EQ(trace.header.mutant, "cursor_before_delete");
  ASSERT_TRUE(trace.footer.violation.has_value());
  EXPECT_EQ(trace.footer.violation->property, result_.failure->violation.property);
  EXPECT_EQ(trace.footer.violation->step, result_.failure->step);
  EXPECT_EQ(trace.footer.violation->enabled, result_.failure->enabled);
}

TEST_F(AFailedRun, ReplaysToTheSameFailure) {
  RunSpec spec = TracedSpecOf(*FindScenario("log_faults"), 1);
  spec.mutant = FindMutant("cursor_before_delete");
  spec.schedule = &result_.schedule;
  const RunResult replayed = RunOf(spec);
  EXPECT_EQ(replayed.divergence, std::nullopt);
  EXPECT_EQ(TraceBytes(replayed), TraceBytes(result_));
}

// ---- Any setting --------------------------------------------------------------------------------

FaultSet AnyFaults() {
  FaultSet faults;
  for (const sim::FaultInfo& info : sim::FaultTable()) {
    const bool wanted = *rc::gen::arbitrary<bool>();
    if (wanted && info.scope == sim::FaultScope::kWithinModel) faults.Add(info.kind);
  }
  return faults;
}

Role AnyRole(std::uint32_t nodes_max, std::uint32_t operations_max) {
  return {*rc::gen::inRange<std::uint32_t>(0, nodes_max + 1),
          *rc::gen::inRange<std::uint32_t>(0, operations_max + 1)};
}

/// Upstream's shape: a bound, and two ranges in order below it.
void BoundSetup(LogSetup& setup) {
  using protocol::leaderless_log::Offset;
  const auto first_end = *rc::gen::inRange<Offset>(1, 6);
  const auto second_end = first_end + *rc::gen::inRange<Offset>(1, 5);
  setup.constants.max_offset = second_end + *rc::gen::inRange<Offset>(0, 3);
  setup.constants.ranges = {{1, first_end}, {first_end + 1, second_end}};
  setup.constants.max_batch = *rc::gen::inRange<std::int64_t>(1, 4);
  setup.compaction.ranges = setup.constants.ranges;
  setup.fresh_identities = *rc::gen::arbitrary<bool>();
}

/// No bound: the compactor chooses its ranges.
void OpenSetup(LogSetup& setup) {
  setup.constants.dialect.rounds = true;
  setup.constants.max_batch = *rc::gen::inRange<std::int64_t>(1, 6);
  setup.compaction.chosen_offsets_min = *rc::gen::inRange<std::int64_t>(1, 8);
  setup.compaction.chosen_offsets_max =
      setup.compaction.chosen_offsets_min + *rc::gen::inRange<std::int64_t>(0, 12);
}

LogSetup AnySetup() {
  LogSetup setup;
  if (*rc::gen::arbitrary<bool>()) {
    BoundSetup(setup);
  } else {
    OpenSetup(setup);
  }
  setup.constants.dialect.compaction_resume = *rc::gen::arbitrary<bool>();
  setup.constants.dialect.end_boundary_guard = *rc::gen::arbitrary<bool>();
  setup.compaction.resume = setup.constants.dialect.compaction_resume;
  setup.writers = AnyRole(4, 8);
  setup.reads_by_writers = *rc::gen::inRange<std::uint32_t>(0, 4);
  setup.readers = AnyRole(3, 8);
  // So few that a state surely fits into a PackedState.
  setup.collect_states = setup.writers.nodes + setup.readers.nodes <= 3;
  setup.compactors = AnyRole(2, 5);
  setup.fencers = AnyRole(2, 5);
  setup.fence_ticks_max = *rc::gen::inRange<std::uint32_t>(1, 120);
  // Longer than a round trip with every node busy: one event is one tick.
  setup.world.call_timeout = *rc::gen::inRange<sim::Tick>(60, 200);
  setup.world.session_timeout = *rc::gen::inRange<sim::Tick>(10, 600);
  return setup;
}

std::string Describe(const LogSetup& setup) {
  const auto role = [](const Role& r) {
    return std::to_string(r.nodes) + "x" + std::to_string(r.operations);
  };
  std::string text = "writers " + role(setup.writers) + " readers " + role(setup.readers) +
                     " compactors " + role(setup.compactors) + " fencers " + role(setup.fencers) +
                     " batch " + std::to_string(setup.constants.max_batch) + " fresh " +
                     std::to_string(setup.fresh_identities) + " resume " +
                     std::to_string(setup.compaction.resume) + " call timeout " +
                     std::to_string(setup.world.call_timeout);
  for (const auto& range : setup.constants.ranges) {
    text += " [" + std::to_string(range.start) + "," + std::to_string(range.end) + "]";
  }
  return text;
}

RC_GTEST_PROP(LogRun, HoldsWithCorrectNodesInAnySetting, ()) {
  const LogSetup setup = AnySetup();
  RC_PRE(!protocol::leaderless_log::BrokenAssumption(setup.constants).has_value());
  Scenario scenario;
  scenario.name = "any";
  scenario.spec = "LeaderlessLog";
  scenario.faults = AnyFaults();
  scenario.max_steps = *rc::gen::inRange<std::int64_t>(1, 2000);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const RunResult result = RunLog(TracedSpecOf(scenario, seed), setup, CorrectLogNodes());
  if (result.failure) RC_FAIL(Describe(setup) + "\n" + result.plan + "\n" + FailureText(result));
  RC_ASSERT(result.verdict == invariants::Verdict::kHolds);
}

}  // namespace
}  // namespace lockstep::scenarios
