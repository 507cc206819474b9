// What clients may believe of their answers, whatever the network does. Several clients send random
// requests, of which some are lost, doubled or late, and some replies lost; then
//  - the applied requests, run in their order on a fresh store model, give the same responses,
//    changes and records (a store that serves one request at a time, in some order);
//  - a definite answer is the response of one of the applications of that very request;
//  - an unknown outcome means none, one or two applications, before the timeout or after it.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/choice/seeded_choices.h"
#include "sim/world/world.h"
#include "sim/world/world_rules.h"
#include "sim/world/world_test_support.h"

namespace lockstep::sim {
namespace {

// What one client asked, and what it got.
struct Client {
  std::vector<StoreRequest> requests;
  std::vector<StoreResponse> responses;
};

std::vector<Client> DrawClients() {
  const auto draw = [](std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); };
  std::vector<Client> clients(1 + draw(4));
  for (Client& client : clients) {
    const std::uint32_t count = draw(12);
    for (std::uint32_t i = 0; i < count; ++i) client.requests.push_back(DrawStoreRequest(draw));
  }
  return clients;
}

// Each fault off, or striking once in a few opportunities.
FaultPlan DrawNetworkPlan() {
  FaultPlan plan{};
  for (const FaultKind kind : {FaultKind::kDelay, FaultKind::kRequestLost, FaultKind::kReplyLost,
                               FaultKind::kRequestDuplicated}) {
    plan[static_cast<std::size_t>(kind)] = *rc::gen::inRange<std::uint32_t>(0, 6);
  }
  return plan;
}

void Serve(std::vector<Client>& clients, Bench& bench) {
  for (std::size_t i = 0; i < clients.size(); ++i) {
    Client& client = clients[i];
    bench.world.AddNode("c" + std::to_string(i), [&client](NodeContext& node) {
      for (const StoreRequest& request : client.requests) {
        node.SetOperation(client.responses.size());
        client.responses.push_back(node.Store(request));
      }
    });
  }
  bench.Run();
}

struct Outcomes {
  std::multiset<std::string> applied;  // the responses of all applications of one request
  bool timed_out = false;
};

// By client and the request's number.
std::map<std::pair<NodeId, OperationId>, Outcomes> OutcomesOf(const Recorder& seen) {
  std::map<std::pair<NodeId, OperationId>, Outcomes> outcomes;
  for (const Seen& event : seen.all()) {
    Outcomes& outcome = outcomes[{event.node, event.operation}];
    if (event.kind == WorldEventKind::kApply) outcome.applied.insert(Text(*event.store_response));
    if (event.kind == WorldEventKind::kTimeout) outcome.timed_out = true;
  }
  return outcomes;
}

RC_GTEST_PROP(WorldStore, AnswersAreThoseOfAStoreThatServesOneRequestAtATime, ()) {
  std::vector<Client> clients = DrawClients();
  SeededChoices choices(*rc::gen::arbitrary<std::uint64_t>());
  Bench bench(choices, DrawNetworkPlan());
  Serve(clients, bench);

  StoreModel model;
  for (const Seen& event : bench.seen.all()) {
    std::vector<Mutation> mutations;
    if (event.kind == WorldEventKind::kSessionEnd) model.EndSession(event.session, mutations);
    if (event.kind != WorldEventKind::kApply) continue;
    RC_ASSERT(Text(model.Apply(*event.store_request, mutations)) == Text(*event.store_response));
  }
  RC_ASSERT(model.records() == bench.world.store().model().records());

  auto outcomes = OutcomesOf(bench.seen);
  for (NodeId node = 0; node < clients.size(); ++node) {
    const Client& client = clients[node];
    RC_ASSERT(client.responses.size() == client.requests.size());
    for (std::size_t i = 0; i < client.responses.size(); ++i) {
      const Outcomes& outcome = outcomes[{node, i}];
      const bool definite = IsDefinite(client.responses[i].status);
      RC_ASSERT(definite == !outcome.timed_out);
      RC_ASSERT(outcome.applied.size() <= 2U);
      if (definite) RC_ASSERT(outcome.applied.count(Text(client.responses[i])) != 0U);
    }
  }

  WorldRules rules;
  rules.Check(bench.seen.all());
  rules.CheckEnd(bench);
  RC_ASSERT(rules.broken() == std::vector<std::string>{});
}

// The property above meets all it is about.
TEST(WorldStore, UnknownOutcomesComeWithNoneOneAndTwoApplications) {
  std::set<std::pair<bool, std::size_t>> met;  // definite, applications
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededChoices choices(seed);
    FaultPlan plan{};
    for (const FaultKind kind : {FaultKind::kDelay, FaultKind::kRequestLost, FaultKind::kReplyLost,
                                 FaultKind::kRequestDuplicated}) {
      plan[static_cast<std::size_t>(kind)] = 3;
    }
    Bench bench(choices, plan);
    std::vector<Client> clients(2);
    for (Client& client : clients) client.requests.assign(5, Single(AtomicIncrement("n", 1)));
    Serve(clients, bench);
    auto outcomes = OutcomesOf(bench.seen);
    for (NodeId node = 0; node < clients.size(); ++node) {
      for (std::size_t i = 0; i < clients[node].responses.size(); ++i) {
        met.emplace(IsDefinite(clients[node].responses[i].status),
                    outcomes[{node, i}].applied.size());
      }
    }
  }
  EXPECT_EQ(met, (std::set<std::pair<bool, std::size_t>>{
                     {false, 0}, {false, 1}, {false, 2}, {true, 1}, {true, 2}}));
}

}  // namespace
}  // namespace lockstep::sim
