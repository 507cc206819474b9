// Faults that strike the store and its sessions. The choices follow a script: every fault strikes
// exactly where the test says.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/world/world.h"
#include "sim/world/world_test_support.h"

namespace lockstep::sim {
namespace {

constexpr Tick kSessionTimeout = WorldOptions{}.session_timeout;

StoreRequest Increment() { return Single(AtomicIncrement("n", 1)); }

TEST(StoreUnavailable, RefusesForAWhileAndChangesNothing) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {4}).Script(ChoiceKind::kFaultDuration, {30});
  Bench bench(choices, PlanOf({FaultKind::kStoreUnavailable}));
  std::vector<StoreStatus> statuses;
  bench.world.AddNode("n", [&](NodeContext& node) {
    node.Store(Increment());
    StoreStatus status = StoreStatus::kOk;
    do {
      status = node.Store(Increment()).status;
      statuses.push_back(status);
    } while (status == StoreStatus::kUnavailable);
  });
  bench.Run();
  ASSERT_GT(statuses.size(), 5U);
  for (std::size_t i = 0; i + 1 < statuses.size(); ++i) {
    EXPECT_EQ(statuses[i], StoreStatus::kUnavailable);
  }
  EXPECT_EQ(statuses.back(), StoreStatus::kOk);
  EXPECT_EQ(bench.world.store().model().Find("n")->value, "2");
  const Seen unavailable = bench.seen.Only(WorldEventKind::kUnavailable);
  EXPECT_EQ(unavailable.until, unavailable.time + 30);
  for (const Seen& apply : bench.seen.Of(WorldEventKind::kApply)) {
    const bool within = apply.time > unavailable.time && apply.time < unavailable.until;
    EXPECT_EQ(apply.store_response->status == StoreStatus::kUnavailable, within);
    EXPECT_TRUE(!within || apply.mutations.empty());
  }
}

TEST(StoreUnavailable, DoesNotStrikeWhileItLasts) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1, 1, 0}).Script(ChoiceKind::kFaultDuration, {30, 30});
  Bench bench(choices, PlanOf({FaultKind::kStoreUnavailable}));
  bench.world.AddNode("n", [](NodeContext& node) {
    for (int i = 0; i < 40; ++i) node.Store(Increment());
  });
  bench.Run();
  const std::vector<Seen> times = bench.seen.Of(WorldEventKind::kUnavailable);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[1].time, times[0].until);
}

TEST(StoreUnavailable, DoesNotTouchTheObjectStore) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kFaultDuration, {30});
  Bench bench(choices, PlanOf({FaultKind::kStoreUnavailable}));
  ObjectResponse response;
  bench.world.AddNode("n", [&](NodeContext& node) {
    response = node.Objects({ObjectOperation::kPutObject, "a", "1"});
  });
  bench.Run();
  EXPECT_TRUE(response.ok());
}

// ---- Sessions ----------------------------------------------------------------------------------

TEST(SessionExpiry, ByTheClockEndsTheSessionOfADeadClient) {
  ScriptedChoices choices;
  // Opened at step 2, the record at step 4, dead at step 6.
  choices.Script(ChoiceKind::kFaultGap, {5}).Script(ChoiceKind::kFaultDuration, {20});
  Bench bench(choices, PlanOf({FaultKind::kCrash}));
  SessionId session = 0;
  bench.world.AddNode("n", [&](NodeContext& node) {
    if (node.incarnation_number() > 1) return;
    session = node.Store(Single(OpenSession(kSessionTimeout))).results[0].number;
    node.Store(Single(EphemeralRecord("lock", "n", session)));
    node.Backoff(10);
    ADD_FAILURE() << "it should be dead by now";
  });
  bench.Run();
  const Seen end = bench.seen.Only(WorldEventKind::kSessionEnd);
  EXPECT_EQ(end.session, session);
  EXPECT_EQ(end.time, bench.seen.Of(WorldEventKind::kApply)[0].time + kSessionTimeout);
  ASSERT_EQ(end.mutations.size(), 1U);
  EXPECT_EQ(end.mutations[0].key, "lock");
  EXPECT_FALSE(end.mutations[0].after.has_value());
  EXPECT_TRUE(bench.world.store().model().sessions().empty());
  EXPECT_TRUE(bench.world.store().model().records().empty());
}

TEST(SessionExpiry, ComesAtItsTimeAlthoughNothingElseHappens) {
  ExtremeChoices choices;
  Bench bench(choices);
  bench.world.AddNode("n", [](NodeContext& node) {
    node.Store(Single(OpenSession(kSessionTimeout)));
    node.Backoff(10 * static_cast<std::uint32_t>(kSessionTimeout));
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kSessionEnd).time,
            bench.seen.Only(WorldEventKind::kApply).time + kSessionTimeout);
}

// Keeps its session alive `times` times, at intervals below the timeout, then stops.
NodeMain KeepsAlive(int times, std::vector<StoreStatus>& statuses) {
  return [times, &statuses](NodeContext& node) {
    const SessionId session = node.Store(Single(OpenSession(kSessionTimeout))).results[0].number;
    for (int i = 0; i < times; ++i) {
      node.Backoff(static_cast<std::uint32_t>(kSessionTimeout / 2));
      statuses.push_back(node.Store(Single(KeepAlive(session))).status);
    }
  };
}

TEST(SessionExpiry, SparesALivingClientThatKeepsItsSessionAlive) {
  ExtremeChoices choices;  // The longest back-offs.
  Bench bench(choices);
  std::vector<StoreStatus> statuses;
  bench.world.AddNode("n", KeepsAlive(20, statuses));
  bench.Run();
  EXPECT_EQ(statuses, std::vector<StoreStatus>(20, StoreStatus::kOk));
  const Seen end = bench.seen.Only(WorldEventKind::kSessionEnd);
  EXPECT_EQ(end.time, bench.seen.Of(WorldEventKind::kApply).back().time + kSessionTimeout);
  EXPECT_GT(end.time, 10 * kSessionTimeout);
}

TEST(SessionExpiry, OfALivingClientComesByItsFaultAlone) {
  ScriptedChoices choices;
  // Opportunities are steps at which there is a session: the reply to the opening, the wake-up, ...
  choices.Script(ChoiceKind::kFaultGap, {5});
  Bench bench(choices, PlanOf({FaultKind::kSessionExpiryLiving}));
  std::vector<StoreStatus> statuses;
  bench.world.AddNode("n", KeepsAlive(3, statuses));
  bench.Run();
  EXPECT_EQ(statuses, (std::vector<StoreStatus>{StoreStatus::kOk, StoreStatus::kNoSuchSession,
                                                StoreStatus::kNoSuchSession}));
  EXPECT_EQ(bench.seen.Count(WorldEventKind::kSessionEnd), 1U);
  EXPECT_EQ(bench.Struck(FaultKind::kSessionExpiryLiving), 1U);
}

TEST(SessionExpiry, GoesOnWhileTheStoreIsUnavailable) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {5}).Script(ChoiceKind::kFaultDuration, {150});
  Bench bench(choices, PlanOf({FaultKind::kStoreUnavailable}));
  bench.world.AddNode("n", [](NodeContext& node) { node.Store(Single(OpenSession(20))); });
  bench.world.AddNode("m", [](NodeContext& node) {
    for (int i = 0; i < 40; ++i) node.Store(Increment());
  });
  bench.Run();
  const Seen end = bench.seen.Only(WorldEventKind::kSessionEnd);
  const Seen unavailable = bench.seen.Only(WorldEventKind::kUnavailable);
  EXPECT_GT(end.time, unavailable.time);
  EXPECT_LT(end.time, unavailable.until);
}

}  // namespace
}  // namespace lockstep::sim
