// Goal: TLC gives the verdict that the trace has. Method: export small hand-made traces onto the
// leaderless log's own module and start TLC on them; skipped where there is no TLC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "traces/file_io.h"
#include "traces/test_support.h"
#include "traces/tla_trace_exporter.h"

namespace lockstep::traces {
namespace {

using sim::Value;
using ::testing::HasSubstr;

class TlcReplay : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = WhyNoTlc()) GTEST_SKIP() << *why;
  }

  static CommandResult Replay(const Trace& trace, TlaMode mode,
                              const std::string& spec_folder = LogSpecFolder()) {
    const TemporaryFolder folder;
    const ExportResult result = ExportForTlc(trace, {"test", mode});
    if (const auto* error = std::get_if<ExportError>(&result)) return {-1, error->problem};
    for (const ExportedFile& file : std::get<0>(result)) {
      const auto error = WriteFileAtomically(folder.path() + "/" + file.name, file.bytes);
      if (error) return {-1, *error};
    }
    return RunCommand(TlcCommand({.id = "test",
                                  .folder = folder.path(),
                                  .spec_folder = spec_folder,
                                  .jar = "",
                                  .meta_folder = ""}));
  }
};

TEST_F(TlcReplay, RefusesACorruptedStepAndNamesThePrefixBeforeIt) {
  Trace trace = SampleTrace();
  // Step 6 is the fifth that is no stutter; its counter is wrong now.
  for (auto& [name, value] : trace.steps[5].changed.MutableFields()) {
    if (name == "sequenceCounter") value = Value::Int(4);
  }
  const CommandResult result = Replay(trace, TlaMode::kConform);
  EXPECT_EQ(result.exit_code, 10) << result.output;
  EXPECT_THAT(result.output, HasSubstr("replay: longest accepted prefix\", 4, \"of\", 10"));
  EXPECT_THAT(result.output, HasSubstr("replay: refused at step\", 6, \"AssignOffset\""));
}

TEST_F(TlcReplay, RefusesAStepThatIsAnotherActionThanTheRecordedOne) {
  Trace trace = SampleTrace();
  trace.steps[4].action = "WALWriteSuccess";
  const CommandResult result = Replay(trace, TlaMode::kConform);
  EXPECT_EQ(result.exit_code, 10) << result.output;
  EXPECT_THAT(result.output, HasSubstr("replay: refused at step\", 5, \"WALWriteSuccess\""));
}

TEST_F(TlcReplay, RefusesAWrongInitialState) {
  Trace trace = SampleTrace();
  trace.header.initial.MutableFields()[1].second = Value::Int(2);
  const CommandResult result = Replay(trace, TlaMode::kConform);
  EXPECT_EQ(result.exit_code, 10) << result.output;
  EXPECT_THAT(result.output, HasSubstr("replay: the initial state is refused"));
}

TEST_F(TlcReplay, RefusesWhatNoActionExplains) {
  const CommandResult result = Replay(OverlappingTrace(), TlaMode::kConform);
  EXPECT_EQ(result.exit_code, 10) << result.output;
  EXPECT_THAT(result.output, HasSubstr("replay: longest accepted prefix\", 5, \"of\", 6"));
  EXPECT_THAT(result.output,
              HasSubstr("refused at step\", 7, \"a change that no action explains\""));
}

// TLC is asked, not told: a change that some action does explain is accepted.
TEST_F(TlcReplay, JudgesAChangeWithoutAnActionByTheModule) {
  Trace trace = OverlappingTrace();
  trace.footer.violation->observed = Record({{"logState", Text("FENCED")}});
  const CommandResult fenced = Replay(trace, TlaMode::kConform);
  EXPECT_EQ(fenced.exit_code, 0) << fenced.output;
  trace.footer.violation->observed = Record({{"logState", Text("OPEN")}});
  const CommandResult nothing = Replay(trace, TlaMode::kConform);
  EXPECT_EQ(nothing.exit_code, 10) << nothing.output;
}

TEST_F(TlcReplay, NamesTheInvariantThatAnObservedStateBreaks) {
  const CommandResult result = Replay(OverlappingTrace(), TlaMode::kObserve);
  EXPECT_EQ(result.exit_code, 12) << result.output;
  EXPECT_THAT(result.output, HasSubstr("Invariant NoOverlappingRanges is violated"));
}

TEST_F(TlcReplay, AcceptsAGoodTraceInBothModes) {
  for (const TlaMode mode : {TlaMode::kConform, TlaMode::kObserve}) {
    const CommandResult result = Replay(SampleTrace(), mode);
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("11 states generated, 11 distinct states found"));
  }
}

// A dialect's module calls the action otherwise, and has a constant that a .cfg cannot write.
TEST_F(TlcReplay, AcceptsADialectAndRefusesItsCorruptedStep) {
  Trace trace = CompactingTrace();
  const CommandResult good = Replay(trace, TlaMode::kConform);
  EXPECT_EQ(good.exit_code, 0) << good.output;
  EXPECT_THAT(good.output, HasSubstr("11 states generated, 11 distinct states found"));
  trace.steps.back().changed = Record({{"compactorState", Text("IDLE")}});
  const CommandResult bad = Replay(trace, TlaMode::kConform);
  EXPECT_EQ(bad.exit_code, 10) << bad.output;
  EXPECT_THAT(bad.output, HasSubstr("replay: refused at step\", 11, \"CompactReset\""));
}

// Sets travel as arrays: in variables, inside functions and as arguments.
TEST_F(TlcReplay, TurnsArraysBackIntoSets) {
  const TemporaryFolder folder;
  constexpr std::string_view kModule = R"(---- MODULE Toy ----
EXTENDS Integers
VARIABLES pending, owned
Init == pending = {} /\ owned = [n \in {"n1", "n2"} |-> {}]
Send(xs) == pending' = pending \cup xs /\ UNCHANGED owned
Take(n) == \E x \in pending : /\ pending' = pending \ {x}
                              /\ owned' = [owned EXCEPT ![n] = @ \cup {x}]
Next == (\E xs \in SUBSET (1..3) : Send(xs)) \/ (\E n \in {"n1", "n2"} : Take(n))
====
)";
  ASSERT_EQ(WriteFileAtomically(folder.path() + "/Toy.tla", kModule), std::nullopt);
  Trace trace = ToyTrace();
  const CommandResult good = Replay(trace, TlaMode::kConform, folder.path());
  EXPECT_EQ(good.exit_code, 0) << good.output;
  trace.steps.back().changed = Record({{"pending", Value::SetOf({})}});
  const CommandResult bad = Replay(trace, TlaMode::kConform, folder.path());
  EXPECT_EQ(bad.exit_code, 10) << bad.output;
  EXPECT_THAT(bad.output, HasSubstr("replay: refused at step\", 2, \"Take\""));
}

}  // namespace
}  // namespace lockstep::traces
