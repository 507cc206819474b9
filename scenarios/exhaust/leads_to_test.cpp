// Goal: leads-to properties are decided as the modules mean them, and the checker can fail. Method:
// take fairness away, one action at a time, and pin what breaks; replay every lasso on the machine.
#include "scenarios/exhaust/leads_to.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/exhaust/lasso_for_tests.h"
#include "scenarios/exhaust/log_explore_model.h"
#include "scenarios/exhaust/task_explore_model.h"
#include "scenarios/exhaust/toy_model_for_tests.h"

namespace lockstep::scenarios {
namespace {

using invariants::Verdict;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

constexpr FairnessKind kNone = FairnessKind::kNone;
constexpr FairnessKind kWeak = FairnessKind::kWeak;

/// A model and all its states.
struct Explored {
  std::unique_ptr<ExploreModel> model;
  ExploreResult states;
};

Explored ExploreAll(std::unique_ptr<ExploreModel> model, Executor& executor) {
  ExploreOptions options;
  options.stop_at_first_violation = false;
  ExploreResult states = Explore(*model, options, executor);
  EXPECT_TRUE(states.complete());
  return {std::move(model), std::move(states)};
}

std::unique_ptr<ExploreModel> LogModel(std::string_view name) {
  return std::get<0>(LogExploreModel::For(FindLogExploreConfig(name).value()));
}

std::unique_ptr<ExploreModel> TaskModel(std::string_view name) {
  return std::get<0>(TaskExploreModel::For(FindTaskExploreConfig(name).value()));
}

/// Explored once for all tests.
const Explored& LogSmall() {
  static SerialExecutor serial;
  static const Explored explored = ExploreAll(LogModel("small"), serial);
  return explored;
}
const Explored& TaskSmall() {
  static SerialExecutor serial;
  static const Explored explored = ExploreAll(TaskModel("small"), serial);
  return explored;
}

const Explored& TaskSmallQuotient() {
  static SerialExecutor serial;
  static const Explored explored = ExploreAll(TaskModel("small_quotient"), serial);
  return explored;
}

std::vector<LeadsToResult> Decide(const Explored& explored,
                                  const std::vector<FairnessOverride>& overrides) {
  SerialExecutor serial;
  LeadsToOptions options;
  options.overrides = overrides;
  return CheckLeadsTo(*explored.model, explored.states, options, serial);
}

/// The properties that break, each once, with every lasso replayed.
std::vector<std::string_view> Broken(const Explored& explored,
                                     const std::vector<FairnessOverride>& overrides) {
  std::vector<std::string_view> broken;
  LassoReplay replay(*explored.model, overrides);
  for (const LeadsToResult& result : Decide(explored, overrides)) {
    EXPECT_NE(result.verdict, Verdict::kInconclusive) << result.instance.name;
    if (result.verdict != Verdict::kViolated) continue;
    EXPECT_EQ(replay.Check(result), "") << result.instance.name;
    if (broken.empty() || broken.back() != result.instance.property) {
      broken.push_back(result.instance.property);
    }
  }
  return broken;
}

std::string Steps(const ExploreModel& model, const StateTrace& trace) {
  std::string steps;
  for (const TraceStep& step : trace) {
    if (step.action == kNoAction) continue;
    steps.append(steps.empty() ? "" : ", ").append(model.ActionToString(step.action));
  }
  return steps;
}

TEST(LeadsTo, RejectsAWriterThatNeverGetsItsOffsets) {
  const Explored& log = LogSmall();
  const std::vector<FairnessOverride> overrides = {{"AssignOffset", kNone}};
  const std::vector<LeadsToResult> results = Decide(log, overrides);
  const LeadsToResult& result = results.front();
  EXPECT_EQ(result.instance.name, "AppendProgress(w1)");
  ASSERT_EQ(result.verdict, Verdict::kViolated);
  EXPECT_EQ(LassoReplay(*log.model, overrides).Check(result), "");
  EXPECT_EQ(Steps(*log.model, result.prefix), "StartAppend(w1) count=1, WALWriteSuccess(w1)");
  EXPECT_EQ(Steps(*log.model, result.cycle),
            "StartAppend(w2) count=1, WALWriteFail(w2), AppendComplete(w2)");
}

TEST(LeadsTo, RejectsDeathWithoutRecoveryWithoutACycle) {
  const std::vector<LeadsToResult> results = Decide(TaskSmall(), {{"WorkerRecover", kNone}});
  EXPECT_EQ(results.front().instance.name, "TaskCompletion(t1)");
  EXPECT_EQ(Steps(*TaskSmall().model, results.front().prefix), "WorkerCrash(w1), WorkerCrash(w2)");
  EXPECT_THAT(results.front().cycle, IsEmpty()) << "nothing happens any more";
}

TEST(LeadsTo, RejectsALassoThatIsNone) {
  const Explored& log = LogSmall();
  const std::vector<FairnessOverride> overrides = {{"CompactDeleteOldEntries", kNone}};
  const LeadsToResult result = Decide(log, overrides).at(2);
  const auto check = [&](const LeadsToResult& some) {
    return LassoReplay(*log.model, overrides).Check(some);
  };
  ASSERT_EQ(check(result), "");
  ASSERT_FALSE(result.cycle.empty());
  EXPECT_EQ(LassoReplay(*log.model, {}).Check(result), "unfair to CompactDeleteOldEntries");
  LeadsToResult open = result;
  open.cycle.pop_back();
  EXPECT_EQ(check(open), "the cycle does not close");
  LeadsToResult gap = result;
  gap.prefix.erase(gap.prefix.begin() + 1);
  EXPECT_EQ(check(gap), "prefix: no step 1");
  LeadsToResult other = result;
  other.instance.name = "ReaderEventuallySucceeds(w1)";
  EXPECT_EQ(check(other), "the left side is answered, or never holds");
  LeadsToResult still = result;
  still.cycle.clear();
  EXPECT_EQ(check(still).substr(0, 9), "unfair to");
}

TEST(LeadsTo, AcceptsTheModulesUnderTheirFairness) {
  SerialExecutor serial;
  EXPECT_THAT(Broken(LogSmall(), {}), IsEmpty());
  EXPECT_THAT(Broken(TaskSmall(), {}), IsEmpty());
  EXPECT_THAT(Broken(TaskSmallQuotient(), {}), IsEmpty());
  EXPECT_THAT(Broken(ExploreAll(TaskModel("small3_quotient"), serial), {}), IsEmpty());
}

TEST(LeadsTo, SaysNothingOfWhatWasNotSearchedOrDoesNotFit) {
  SerialExecutor serial;
  ExploreOptions stop;
  stop.progress = [](const ExploreProgress& progress) { return progress.level < 5; };
  const auto model = TaskModel("small");
  const ExploreResult part = Explore(*model, stop, serial);
  for (const LeadsToResult& result : CheckLeadsTo(*model, part, {}, serial)) {
    EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  }
  const Explored& task = TaskSmall();
  LeadsToOptions little;
  little.memory_max = task.states.memory_bytes + 1;
  for (const LeadsToResult& result : CheckLeadsTo(*task.model, task.states, little, serial)) {
    EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  }
}

TEST(LeadsTo, IsTheSameForAnyNumberOfWorkers) {
  const std::vector<FairnessOverride> overrides = {{"UnlockTask", kNone}, {"SessionExpiry", kNone}};
  const std::vector<LeadsToResult> alone = Decide(TaskSmall(), overrides);
  for (const std::uint32_t workers : {2U, 3U}) {
    BackwardExecutor executor(workers);
    const Explored explored = ExploreAll(TaskModel("small"), executor);
    LeadsToOptions options;
    options.overrides = overrides;
    const auto together = CheckLeadsTo(*explored.model, explored.states, options, executor);
    ASSERT_EQ(together.size(), alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(together[i].verdict, Verdict::kViolated) << alone[i].instance.name;
      EXPECT_EQ(together[i].verdict, alone[i].verdict);
      EXPECT_EQ(together[i].prefix, alone[i].prefix) << alone[i].instance.name;
      EXPECT_EQ(together[i].cycle, alone[i].cycle) << alone[i].instance.name;
    }
  }
}

// The table of README.md: what breaks when fairness is taken away.

struct Without {
  std::vector<FairnessOverride> overrides;
  std::vector<std::string_view> broken;
};

/// Every action that has fairness is in the table: without it, and weak where it is strong.
void ExpectEveryActionIn(const std::vector<Without>& table, const ExploreModel& model) {
  const auto has = [&table](std::string_view action, FairnessKind kind) {
    for (const Without& row : table) {
      const FairnessOverride& first = row.overrides.front();
      if (row.overrides.size() == 1 && first.action == action && first.kind == kind) return true;
    }
    return false;
  };
  for (const FairnessCondition& condition : model.fairness()) {
    EXPECT_TRUE(has(condition.action, kNone)) << condition.action;
    if (condition.kind != FairnessKind::kStrong) continue;
    EXPECT_TRUE(has(condition.action, kWeak)) << condition.action << " weak";
  }
}

void ExpectTable(const std::vector<Without>& table, const Explored& explored) {
  ExpectEveryActionIn(table, *explored.model);
  for (const Without& row : table) {
    std::string what;
    for (const FairnessOverride& change : row.overrides) {
      what += change.action + (change.kind == kNone ? " without fairness; " : " weak; ");
    }
    EXPECT_THAT(Broken(explored, row.overrides), ElementsAreArray(row.broken)) << what;
  }
}

TEST(LeadsTo, FairnessThatTheLogNeeds) {
  constexpr std::string_view kAppend = "AppendProgress";
  constexpr std::string_view kCompaction = "CompactionCompletes";
  const std::vector<Without> table = {
      {{{"StartAppend", kNone}}, {}},
      {{{"WALWriteSuccess", kNone}}, {kAppend}},
      {{{"AssignOffset", kNone}}, {kAppend}},
      {{{"AssignOffset", kWeak}}, {}},
      {{{"AssignOffsetFenced", kNone}}, {kAppend}},
      {{{"AssignOffsetFenced", kWeak}}, {}},
      {{{"AssignOffset", kWeak}, {"AssignOffsetFenced", kWeak}}, {kAppend}},
      {{{"AssignOffsetExhausted", kNone}}, {kAppend}},
      {{{"AssignOffsetExhausted", kWeak}}, {}},
      {{{"AppendComplete", kNone}}, {}},
      {{{"ReadEntry", kNone}}, {}},
      {{{"CompactStart", kNone}}, {}},
      {{{"CompactWriteCompactedIndex", kNone}}, {kCompaction}},
      {{{"CompactDeleteOldEntries", kNone}}, {kCompaction}},
      {{{"CompactUpdateCursor", kNone}}, {kCompaction}},
      {{{"CompactReset", kNone}}, {}},
  };
  ExpectTable(table, LogSmall());
}

std::vector<Without> TaskTable() {
  constexpr std::string_view kCompletion = "TaskCompletion";
  constexpr std::string_view kRecovery = "CrashRecovery";
  constexpr std::string_view kStarvation = "NoStarvation";
  return {
      {{{"ScanTasks", kNone}}, {kCompletion, kStarvation}},
      {{{"ScanTasks", kWeak}}, {kCompletion, kStarvation}},
      {{{"TryLockSuccess", kNone}}, {kCompletion, kStarvation}},
      {{{"TryLockSuccess", kWeak}}, {kCompletion, kStarvation}},
      {{{"TryLockFail", kNone}}, {}},
      {{{"ExecuteTaskSuccess", kNone}}, {}},
      {{{"ExecuteTaskSuccess", kWeak}}, {}},
      {{{"ExecuteTaskFailure", kNone}}, {}},
      {{{"ExecuteTaskFailure", kWeak}}, {}},
      {{{"UnlockTask", kNone}}, {kCompletion, kStarvation}},
      {{{"SessionExpiry", kNone}}, {kCompletion, kRecovery, kStarvation}},
      {{{"WorkerRecover", kNone}}, {kCompletion, kStarvation}},
  };
}

TEST(LeadsTo, FairnessThatTaskClaimingNeeds) {
  ExpectTable(TaskTable(), TaskSmall());
  ExpectTable(TaskTable(), TaskSmallQuotient());
}

// A worker that dies in every execution, its lock freed each time, never ends a task. Each round
// takes a lock version: within MaxLockVersion there is no such cycle, and the constraint hides what
// breaks.
TEST(LeadsTo, TheConstraintHidesWhatTheQuotientShows) {
  const std::vector<FairnessOverride> weak = {{"ExecuteTaskSuccess", kWeak},
                                              {"ExecuteTaskFailure", kWeak}};
  EXPECT_THAT(Broken(TaskSmall(), weak), IsEmpty());
  EXPECT_THAT(Broken(TaskSmallQuotient(), weak), ElementsAre("TaskCompletion", "NoStarvation"));
  const std::vector<FairnessOverride> none = {{"ExecuteTaskSuccess", kNone},
                                              {"ExecuteTaskFailure", kNone}};
  EXPECT_THAT(Broken(TaskSmall(), none), ElementsAre("TaskCompletion"));
  EXPECT_THAT(Broken(TaskSmallQuotient(), none), ElementsAre("TaskCompletion", "NoStarvation"));
}

TEST(LeadsTo, RecoveryWithLocksIsStuck) {
  auto config = FindTaskExploreConfig("small_quotient").value();
  config.constants.dialect.recover_markdown = true;
  SerialExecutor serial;
  const Explored explored =
      ExploreAll(std::get<0>(TaskExploreModel::For(std::move(config))), serial);
  EXPECT_THAT(Broken(explored, {}), ElementsAre("TaskCompletion", "CrashRecovery", "NoStarvation"));
}

TEST(LeadsTo, ExpiryOfLivingWorkersHarmsSafetyAlone) {
  auto config = FindTaskExploreConfig("small_quotient").value();
  config.constants.dialect.live_session_expiry = true;
  SerialExecutor serial;
  EXPECT_THAT(Broken(ExploreAll(std::get<0>(TaskExploreModel::For(std::move(config))), serial), {}),
              IsEmpty());
}

// The left side of ERROR ~> OK is never reached: see log_sometimes.h, reader_error.
TEST(LeadsTo, ReaderEventuallySucceedsHoldsForWantOfErrors) {
  const Explored& log = LogSmall();
  const auto expander = log.model->NewExpander();
  const std::uint64_t readers = 0b11000;
  for (StateIndex i = 0; i < log.states.states->size(); ++i) {
    ASSERT_EQ(expander->LeadsToLeft(log.states.states->At(i)) & readers, 0U);
  }
  EXPECT_EQ(log.model->leads_to()[3].name, "ReaderEventuallySucceeds(w1)");
  EXPECT_EQ(log.model->leads_to()[4].name, "ReaderEventuallySucceeds(w2)");
}

}  // namespace
}  // namespace lockstep::scenarios
