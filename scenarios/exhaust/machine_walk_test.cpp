#include "scenarios/exhaust/machine_walk.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "scenarios/exhaust/toy_model_for_tests.h"
#include "sim/choice/replay_choices.h"
#include "sim/choice/seeded_choices.h"

namespace lockstep::scenarios {
namespace {

using invariants::Verdict;
using protocol::leaderless_log::SmallConstants;

std::unique_ptr<LogExploreModel> LogModel(bool overlap_markdown) {
  auto model = LogExploreModel::For({SmallConstants(), overlap_markdown});
  return std::get<std::unique_ptr<LogExploreModel>>(std::move(model));
}

TEST(MachineWalk, RejectsAnInvariantThatDoesNotHold) {
  const auto model = LogModel(true);
  const auto machine = NewWalkMachine(*model);
  WalkOptions options;
  options.runs = 10'000;
  const WalkResult result = Walk(*machine, options);
  EXPECT_EQ(result.verdict, Verdict::kViolated);
  ASSERT_TRUE(result.broken.has_value());
  const WalkBroken& broken = *result.broken;
  ASSERT_TRUE(broken.invariant.has_value());
  EXPECT_EQ(model->invariants()[*broken.invariant].name, "NoOverlappingRangesMarkdown");
  EXPECT_EQ(broken.seed, result.runs - 1);
  ASSERT_GE(broken.trace.size(), 9U) << "no trace is shorter than the shortest";
  const auto expander = model->NewExpander();
  for (const TraceStep& step : broken.trace) {
    const bool last = &step == &broken.trace.back();
    EXPECT_EQ(expander->BrokenInvariants(step.state) != 0, last);
  }
  // Its schedule gives it again, and so does its seed.
  StateTrace again;
  sim::ReplayChoices replay(broken.schedule);
  EXPECT_TRUE(WalkOnce(*machine, replay, options.max_steps, &again).broken);
  EXPECT_EQ(again, broken.trace);
  EXPECT_EQ(replay.divergence(), std::nullopt);
  options.seed = broken.seed;
  options.runs = 1;
  EXPECT_EQ(Walk(*machine, options).broken->trace, broken.trace);
}

TEST(MachineWalk, RejectsADeadlock) {
  ToyModel model;
  model.expand = [](const PackedState& s, std::vector<Successor>& successors) {
    if (s[0] < 3) successors.push_back({{s[0] + 1, 0}, 0, true});
  };
  const auto machine = NewWalkMachine(model);
  const WalkResult result = Walk(*machine, {});
  EXPECT_EQ(result.verdict, Verdict::kViolated);
  EXPECT_EQ(result.broken->invariant, std::nullopt);
  EXPECT_EQ(result.broken->trace.size(), 4U);
  EXPECT_EQ(result.steps, 3U);
}

TEST(MachineWalk, ChecksTheInitialState) {
  ToyModel model;
  MakeSquare(model, 3);
  model.invariant_infos = {{"Never"}};
  model.broken = [](const PackedState&) { return 0; };
  const WalkResult result = Walk(*NewWalkMachine(model), {});
  EXPECT_EQ(result.broken->trace, (StateTrace{{kNoAction, {0, 0}}}));
  EXPECT_EQ(result.steps, 0U);
}

TEST(MachineWalk, EndsARunBeyondTheConstraint) {
  ToyModel model;
  model.expand = [](const PackedState& s, std::vector<Successor>& successors) {
    successors.push_back({{s[0] + 1, 0}, 0, s[0] < 4});
  };
  WalkOptions options;
  options.runs = 10;
  const WalkResult result = Walk(*NewWalkMachine(model), options);
  EXPECT_EQ(result.verdict, Verdict::kHolds);
  EXPECT_EQ(result.runs, 10U);
  EXPECT_EQ(result.steps, 50U);
}

// The machine moved in place, against the same model expanded state by state.
TEST(MachineWalk, MovesTheLogAsTheModelDoes) {
  const auto model = LogModel(false);
  const auto fast = NewWalkMachine(*model);
  const auto plain = NewWalkMachine(static_cast<const ExploreModel&>(*model));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    sim::SeededChoices a(seed);
    sim::SeededChoices b(seed);
    StateTrace trace_a;
    StateTrace trace_b;
    EXPECT_EQ(WalkOnce(*fast, a, 200, &trace_a).steps, 200U);
    WalkOnce(*plain, b, 200, &trace_b);
    ASSERT_EQ(trace_a, trace_b);
  }
}

// The same seeds give the same runs on every machine; and every action is taken by some.
TEST(MachineWalk, IsItsSeed) {
  const auto model = LogModel(false);
  const auto machine = NewWalkMachine(*model);
  sim::SeededChoices choices(1);
  StateTrace trace;
  WalkOnce(*machine, choices, 8, &trace);
  std::string actions;
  for (const TraceStep& step : trace) {
    if (step.action != kNoAction) actions += model->ActionToString(step.action) + "\n";
  }
  EXPECT_EQ(actions,
            "StartAppend(w1) count=2\nStartAppend(w2) count=2\nWALWriteSuccess(w1)\n"
            "WALWriteFail(w2)\nAssignOffset(w1)\nAppendComplete(w2)\nStartAppend(w2) count=2\n"
            "FenceLog\n");

  std::vector<std::uint64_t> taken(model->action_names().size());
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    sim::SeededChoices again(seed);
    trace.clear();
    WalkOnce(*machine, again, 200, &trace);
    for (const TraceStep& step : trace) {
      if (step.action != kNoAction) ++taken[model->ActionKindOf(step.action)];
    }
  }
  for (std::size_t i = 0; i < taken.size(); ++i)
    EXPECT_GT(taken[i], 0U) << model->action_names()[i];
}

TEST(MachineWalk, StopsWhenProgressSaysSo) {
  const auto model = LogModel(false);
  WalkOptions options;
  options.runs = 1'000'000'000;
  options.progress = [](const WalkProgress& progress) { return progress.steps < 300'000; };
  const WalkResult result = Walk(*NewWalkMachine(*model), options);
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_GE(result.steps, 300'000U);
  EXPECT_LT(result.steps, 1'000'000U);
}

}  // namespace
}  // namespace lockstep::scenarios
