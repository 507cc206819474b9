// Goal: a machine's trace says what the machine does, and only such a trace is accepted. Method:
// change a good one in one place and see it refused; take random walks there and back; let TLC
// judge counterexamples of the dialects.
#include "scenarios/exhaust/machine_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/leads_to.h"
#include "scenarios/exhaust/model_catalog.h"
#include "scenarios/exhaust/toy_model_for_tests.h"
#include "sim/choice/seeded_choices.h"
#include "traces/file_io.h"
#include "traces/test_support.h"
#include "traces/tla_trace_exporter.h"
#include "traces/trace_reader.h"
#include "traces/trace_writer.h"

namespace lockstep::scenarios {
namespace {

using invariants::Verdict;
using sim::Value;
using ::testing::HasSubstr;

struct Asked {
  std::string protocol;
  std::string config = "small";
  std::vector<std::string> dialects{};
};

LoadedModel Load(const Asked& asked) {
  ModelRequest request;
  request.protocol = asked.protocol;
  request.config = asked.config;
  request.dialects = asked.dialects;
  auto loaded = LoadModel(request);
  const auto* problem = std::get_if<std::string>(&loaded);
  EXPECT_EQ(problem, nullptr) << *problem;
  return std::move(std::get<LoadedModel>(loaded));
}

traces::Trace TraceOf(const LoadedModel& loaded, const StateTrace& states,
                      const MachineFinding& finding) {
  traces::Header header = loaded.header;
  header.lockstep_version = "0";
  header.scenario = kExhaustScenario;
  header.seed = "0x0";
  header.strategy = kExhaustScenario;
  return MachineTrace(*loaded.model, std::move(header), states, loaded.values(states), finding);
}

/// The first counterexample that a search meets.
traces::Trace Counterexample(const LoadedModel& loaded) {
  SerialExecutor serial;
  const ExploreResult explored = Explore(*loaded.model, {}, serial);
  for (std::size_t i = 0; i < explored.invariants.size(); ++i) {
    if (explored.invariants[i].verdict != Verdict::kViolated) continue;
    const std::string name(loaded.model->invariants()[i].name);
    return TraceOf(loaded, explored.invariants[i].trace, {name, "safety", "in the last state"});
  }
  ADD_FAILURE() << "every invariant holds";
  return {};
}

/// scan, lock, crash, recover: LockConsistency is broken.
traces::Trace RecoveryWithLock() {
  return Counterexample(Load({"task_claiming", "small", {"recover_markdown"}}));
}

/// What the machine of the trace's own header says of it: nothing, or a line.
std::string Refusal(const traces::Trace& trace) {
  const auto loaded = ModelOfTrace(trace);
  if (const auto* problem = std::get_if<std::string>(&loaded)) return *problem;
  const auto again = ReplayOnMachine(*std::get<LoadedModel>(loaded).model, trace);
  if (const auto* problem = std::get_if<std::string>(&again)) return *problem;
  EXPECT_EQ(traces::WriteTrace(std::get<traces::Trace>(again)), traces::WriteTrace(trace));
  return {};
}

TEST(MachineTrace, RejectsAStepThatIsNoneOfTheMachine) {
  traces::Trace trace = RecoveryWithLock();
  ASSERT_EQ(trace.steps.size(), 4U);
  ASSERT_EQ(Refusal(trace), "");
  traces::Trace other = trace;
  other.steps[2].action = "UnlockTask";
  EXPECT_EQ(Refusal(other),
            "step 3: UnlockTask with what it changes is no step of the machine here");
  other = trace;
  other.steps[1].parameters = traces::Record({{"w", traces::Text("w2")}});
  EXPECT_THAT(Refusal(other), HasSubstr("step 2: TryLockSuccess"));
  other = trace;
  other.steps.erase(other.steps.begin() + 1);
  EXPECT_THAT(Refusal(other), HasSubstr("holds in the last state"));
}

TEST(MachineTrace, RejectsAWrongChange) {
  const traces::Trace trace = RecoveryWithLock();
  traces::Trace other = trace;
  other.steps[2].changed =
      traces::Record({{"workerAlive", traces::Record({{"w1", Value::Bool(true)}})}});
  EXPECT_THAT(Refusal(other), HasSubstr("step 3: WorkerCrash"));
  other = trace;
  other.steps[2].changed = Value::RecordOf({});
  EXPECT_THAT(Refusal(other), HasSubstr("step 3: WorkerCrash"));
  other = trace;
  other.steps[3].action.reset();
  EXPECT_THAT(Refusal(other), HasSubstr("step 4: a step without an action"));
}

TEST(MachineTrace, RejectsAnotherInitialState) {
  traces::Trace trace = RecoveryWithLock();
  for (auto& [name, value] : trace.header.initial.MutableFields()) {
    if (name == "lockVersion") value = Value::Int(7);
  }
  EXPECT_EQ(Refusal(trace), "the initial state is not the machine's");
}

TEST(MachineTrace, RejectsWhatTheEndDoesNotShow) {
  const traces::Trace trace = RecoveryWithLock();
  traces::Trace other = trace;
  other.footer.violation->property = "MutualExclusion";
  EXPECT_EQ(Refusal(other), "MutualExclusion holds in the last state");
  other.footer.violation->property = "NoSuchProperty";
  EXPECT_EQ(Refusal(other), "NoSuchProperty holds in the last state");
  other.footer.violation->property = "Deadlock";
  EXPECT_THAT(Refusal(other), HasSubstr("is enabled in the last state"));
  other.footer.violation->kind = "liveness";
  EXPECT_EQ(Refusal(other), "Deadlock is not begun, or is answered, at the end");
  other.footer.violation->kind = "conformance";
  EXPECT_THAT(Refusal(other), HasSubstr("no violation of the kind \"conformance\""));
  other = trace;
  other.steps.pop_back();
  EXPECT_EQ(Refusal(other), "LockConsistency holds in the last state");
  other = trace;
  other.header.dialect.clear();
  EXPECT_THAT(Refusal(other), HasSubstr("step 4: WorkerRecover"))
      << "upstream's WorkerRecover waits for the session's end";
}

TEST(MachineTrace, RejectsStepsBehindTheConstraint) {
  traces::Trace trace =
      Counterexample(Load({"task_claiming", "small_quotient", {"live_session_expiry"}}));
  ASSERT_EQ(trace.steps.size(), 5U);
  const auto with_bound = [&trace](std::int64_t bound) {
    for (auto& [name, value] : trace.header.constants.MutableFields()) {
      if (name == "MaxLockVersion") value = Value::Int(bound);
    }
    return Refusal(trace);
  };
  EXPECT_EQ(with_bound(2), "") << "it may end beyond the constraint";
  EXPECT_EQ(with_bound(1), "step 3: the state before it is beyond the constraint");
}

TEST(MachineTrace, RejectsALeadsToPropertyThatIsAnswered) {
  const LoadedModel loaded = Load({"leaderless_log"});
  SerialExecutor serial;
  const ExploreResult explored = Explore(*loaded.model, {}, serial);
  LeadsToOptions options;
  options.overrides = {{"AssignOffset", FairnessKind::kNone}};
  const auto results = CheckLeadsTo(*loaded.model, explored, options, serial);
  ASSERT_EQ(results.front().verdict, Verdict::kViolated);
  const StateTrace lasso = JoinLasso(results.front().prefix, results.front().cycle);
  const traces::Trace trace = TraceOf(loaded, lasso, {"AppendProgress", "liveness", "waits"});
  EXPECT_EQ(Refusal(trace), "");
  traces::Trace other = trace;
  other.footer.violation->property = "CompactionCompletes";
  EXPECT_EQ(Refusal(other), "CompactionCompletes is not begun, or is answered, at the end");
  other = trace;
  other.steps.clear();
  EXPECT_EQ(Refusal(other), "AppendProgress is not begun, or is answered, at the end");
}

TEST(MachineTrace, ADifferenceHasTheChangedPointsAlone) {
  const auto before =
      traces::Record({{"f", traces::Record({{"a", Value::Int(1)}, {"b", Value::Int(2)}})},
                      {"s", Value::SeqOf({Value::Int(1), Value::Int(2)})},
                      {"set", Value::SetOf({Value::Int(1)})},
                      {"n", Value::Int(1)}});
  EXPECT_EQ(StateDifference(before, before), Value::RecordOf({}));
  const auto after =
      traces::Record({{"f", traces::Record({{"a", Value::Int(1)}, {"b", Value::Int(3)}})},
                      {"s", Value::SeqOf({Value::Int(4), Value::Int(2)})},
                      {"set", Value::SetOf({Value::Int(2)})},
                      {"n", Value::Int(2)}});
  EXPECT_EQ(StateDifference(before, after).ToJson(),
            R"({"f":{"b":3},"s":{"1":4},"set":{"#set":[2]},"n":2})");
  const auto longer = traces::Record({{"f", traces::Record({{"a", Value::Int(1)}})},
                                      {"s", Value::SeqOf({Value::Int(1)})},
                                      {"set", Value::SetOf({Value::Int(1)})},
                                      {"n", Value::Int(1)}});
  EXPECT_EQ(StateDifference(before, longer).ToJson(), R"({"f":{"a":1},"s":[1]})")
      << "another domain: the whole value";
}

TEST(MachineTrace, WalksComeBackByteForByte) {
  const std::vector<Asked> all = {
      {"leaderless_log", "small"},
      {"leaderless_log", "medium"},
      {"leaderless_log", "small", {"compaction_resume", "end_boundary_guard"}},
      {"leaderless_log", "small", {"rounds"}},
      {"task_claiming", "small3"},
      {"task_claiming", "four_quotient"},
      {"task_claiming", "small", {"live_session_expiry", "recover_markdown"}},
  };
  for (const Asked& asked : all) {
    const LoadedModel loaded = Load(asked);
    const auto machine = loaded.new_walk_machine();
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      sim::SeededChoices choices(seed);
      StateTrace states;
      (void)WalkOnce(*machine, choices, 60, &states);
      const traces::Trace trace = TraceOf(loaded, states, {});
      const std::string bytes = traces::WriteTrace(trace);
      const auto read = traces::ReadTrace(bytes, "walk");
      ASSERT_TRUE(std::holds_alternative<traces::Trace>(read))
          << std::get<traces::ReadError>(read).ToString();
      ASSERT_EQ(Refusal(std::get<traces::Trace>(read)), "") << asked.config << " seed " << seed;
    }
  }
}

// Of a quotient, a trace has the lock versions that the machine would give.
TEST(MachineTrace, AQuotientsTraceIsOneOfTheMachine) {
  const auto loaded = Load({"task_claiming", "small_quotient", {"live_session_expiry"}});
  const traces::Trace trace = Counterexample(loaded);
  EXPECT_EQ(trace.footer.violation->property, "MutualExclusion");
  EXPECT_EQ(trace.steps.size(), 5U);
  EXPECT_EQ(Refusal(trace), "");
  EXPECT_EQ(trace.steps[4].changed.Find("lockVersion")->AsInt(), 3);
}

class MachineTraceInTlc : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = traces::WhyNoTlc()) GTEST_SKIP() << *why;
  }

  static traces::CommandResult Replay(const traces::Trace& trace, traces::TlaMode mode,
                                      const std::string& protocol) {
    const traces::TemporaryFolder folder;
    const traces::ExportResult result = traces::ExportForTlc(trace, {"machine", mode});
    if (const auto* error = std::get_if<traces::ExportError>(&result)) return {-1, error->problem};
    for (const traces::ExportedFile& file : std::get<0>(result)) {
      const auto error = traces::WriteFileAtomically(folder.path() + "/" + file.name, file.bytes);
      if (error) return {-1, *error};
    }
    return traces::RunCommand(
        traces::TlcCommand({.id = "machine",
                            .folder = folder.path(),
                            .spec_folder = traces::LogSpecFolder() + "/../" + protocol,
                            .jar = "",
                            .meta_folder = ""}));
  }
};

TEST_F(MachineTraceInTlc, RefusesAChangedStep) {
  traces::Trace trace = RecoveryWithLock();
  trace.steps[2].changed =
      traces::Record({{"workerState", traces::Record({{"w1", traces::Text("IDLE")}})}});
  const auto result = Replay(trace, traces::TlaMode::kConform, "task_claiming");
  EXPECT_EQ(result.exit_code, 10) << result.output;
  EXPECT_THAT(result.output, HasSubstr("refused at step\", 3, \"WorkerCrash\""));
}

TEST_F(MachineTraceInTlc, FindsTheSameInvariantBrokenUnderADialect) {
  struct Fact {
    std::string protocol;
    std::string dialect;
    std::string invariant;
  };
  for (const auto& [protocol, dialect, invariant] :
       {Fact{"task_claiming", "recover_markdown", "LockConsistency"},
        Fact{"task_claiming", "live_session_expiry", "MutualExclusion"},
        Fact{"leaderless_log", "overlap_markdown", "NoOverlappingRangesMarkdown"}}) {
    const traces::Trace trace = Counterexample(Load({protocol, "small", {dialect}}));
    const auto result = Replay(trace, traces::TlaMode::kConform, protocol);
    EXPECT_EQ(result.exit_code, 12) << result.output;
    EXPECT_THAT(result.output, HasSubstr("Invariant " + invariant + " is violated"));
  }
}

TEST_F(MachineTraceInTlc, AcceptsAWalkUnderDialects) {
  const LoadedModel loaded =
      Load({"leaderless_log", "small", {"compaction_resume", "end_boundary_guard"}});
  sim::SeededChoices choices(3);
  StateTrace states;
  (void)WalkOnce(*loaded.new_walk_machine(), choices, 60, &states);
  const auto result =
      Replay(TraceOf(loaded, states, {}), traces::TlaMode::kConform, "leaderless_log");
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

}  // namespace
}  // namespace lockstep::scenarios
