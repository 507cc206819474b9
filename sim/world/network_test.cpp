// Requests and replies between nodes and services, and what befalls them. The choices follow a
// script: every fault strikes exactly where the test says.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/choice/seeded_choices.h"
#include "sim/world/world.h"
#include "sim/world/world_test_support.h"

namespace lockstep::sim {
namespace {

constexpr Tick kCallTimeout = WorldOptions{}.call_timeout;

std::string CounterValue(const World& world) {
  const Record* record = world.store().model().Find("n");
  return record == nullptr ? "(absent)" : record->value;
}

StoreRequest Increment() { return Single(AtomicIncrement("n", 1)); }

TEST(Network, ACallGetsItsAnswer) {
  ScriptedChoices choices;
  Bench bench(choices);
  StoreResponse put;
  StoreResponse got;
  bench.world.AddNode("n", [&](NodeContext& node) {
    node.SetOperation(7);
    put = node.Store(Single(Put("a", "1")));
    node.SetOperation(8);
    got = node.Store(Single(Get("a")));
    EXPECT_FALSE(node.HasRequestsInFlight());
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send apply reply send apply reply");
  ASSERT_TRUE(put.ok());
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got.results[0].value, "1");
  EXPECT_EQ(got.results[0].version, put.results[0].version);

  const std::vector<Seen>& all = bench.seen.all();
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_EQ(all[i].node, 0U);
    EXPECT_EQ(all[i].incarnation, 1U);
    EXPECT_EQ(all[i].operation, i < 4 ? 7U : 8U);
    EXPECT_EQ(all[i].message, i < 4 ? 1U : 2U);
    EXPECT_EQ(all[i].others_in_flight, 0U);
  }
  EXPECT_EQ(Text(*all[1].store_request), Text(Single(Put("a", "1"))));
  EXPECT_EQ(Text(*all[2].store_request), Text(Single(Put("a", "1"))));
  EXPECT_EQ(Text(*all[2].store_response), Text(put));
  EXPECT_EQ(Text(*all[3].store_response), Text(put));
  EXPECT_TRUE(all[2].awaited);
  ASSERT_EQ(all[2].mutations.size(), 1U);
  EXPECT_EQ(all[2].mutations[0].key, "a");
  EXPECT_TRUE(all[5].mutations.empty());
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Network, ACallToTheObjectStoreGetsItsAnswer) {
  ScriptedChoices choices;
  Bench bench(choices);
  ObjectResponse missing;
  ObjectResponse put;
  ObjectResponse got;
  bench.world.AddNode("n", [&](NodeContext& node) {
    missing = node.Objects({ObjectOperation::kGetObject, "o", ""});
    put = node.Objects({ObjectOperation::kPutObject, "o", "bytes"});
    got = node.Objects({ObjectOperation::kGetObject, "o", ""});
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send apply reply send apply reply send apply reply");
  EXPECT_EQ(missing.status, ObjectStatus::kNotFound);
  EXPECT_TRUE(put.ok());
  EXPECT_EQ(got.bytes, "bytes");
  const Seen& applied = bench.seen.all()[5];
  EXPECT_EQ(applied.object_request->key, "o");
  EXPECT_TRUE(applied.object_response->ok());
  EXPECT_FALSE(applied.store_request.has_value());
  EXPECT_FALSE(applied.store_response.has_value());
}

TEST(Network, RequestsOfTwoNodesAreAppliedInEitherOrder) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SeededChoices choices(seed);
    Bench bench(choices);
    for (const char* name : {"a", "b"}) {
      bench.world.AddNode(name, [](NodeContext& node) {
        node.Store(Single(Put("last", std::string(node.incarnation()))));
      });
    }
    bench.Run();
    std::string order;
    for (const Seen& apply : bench.seen.Of(WorldEventKind::kApply)) {
      order += apply.node == 0 ? 'a' : 'b';
    }
    EXPECT_EQ(bench.world.store().model().Find("last")->value, order.substr(1));
    orders.insert(order);
  }
  EXPECT_EQ(orders, (std::set<std::string>{"ab", "ba"}));
}

TEST(Network, RepliesOvertakeEachOther) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededChoices choices(seed);
    Bench bench(choices);
    for (const char* name : {"a", "b"}) {
      bench.world.AddNode(name, [](NodeContext& node) { node.Store(Increment()); });
    }
    bench.Run();
    std::string order;
    for (const Seen& seen : bench.seen.all()) {
      if (seen.kind == WorldEventKind::kApply) order += seen.node == 0 ? 'a' : 'b';
      if (seen.kind == WorldEventKind::kReply) order += seen.node == 0 ? 'A' : 'B';
    }
    orders.insert(order);
  }
  EXPECT_EQ(orders, (std::set<std::string>{"aAbB", "abAB", "abBA", "baAB", "baBA", "bBaA"}));
}

TEST(Network, ALostRequestIsNeverApplied) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1});
  Bench bench(choices, PlanOf({FaultKind::kRequestLost}));
  StoreResponse first;
  StoreResponse second;
  bench.world.AddNode("n", [&](NodeContext& node) {
    first = node.Store(Increment());
    EXPECT_FALSE(node.HasRequestsInFlight());
    second = node.Store(Increment());
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send request_lost timeout send apply reply");
  EXPECT_EQ(first.status, StoreStatus::kUnknown);
  EXPECT_TRUE(first.results.empty());
  EXPECT_EQ(second.results[0].number, 1);
  EXPECT_EQ(CounterValue(bench.world), "1");
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kTimeout).message, 1U);
  EXPECT_EQ(bench.Struck(FaultKind::kRequestLost), 1U);
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Network, ALostReplyLeavesTheRequestAppliedAndTheCallerWithoutKnowledge) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1});
  Bench bench(choices, PlanOf({FaultKind::kReplyLost}));
  StoreResponse response;
  bench.world.AddNode("n", [&](NodeContext& node) {
    node.SetOperation(3);
    response = node.Store(Increment());
    EXPECT_FALSE(node.HasRequestsInFlight());
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send apply reply_lost timeout");
  EXPECT_EQ(response.status, StoreStatus::kUnknown);
  EXPECT_TRUE(response.results.empty());
  EXPECT_EQ(CounterValue(bench.world), "1");
  const Seen sent = bench.seen.Only(WorldEventKind::kSend);
  const Seen timeout = bench.seen.Only(WorldEventKind::kTimeout);
  EXPECT_EQ(timeout.time, sent.time + kCallTimeout + 1);
  EXPECT_EQ(timeout.message, sent.message);
  EXPECT_EQ(timeout.operation, 3U);
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Network, ADuplicateIsAppliedTwiceAndAnsweredOnce) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1});
  Bench bench(choices, PlanOf({FaultKind::kRequestDuplicated}));
  StoreResponse first;
  StoreResponse second;
  bench.world.AddNode("n", [&](NodeContext& node) {
    first = node.Store(Increment());
    second = node.Store(Increment());
  });
  bench.Run();
  EXPECT_EQ(CounterValue(bench.world), "3");
  EXPECT_EQ(first.results[0].number, 1);
  EXPECT_EQ(second.results[0].number, 3);
  const std::vector<Seen> applied = bench.seen.Of(WorldEventKind::kApply);
  ASSERT_EQ(applied.size(), 3U);
  EXPECT_EQ(applied[0].message, applied[1].message);
  EXPECT_EQ(applied[0].others_in_flight, 1U);
  EXPECT_EQ(applied[1].others_in_flight, 0U);
  EXPECT_EQ(bench.seen.Count(WorldEventKind::kReply), 2U);
  EXPECT_EQ(bench.seen.Only(WorldEventKind::kDuplicate).message, applied[0].message);
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Network, ADuplicateMayBeAppliedAfterTheAnswerToTheFirst) {
  ScriptedChoices choices;
  // Start; the original; its reply before the copy; the copy before the next request.
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kEvent, {0, 1, 0});
  Bench bench(choices, PlanOf({FaultKind::kRequestDuplicated}));
  StoreResponse second;
  bench.world.AddNode("n", [&](NodeContext& node) {
    node.Store(Increment());
    EXPECT_TRUE(node.HasRequestsInFlight());
    EXPECT_EQ(bench.world.InFlight(0, 1), 1U);
    second = node.Store(Increment());
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send duplicate apply reply send apply apply reply");
  EXPECT_EQ(second.results[0].number, 3);
  const std::vector<Seen> applied = bench.seen.Of(WorldEventKind::kApply);
  EXPECT_EQ(applied[1].message, 1U);
  EXPECT_FALSE(applied[1].awaited);
  EXPECT_EQ(applied[1].others_in_flight, 1U);
}

TEST(Network, ADelayedRequestIsOvertaken) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kFaultDuration, {40});
  Bench bench(choices, PlanOf({FaultKind::kDelay}));
  StoreResponse delayed;
  StoreResponse quick;
  bench.world.AddNode("delayed", [&](NodeContext& node) { delayed = node.Store(Increment()); });
  bench.world.AddNode("quick", [&](NodeContext& node) { quick = node.Store(Increment()); });
  bench.Run();
  EXPECT_EQ(quick.results[0].number, 1);
  EXPECT_EQ(delayed.results[0].number, 2);
  const Seen delay = bench.seen.Only(WorldEventKind::kDelay);
  EXPECT_EQ(delay.node, 0U);
  EXPECT_EQ(delay.until, delay.time + 40);
  EXPECT_GT(bench.seen.Of(WorldEventKind::kApply)[1].time, delay.until);
}

TEST(Network, ADelayedRequestArrivesAfterItsSenderHasGivenUp) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {1}).Script(ChoiceKind::kFaultDuration, {300});
  Bench bench(choices, PlanOf({FaultKind::kDelay}));
  StoreResponse response;
  bool in_flight = false;
  bench.world.AddNode("n", [&](NodeContext& node) {
    response = node.Store(Increment());
    in_flight = node.HasRequestsInFlight();
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send delay timeout apply");
  EXPECT_EQ(response.status, StoreStatus::kUnknown);
  EXPECT_TRUE(in_flight);
  EXPECT_EQ(CounterValue(bench.world), "1");
  EXPECT_FALSE(bench.seen.Only(WorldEventKind::kApply).awaited);
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Network, ADelayedRequestArrivesAfterItsSenderHasCrashed) {
  ScriptedChoices choices;
  // The request is delayed by 300 ticks; the node dies at the step after it was sent.
  choices.Script(ChoiceKind::kFaultGap, {1, 1}).Script(ChoiceKind::kFaultDuration, {300, 50});
  Bench bench(choices, PlanOf({FaultKind::kDelay, FaultKind::kCrash}));
  bench.world.AddNode("n", [&](NodeContext& node) {
    if (node.incarnation_number() == 1) node.Store(Increment());
  });
  bench.Run();
  EXPECT_EQ(bench.seen.Names(), "start send delay crash start apply retired");
  const Seen applied = bench.seen.Only(WorldEventKind::kApply);
  EXPECT_EQ(applied.incarnation, 1U);
  EXPECT_FALSE(applied.awaited);
  EXPECT_EQ(CounterValue(bench.world), "1");
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

TEST(Network, ALateReplyIsNotTakenForTheAnswerToTheNextCall) {
  ScriptedChoices choices;
  // The second opportunity to delay is the first call's reply.
  choices.Script(ChoiceKind::kFaultGap, {2}).Script(ChoiceKind::kFaultDuration, {200});
  Bench bench(choices, PlanOf({FaultKind::kDelay}));
  StoreResponse first;
  StoreResponse second;
  bench.world.AddNode("n", [&](NodeContext& node) {
    first = node.Store(Increment());
    for (int i = 0; i < 100; ++i) second = node.Store(Single(Get("n")));
  });
  bench.Run();
  EXPECT_EQ(first.status, StoreStatus::kUnknown);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second.results[0].value, "1");
  EXPECT_EQ(bench.seen.Count(WorldEventKind::kReply), 100U);
  EXPECT_EQ(bench.seen.Count(WorldEventKind::kTimeout), 1U);
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

// The reply and the timeout are enabled at the same time: either may come first, and the other one
// must then do nothing.
class ReplyAgainstTimeout : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ReplyAgainstTimeout, TheFirstOneDecides) {
  ScriptedChoices choices;
  // The reply is applied and delayed at tick 2; the timeout is due at tick 121.
  choices.Script(ChoiceKind::kFaultGap, {2})
      .Script(ChoiceKind::kFaultDuration, {static_cast<std::uint32_t>(kCallTimeout) - 1})
      .Script(ChoiceKind::kEvent, {GetParam()});
  Bench bench(choices, PlanOf({FaultKind::kDelay}));
  StoreResponse first;
  StoreResponse second;
  bench.world.AddNode("n", [&](NodeContext& node) {
    first = node.Store(Increment());
    second = node.Store(Increment());
  });
  bench.Run();
  EXPECT_TRUE(choices.exhausted());
  EXPECT_EQ(second.results[0].number, 2);
  EXPECT_EQ(bench.seen.Count(WorldEventKind::kReply) + bench.seen.Count(WorldEventKind::kTimeout),
            2U);
  if (first.status == StoreStatus::kUnknown) {
    EXPECT_EQ(bench.seen.Names(), "start send apply delay timeout send apply reply");
  } else {
    EXPECT_EQ(bench.seen.Names(), "start send apply delay reply send apply reply");
  }
  // The timer was set first, so the timeout is the older of the two events.
  EXPECT_EQ(first.status == StoreStatus::kUnknown, GetParam() == 0);
  EXPECT_EQ(bench.world.messages_held(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Network, ReplyAgainstTimeout, testing::Values(0U, 1U));

TEST(Network, AFailedObjectWriteIsDefiniteAndDidNotHappen) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {2});
  Bench bench(choices, PlanOf({FaultKind::kObjectWriteFailed}));
  std::vector<ObjectStatus> statuses;
  bench.world.AddNode("n", [&](NodeContext& node) {
    statuses.push_back(node.Objects({ObjectOperation::kPutObject, "a", "1"}).status);
    statuses.push_back(node.Objects({ObjectOperation::kGetObject, "a", ""}).status);
    statuses.push_back(node.Objects({ObjectOperation::kDeleteObject, "b", ""}).status);
    statuses.push_back(node.Objects({ObjectOperation::kPutObject, "b", "2"}).status);
    statuses.push_back(node.Objects({ObjectOperation::kGetObject, "b", ""}).status);
  });
  bench.Run();
  EXPECT_EQ(statuses,
            (std::vector<ObjectStatus>{ObjectStatus::kOk, ObjectStatus::kOk, ObjectStatus::kOk,
                                       ObjectStatus::kFailed, ObjectStatus::kNotFound}));
  EXPECT_EQ(bench.world.objects().Find("b"), nullptr);
  EXPECT_EQ(bench.seen.Count(WorldEventKind::kReply), 5U);
}

TEST(Network, AnUnknownObjectOutcomeIsALostRequestOrALostReply) {
  for (const bool written : {false, true}) {
    ScriptedChoices choices;
    // Opportunities: the request, its reply.
    choices.Script(ChoiceKind::kFaultGap, {written ? 2U : 1U});
    Bench bench(choices, PlanOf({FaultKind::kObjectOutcomeUnknown}));
    ObjectResponse response;
    bench.world.AddNode("n", [&](NodeContext& node) {
      response = node.Objects({ObjectOperation::kPutObject, "a", "1"});
    });
    bench.Run();
    EXPECT_EQ(bench.seen.Names(),
              written ? "start send apply reply_lost timeout" : "start send request_lost timeout");
    EXPECT_EQ(response.status, ObjectStatus::kUnknown);
    EXPECT_EQ(bench.world.objects().Find("a") != nullptr, written);
    EXPECT_EQ(bench.world.messages_held(), 0U);
  }
}

TEST(Network, ReusesTheSlotsOfItsMessages) {
  ScriptedChoices choices;
  Bench bench(choices);
  bench.world.AddNode("n", [&](NodeContext& node) {
    for (int i = 0; i < 100; ++i) {
      node.Store(Increment());
      node.Objects({ObjectOperation::kPutObject, "a", "1"});
      EXPECT_EQ(bench.world.messages_held(), 0U);
    }
  });
  while (bench.world.Step()) EXPECT_LE(bench.world.messages_held(), 1U);
}

}  // namespace
}  // namespace lockstep::sim
