#include "traces/trace_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "traces/file_io.h"
#include "traces/test_support.h"
#include "traces/trace_digest.h"
#include "traces/trace_generators.h"
#include "traces/trace_reader.h"

namespace lockstep::traces {
namespace {

TEST(TraceDigest, ChangesWithAnyPart) {
  const std::string digest = TraceDigest(SampleTrace());
  Trace step = SampleTrace();
  step.steps.back().time += 1;
  EXPECT_NE(TraceDigest(step), digest);
  Trace schedule = SampleTrace();
  schedule.schedule.back().value = 0;
  EXPECT_NE(TraceDigest(schedule), digest);
  Trace verdict = SampleTrace();
  verdict.footer.verdict = "inconclusive";
  EXPECT_NE(TraceDigest(verdict), digest);
}

TEST(TraceDigest, StandsInTheFooterAndCoversAllBytesBeforeIt) {
  const std::string bytes = WriteTrace(SampleTrace());
  EXPECT_EQ(DigestOfWritten(bytes), TraceDigest(SampleTrace()));
  const std::string before = bytes.substr(0, bytes.size() - kDigestSize - kFooterEnd.size());
  EXPECT_EQ(Digest(before), TraceDigest(SampleTrace()));
}

TEST(WriteTrace, IsGolden) {
  EXPECT_EQ(CompareWithGolden({"log_sample.trace", WriteTrace(SampleTrace())}), std::nullopt);
  EXPECT_EQ(CompareWithGolden({"log_overlapping.trace", WriteTrace(OverlappingTrace())}),
            std::nullopt);
}

// The fenced blocks of README.md are named after the golden file whose lines they show.
TEST(Readme, ShowsLinesOfTheGoldenFiles) {
  const std::string folder = std::string(LOCKSTEP_SOURCE_DIR) + "/traces/";
  std::istringstream readme(std::get<std::string>(ReadFileBytes(folder + "README.md")));
  std::string golden;
  int lines = 0;
  for (std::string line; std::getline(readme, line);) {
    if (line == "```") {
      golden.clear();
    } else if (line.starts_with("```")) {
      golden = "\n" + std::get<std::string>(ReadFileBytes(folder + "golden/" + line.substr(3)));
    } else if (!golden.empty()) {
      EXPECT_NE(golden.find("\n" + line + "\n"), golden.npos) << line;
      ++lines;
    }
  }
  EXPECT_GT(lines, 10);
}

TEST(WriteTrace, TakesADefaultValueForAnEmptyRecord) {
  Trace trace = SampleTrace();
  trace.steps[0].parameters = sim::Value();
  trace.steps[0].changed = sim::Value();
  EXPECT_EQ(WriteTrace(trace), WriteTrace(SampleTrace()));
}

TEST(WriteTraceDeathTest, StopsAtAParameterCalledName) {
  Trace trace = SampleTrace();
  trace.steps[1].parameters = Record({{"name", sim::Value::Int(1)}});
  EXPECT_EXIT(WriteTrace(trace), ::testing::ExitedWithCode(1), "a parameter cannot be called name");
}

void AssertEqual(const ViolationRecord& a, const ViolationRecord& b) {
  RC_ASSERT(a.property == b.property && a.kind == b.kind && a.step == b.step);
  RC_ASSERT(a.action == b.action && a.message == b.message);
  RC_ASSERT(a.expected == b.expected && a.actual == b.actual);
  RC_ASSERT(a.enabled == b.enabled && a.observed == b.observed);
}

void AssertEqual(const Step& a, const Step& b) {
  RC_ASSERT(a.number == b.number && a.time == b.time && a.node == b.node);
  RC_ASSERT(a.event == b.event && a.action == b.action);
  RC_ASSERT(a.parameters == b.parameters && a.changed == b.changed);
}

void AssertEqual(const Header& a, const Header& b) {
  RC_ASSERT(a.lockstep_version == b.lockstep_version && a.scenario == b.scenario);
  RC_ASSERT(a.seed == b.seed && a.mutant == b.mutant && a.strategy == b.strategy);
  RC_ASSERT(a.max_steps == b.max_steps && a.faults == b.faults);
  RC_ASSERT(a.spec == b.spec && a.dialect == b.dialect && a.tla_module == b.tla_module);
  RC_ASSERT(a.tla_next == b.tla_next && a.tla_init == b.tla_init);
  RC_ASSERT(a.invariants == b.invariants && a.actions.size() == b.actions.size());
  for (std::size_t i = 0; i < a.actions.size(); ++i) {
    RC_ASSERT(a.actions[i].name == b.actions[i].name);
    RC_ASSERT(a.actions[i].arguments == b.actions[i].arguments);
    RC_ASSERT(a.actions[i].tla_operator == b.actions[i].tla_operator);
  }
  RC_ASSERT(a.constants == b.constants && a.initial == b.initial);
}

RC_GTEST_PROP(WriteTrace, IsReadBackAsTheSame, ()) {
  const Trace trace = *TraceGen();
  const std::string bytes = WriteTrace(trace);
  const auto result = ReadTrace(bytes, "f");
  if (const auto* error = std::get_if<ReadError>(&result)) RC_FAIL(error->ToString());
  const Trace& read = std::get<Trace>(result);
  AssertEqual(read.header, trace.header);
  RC_ASSERT(read.steps.size() == trace.steps.size());
  for (std::size_t i = 0; i < read.steps.size(); ++i) AssertEqual(read.steps[i], trace.steps[i]);
  RC_ASSERT(read.schedule == trace.schedule);
  RC_ASSERT(read.footer.verdict == trace.footer.verdict);
  RC_ASSERT(read.footer.violation.has_value() == trace.footer.violation.has_value());
  if (trace.footer.violation) AssertEqual(*read.footer.violation, *trace.footer.violation);
  RC_ASSERT(WriteTrace(read) == bytes);
}

}  // namespace
}  // namespace lockstep::traces
