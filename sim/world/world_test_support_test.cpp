#include "sim/world/world_test_support.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::sim {
namespace {

TEST(ScriptedChoices, FollowsItsScriptAndThenLetsNothingMoreHappen) {
  ScriptedChoices choices;
  choices.Script(ChoiceKind::kFaultGap, {5, 7}).Script(ChoiceKind::kEvent, {2});
  EXPECT_FALSE(choices.exhausted());
  EXPECT_EQ(choices.Choose(ChoiceKind::kFaultGap, 10, 1), 5U);
  EXPECT_EQ(choices.Choose(ChoiceKind::kEvent, 3), 2U);
  EXPECT_EQ(choices.Choose(ChoiceKind::kEvent, 3), 0U);
  EXPECT_FALSE(choices.exhausted());
  EXPECT_EQ(choices.Choose(ChoiceKind::kFaultGap, 10, 1), 7U);
  EXPECT_TRUE(choices.exhausted());
  EXPECT_EQ(choices.Choose(ChoiceKind::kFaultGap, 10, 1), 0U);
  EXPECT_EQ(choices.Choose(ChoiceKind::kFaultDuration, 10, 4), 4U);
}

TEST(ExtremeChoices, TakesTheGreatestValue) {
  ExtremeChoices choices;
  EXPECT_EQ(choices.Choose(ChoiceKind::kEvent, 3), 2U);
  EXPECT_EQ(choices.Choose(ChoiceKind::kNode, 10, 1), 9U);
}

TEST(Text, TellsResponsesApart) {
  std::vector<StoreResponse> responses(5);
  responses[1].status = StoreStatus::kUnknown;
  responses[2].results.resize(1);
  responses[3].results.resize(1);
  responses[3].results[0].version = 1;
  responses[4].failed_conditions = {0};
  for (std::size_t i = 0; i < responses.size(); ++i) {
    for (std::size_t j = 0; j < responses.size(); ++j) {
      EXPECT_EQ(Text(responses[i]) == Text(responses[j]), i == j) << i << " " << j;
    }
  }
}

TEST(Text, TellsRequestsApart) {
  const std::vector<StoreRequest> requests = {Single(Get("a")),
                                              Single(Get("b")),
                                              Single(Put("a", "1")),
                                              Txn({Exists("a")}, {Get("a")}),
                                              Txn({Absent("a")}, {Get("a")}),
                                              Single(SequencedPut("a", {1}, "")),
                                              Single(SequencedPut("a", {2}, "")),
                                              Single(AtomicIncrement("a", 1)),
                                              Single(AtomicIncrement("a", 1, 5))};
  for (std::size_t i = 0; i < requests.size(); ++i) {
    for (std::size_t j = 0; j < requests.size(); ++j) {
      EXPECT_EQ(Text(requests[i]) == Text(requests[j]), i == j) << i << " " << j;
    }
  }
}

TEST(Recorder, KeepsWhatAnEventPointsTo) {
  ScriptedChoices choices;
  Bench bench(choices);
  {
    const StoreRequest request = Single(Put("a", "1"));
    const std::vector<Mutation> mutations(1);
    bench.seen.On({.kind = WorldEventKind::kApply,
                   .incarnation = 1,
                   .store_request = &request,
                   .mutations = &mutations});
  }
  bench.seen.On({.kind = WorldEventKind::kHeal});
  const Seen seen = bench.seen.Only(WorldEventKind::kApply);
  EXPECT_EQ(seen.store_request->operations[0].key, "a");
  EXPECT_EQ(seen.mutations.size(), 1U);
  EXPECT_FALSE(seen.store_response.has_value());
  EXPECT_EQ(bench.seen.Names(), "apply heal");
  EXPECT_EQ(bench.seen.NamesOf(0), "apply");
}

TEST(Recorder, OnlyFailsUnlessThereIsOne) {
  static const Recorder empty;
  EXPECT_NONFATAL_FAILURE(static_cast<void>(empty.Only(WorldEventKind::kHeal)), "events heal in:");
}

TEST(Bench, FailsForARunThatDoesNotEnd) {
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedChoices choices;
        Bench bench(choices);
        bench.world.AddNode("n", [](NodeContext& node) {
          while (true) node.Backoff(1);
        });
        bench.Run(10);
      },
      "still running after 10 steps");
}

TEST(Bench, FailsForAnEventThatDoesNotCome) {
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedChoices choices;
        Bench bench(choices);
        bench.RunUntil(WorldEventKind::kCrash);
      },
      "nothing is left to happen before crash");
}

}  // namespace
}  // namespace lockstep::sim
