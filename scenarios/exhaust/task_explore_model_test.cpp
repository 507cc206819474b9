// Goal: the search sees task claiming as TLC does, with lock versions and without. Method: TLC's
// own figures, shortest traces step by step, and the machine's plain enumeration beside the packed
// one.
#include "scenarios/exhaust/task_explore_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/task_claiming/enumeration_for_tests.h"
#include "protocol/task_claiming/task_claiming_module.h"
#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/task_sometimes.h"

namespace lockstep::scenarios {
namespace {

using invariants::Verdict;
using protocol::task_claiming::Action;
using protocol::task_claiming::ActionKind;
using protocol::task_claiming::Constants;
using protocol::task_claiming::Dialect;
using protocol::task_claiming::Figures;
using protocol::task_claiming::SmallConstants;
using protocol::task_claiming::State;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::unique_ptr<TaskExploreModel> ModelOf(TaskExploreConfig config) {
  return std::get<0>(TaskExploreModel::For(std::move(config)));
}

std::unique_ptr<TaskExploreModel> ModelOf(std::string_view name, Dialect dialect = {}) {
  auto config = FindTaskExploreConfig(name).value();
  config.constants.dialect = dialect;
  return ModelOf(std::move(config));
}

ExploreResult Search(const TaskExploreModel& model) {
  SerialExecutor serial;
  ExploreOptions options;
  options.stop_at_first_violation = false;
  return Explore(model, options, serial);
}

Figures FiguresOf(const ExploreResult& result) {
  return {result.distinct, result.generated, result.depth};
}

std::vector<std::string> Steps(const TaskExploreModel& model, const StateTrace& trace) {
  std::vector<std::string> steps;
  for (const TraceStep& step : trace) {
    if (step.action != kNoAction) steps.push_back(model.ActionToString(step.action));
  }
  return steps;
}

StateTrace WitnessAgainst(std::string_view invariant, const TaskExploreModel& model) {
  const ExploreResult result = Search(model);
  for (std::size_t i = 0; i < model.invariants().size(); ++i) {
    if (model.invariants()[i].name == invariant) return result.invariants[i].trace;
  }
  return {};
}

std::string RefusalOf(const TaskExploreConfig& config) {
  const auto model = TaskExploreModel::For(config);
  const auto* why = std::get_if<std::string>(&model);
  return why == nullptr ? "none" : *why;
}

std::vector<std::string> Names(std::string_view prefix, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(std::string(prefix) + std::to_string(i));
  return names;
}

TEST(TaskExploreModel, RejectsRecoveryWithLocksInFourSteps) {
  const auto model = ModelOf("small", {.recover_markdown = true, .live_session_expiry = false});
  EXPECT_THAT(Steps(*model, WitnessAgainst("LockConsistency", *model)),
              testing::ElementsAre("ScanTasks(w1, t1)", "TryLockSuccess(w1)", "WorkerCrash(w1)",
                                   "WorkerRecover(w1)"));
}

TEST(TaskExploreModel, RejectsExpiryOfLivingWorkersInFiveSteps) {
  const auto model = ModelOf("small", {.recover_markdown = false, .live_session_expiry = true});
  EXPECT_THAT(Steps(*model, WitnessAgainst("MutualExclusion", *model)),
              testing::ElementsAre("ScanTasks(w2, t1)", "TryLockSuccess(w2)", "SessionExpiry(w2)",
                                   "ScanTasks(w1, t1)", "TryLockSuccess(w1)"));
}

TEST(TaskExploreModel, RejectsConfigurationsThatItCannotSearch) {
  EXPECT_THAT(RefusalOf({{Names("w", 2), Names("t", 2), 2, 1U << 31U, {}}, false}),
              HasSubstr("none"))
      << "the search ends it when the memory does";
  EXPECT_THAT(
      RefusalOf(
          {{Names("w", 2), Names("t", 2), 2, protocol::task_claiming::kUnboundedLockVersion, {}},
           false}),
      HasSubstr("nothing bounds the lock versions"));
  EXPECT_THAT(RefusalOf({{Names("w", 8), Names("t", 2), 2, 5, {}}, false}),
              HasSubstr("more than 64 fairness conditions"));
  EXPECT_THAT(RefusalOf({{Names("w", 2), Names("t", 17), 2, 1, {}}, true}), HasSubstr("128 bits"));
  EXPECT_THAT(RefusalOf({{Names("w", 2), Names("t", 2), 0, 5, {}}, false}),
              HasSubstr("MaxFailures >= 1"));
}

TEST(TaskExploreModel, HasTlcsFigures) {
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small"))), (Figures{12'380, 39'993, 25}));
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small3"))), (Figures{133'912, 649'681, 27}));
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small_quotient"))), (Figures{2'436, 7'681, 20}));
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small3_quotient"))), (Figures{22'872, 108'865, 22}));
}

TEST(TaskExploreModel, HasTlcsFiguresOfTheDialects) {
  const Dialect recover{.recover_markdown = true, .live_session_expiry = false};
  const Dialect expiry{.recover_markdown = false, .live_session_expiry = true};
  const Dialect both{.recover_markdown = true, .live_session_expiry = true};
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small", recover))), (Figures{67'276, 249'961, 25}));
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small", expiry))), (Figures{25'132, 90'849, 25}));
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small", both))), (Figures{117'324, 492'817, 25}));
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small_quotient", recover))), (Figures{9'684, 35'413, 22}));
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small_quotient", expiry))), (Figures{9'696, 33'425, 29}));
  EXPECT_EQ(FiguresOf(Search(*ModelOf("small_quotient", both))), (Figures{28'712, 115'769, 31}));
}

TEST(TaskExploreModel, EveryInvariantHoldsUpstream) {
  for (const std::string_view name : {"small", "small3", "small_quotient", "small3_quotient"}) {
    const auto model = ModelOf(name);
    const ExploreResult result = Search(*model);
    ASSERT_EQ(model->invariants().size(), 6U);
    for (std::size_t i = 0; i < result.invariants.size(); ++i) {
      EXPECT_EQ(result.invariants[i].verdict, Verdict::kHolds) << model->invariants()[i].name;
    }
    EXPECT_EQ(result.deadlock.verdict, Verdict::kHolds) << name;
  }
}

/// The names of the "sometimes" properties that nothing reaches.
std::vector<std::string_view> Unreachable(const TaskExploreModel& model) {
  const ExploreResult result = Search(model);
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < result.sometimes.size(); ++i) {
    if (!result.sometimes[i].reached) names.push_back(model.sometimes()[i]);
  }
  return names;
}

TEST(TaskExploreModel, KnowsWhatIsUnreachable) {
  for (const std::string_view name : {"small", "small_quotient"}) {
    EXPECT_THAT(Unreachable(*ModelOf(name)),
                UnorderedElementsAre("task_is_prepared", "living_session_expires",
                                     "lock_taken_during_execution", "task_done_twice",
                                     "unlock_without_lock", "recovery_with_lock",
                                     "worker_holds_two_locks"));
  }
  EXPECT_THAT(
      Unreachable(*ModelOf("small", {.recover_markdown = true, .live_session_expiry = true})),
      UnorderedElementsAre("task_is_prepared"));
}

TEST(TaskExploreModel, KnowsWhatOneDialectLeavesUnreachable) {
  const Dialect recover{.recover_markdown = true, .live_session_expiry = false};
  EXPECT_THAT(Unreachable(*ModelOf("small", recover)),
              UnorderedElementsAre("task_is_prepared", "living_session_expires",
                                   "lock_taken_during_execution", "task_done_twice",
                                   "unlock_without_lock"));
  const Dialect expiry{.recover_markdown = false, .live_session_expiry = true};
  EXPECT_THAT(
      Unreachable(*ModelOf("small", expiry)),
      UnorderedElementsAre("task_is_prepared", "recovery_with_lock", "worker_holds_two_locks"));
}

TEST(TaskExploreModel, WitnessesAreShortest) {
  const auto model = ModelOf("small");
  const ExploreResult result = Search(*model);
  const auto steps = [&](std::string_view name) {
    const auto& names = model->sometimes();
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    return result.sometimes.at(static_cast<std::size_t>(at)).trace.size() - 1;
  };
  EXPECT_EQ(steps("workers_scan_the_same_task"), 2U);
  EXPECT_EQ(steps("crash_while_executing"), 3U);
  EXPECT_EQ(steps("task_is_dead_lettered"), 7U) << "scan, lock, fail, unlock, scan, lock, fail";
  EXPECT_EQ(steps("task_is_dead_lettered_after_crash"), 8U);
  EXPECT_EQ(steps("failed_task_is_committed"), 7U);
}

TEST(TaskExploreModel, ATraceHasTheTrueLockVersions) {
  const auto quotient = ModelOf("small_quotient");
  const auto model = ModelOf("small");
  const ExploreResult result = Search(*quotient);
  const auto& names = quotient->sometimes();
  const auto at = std::find(names.begin(), names.end(), "failed_task_is_locked_again");
  const StateTrace& trace = result.sometimes.at(static_cast<std::size_t>(at - names.begin())).trace;
  const std::vector<sim::Value> values = quotient->TraceToValues(trace);
  ASSERT_EQ(values.size(), trace.size());
  EXPECT_EQ(values.front(), model->StateToValue(model->Initial()));
  EXPECT_EQ(values.back().Find("lockVersion")->AsInt(), 3);
}

/// Every reachable state, by the machine's plain enumeration.
std::vector<State> EveryState(const Constants& constants) {
  std::vector<State> states;
  protocol::task_claiming::Enumeration enumeration;
  enumeration.visit = [&states](const State& state, std::size_t /*level*/) {
    states.push_back(state);
    return true;
  };
  protocol::task_claiming::Enumerate(protocol::task_claiming::Machine(constants), enumeration);
  return states;
}

TEST(TaskStateLayout, GivesBackEveryReachableState) {
  Constants constants = SmallConstants();
  constants.dialect = {.recover_markdown = true, .live_session_expiry = true};
  const auto layout =
      std::get<TaskStateLayout>(TaskStateLayout::For(constants, LockVersions::kPacked));
  State unpacked;
  State over;
  PackedState held = layout.Pack(over);
  for (const State& state : EveryState(constants)) {
    const PackedState packed = layout.Pack(state);
    layout.Unpack(packed, unpacked);
    ASSERT_EQ(unpacked, state);
    layout.UnpackOver(held, packed, over);
    ASSERT_EQ(over, state);
    held = packed;
  }
}

TEST(TaskStateLayout, RepacksWhatAnActionChanges) {
  Constants constants = SmallConstants();
  constants.dialect = {.recover_markdown = true, .live_session_expiry = true};
  const protocol::task_claiming::Machine machine(constants);
  std::vector<Action> actions;
  protocol::task_claiming::Changes changes;
  for (const LockVersions versions : {LockVersions::kPacked, LockVersions::kDropped}) {
    const auto layout = std::get<TaskStateLayout>(TaskStateLayout::For(constants, versions));
    for (State& state : EveryState(constants)) {
      if (!machine.StateConstraint(state)) continue;
      const PackedState before = layout.Pack(state);
      machine.EnabledActions(state, actions);
      for (const Action& action : actions) {
        machine.Apply(state, action, changes);
        PackedState packed = before;
        layout.Repack(state, changes, packed);
        ASSERT_EQ(packed, layout.Pack(state)) << machine.ToString(action);
        protocol::task_claiming::Machine::Undo(state, changes);
      }
    }
  }
}

TEST(TaskStateLayout, DropsNothingButLockVersions) {
  const Constants constants = SmallConstants();
  const auto layout =
      std::get<TaskStateLayout>(TaskStateLayout::For(constants, LockVersions::kDropped));
  State unpacked;
  for (State state : EveryState(constants)) {
    const PackedState packed = layout.Pack(state);
    for (auto& lock : state.lock_state) lock.version = lock.version == 0 ? 0 : 1;
    state.lock_version = 1;
    layout.Unpack(packed, unpacked);
    ASSERT_EQ(unpacked, state);
  }
}

TEST(TaskExploreModel, FairnessIsTheModules) {
  const auto model = ModelOf("small", {.recover_markdown = false, .live_session_expiry = true});
  const auto condition = [&](const Action& action, bool living = false) {
    return model->FairnessOf(TaskExploreModel::CodeOf(action, living));
  };
  EXPECT_EQ(model->fairness().size(), 18U);
  EXPECT_EQ(model->fairness().at(condition({ActionKind::ScanTasks, 1, 0})).name,
            "ScanTasks(w2, t1)");
  EXPECT_EQ(model->fairness().at(condition({ActionKind::WorkerRecover, 1, 0})).name,
            "WorkerRecover(w2)");
  EXPECT_EQ(condition({ActionKind::WorkerCrash, 0, 0}), kNoFairness);
  const Action expiry{ActionKind::SessionExpiry, 0, 0};
  EXPECT_EQ(model->fairness().at(condition(expiry)).name, "SessionExpiry(w1)");
  EXPECT_EQ(condition(expiry, true), kNoFairness) << "a living worker's session need not end";
  EXPECT_EQ(model->ActionToString(TaskExploreModel::CodeOf(expiry, true)), "SessionExpiry(w1)");
  for (const FairnessCondition& fair : model->fairness()) {
    const auto kind = protocol::task_claiming::ActionKindFromName(fair.action).value();
    const bool strong =
        protocol::task_claiming::FairnessOf(kind) == protocol::task_claiming::Fairness::kStrong;
    EXPECT_EQ(fair.kind, strong ? FairnessKind::kStrong : FairnessKind::kWeak) << fair.name;
  }
}

TEST(TaskSometimes, NamesAreUnique) {
  std::vector<std::string_view> names;
  for (const TaskSometimes& property : TaskSometimesProperties()) names.push_back(property.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_LE(names.size(), 64U);
}

}  // namespace
}  // namespace lockstep::scenarios
