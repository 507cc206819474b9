#include "scenarios/exhaust/model_catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "traces/test_support.h"

namespace lockstep::scenarios {
namespace {

using sim::Value;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

ModelRequest Request(std::string protocol, std::string config = "small",
                     std::vector<std::string> dialects = {}) {
  ModelRequest request;
  request.protocol = std::move(protocol);
  request.config = std::move(config);
  request.dialects = std::move(dialects);
  return request;
}

std::string Refusal(const ModelRequest& request) {
  const auto loaded = LoadModel(request);
  const auto* problem = std::get_if<std::string>(&loaded);
  return problem == nullptr ? "none" : *problem;
}

LoadedModel Accepted(const ModelRequest& request) {
  auto loaded = LoadModel(request);
  const auto* problem = std::get_if<std::string>(&loaded);
  EXPECT_EQ(problem, nullptr) << *problem;
  return std::move(std::get<LoadedModel>(loaded));
}

TEST(ModelCatalog, RejectsUnknownNamesAndSaysWhichThereAre) {
  EXPECT_EQ(Refusal(Request("raft")),
            "unknown protocol \"raft\"; accepted: leaderless_log, task_claiming");
  EXPECT_EQ(Refusal(Request("leaderless_log", "large")),
            "unknown configuration \"large\"; accepted: small, medium, or a JSON file");
  EXPECT_THAT(Refusal(Request("task_claiming", "large")),
              AllOf(StartsWith("unknown configuration \"large\"; accepted: small, small3, "),
                    HasSubstr("four_quotient")));
  EXPECT_EQ(Refusal(Request("leaderless_log", "small", {"rounds", "recover_markdown"})),
            "unknown dialect \"recover_markdown\"; accepted: compaction_resume, "
            "end_boundary_guard, overlap_markdown, rounds");
  EXPECT_EQ(Refusal(Request("task_claiming", "small", {"rounds"})),
            "unknown dialect \"rounds\"; accepted: live_session_expiry, recover_markdown");
  EXPECT_THAT(Refusal(Request("task_claiming", "small", {""})), StartsWith("unknown dialect \"\""));
}

TEST(ModelCatalog, RejectsTextsThatAreNoConfiguration) {
  ModelRequest request = Request("leaderless_log", "my.json");
  request.text = "{";
  EXPECT_THAT(Refusal(request), StartsWith("my.json: "));
  request.text = R"({"Writers":["w1"],"MaxOffset":2,"CompactRangeStart":1,"CompactRangeEnd":1,)"
                 R"("CompactRange2Start":1,"CompactRange2End":1,"MaxBatch":1})";
  EXPECT_THAT(Refusal(request), HasSubstr("an assumption of the module does not hold: "
                                          "CompactRange2Start > CompactRangeEnd"));
  request.protocol = "task_claiming";
  EXPECT_THAT(Refusal(request), HasSubstr("unknown key \"Writers\""));
  request.text = R"({"Workers":["w1"],"Tasks":["t1"],"MaxFailures":0,"MaxLockVersion":1})";
  EXPECT_THAT(Refusal(request), HasSubstr("MaxFailures >= 1"));
}

TEST(ModelCatalog, RefusesUpstreamsTaskMediumAndLoadsEverythingElseThatShips) {
  for (const std::string_view protocol : ExplorableProtocols()) {
    for (const std::string_view config : ModelConfigs(protocol)) {
      const ModelRequest request = Request(std::string(protocol), std::string(config));
      if (protocol == "task_claiming" && config == "medium") {
        EXPECT_THAT(Refusal(request), AllOf(HasSubstr("not feasible"), HasSubstr("four_quotient")));
        continue;
      }
      const LoadedModel loaded = Accepted(request);
      EXPECT_EQ(loaded.protocol, protocol);
      EXPECT_EQ(loaded.config, config);
      std::vector<Successor> successors;
      loaded.model->NewExpander()->Expand(loaded.model->Initial(), successors);
      EXPECT_FALSE(successors.empty()) << config;
    }
  }
}

void ExpectCompleteHeader(const LoadedModel& loaded) {
  const traces::Header& header = loaded.header;
  EXPECT_FALSE(header.spec.empty());
  EXPECT_TRUE(header.tla_module.starts_with(header.spec)) << header.tla_module;
  EXPECT_TRUE(header.tla_next.starts_with("Next")) << header.tla_next;
  EXPECT_EQ(header.tla_init, "Init");
  EXPECT_EQ(header.constants.kind(), Value::Kind::kRecord);
  EXPECT_EQ(header.initial, loaded.model->StateToValue(loaded.model->Initial()));
  // The module may call one otherwise ("TypeOKRounds"); the Markdown form has no operator.
  ASSERT_LE(header.invariants.size(), loaded.model->invariants().size());
  for (std::size_t i = 0; i < loaded.model->invariants().size(); ++i) {
    const std::string_view name = loaded.model->invariants()[i].name;
    if (name == "NoOverlappingRangesMarkdown") continue;
    EXPECT_THAT(header.invariants.at(i), StartsWith(std::string(name)));
  }
  for (const std::string_view action : loaded.model->action_names()) {
    EXPECT_TRUE(std::ranges::any_of(header.actions, [&](const auto& signature) {
      return signature.name == action;
    })) << action;
  }
}

TEST(ModelCatalog, HeadersAreComplete) {
  ExpectCompleteHeader(Accepted(Request("leaderless_log")));
  ExpectCompleteHeader(Accepted(Request("leaderless_log", "medium", {"overlap_markdown"})));
  ExpectCompleteHeader(Accepted(
      Request("leaderless_log", "small", {"compaction_resume", "end_boundary_guard", "rounds"})));
  ExpectCompleteHeader(Accepted(Request("task_claiming", "small3")));
  ExpectCompleteHeader(Accepted(Request("task_claiming", "four_quotient")));
  const LoadedModel both =
      Accepted(Request("task_claiming", "small", {"recover_markdown", "live_session_expiry"}));
  ExpectCompleteHeader(both);
  EXPECT_EQ(both.header.tla_module, "TaskClaimingLiveExpiry");
  EXPECT_THAT(both.header.dialect, ElementsAre("live_session_expiry", "recover_markdown"));
  EXPECT_THAT(Accepted(Request("task_claiming")).header.dialect, IsEmpty());
}

TEST(ModelCatalog, ADialectOfTheRequestJoinsThoseOfTheText) {
  ModelRequest request = Request("task_claiming", "my.json", {"recover_markdown"});
  request.text = R"({"Workers":["w1"],"Tasks":["t1"],"MaxFailures":1,"MaxLockVersion":2,)"
                 R"("Dialect":["live_session_expiry"]})";
  EXPECT_THAT(Accepted(request).header.dialect,
              ElementsAre("live_session_expiry", "recover_markdown"));
}

traces::Trace HeaderAlone(const LoadedModel& loaded) {
  traces::Trace trace;
  trace.header = loaded.header;
  return trace;
}

std::string RefusalOfTrace(const traces::Trace& trace) {
  const auto loaded = ModelOfTrace(trace);
  const auto* problem = std::get_if<std::string>(&loaded);
  return problem == nullptr ? "none" : *problem;
}

void Set(traces::Trace& trace, std::string_view name, Value value) {
  for (auto& [field, old] : trace.header.constants.MutableFields()) {
    if (field == name) old = std::move(value);
  }
}

TEST(ModelCatalog, RejectsHeadersThatMeanNoModel) {
  const traces::Trace task = HeaderAlone(Accepted(Request("task_claiming")));
  const traces::Trace log = HeaderAlone(Accepted(Request("leaderless_log")));
  traces::Trace other = task;
  other.header.spec = "Raft";
  EXPECT_THAT(RefusalOfTrace(other), HasSubstr("unknown spec \"Raft\""));
  for (const traces::Trace& trace : {task, log}) {
    other = trace;
    other.header.constants = Value::Int(3);
    EXPECT_EQ(RefusalOfTrace(other), "the header has no constants");
    other = trace;
    other.header.constants = Value::RecordOf({});
    EXPECT_NE(RefusalOfTrace(other), "none");
    other = trace;
    other.header.dialect = {"nonsense"};
    EXPECT_EQ(RefusalOfTrace(other), "the header has an unknown dialect");
  }
  for (const std::int64_t number : {std::int64_t{-1}, INT64_MIN, INT64_MAX, std::int64_t{1} << 32U,
                                    (std::int64_t{1} << 32U) + 2}) {
    for (const char* const name : {"MaxFailures", "MaxLockVersion"}) {
      other = task;
      Set(other, name, Value::Int(number));
      EXPECT_NE(RefusalOfTrace(other), "none") << name << " = " << number;
    }
    for (const char* const name : {"MaxOffset", "MaxBatch", "CompactRangeStart"}) {
      other = log;
      Set(other, name, Value::Int(number));
      EXPECT_NE(RefusalOfTrace(other), "none") << name << " = " << number;
    }
  }
}

TEST(ModelCatalog, AHeaderGivesItsModelBack) {
  for (const ModelRequest& request :
       {Request("leaderless_log", "medium"), Request("leaderless_log", "small", {"rounds"}),
        Request("task_claiming", "small3", {"recover_markdown"})}) {
    const LoadedModel loaded = Accepted(request);
    auto again = ModelOfTrace(HeaderAlone(loaded));
    ASSERT_TRUE(std::holds_alternative<LoadedModel>(again)) << std::get<std::string>(again);
    const LoadedModel& same = std::get<LoadedModel>(again);
    ExpectCompleteHeader(same);
    EXPECT_EQ(same.header.constants, loaded.header.constants);
    EXPECT_EQ(same.model->Initial(), loaded.model->Initial());
    EXPECT_EQ(same.values({{kNoAction, same.model->Initial()}}).front(), same.header.initial);
    EXPECT_EQ(same.new_walk_machine()->Packed(), same.model->Initial());
  }
}

}  // namespace
}  // namespace lockstep::scenarios
