// Each situation is noted when it is there and not when it is not; and the scenarios meet them.
#include "scenarios/leaderless_log/log_situation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/leaderless_log/hand_made_log.h"
#include "scenarios/test_support.h"

namespace lockstep::scenarios {
namespace {

namespace log = protocol::leaderless_log;
using log::AppendStatus;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The names of the situations met, each as often as it was.
std::vector<std::string> Met(HandMadeLog& hand) {
  EXPECT_EQ(hand.Broken(), "") << hand.checker().failure()->violation.message;
  const RunResult result = hand.Finish();
  std::vector<std::string> met;
  for (std::size_t i = 0; i < kLogSituations; ++i) {
    for (std::uint64_t n = 0; n < result.coverage.reached[i]; ++n) {
      met.emplace_back(LogSituationName(static_cast<LogSituation>(i)));
    }
  }
  return met;
}

TEST(LogSituation, HasUniqueNamesInSnakeCase) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kLogSituations; ++i) {
    names.push_back(LogSituationName(static_cast<LogSituation>(i)));
    EXPECT_TRUE(IsSnakeCase(names.back())) << names.back();
  }
  EXPECT_TRUE(AreUnique(names));
  EXPECT_EQ(LogSituationName(static_cast<LogSituation>(kLogSituations)), "?");
}

TEST(LogSituation, IsEachAskedForBySomeScenario) {
  for (std::size_t i = 0; i < kLogSituations; ++i) {
    const std::string_view name = LogSituationName(static_cast<LogSituation>(i));
    const bool asked = std::ranges::any_of(AllScenarios(), [name](const Scenario& scenario) {
      return std::ranges::count(scenario.must_reach, name) != 0;
    });
    EXPECT_TRUE(asked) << name;
  }
}

class EveryScenarioMeets : public ::testing::TestWithParam<Scenario> {};
INSTANTIATE_TEST_SUITE_P(LogSituation, EveryScenarioMeets, ::testing::ValuesIn(AllScenarios()),
                         NameOfParameter());

/// Otherwise a sweep of that size would end as inconclusive.
TEST_P(EveryScenarioMeets, AllItsSituationsAndActionsIn2000Seeds) {
  const Scenario& scenario = GetParam();
  Coverage sum;
  const auto missing = [&scenario, &sum] {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < scenario.must_reach.size(); ++i) {
      if (sum.reached.empty() || sum.reached[i] == 0) names.push_back(scenario.must_reach[i]);
    }
    for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
      if (sum.actions.empty() || sum.actions[i] == 0) names.push_back(scenario.actions[i]);
    }
    return names;
  };
  for (std::uint64_t seed = 1; seed <= 2000 && !missing().empty(); ++seed) {
    sum.Merge(RunOf(SpecOf(scenario, seed)).coverage);
  }
  EXPECT_THAT(missing(), IsEmpty());
}

TEST(LogSituation, NothingInAPlainAppend) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  EXPECT_THAT(Met(hand), IsEmpty());
}

TEST(LogSituation, FenceWithAppendInFlight) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  hand.Fence();
  hand.Commit(kW1, hand.AssignRequest(operation, 1));
  EXPECT_THAT(Met(hand), ElementsAre("fence_with_append_in_flight", "append_refused_by_fence"));
}

TEST(LogSituation, FenceBetweenAppendsIsNothing) {
  HandMadeLog hand;
  hand.Append(kW1, 1);
  hand.StartAppend(kW2, 1);
  hand.Fence();
  EXPECT_THAT(Met(hand), IsEmpty());
}

TEST(LogSituation, AppendInDoubtFound) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  const sim::StoreRequest request = hand.AssignRequest(operation, 1);
  hand.Send(kW1, request);
  hand.Commit(kW1, request);
  hand.Happen(sim::WorldEventKind::kTimeout, kW1);
  hand.Send(kW1, HandMadeLog::WithdrawRequest(operation));
  hand.Commit(kW1, HandMadeLog::WithdrawRequest(operation));
  hand.Answer(kW1, operation, 1, AppendStatus::kAppended, 1);
  EXPECT_THAT(Met(hand), ElementsAre("append_in_doubt_found"));
}

TEST(LogSituation, AReadWithoutAnAnswerIsNoDoubt) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  hand.Send(kW1, sim::Single(sim::Get(std::string(log::kCounterKey))));
  hand.Happen(sim::WorldEventKind::kTimeout, kW1);
  hand.Commit(kW1, hand.AssignRequest(operation, 1));
  hand.Answer(kW1, operation, 1, AppendStatus::kAppended, 1);
  EXPECT_THAT(Met(hand), IsEmpty());
}

TEST(LogSituation, ADoubtEndsWithItsOperation) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  hand.Send(kW1, hand.AssignRequest(operation, 1));
  hand.Happen(sim::WorldEventKind::kTimeout, kW1);
  hand.Commit(kW1, HandMadeLog::WithdrawRequest(operation));
  hand.Answer(kW1, operation, 1, AppendStatus::kAborted);
  hand.Append(kW1, 1);
  EXPECT_THAT(Met(hand), ElementsAre("append_withdrawn"));
}

TEST(LogSituation, AppendByDeadWriter) {
  HandMadeLog hand;
  const sim::OperationId operation = hand.AppendUpToAssign(kW1, 1);
  hand.Happen(sim::WorldEventKind::kCrash, kW1);
  hand.Commit(kW1, hand.AssignRequest(operation, 1), {.dead = true});
  EXPECT_THAT(Met(hand), ElementsAre("late_request_applied", "append_by_dead_writer"));
}

TEST(LogSituation, ALateReadIsNothing) {
  HandMadeLog hand;
  hand.StartAppend(kW1, 1);
  hand.Happen(sim::WorldEventKind::kCrash, kW1);
  hand.Commit(kW1, sim::Single(sim::Get(std::string(log::kCounterKey))), {.dead = true});
  EXPECT_THAT(Met(hand), IsEmpty());
}

TEST(LogSituation, ReadsWhileCompacting) {
  HandMadeLog hand;
  hand.Append(kW1, 1);
  hand.Append(kW1, 1);
  hand.StartCompaction({1, 2});
  hand.Lookup(kR1, 1);
  hand.WriteCompacted({1, 2});
  hand.Lookup(kR1, 1);
  hand.DeleteOld({1, 2});
  hand.Lookup(kR1, 2);
  hand.MoveCursor({1, 2});
  hand.Lookup(kR1, 2);
  EXPECT_THAT(Met(hand),
              ElementsAre("read_between_write_and_delete", "read_between_delete_and_cursor"));
}

TEST(LogSituation, AReadBesideTheRangeIsNothing) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.Append(kW1, 1);
  hand.StartCompaction({1, 2});
  hand.WriteCompacted({1, 2});
  hand.Lookup(kR1, 3);
  EXPECT_THAT(Met(hand), IsEmpty());
}

TEST(LogSituation, AppendDuringCompaction) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.StartCompaction({1, 2});
  hand.Append(kW1, 1);
  hand.WriteCompacted({1, 2});
  hand.DeleteOld({1, 2});
  hand.MoveCursor({1, 2});
  hand.CloseRound();
  hand.Append(kW1, 1);
  EXPECT_THAT(Met(hand), ElementsAre("append_during_compaction"));
}

/// The compactor dies, and nothing of it is in flight any more.
void CrashCompactor(HandMadeLog& hand) {
  hand.Happen(sim::WorldEventKind::kCrash, kC1);
  hand.Happen(sim::WorldEventKind::kRetired, kC1);
}

TEST(LogSituation, CrashWhileWriting) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.StartCompaction({1, 2});
  CrashCompactor(hand);
  EXPECT_THAT(Met(hand), ElementsAre("crash_while_writing"));
}

TEST(LogSituation, CrashWhileDeletingAndResumption) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.StartCompaction({1, 2});
  hand.WriteCompacted({1, 2});
  CrashCompactor(hand);
  hand.Invoke(kC2, HandMadeLog::Operation::kCompact);
  hand.Commit(kC2, hand.PlanRequest(log::PlanPhase::kDeleting, {1, 2}, 1, "c2"));
  EXPECT_THAT(Met(hand), ElementsAre("crash_while_deleting", "compaction_resumed"));
}

TEST(LogSituation, CrashBeforeCursor) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.StartCompaction({1, 2});
  hand.WriteCompacted({1, 2});
  hand.DeleteOld({1, 2});
  CrashCompactor(hand);
  EXPECT_THAT(Met(hand), ElementsAre("crash_before_cursor"));
}

TEST(LogSituation, ACrashBetweenRoundsIsNothing) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.Compact({1, 2});
  CrashCompactor(hand);
  EXPECT_THAT(Met(hand), IsEmpty());
}

TEST(LogSituation, SecondRoundCompleted) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.Compact({1, 2}, 1);
  hand.Append(kW1, 2);
  hand.Compact({3, 4}, 2);
  hand.Append(kW1, 2);
  hand.Compact({5, 6}, 3);
  EXPECT_THAT(Met(hand), ElementsAre("second_round_completed"));
}

TEST(LogSituation, ReadAgainAfterCompaction) {
  HandMadeLog hand;
  hand.Append(kW1, 2);
  hand.Lookup(kR1, 1);
  hand.Compact({1, 2});
  hand.Objects(kC1, {sim::ObjectOperation::kDeleteObject, "wal/1", {}});
  hand.Objects(kR1, {sim::ObjectOperation::kGetObject, "wal/1", {}});
  EXPECT_THAT(Met(hand), ElementsAre("read_again_after_compaction"));
}

}  // namespace
}  // namespace lockstep::scenarios
