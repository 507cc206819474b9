// Faults that strike nodes. The choices follow a script: every fault strikes exactly where the test
// says. An opportunity for a node's faults is each step at which a
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
  int unwound = 0;  // outlives the bench, which unwinds the second incarnation
  Bench bench(choices, PlanOf({FaultKind::kCrash}));
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
  EXPECT_EQ(bench.Struck(FaultKind::kCrash), 3U);
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

TEST(Pause, DrawsWhoBeforeHowLong) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {3});
  Bench bench(choices, PlanOf({FaultKind::kPauseLong}));
  for (const char* name : {"a", "b"}) {
    bench.world.AddNode(name, [](NodeContext& node) { node.Store(Increment()); });
  }
  bench.RunUntil(WorldEventKind::kPause);
  Schedule faults;
  for (const Choice& choice : choices.taken()) {
    if (choice.kind != ChoiceKind::kEvent) faults.push_back(choice);
  }
  EXPECT_EQ(faults, (Schedule{{ChoiceKind::kFaultGap, 2000, 3},
                              {ChoiceKind::kFaultGap, 2000, 0},
                              {ChoiceKind::kFaultTarget, 2, 0},
                              {ChoiceKind::kFaultDuration, 400, 1}}));
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

TEST(Partition, LetsAReplyArriveThatIsOnItsWay) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {2}).Script(ChoiceKind::kFaultDuration, {50});
  Bench bench(choices, PlanOf({FaultKind::kPartitionShort}));
  StoreResponse response;
  bench.world.AddNode("n", [&](NodeContext& node) { response = node.Store(Increment()); });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send apply partition reply reconnect");
  EXPECT_TRUE(response.ok());
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

}  // namespace
}  // namespace lockstep::sim
