// Faults that strike nodes and services, and their end. The choices follow a script: every fault
// strikes exactly where the test says. An opportunity for a node's faults is each step at which a
// node runs, so the first one is the step after the first start.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/world/world.h"
#include "sim/world/world_test_support.h"

namespace lockstep::sim {
namespace {

constexpr Tick kSessionTimeout = WorldOptions{}.session_timeout;

StoreRequest Increment() { return Single(AtomicIncrement("n", 1)); }

std::uint64_t Struck(const Bench& bench, FaultKind kind) {
  return bench.faults.struck()[static_cast<std::size_t>(kind)];
}

// ---- Crash -------------------------------------------------------------------------------------

TEST(Crash, UnwindsTheNodeAndRunsItsMainFunctionAnew) {
  struct Guard {
    std::vector<std::string>& log;
    std::string name;
    ~Guard() { log.push_back("~" + name); }
  };
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {2}).Script(ChoiceKind::kFaultDuration, {77});
  Bench bench(choices, PlanOf({FaultKind::kCrash}));
  std::vector<std::string> log;
  const NodeId n = bench.world.AddNode("n", [&](NodeContext& node) {
    const Guard guard{log, std::string(node.incarnation())};
    log.push_back("main of " + guard.name);
    node.Store(Increment());
    log.push_back("answer to " + guard.name);
  });
  bench.Run();
  EXPECT_EQ(log,
            (std::vector<std::string>{"main of n", "~n", "main of n'2", "answer to n'2", "~n'2"}));
  // The reply of the first incarnation was on its way and reaches nobody.
  EXPECT_EQ(bench.seen.Names(), "start send apply crash retired start send apply reply");
  const std::vector<Seen> starts = bench.seen.Of(WorldEventKind::kStart);
  EXPECT_EQ(starts[0].incarnation, 1U);
  EXPECT_EQ(starts[1].incarnation, 2U);
  const Seen crash = bench.seen.Only(WorldEventKind::kCrash);
  EXPECT_EQ(crash.incarnation, 1U);
  EXPECT_EQ(starts[1].time, crash.time + 77 + 1);
  EXPECT_EQ(bench.world.Incarnation(n), 2U);
  EXPECT_EQ(bench.stacks.free(), 1U) << "both incarnations used the same stack, one after another";
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Crash, LeavesTheNodeDeadAndItsMemoryGoneUntilItsRestart) {
  struct Guard {
    int& unwound;
    ~Guard() { ++unwound; }
  };
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1});
  Bench bench(choices, PlanOf({FaultKind::kCrash}));
  int unwound = 0;
  const NodeId n = bench.world.AddNode("n", [&unwound](NodeContext& node) {
    const Guard guard{unwound};
    node.Store(Increment());
  });
  bench.RunUntil(WorldEventKind::kApply);
  EXPECT_EQ(unwound, 1);
  EXPECT_FALSE(bench.world.Lives(n));
  EXPECT_FALSE(bench.world.Finished(n));
  EXPECT_EQ(bench.world.Incarnation(n), 1U);
  bench.RunUntil(WorldEventKind::kStart, 2);
  EXPECT_TRUE(bench.world.Lives(n));
  EXPECT_EQ(unwound, 1);
}

TEST(Crash, RequestsInFlightLiveOnAndTheirLastOneRetiresTheIncarnation) {
  ScriptedChoices choices;
  // Duplicate the first request, then crash before any is applied.
  choices.Script(ChoiceKind::kFaultGap, {1, 1}).Script(ChoiceKind::kFaultDuration, {50});
  Bench bench(choices, PlanOf({FaultKind::kRequestDuplicated, FaultKind::kCrash}));
  const NodeId n = bench.world.AddNode("n", [](NodeContext& node) {
    if (node.incarnation_number() == 1) node.Store(Increment());
  });
  bench.RunUntil(WorldEventKind::kApply);
  EXPECT_FALSE(bench.world.Lives(n));
  EXPECT_EQ(bench.world.InFlight(n, 1), 1U);
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send duplicate crash apply apply retired start");
  const Seen retired = bench.seen.Only(WorldEventKind::kRetired);
  EXPECT_EQ(retired.node, n);
  EXPECT_EQ(retired.incarnation, 1U);
  EXPECT_EQ(bench.world.InFlight(n, 1), 0U);
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Crash, WithoutRequestsInFlightRetiresAtOnce) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kNode, {5});
  Bench bench(choices, PlanOf({FaultKind::kCrash}));
  bench.world.AddNode("n", [](NodeContext& node) {
    if (node.incarnation_number() == 1) node.Backoff(10);
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start crash retired start");
}

TEST(Crash, TakesWhatWasToHappenToTheNodeWithIt) {
  ScriptedChoices choices;
  // The reply is delayed beyond the crash, the restart and the next call.
  choices.Script(ChoiceKind::kFaultGap, {2, 2}).Script(ChoiceKind::kFaultDuration, {20, 10});
  Bench bench(choices, PlanOf({FaultKind::kDelay, FaultKind::kCrash}));
  std::vector<std::string> answers;
  bench.world.AddNode("n", [&](NodeContext& node) {
    const StoreResponse response = node.Store(Increment());
    answers.push_back(std::string(node.incarnation()) + " " +
                      std::to_string(response.results[0].number));
    node.Backoff(100);
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send apply delay crash retired start send apply reply");
  EXPECT_EQ(answers, (std::vector<std::string>{"n'2 2"}));
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Crash, StrikesTheChosenNode) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {3}).Script(ChoiceKind::kFaultTarget, {1});
  Bench bench(choices, PlanOf({FaultKind::kCrash}));
  for (const char* name : {"a", "b", "c"}) {
    bench.world.AddNode(name, [](NodeContext& node) { node.Store(Increment()); });
  }
  bench.Run();
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kCrash).node, 1U);
  EXPECT_EQ(bench.world.Incarnation(0), 1U);
  EXPECT_EQ(bench.world.Incarnation(1), 2U);
  EXPECT_EQ(bench.world.Incarnation(2), 1U);
  EXPECT_EQ(bench.world.store().model().Find("n")->value, "4");
}

TEST(Crash, MayComeAgainAndAgain) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1, 1, 1, 0});
  Bench bench(choices, PlanOf({FaultKind::kCrash}));
  std::vector<std::string> names;
  bench.world.AddNode("n", [&](NodeContext& node) {
    names.emplace_back(node.incarnation());
    node.Store(Increment());
  });
  bench.Run();
  EXPECT_EQ(names, (std::vector<std::string>{"n", "n'2", "n'3", "n'4"}));
  EXPECT_EQ(bench.seen.Count(WorldEventKind::kRetired), 3U);
  EXPECT_EQ(Struck(bench, FaultKind::kCrash), 3U);
}

// ---- Pause -------------------------------------------------------------------------------------

TEST(Pause, HoldsAReplyButNotTheRequestInFlight) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kFaultDuration, {60});
  Bench bench(choices, PlanOf({FaultKind::kPauseShort}));
  StoreResponse response;
  bench.world.AddNode("n", [&](NodeContext& node) { response = node.Store(Increment()); });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send pause apply resume reply");
  const Seen pause = bench.seen.Only(WorldEventKind::kPause);
  EXPECT_EQ(pause.until, pause.time + 60);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kApply).time, pause.time + 1);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kResume).time, pause.until);
  EXPECT_TRUE(response.ok());
}

TEST(Pause, HoldsAReplyThatWasAlreadyThere) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {2}).Script(ChoiceKind::kFaultDuration, {60});
  Bench bench(choices, PlanOf({FaultKind::kPauseShort}));
  bench.world.AddNode("n", [&](NodeContext& node) { node.Store(Increment()); });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send apply pause resume reply");
}

TEST(Pause, DoesNotHoldARequestThatWasDelayed) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1, 1}).Script(ChoiceKind::kFaultDuration, {20, 60});
  Bench bench(choices, PlanOf({FaultKind::kDelay, FaultKind::kPauseShort}));
  bench.world.AddNode("n", [&](NodeContext& node) { node.Store(Increment()); });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send delay pause apply resume reply");
}

TEST(Pause, LetsTheNodeSeeWhatHappenedMeanwhileInOrder) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kFaultDuration, {150});
  Bench bench(choices, PlanOf({FaultKind::kPauseLong}));
  StoreResponse first;
  StoreResponse second;
  bench.world.AddNode("n", [&](NodeContext& node) {
    first = node.Store(Increment());
    second = node.Store(Increment());
  });
  bench.Run();
  const Seen pause = bench.seen.Only(WorldEventKind::kPause);
  EXPECT_EQ(pause.until, pause.time + kSessionTimeout + 150);
  // The reply came long before the timeout: the oldest event tells the node the truth.
  EXPECT_EQ(bench.seen.Names(), "start send pause apply resume reply send apply reply");
  EXPECT_TRUE(first.ok());
  EXPECT_EQ(second.results[0].number, 2);
}

TEST(Pause, MayEndInATimeoutAlthoughTheReplyIsThere) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1})
      .Script(ChoiceKind::kFaultDuration, {150})
      .Script(ChoiceKind::kEvent, {1});
  Bench bench(choices, PlanOf({FaultKind::kPauseLong}));
  StoreResponse first;
  StoreResponse second;
  bench.world.AddNode("n", [&](NodeContext& node) {
    first = node.Store(Increment());
    second = node.Store(Increment());
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send pause apply resume timeout send apply reply");
  EXPECT_EQ(first.status, StoreStatus::kUnknown);
  EXPECT_EQ(second.results[0].number, 2);
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Pause, HoldsAWakeUp) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1})
      .Script(ChoiceKind::kFaultDuration, {60})
      .Script(ChoiceKind::kNode, {4});
  Bench bench(choices, PlanOf({FaultKind::kPauseShort}));
  Tick woken = 0;
  bench.world.AddNode("n", [&](NodeContext& node) {
    node.Backoff(10);
    woken = bench.world.now();
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start pause resume");
  EXPECT_EQ(woken, bench.seen.Only(WorldEventKind::kResume).time + 1);
}

TEST(Pause, LeavesOtherNodesAlone) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {2})
      .Script(ChoiceKind::kFaultTarget, {0})
      .Script(ChoiceKind::kFaultDuration, {150});
  Bench bench(choices, PlanOf({FaultKind::kPauseShort}));
  const auto main = [](NodeContext& node) {
    for (int i = 0; i < 5; ++i) node.Store(Increment());
  };
  bench.world.AddNode("paused", main);
  bench.world.AddNode("runs", main);
  bench.RunUntil(WorldEventKind::kResume);
  EXPECT_TRUE(bench.world.Finished(1));
  EXPECT_FALSE(bench.world.Finished(0));
  bench.Run();
  EXPECT_TRUE(bench.world.Finished(0));
}

TEST(Pause, IsOnlyForNodesThatRun) {
  ScriptedChoices choices;
  // Both kinds strike at the same step; there is only one node, and it is paused by then.
  choices.Script(ChoiceKind::kFaultGap, {1, 1}).Script(ChoiceKind::kFaultDuration, {20});
  Bench bench(choices, PlanOf({FaultKind::kPauseShort, FaultKind::kPauseLong}));
  bench.world.AddNode("n", [](NodeContext& node) {
    node.Store(Increment());
    node.Store(Increment());
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(),
            "start send pause apply resume reply send pause apply resume reply");
}

// ---- Partition ---------------------------------------------------------------------------------

TEST(Partition, LosesRequestsUntilItIsMended) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1})
      .Script(ChoiceKind::kFaultDuration, {150})
      .Script(ChoiceKind::kNode, {4});
  Bench bench(choices, PlanOf({FaultKind::kPartitionShort}));
  std::vector<StoreStatus> statuses;
  bench.world.AddNode("n", [&](NodeContext& node) {
    node.Backoff(10);
    for (int i = 0; i < 3; ++i) statuses.push_back(node.Store(Increment()).status);
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(),
            "start partition send request_lost timeout send request_lost reconnect timeout "
            "send apply reply");
  EXPECT_EQ(statuses, (std::vector<StoreStatus>{StoreStatus::kUnknown, StoreStatus::kUnknown,
                                                StoreStatus::kOk}));
  EXPECT_EQ(bench.world.store().model().Find("n")->value, "1");
  const Seen partition = bench.seen.Only(WorldEventKind::kPartition);
  EXPECT_EQ(partition.until, partition.time + 150);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kReconnect).time, partition.until);
}

TEST(Partition, LosesTheReplyToARequestThatGotThrough) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kFaultDuration, {50});
  Bench bench(choices, PlanOf({FaultKind::kPartitionShort}));
  StoreResponse response;
  bench.world.AddNode("n", [&](NodeContext& node) { response = node.Store(Increment()); });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send partition apply reply_lost reconnect timeout");
  EXPECT_EQ(response.status, StoreStatus::kUnknown);
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Partition, LosesRequestsToTheObjectStoreAsWell) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kFaultDuration, {50});
  Bench bench(choices, PlanOf({FaultKind::kPartitionLong}));
  std::vector<ObjectStatus> statuses;
  bench.world.AddNode("n", [&](NodeContext& node) {
    for (const char* key : {"a", "b"}) {
      statuses.push_back(node.Objects({ObjectOperation::kPutObject, key, "1"}).status);
    }
  });
  bench.Run();
  EXPECT_EQ(statuses, (std::vector<ObjectStatus>{ObjectStatus::kUnknown, ObjectStatus::kUnknown}));
  EXPECT_NE(bench.world.objects().Find("a"), nullptr) << "it was in flight already";
  EXPECT_EQ(bench.world.objects().Find("b"), nullptr);
}

TEST(Partition, IsOfOneNode) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {2})
      .Script(ChoiceKind::kFaultTarget, {1})
      .Script(ChoiceKind::kFaultDuration, {190});
  Bench bench(choices, PlanOf({FaultKind::kPartitionShort}));
  const auto main = [](NodeContext& node) {
    for (int i = 0; i < 5; ++i) node.Store(Increment());
  };
  bench.world.AddNode("connected", main);
  bench.world.AddNode("cut off", main);
  bench.Run();
  for (const Seen& seen : bench.seen.all()) {
    const bool loss = seen.kind == WorldEventKind::kLost || seen.kind == WorldEventKind::kReplyLost;
    EXPECT_TRUE(!loss || seen.node == 1U);
  }
  EXPECT_EQ(bench.seen.NamesOf(0),
            "start send apply reply send apply reply send apply reply "
            "send apply reply send apply reply");
}

TEST(Partition, AShortOneDoesNotEndALongOne) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {2, 1}).Script(ChoiceKind::kFaultDuration, {100, 10});
  Bench bench(choices, PlanOf({FaultKind::kPartitionShort, FaultKind::kPartitionLong}));
  bench.world.AddNode("n", [](NodeContext& node) { node.Store(Increment()); });
  bench.Run();
  const std::vector<Seen> partitions = bench.seen.Of(WorldEventKind::kPartition);
  ASSERT_EQ(partitions.size(), 2U);
  EXPECT_EQ(partitions[0].until, partitions[0].time + kSessionTimeout + 100);
  EXPECT_EQ(partitions[1].until, partitions[0].until);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kReconnect).time, partitions[0].until);
}

TEST(Partition, AShortOneMayGrowIntoALongOne) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1, 2}).Script(ChoiceKind::kFaultDuration, {10, 100});
  Bench bench(choices, PlanOf({FaultKind::kPartitionShort, FaultKind::kPartitionLong}));
  bench.world.AddNode("n", [](NodeContext& node) { node.Store(Increment()); });
  bench.Run();
  const std::vector<Seen> partitions = bench.seen.Of(WorldEventKind::kPartition);
  ASSERT_EQ(partitions.size(), 2U);
  EXPECT_EQ(partitions[1].until, partitions[1].time + kSessionTimeout + 100);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kReconnect).time, partitions[1].until);
}

TEST(Partition, OutlastsACrash) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {2, 1}).Script(ChoiceKind::kFaultDuration, {100, 10});
  Bench bench(choices, PlanOf({FaultKind::kCrash, FaultKind::kPartitionLong}));
  bench.world.AddNode("n", [](NodeContext& node) { node.Store(Increment()); });
  bench.RunUntil(WorldEventKind::kLost);
  EXPECT_EQ(bench.seen.Names(),
            "start send partition apply reply_lost crash retired start send request_lost");
}

// ---- Services ----------------------------------------------------------------------------------

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
  EXPECT_EQ(Struck(bench, FaultKind::kSessionExpiryLiving), 1U);
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

// ---- The end of all faults ---------------------------------------------------------------------

TEST(Heal, EndsEveryFaultAndLetsEverybodyFinish) {
  ScriptedChoices choices;
  // In the order of the table, at one step: a crash, a pause, a partition, no store.
  choices.Script(ChoiceKind::kFaultGap, {4, 4, 4, 5})
      .Script(ChoiceKind::kFaultTarget, {0, 0, 0})
      .Script(ChoiceKind::kFaultDuration, {199, 399, 399, 199});
  Bench bench(choices, PlanOf({FaultKind::kCrash, FaultKind::kPauseLong, FaultKind::kPartitionLong,
                               FaultKind::kStoreUnavailable}));
  for (const char* name : {"crashed", "paused", "cut off"}) {
    bench.world.AddNode(name, [](NodeContext& node) {
      for (int i = 0; i < 10; ++i) node.Store(Increment());
    });
  }
  bench.RunUntil(WorldEventKind::kUnavailable);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kCrash).node, 0U);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kPause).node, 1U);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kPartition).node, 2U);
  const std::size_t before = bench.seen.all().size();
  const Tick healed = bench.world.now();
  bench.world.Heal();
  bench.world.Heal();
  EXPECT_EQ(bench.seen.Count(WorldEventKind::kHeal), 1U);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kResume).time, healed);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kReconnect).time, healed);
  EXPECT_FALSE(bench.world.store().IsUnavailable(healed));
  bench.Run();
  for (NodeId node = 0; node < 3; ++node) EXPECT_TRUE(bench.world.Finished(node)) << node;
  EXPECT_EQ(bench.world.Incarnation(0), 2U);
  for (std::size_t i = before; i < bench.seen.all().size(); ++i) {
    const Seen& seen = bench.seen.all()[i];
    EXPECT_NE(seen.kind, WorldEventKind::kLost);
    EXPECT_NE(seen.kind, WorldEventKind::kTimeout);
    EXPECT_TRUE(seen.kind != WorldEventKind::kApply || seen.store_response->ok());
  }
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Heal, TakesTheOldestEventFirstAndDecidesNothing) {
  ExtremeChoices choices;  // Left alone, the newest event would happen each time.
  Bench bench(choices);
  std::vector<NodeId> finished;
  for (const char* name : {"a", "b", "c", "d"}) {
    bench.world.AddNode(name, [&](NodeContext& node) {
      for (int i = 0; i < 5; ++i) node.Store(Increment());
      finished.push_back(node.node());
    });
  }
  bench.world.Heal();
  bench.Run();
  EXPECT_EQ(finished, (std::vector<NodeId>{0, 1, 2, 3}));
  EXPECT_TRUE(choices.taken().empty());
  // Round by round: the order of the nodes is the same in each.
  const std::vector<Seen> applied = bench.seen.Of(WorldEventKind::kApply);
  ASSERT_EQ(applied.size(), 20U);
  for (std::size_t i = 0; i < applied.size(); ++i) EXPECT_EQ(applied[i].node, i % 4);
}

TEST(Heal, StarvesNobodyWhileOthersAreBusyForEver) {
  ScriptedChoices choices;
  Bench bench(choices);
  bool stop = false;
  for (const char* name : {"busy", "busy too"}) {
    bench.world.AddNode(name, [&stop](NodeContext& node) {
      while (!stop) node.Store(Increment());
    });
  }
  bench.world.AddNode("patient", [&stop](NodeContext& node) {
    for (int i = 0; i < 50; ++i) {
      node.Backoff(3);
      node.Objects({ObjectOperation::kPutObject, "a", "1"});
    }
    stop = true;
  });
  bench.world.Heal();
  bench.Run(1000);
}

TEST(Heal, LetsDelayedMessagesArrive) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kFaultDuration, {300});
  Bench bench(choices, PlanOf({FaultKind::kDelay}));
  bench.world.AddNode("n", [](NodeContext& node) { node.Store(Increment()); });
  bench.RunUntil(WorldEventKind::kDelay);
  bench.world.Heal();
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send delay heal timeout apply");
}

}  // namespace
}  // namespace lockstep::sim
