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

  static CommandResult Replay(const Trace& trace, TlaMode mode) {
    const TemporaryFolder folder;
    const ExportResult result = ExportForTlc(trace, {"test", mode});
    if (const auto* error = std::get_if<ExportError>(&result)) return {-1, error->problem};
    for (const ExportedFile& file : std::get<0>(result)) {
      const auto error = WriteFileAtomically(folder.path() + "/" + file.name, file.bytes);
      if (error) return {-1, *error};
    }
    return RunCommand(TlcCommand({.id = "test",
                                  .folder = folder.path(),
                                  .spec_folder = LogSpecFolder(),
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

}  // namespace
}  // namespace lockstep::traces
