// Goal: fair components are found exactly when there are any. Method: small graphs by hand, and
// random graphs against the definition: try every strongly connected set of states.
#include "scenarios/exhaust/fair_cycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace lockstep::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

struct Edge {
  std::uint32_t from;
  std::uint32_t to;
  std::uint8_t condition = kAny;
  static constexpr std::uint8_t kAny = 0xff;
};

FairGraph Make(std::uint32_t states, const std::vector<Edge>& edges) {
  FairGraph graph;
  for (std::uint32_t state = 0; state < states; ++state) {
    graph.BeginState();
    for (const Edge& edge : edges) {
      if (edge.from != state) continue;
      graph.AddEdge(edge.to, edge.condition);
      if (edge.to != state && edge.condition != Edge::kAny) {
        graph.enabled.back() |= std::uint64_t{1} << edge.condition;
      }
    }
  }
  graph.Finish();
  return graph;
}

constexpr FairnessMasks kWeak0{.weak = 1, .strong = 0};
constexpr FairnessMasks kStrong0{.weak = 0, .strong = 1};
constexpr FairnessMasks kUnfair{};

TEST(FairCycle, RejectsACycleThatStarvesAWeakConditionThatIsAlwaysEnabled) {
  const FairGraph graph = Make(3, {{0, 1}, {1, 0}, {0, 2, 0}, {1, 2, 0}});
  EXPECT_FALSE(FindFairComponent(graph, kWeak0, {1, 1, 0}));
  EXPECT_TRUE(FindFairComponent(graph, kUnfair, {1, 1, 0}));
}

TEST(FairCycle, RejectsStutteringWhereAFairConditionIsEnabled) {
  const FairGraph graph = Make(2, {{0, 1, 0}});
  EXPECT_FALSE(FindFairComponent(graph, kWeak0, {1, 0}));
  EXPECT_FALSE(FindFairComponent(graph, kStrong0, {1, 0}));
}

TEST(FairCycle, FindsEveryFairComponent) {
  // 0 and 1 starve the strong condition that leads to 2; 3 and 4 go round; 5 stutters.
  const FairGraph graph = Make(6, {{0, 1}, {1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 4}, {4, 3}, {4, 5}});
  const std::vector<std::uint8_t> all(6, 1);
  EXPECT_THAT(FairComponents(graph, kStrong0, all),
              UnorderedElementsAre(ElementsAre(0), ElementsAre(3, 4), ElementsAre(5)));
  EXPECT_THAT(FairComponents(graph, kWeak0, all),
              UnorderedElementsAre(ElementsAre(0, 1), ElementsAre(3, 4), ElementsAre(5)));
  EXPECT_THAT(FairComponents(graph, kWeak0, {0, 0, 1, 0, 0, 0}), IsEmpty());
}

TEST(FairCycle, AcceptsStutteringWhereNothingFairIsEnabled) {
  const FairGraph graph = Make(2, {{0, 1, 0}});
  EXPECT_THAT(FindFairComponent(graph, kWeak0, {1, 1}).value(), ElementsAre(1));
  EXPECT_THAT(FairWalk(graph, kWeak0, {1}, 1), IsEmpty());
}

TEST(FairCycle, TellsWeakFromStrongByAConditionThatIsEnabledNowAndThen) {
  // Enabled in 0, not in 1, never taken inside.
  const FairGraph graph = Make(3, {{0, 1}, {1, 0}, {0, 2, 0}, {1, 0, 1}});
  EXPECT_THAT(FindFairComponent(graph, kWeak0, {1, 1, 0}).value(), ElementsAre(0, 1));
  // Strongly fair, state 0 is out; what is left, stuttering in 1, is fair as far as 0 goes.
  EXPECT_THAT(FindFairComponent(graph, kStrong0, {1, 1, 0}).value(), ElementsAre(1));
  EXPECT_FALSE(FindFairComponent(graph, {.weak = 2, .strong = 1}, {1, 1, 0}));
}

TEST(FairCycle, DoesNotTakeAStepThatChangesNothingForAStep) {
  const FairGraph graph = Make(2, {{0, 0, 0}, {0, 1, 0}});
  EXPECT_FALSE(FindFairComponent(graph, kWeak0, {1, 0}));
}

TEST(FairCycle, WalksThroughEveryConditionThatMustBeTaken) {
  const FairGraph graph = Make(3, {{0, 1, 0}, {1, 2, 1}, {2, 0}, {1, 0}});
  const FairnessMasks masks{.weak = 3, .strong = 0};
  const auto component = FindFairComponent(graph, masks, {1, 1, 1});
  ASSERT_TRUE(component);
  const auto walk = FairWalk(graph, masks, *component, 2);
  std::uint32_t here = 2;
  std::uint64_t taken = 0;
  for (const std::uint64_t edge : walk) {
    EXPECT_GE(edge, graph.row[here]);
    EXPECT_LT(edge, graph.row[here + 1]);
    if (graph.label[edge] != Edge::kAny) taken |= std::uint64_t{1} << graph.label[edge];
    here = graph.target[edge];
  }
  EXPECT_EQ(here, 2U);
  EXPECT_EQ(taken, 3U);
}

// ---- Against the definition
// ----------------------------------------------------------------------

bool Has(std::uint32_t set, std::uint32_t state) { return ((set >> state) & 1U) != 0; }

/// All of `set` that `from` reaches inside it.
std::uint32_t Reach(const FairGraph& graph, std::uint32_t set, std::uint32_t from) {
  std::uint32_t reached = 1U << from;
  for (bool more = true; more;) {
    more = false;
    for (std::uint32_t s = 0; s < graph.states(); ++s) {
      if (!Has(reached, s)) continue;
      for (std::uint64_t e = graph.row[s]; e < graph.row[s + 1]; ++e) {
        const std::uint32_t to = graph.target[e];
        if (!Has(set, to) || Has(reached, to)) continue;
        reached |= 1U << to;
        more = true;
      }
    }
  }
  return reached;
}

bool IsFairSet(const FairGraph& graph, const FairnessMasks& masks, std::uint32_t set) {
  std::uint64_t taken = 0;
  std::uint64_t somewhere = 0;
  std::uint64_t everywhere = ~std::uint64_t{0};
  for (std::uint32_t s = 0; s < graph.states(); ++s) {
    if (!Has(set, s)) continue;
    if (Reach(graph, set, s) != set) return false;
    somewhere |= graph.enabled[s];
    everywhere &= graph.enabled[s];
    for (std::uint64_t e = graph.row[s]; e < graph.row[s + 1]; ++e) {
      if (!Has(set, graph.target[e]) || graph.target[e] == s) continue;
      if (graph.label[e] != Edge::kAny) taken |= std::uint64_t{1} << graph.label[e];
    }
  }
  return (everywhere & masks.weak & ~taken) == 0 && (somewhere & masks.strong & ~taken) == 0;
}

bool HasFairSet(const FairGraph& graph, const FairnessMasks& masks, std::uint32_t members) {
  for (std::uint32_t set = 1; set < (1U << graph.states()); ++set) {
    if ((set & ~members) == 0 && IsFairSet(graph, masks, set)) return true;
  }
  return false;
}

RC_GTEST_PROP(FairCycle, AgreesWithTheDefinition, ()) {
  const auto states = *rc::gen::inRange<std::uint32_t>(1, 7);
  const auto edges = *rc::gen::container<std::vector<Edge>>(rc::gen::map(
      rc::gen::tuple(rc::gen::inRange<std::uint32_t>(0, states),
                     rc::gen::inRange<std::uint32_t>(0, states), rc::gen::inRange(0, 5)),
      [](const auto& t) {
        const int c = std::get<2>(t);
        return Edge{std::get<0>(t), std::get<1>(t),
                    c == 4 ? Edge::kAny : static_cast<std::uint8_t>(c)};
      }));
  const FairnessMasks masks{.weak = *rc::gen::inRange<std::uint64_t>(0, 16),
                            .strong = *rc::gen::inRange<std::uint64_t>(0, 16)};
  const auto members = *rc::gen::inRange<std::uint32_t>(0, 1U << states);
  const FairGraph graph = Make(states, edges);
  std::vector<std::uint8_t> inside(states);
  for (std::uint32_t s = 0; s < states; ++s) inside[s] = Has(members, s) ? 1 : 0;

  const auto component = FindFairComponent(graph, masks, inside);
  RC_ASSERT(component.has_value() == HasFairSet(graph, masks, members));
  if (!component) return;
  std::uint32_t set = 0;
  for (const std::uint32_t s : *component) set |= 1U << s;
  RC_ASSERT((set & ~members) == 0U);
  RC_ASSERT(IsFairSet(graph, masks, set));
  // The walk closes, and is itself fair.
  const std::uint32_t start = component->front();
  std::uint32_t here = start;
  std::uint64_t taken = 0;
  std::uint64_t everywhere = graph.enabled[start];
  for (const std::uint64_t edge : FairWalk(graph, masks, *component, start)) {
    RC_ASSERT(edge >= graph.row[here]);
    RC_ASSERT(edge < graph.row[here + 1]);
    if (graph.label[edge] != Edge::kAny) taken |= std::uint64_t{1} << graph.label[edge];
    here = graph.target[edge];
    everywhere &= graph.enabled[here];
    RC_ASSERT(Has(set, here));
  }
  RC_ASSERT(here == start);
  RC_ASSERT((everywhere & masks.weak & ~taken) == 0U);
}

}  // namespace
}  // namespace lockstep::scenarios
