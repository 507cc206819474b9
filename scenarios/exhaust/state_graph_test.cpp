#include "scenarios/exhaust/state_graph.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "scenarios/exhaust/log_explore_model.h"
#include "scenarios/exhaust/toy_model_for_tests.h"

namespace lockstep::scenarios {
namespace {

std::string TextOf(const ExploreModel& model, Executor& executor) {
  const ExploreResult explored = Explore(model, {}, executor);
  return StateGraphToText(model, BuildStateGraph(model, explored));
}

TEST(StateGraph, RejectsAnIncompleteSearch) {
  ToyModel model;
  MakeSquare(model, 3);
  SerialExecutor serial;
  ExploreOptions options;
  options.progress = [](const ExploreProgress&) { return false; };
  const ExploreResult explored = Explore(model, options, serial);
  EXPECT_DEATH(static_cast<void>(BuildStateGraph(model, explored)), "incomplete search");
}

TEST(StateGraph, ListsStatesByTheirJsonAndEverySuccessor) {
  ToyModel model;
  model.initial = {9, 0};
  model.expand = [](const PackedState& s, std::vector<Successor>& successors) {
    if (s[0] == 9) successors.push_back({{10, 0}, 1, true});
    if (s[0] == 9) successors.push_back({{10, 0}, 0, true});
    if (s[0] == 9) successors.push_back({{10, 0}, 1, true});
    if (s[0] == 10) successors.push_back({{11, 0}, 0, false});
    if (s[0] == 10) successors.push_back({{9, 0}, 0, true});
  };
  SerialExecutor serial;
  EXPECT_EQ(TextOf(model, serial),
            "lockstep state graph 1\n"
            "initial 1\n"
            "states 2\n"
            "0 {\"x\":10,\"y\":0}\n"
            "1 {\"x\":9,\"y\":0}\n"
            "edges 5\n"
            "0 a0 1\n"
            "0 a0 -\n"
            "1 a0 0\n"
            "1 a1 0\n"
            "1 a1 0\n");
}

TEST(StateGraph, DoesNotDependOnTheWorkers) {
  auto made = LogExploreModel::For({protocol::leaderless_log::TinyConstants(), false});
  const auto& model = *std::get<std::unique_ptr<LogExploreModel>>(made);
  SerialExecutor serial;
  BackwardExecutor three(3);
  const std::string text = TextOf(model, serial);
  EXPECT_EQ(TextOf(model, three), text);
  EXPECT_NE(text.find("states 23858\n"), std::string::npos);
  EXPECT_NE(text.find("edges 124990\n"), std::string::npos) << "all generated but the initial";
}

}  // namespace
}  // namespace lockstep::scenarios
