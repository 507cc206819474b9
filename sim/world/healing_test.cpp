// The end of all faults, and how a run ends fairly after it.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/world/world.h"
#include "sim/world/world_test_support.h"

namespace lockstep::sim {
namespace {

StoreRequest Increment() { return Single(AtomicIncrement("n", 1)); }

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
