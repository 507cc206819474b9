// What a trace says of a run: its header, its events, and that its actions and changes are a
// behavior of the module's machine, told by nothing but the trace.
#include "scenarios/leaderless_log/log_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_module.h"
#include "scenarios/test_support.h"
#include "traces/state_rebuilder.h"

namespace lockstep::scenarios {
namespace {

namespace log = protocol::leaderless_log;
using sim::Value;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// ---- Requests -----------------------------------------------------------------------------------

TEST(RequestToText, NamesEveryOperation) {
  const auto text = [](sim::Operation operation) {
    return RequestToText(sim::Single(std::move(operation)));
  };
  EXPECT_EQ(text(sim::Get("k")), "Get(k)");
  EXPECT_EQ(text(sim::Put("k", "v")), "Put(k, v)");
  EXPECT_EQ(text(sim::Delete("k")), "Delete(k)");
  EXPECT_EQ(text(sim::CompareAndSet("k", "a", "b")), "CompareAndSet(k, a, b)");
  EXPECT_EQ(text(sim::CompareAndSet("k", std::nullopt, "b")), "CompareAndSet(k, absent, b)");
  EXPECT_EQ(text(sim::AtomicIncrement("k", 2)), "AtomicIncrement(k, 2)");
  EXPECT_EQ(text(sim::ConditionalCreate("k", "v")), "ConditionalCreate(k, v)");
  EXPECT_EQ(text(sim::EphemeralRecord("k", "v", 7)), "EphemeralRecord(k, v, session 7)");
  EXPECT_EQ(text(sim::ConditionalDelete("k", 3)), "ConditionalDelete(k, version 3)");
  EXPECT_EQ(text(sim::RangeDelete("a", "b")), "RangeDelete(a, b)");
  EXPECT_EQ(text(sim::CeilingGet("k")), "CeilingGet(k)");
  EXPECT_EQ(text(sim::HigherGet("k")), "HigherGet(k)");
  EXPECT_EQ(text(sim::SequencedPut("k", {1}, "v")), "SequencedPut(k, v)");
  EXPECT_EQ(text(sim::OpenSession(40)), "OpenSession(40)");
  EXPECT_EQ(text(sim::KeepAlive(7)), "KeepAlive(session 7)");
  EXPECT_EQ(text(sim::CloseSession(7)), "CloseSession(session 7)");
}

TEST(RequestToText, PutsConditionsInFront) {
  EXPECT_EQ(RequestToText(sim::Txn({sim::ValueIs("s", "OPEN"), sim::VersionIs("c", 4),
                                    sim::Absent("t"), sim::Exists("u")},
                                   {sim::Put("c", "5"), sim::Get("s")})),
            "if s = OPEN and c at version 4 and t absent and u present: Put(c, 5); Get(s)");
}

// ---- Events -------------------------------------------------------------------------------------

std::string JsonOf(const sim::WorldEvent& event) { return WorldEventToValue(event).ToJson(); }

TEST(WorldEventToValue, LeavesOutWhatDoesNotApply) {
  using Kind = sim::WorldEventKind;
  EXPECT_EQ(JsonOf({.kind = Kind::kStart, .incarnation = 1}), R"({"kind":"start"})");
  EXPECT_EQ(JsonOf({.kind = Kind::kStart, .incarnation = 2}),
            R"({"kind":"start","incarnation":2})");
  EXPECT_EQ(JsonOf({.kind = Kind::kPause, .until = 70}), R"({"kind":"pause","until":70})");
  EXPECT_EQ(JsonOf({.kind = Kind::kSessionEnd, .session = 3}),
            R"({"kind":"session_end","session":3})");
}

TEST(WorldEventToValue, ShowsAStoreRequestWithItsResult) {
  const sim::StoreRequest request =
      sim::Txn({}, {sim::Get("a"), sim::Put("b", "1"), sim::CeilingGet("c"), sim::Get("d")});
  sim::StoreResponse response;
  response.results.resize(4);
  response.results[0].found = true;
  response.results[0].value = "x";
  response.results[2].found = true;
  response.results[2].key = "cc";
  response.results[2].value = "y";
  const sim::WorldEvent event{.kind = sim::WorldEventKind::kApply,
                              .message = 5,
                              .operation = 9,
                              .store_request = &request,
                              .store_response = &response};
  const std::string expected =
      R"j({"kind":"apply","message":5,"operation":9,"service":"store",)j"
      R"j("request":"Get(a); Put(b, 1); CeilingGet(c); Get(d)","status":"ok",)j"
      R"j("result":"x; cc: y; nothing"})j";
  EXPECT_EQ(JsonOf(event), expected);
}

TEST(WorldEventToValue, ShowsNoResultOfARefusal) {
  const sim::StoreRequest request = sim::Single(sim::Get("a"));
  sim::StoreResponse response;
  response.status = sim::StoreStatus::kUnavailable;
  const sim::WorldEvent event{
      .kind = sim::WorldEventKind::kApply, .store_request = &request, .store_response = &response};
  const std::string expected =
      R"j({"kind":"apply","service":"store","request":"Get(a)","status":"unavailable"})j";
  EXPECT_EQ(JsonOf(event), expected);
}

TEST(WorldEventToValue, ShowsAnObjectRequest) {
  const sim::ObjectRequest request{sim::ObjectOperation::kPutObject, "wal/1", "bytes"};
  const sim::ObjectResponse response{sim::ObjectStatus::kFailed, {}};
  const sim::WorldEvent event{.kind = sim::WorldEventKind::kApply,
                              .object_request = &request,
                              .object_response = &response};
  const std::string expected =
      R"j({"kind":"apply","service":"objects","request":"PutObject(wal/1)","status":"failed"})j";
  EXPECT_EQ(JsonOf(event), expected);
}

// ---- Headers ------------------------------------------------------------------------------------

log::Constants SmallConstants() {
  log::Constants constants;
  constants.writers = {"w1", "w2"};
  constants.max_offset = 5;
  constants.ranges = {{1, 3}, {4, 5}};
  constants.max_batch = 2;
  return constants;
}

TEST(LogTraceHeader, HasWhatMakesTheRunAgain) {
  RunSpec spec = SpecOf(*FindScenario("log_small"), 255);
  spec.mutant = FindMutant("retried_append");
  spec.max_steps = 77;
  spec.faults = sim::FaultSet().Add(sim::FaultKind::kCrash);
  const traces::Header header = LogTraceHeader(spec, SmallConstants(), 0);
  EXPECT_EQ(header.lockstep_version, kLockstepVersion);
  EXPECT_EQ(header.scenario, "log_small");
  EXPECT_EQ(header.seed, "0xff");
  EXPECT_EQ(header.mutant, "retried_append");
  EXPECT_EQ(header.strategy, "random");
  EXPECT_EQ(header.max_steps, 77);
  EXPECT_THAT(header.faults, ElementsAre("crash"));
}

TEST(LogTraceHeader, HasWhatGivesItMeaning) {
  const traces::Header header =
      LogTraceHeader(SpecOf(*FindScenario("log_small"), 1), SmallConstants(), 0);
  EXPECT_EQ(header.spec, "LeaderlessLog");
  EXPECT_EQ(header.tla_module, "LeaderlessLog");
  EXPECT_EQ(header.tla_init, "Init");
  EXPECT_EQ(header.tla_next, "Next");
  EXPECT_THAT(header.dialect, IsEmpty());
  EXPECT_EQ(header.actions.size(), log::ActionKinds({}).size());
  EXPECT_EQ(header.invariants.size(), log::InvariantNames({}).size());
  EXPECT_EQ(header.constants.Find("MaxOffset")->AsInt(), 5);
  EXPECT_EQ(header.initial.Find("logIndex")->AsItems().size(), 5U);
}

TEST(LogTraceHeader, NamesTheDialectsModule) {
  log::Constants constants = SmallConstants();
  constants.dialect.rounds = true;
  constants.dialect.compaction_resume = true;
  const traces::Header header =
      LogTraceHeader(SpecOf(*FindScenario("log_faults"), 1), constants, 0);
  EXPECT_EQ(header.tla_module, "LeaderlessLogRounds");
  EXPECT_EQ(header.tla_next, "NextRounds");
  EXPECT_THAT(header.dialect, ElementsAre("compaction_resume", "rounds"));
  const auto start =
      std::ranges::find(header.actions, "CompactStart", &traces::ActionSignature::name);
  ASSERT_NE(start, header.actions.end());
  EXPECT_EQ(start->tla_operator, "CompactStartRounds");
}

TEST(LogTraceHeader, BoundsARunWithoutBoundsAboveAllThatItMet) {
  log::Constants constants = SmallConstants();
  constants.dialect.rounds = true;
  constants.max_offset = log::kUnboundedOffset;
  const auto max_offset = [&constants](log::Offset highest) {
    return LogTraceHeader(SpecOf(*FindScenario("log_faults"), 1), constants, highest)
        .constants.Find("MaxOffset")
        ->AsInt();
  };
  EXPECT_GE(max_offset(0), 5);
  EXPECT_GT(max_offset(100), 100);
}

// ---- Whole traces -------------------------------------------------------------------------------

/// The module's constants as a header gives them.
log::Constants ConstantsOf(const traces::Header& header) {
  log::Constants constants;
  const Value& values = header.constants;
  for (const Value& writer : values.Find("Writers")->AsItems()) {
    constants.writers.push_back(writer.AsString());
  }
  constants.max_offset = values.Find("MaxOffset")->AsInt();
  constants.max_batch = values.Find("MaxBatch")->AsInt();
  const std::vector<std::string_view> names(header.dialect.begin(), header.dialect.end());
  constants.dialect = *log::DialectFromNames(names);
  if (const Value* ranges = values.Find("Ranges")) {
    for (const Value& range : ranges->AsItems()) {
      constants.ranges.push_back({range.Find("start")->AsInt(), range.Find("end")->AsInt()});
    }
  } else {
    constants.ranges = {
        {values.Find("CompactRangeStart")->AsInt(), values.Find("CompactRangeEnd")->AsInt()},
        {values.Find("CompactRange2Start")->AsInt(), values.Find("CompactRange2End")->AsInt()}};
  }
  return constants;
}

log::Action ActionOf(const traces::Step& step, const log::Constants& constants) {
  log::Action action;
  action.kind = *log::ActionKindFromName(*step.action);
  for (const auto& [name, value] : step.parameters.AsFields()) {
    if (name == "w") {
      const auto at = std::ranges::find(constants.writers, value.AsString());
      action.writer = static_cast<log::WriterIndex>(at - constants.writers.begin());
    } else {
      action.number = value.AsInt();
    }
  }
  return action;
}

/// A value with the fields of its records in order: a machine with its writers in another order
/// says the same in another order.
Value Sorted(const Value& value) {
  if (value.kind() != Value::Kind::kRecord) return value;
  std::map<std::string, Value> fields;
  for (const auto& [name, field] : value.AsFields()) fields.emplace(name, Sorted(field));
  return Value::RecordOf({fields.begin(), fields.end()});
}

class EveryTrace : public ::testing::TestWithParam<Scenario> {};
INSTANTIATE_TEST_SUITE_P(LogTrace, EveryTrace, ::testing::ValuesIn(AllScenarios()),
                         NameOfParameter());

TEST_P(EveryTrace, IsABehaviorOfTheMachine) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RunSpec spec = TracedSpecOf(GetParam(), seed);
    spec.max_steps = 300;  // Long enough for every action, short enough for whole states.
    const RunResult run = RunOf(spec);
    if (run.failure) continue;  // The canary.
    const log::Constants constants = ConstantsOf(run.trace->header);
    const log::Machine machine(constants);
    log::State state = machine.Init();
    traces::StateRebuilder rebuilt(run.trace->header.initial);
    log::Changes changes;
    for (const traces::Step& step : run.trace->steps) {
      if (step.action) {
        const log::Action action = ActionOf(step, constants);
        ASSERT_TRUE(machine.Enabled(state, action)) << seed << ", step " << step.number;
        machine.Apply(state, action, changes);
        ASSERT_EQ(Sorted(step.changed), Sorted(machine.ChangedToValue(state, changes)));
      }
      ASSERT_EQ(rebuilt.Apply(step.changed), std::nullopt) << seed << ", step " << step.number;
    }
    ASSERT_EQ(Sorted(rebuilt.state()), Sorted(machine.ToValue(state, constants.max_offset)))
        << "seed " << seed;
  }
}

TEST_P(EveryTrace, CountsItsStepsAndNeverGoesBackInTime) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RunResult run = RunOf(TracedSpecOf(GetParam(), seed));
    std::int64_t number = 0;
    std::int64_t time = 0;
    for (const traces::Step& step : run.trace->steps) {
      ASSERT_EQ(step.number, ++number);
      ASSERT_GE(step.time, time);
      time = step.time;
    }
  }
}

TEST_P(EveryTrace, NamesWhoeverActs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RunResult run = RunOf(TracedSpecOf(GetParam(), seed));
    for (const traces::Step& step : run.trace->steps) {
      const std::string& kind = step.event.Find("kind")->AsString();
      const bool of_the_store = kind == "unavailable" || kind == "session_end";
      const bool of_the_world = kind == "heal" || kind == "end";
      if (of_the_store) {
        ASSERT_EQ(step.node, "store");
      } else if (of_the_world) {
        ASSERT_EQ(step.node, "world");
      } else {
        ASSERT_THAT(step.node, ::testing::MatchesRegex("[wrcf][1-9]"));
      }
    }
  }
}

TEST_P(EveryTrace, EndsWithItsVerdict) {
  const RunResult run = RunOf(TracedSpecOf(GetParam(), 1));
  ASSERT_EQ(run.verdict, invariants::Verdict::kHolds);
  EXPECT_EQ(run.trace->footer.verdict, "holds");
  EXPECT_FALSE(run.trace->footer.violation.has_value());
  EXPECT_EQ(run.trace->steps.back().event.ToJson(), R"({"kind":"end"})");
  EXPECT_EQ(run.trace->schedule, run.schedule);
}

}  // namespace
}  // namespace lockstep::scenarios
