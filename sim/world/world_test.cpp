// Nodes, time and decisions. The network and the faults have tests of their own beside this one.

#include "sim/world/world.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/choice/seeded_choices.h"
#include "sim/world/world_test_support.h"

namespace lockstep::sim {
namespace {

TEST(WorldEventName, NamesAreUnique) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(WorldEventKind::kHeal); ++i) {
    const std::string_view name = WorldEventName(static_cast<WorldEventKind>(i));
    EXPECT_NE(name, "?") << i;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

TEST(World, WithoutNodesHasNothingToDo) {
  ScriptedChoices choices;
  Bench bench(choices);
  EXPECT_FALSE(bench.world.Step());
  EXPECT_FALSE(bench.world.Step());
  EXPECT_EQ(bench.world.now(), 0);
  EXPECT_EQ(bench.seen.Names(), "");
}

TEST(World, RunsANodeFromItsStartToItsEnd) {
  ScriptedChoices choices;
  Bench bench(choices);
  std::string name;
  const NodeId node = bench.world.AddNode("n", [&](NodeContext& context) {
    name = context.incarnation();
    EXPECT_EQ(context.incarnation_number(), 1U);
    EXPECT_EQ(context.operation(), 0U);
    EXPECT_FALSE(context.HasRequestsInFlight());
  });
  EXPECT_FALSE(bench.world.Lives(node));
  EXPECT_FALSE(bench.world.Finished(node));
  EXPECT_EQ(bench.world.Incarnation(node), 0U);
  bench.Run();
  EXPECT_EQ(name, "n");
  EXPECT_EQ(bench.world.NodeName(node), "n");
  EXPECT_TRUE(bench.world.Lives(node));
  EXPECT_TRUE(bench.world.Finished(node));
  EXPECT_EQ(bench.world.Incarnation(node), 1U);
  EXPECT_EQ(bench.seen.Names(), "start");
}

TEST(World, GivesNodesTheirNumbersInTheOrderOfAdding) {
  ScriptedChoices choices;
  Bench bench(choices);
  std::vector<NodeId> ran;
  const auto main = [&ran](NodeContext& context) { ran.push_back(context.node()); };
  for (NodeId i = 0; i < 3; ++i) EXPECT_EQ(bench.world.AddNode("n", main), i);
  EXPECT_EQ(bench.world.node_count(), 3U);
  bench.Run();
  EXPECT_EQ(ran, (std::vector<NodeId>{0, 1, 2}));
}

TEST(World, StartsNodesInTheChosenOrder) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kEvent, {2, 0});
  Bench bench(choices);
  std::vector<NodeId> ran;
  const auto main = [&ran](NodeContext& context) { ran.push_back(context.node()); };
  for (NodeId i = 0; i < 3; ++i) bench.world.AddNode("n", main);
  bench.Run();
  EXPECT_EQ(ran, (std::vector<NodeId>{2, 0, 1}));
  EXPECT_EQ(choices.taken(), (Schedule{{ChoiceKind::kEvent, 3, 2}, {ChoiceKind::kEvent, 2, 0}}));
}

TEST(World, AdvancesByOneTickAnEvent) {
  ScriptedChoices choices;
  Bench bench(choices);
  bench.world.AddNode("n", [](NodeContext& context) {
    context.Store(Single(Put("a", "1")));
    context.Store(Single(Get("a")));
  });
  for (Tick now = 1; bench.world.Step(); ++now) EXPECT_EQ(bench.world.now(), now);
  EXPECT_EQ(bench.world.now(), 5);  // the start, two requests, two replies
}

TEST(World, JumpsToTheNextTimerWhenNothingIsEnabled) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kNode, {499});
  Bench bench(choices);
  Tick before = 0;
  Tick after = 0;
  bench.world.AddNode("n", [&](NodeContext& context) {
    before = bench.world.now();
    context.Backoff(500);
    after = bench.world.now();
  });
  EXPECT_TRUE(bench.world.Step());
  EXPECT_TRUE(bench.world.Step());
  EXPECT_FALSE(bench.world.Step());
  EXPECT_EQ(before, 1);
  EXPECT_EQ(after, before + 500 + 1);  // the wake-up is an event and takes its tick
}

TEST(World, BackoffWaitsAtLeastOneTickAndAtMostWhatWasAsked) {
  std::set<Tick> waits;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededChoices choices(seed);
    Bench bench(choices);
    bench.world.AddNode("n", [&](NodeContext& context) {
      const Tick before = bench.world.now();
      context.Backoff(4);
      waits.insert(bench.world.now() - before - 1);
    });
    bench.Run();
  }
  EXPECT_EQ(waits, (std::set<Tick>{1, 2, 3, 4}));
}

TEST(World, BackoffLetsOthersRun) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kNode, {9});
  Bench bench(choices);
  std::vector<std::string> log;
  bench.world.AddNode("waits", [&](NodeContext& context) {
    context.Backoff(10);
    log.emplace_back("waited");
  });
  bench.world.AddNode("works", [&](NodeContext& context) {
    for (int i = 0; i < 3; ++i) context.Store(Single(AtomicIncrement("n", 1)));
    log.emplace_back("worked");
  });
  bench.Run();
  EXPECT_EQ(log, (std::vector<std::string>{"worked", "waited"}));
}

TEST(World, WakesSleepersInTheOrderOfTheirTimers) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kNode, {30, 20, 20});
  Bench bench(choices);
  std::vector<NodeId> woken;
  for (int i = 0; i < 3; ++i) {
    bench.world.AddNode("n", [&](NodeContext& context) {
      context.Backoff(100);
      woken.push_back(context.node());
    });
  }
  bench.Run();
  EXPECT_EQ(woken, (std::vector<NodeId>{1, 2, 0}));
}

TEST(World, KeepsReturningFalseOnceNothingIsLeft) {
  ScriptedChoices choices;
  Bench bench(choices);
  bench.world.AddNode("n", [](NodeContext& context) { context.Store(Single(Get("a"))); });
  bench.Run();
  const Tick now = bench.world.now();
  const std::size_t events = bench.seen.all().size();
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(bench.world.Step());
  EXPECT_EQ(bench.world.now(), now);
  EXPECT_EQ(bench.seen.all().size(), events);
}

TEST(World, TimersOfAnsweredCallsDoNotKeepItGoing) {
  ScriptedChoices choices;
  Bench bench(choices);
  bench.world.AddNode("n", [](NodeContext& context) {
    for (int i = 0; i < 10; ++i) context.Store(Single(Get("a")));
  });
  bench.Run();
  EXPECT_EQ(bench.world.now(), 21) << "it must not wait for 10 timeouts that nobody waits for";
}

TEST(World, OffersTheStoreForSettingAScene) {
  ScriptedChoices choices;
  Bench bench(choices);
  std::vector<Mutation> mutations;
  bench.world.store().Handle(Single(Put("a", "scene")), 0, mutations);
  bench.world.objects().Handle({ObjectOperation::kPutObject, "o", "bytes"});
  StoreResponse got;
  ObjectResponse object;
  bench.world.AddNode("n", [&](NodeContext& context) {
    got = context.Store(Single(Get("a")));
    object = context.Objects({ObjectOperation::kGetObject, "o", ""});
  });
  bench.Run();
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got.results[0].value, "scene");
  EXPECT_EQ(object.bytes, "bytes");
}

TEST(World, UnwindsItsNodesWhileItIsStillWhole) {
  struct LooksBack {
    NodeContext& context;
    std::vector<bool>& in_flight;
    ~LooksBack() { in_flight.push_back(context.HasRequestsInFlight()); }
  };
  ScriptedChoices choices;
  std::vector<bool> in_flight;
  {
    Bench bench(choices);
    bench.world.AddNode("calls", [&](NodeContext& context) {
      const LooksBack looks_back{context, in_flight};
      context.Store(Single(Get("a")));
    });
    bench.world.AddNode("waits", [&](NodeContext& context) {
      const LooksBack looks_back{context, in_flight};
      context.Backoff(10);
    });
    EXPECT_TRUE(bench.world.Step());
    EXPECT_TRUE(bench.world.Step());
    EXPECT_TRUE(in_flight.empty());
  }
  EXPECT_EQ(in_flight, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace lockstep::sim
