// Our state graph and TLC's, state by state and step by step: TLC enumerates the module and dumps
// what it finds, in each dialect, and the texts are compared. Skipped where there is no TLC.
#include "scenarios/exhaust/tlc_graph.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>

#include "protocol/leaderless_log/leaderless_log_module.h"
#include "scenarios/exhaust/explorer.h"
#include "traces/file_io.h"
#include "traces/test_support.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Constants;
using protocol::leaderless_log::Dialect;

constexpr std::string_view kDot =
    "strict digraph DiskGraph {\n"
    "node [shape=box,style=rounded]\n"
    "-5 [label=\"/\\\\ b = \\\"n o\\\"\\n/\\\\ a = 1\",style = filled]\n"
    "-5 -> 7 [label=\"Go(\\\"w1\\\",2)\",color=\"black\",fontcolor=\"black\"];\n"
    "7 [label=\"/\\\\ b = << 1,\\n   2 >>\\n/\\\\ a = 2\",tooltip=\"/\\\\ b = ...\"];\n"
    "7 -> 7 [label=\"Stay\",color=\"black\",fontcolor=\"black\"];\n"
    "{rank = same; -5;}\n"
    "}\n";

TlcGraph Read(std::string_view dot) {
  auto graph = ReadTlcDot(dot);
  EXPECT_TRUE(std::holds_alternative<TlcGraph>(graph));
  return std::get<TlcGraph>(std::move(graph));
}

TEST(TlcGraphFile, RejectsOtherFiles) {
  const auto problem = [](std::string_view dot) {
    auto graph = ReadTlcDot(dot);
    return std::holds_alternative<std::string>(graph) ? std::get<std::string>(graph) : "none";
  };
  EXPECT_EQ(problem("digraph {"), "not a graph that TLC dumped");
  EXPECT_EQ(problem("strict digraph\n1 -> 2 [label=\"A\"];\n"),
            "an edge between nodes that are not there: 1 -> 2");
  EXPECT_EQ(problem("strict digraph\n1 [label=\"A\\\"\n"),
            "a label without an end: 1 [label=\"A\\\"");
  EXPECT_EQ(problem("strict digraph\n1 [label=\"/\\\\ a = 1\"]\n2 [label=\"/\\\\ a =  1\"]\n"),
            "two nodes with the same state");
}

TEST(TlcGraphFile, IsReadWithSortedLines) {
  const TlcGraph graph = Read(kDot);
  EXPECT_EQ(graph.states, (std::vector<std::string>{"a=1\nb=\"n o\"\n", "a=2\nb=<<1,2>>\n"}));
  EXPECT_EQ(graph.edges, (std::vector<TlcGraph::Edge>{{0, "Go(\"w1\",2)", 1}, {1, "Stay", 1}}));
}

TEST(TlcGraphFile, DiffersInWords) {
  const TlcGraph graph = Read(kDot);
  EXPECT_EQ(Difference(graph, graph), std::nullopt);
  TlcGraph other = graph;
  other.states[1] = "a=3\n";
  EXPECT_EQ(Difference(graph, other), "only ours is the state\na=2\nb=<<1,2>>\n");
  other = graph;
  other.states.emplace_back("c=3\n");
  EXPECT_EQ(Difference(graph, other), "only TLC's is the state\nc=3\n");
  other = graph;
  other.edges.push_back({1, "Stay", 1});
  EXPECT_EQ(Difference(graph, other),
            "only TLC's is the step Stay from\na=2\nb=<<1,2>>\nto\na=2\nb=<<1,2>>\n");
  EXPECT_NE(Difference(other, graph)->find("only ours is the step Stay"), std::string::npos);
}

// One writer: some thousands of steps, every guard fails somewhere and every action is taken. In
// `rounds` the ranges are what TwoRanges makes of the constants that ConstantsToValue gives.
Constants OneWriter(Dialect dialect) {
  Constants constants = {{"w1"}, 3, {{1, 2}, {3, 3}}, 2, dialect};
  if (dialect.rounds) constants.ranges = {{1, 1}, {2, 2}};
  return constants;
}

std::string ConfigurationOf(const Constants& constants) {
  const sim::Value values = ConstantsToValue(constants, constants.max_offset);
  std::string cfg = "INIT Init\nNEXT " + std::string(NextName(constants.dialect)) + "\nCONSTANTS\n";
  for (const auto& [name, value] : values.AsFields()) {
    // A .cfg cannot write a sequence.
    cfg += name + (name == "Ranges" ? " <- TwoRanges\n" : " = " + value.ToTla() + "\n");
  }
  return cfg;
}

class TlcGraphOf : public testing::TestWithParam<Dialect> {
 protected:
  void SetUp() override {
    if (const auto why = traces::WhyNoTlc()) GTEST_SKIP() << *why;
  }

  /// What TLC dumps of the module that has this dialect's meaning.
  static std::string Dump(const Constants& constants) {
    const traces::TemporaryFolder folder;
    const std::string module(ModuleName(constants.dialect));
    EXPECT_EQ(traces::WriteFileAtomically(folder.path() + "/Dump.cfg", ConfigurationOf(constants)),
              std::nullopt);
    const std::string jar = R"("${TLA2TOOLS_JAR:-$HOME/.local/share/tla2tools.jar}")";
    const auto result = traces::RunCommand(
        "cp " + traces::LogSpecFolder() + "/*.tla " + folder.path() + " && cd " + folder.path() +
        " && java -XX:+UseSerialGC -cp " + jar +
        " tlc2.TLC -workers 1 -config Dump.cfg -dump dot,actionlabels graph " + module + ".tla");
    EXPECT_EQ(result.exit_code, 0) << result.output;
    auto bytes = traces::ReadFileBytes(folder.path() + "/graph.dot");
    return std::holds_alternative<std::string>(bytes) ? std::get<std::string>(bytes) : "";
  }
};

TEST_P(TlcGraphOf, IsOurs) {
  const Constants constants = OneWriter(GetParam());
  auto made = LogExploreModel::For({constants, false});
  const auto& model = *std::get<std::unique_ptr<LogExploreModel>>(made);
  SerialExecutor serial;
  const StateGraph graph = BuildStateGraph(model, Explore(model, {}, serial));
  const TlcGraph ours = ToTlcGraph(model, graph, TlcLabelsOf(model));
  const TlcGraph theirs = Read(Dump(constants));
  EXPECT_GT(ours.states.size(), 900U);
  EXPECT_EQ(Difference(ours, theirs).value_or("none"), "none");
}

INSTANTIATE_TEST_SUITE_P(EveryDialect, TlcGraphOf,
                         testing::Values(Dialect{}, Dialect{false, true, false},
                                         Dialect{true, true, false}, Dialect{true, true, true}));

}  // namespace
}  // namespace lockstep::scenarios
