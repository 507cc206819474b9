// Goal: TLC and lockstep give the same verdict on the same run. Method: record runs of every
// scenario and every mutant, export them and let TLC replay them on the spec's own module. TLC must
// accept a run whose every step we took for a step of the spec, and must refuse exactly the step
// that we refused. (A broken promise that the module does not know, about bytes say, is none of
// TLC's business: there it accepts, and we say so by an empty Failure::conformance.)
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <variant>

#include "scenarios/scenario.h"
#include "traces/file_io.h"
#include "traces/test_support.h"
#include "traces/tla_trace_exporter.h"

namespace lockstep::scenarios {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string_view scenario;
  std::string_view mutant;  // empty = the correct nodes
};

RunResult Record(const Case& which, std::uint64_t seed) {
  RunSpec spec;
  spec.scenario = FindScenario(which.scenario);
  if (!which.mutant.empty()) spec.mutant = FindMutant(which.mutant);
  spec.seed = seed;
  spec.record_trace = true;
  return Run(spec);
}

traces::CommandResult ReplayInTlc(const traces::Trace& trace, const std::string& spec_folder) {
  const traces::TemporaryFolder folder;
  const traces::ExportResult result =
      traces::ExportForTlc(trace, {"agreement", traces::TlaMode::kConform});
  if (const auto* error = std::get_if<traces::ExportError>(&result)) return {-1, error->problem};
  for (const traces::ExportedFile& file : std::get<0>(result)) {
    const auto error = traces::WriteFileAtomically(folder.path() + "/" + file.name, file.bytes);
    if (error) return {-1, *error};
  }
  return traces::RunCommand(traces::TlcCommand({.id = "agreement",
                                                .folder = folder.path(),
                                                .spec_folder = spec_folder,
                                                .jar = "",
                                                .meta_folder = ""}));
}

void ExpectTheSameVerdict(const RunResult& run, const std::string& spec_folder) {
  const traces::CommandResult tlc = ReplayInTlc(*run.trace, spec_folder);
  if (!run.failure || !run.failure->conformance) {
    EXPECT_EQ(tlc.exit_code, 0) << tlc.output;
    return;
  }
  EXPECT_EQ(tlc.exit_code, 10) << tlc.output;
  EXPECT_THAT(tlc.output, HasSubstr(fmt::format("refused at step\", {},", run.failure->step)));
}

class TlcAgreement : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (const auto why = traces::WhyNoTlc()) GTEST_SKIP() << *why;
  }
};

TEST_P(TlcAgreement, OnARun) {
  // A mutant's defect does not show in every run; take the first in which it does.
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const RunResult run = Record(GetParam(), seed);
    if (!GetParam().mutant.empty() && !run.failure) continue;
    EXPECT_EQ(run.failure.has_value(), !GetParam().mutant.empty());
    ExpectTheSameVerdict(run, traces::LogSpecFolder());
    return;
  }
  FAIL() << "no failing run in 200 seeds";
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const Scenario& scenario : AllScenarios()) {
    if (scenario.expectation == invariants::Verdict::kHolds) cases.push_back({scenario.name, {}});
  }
  for (const Mutant& mutant : AllMutants()) cases.push_back({mutant.scenario, mutant.name});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Runs, TlcAgreement, ::testing::ValuesIn(Cases()), [](const auto& which) {
  return fmt::format("{}{}{}", which.param.scenario, which.param.mutant.empty() ? "" : "_",
                     which.param.mutant);
});

// The exported module asks nothing of our module that upstream's has not.
TEST(TlcAgreementUpstream, OnUpstreamsOwnModule) {
  if (const auto why = traces::WhyNoTlc()) GTEST_SKIP() << *why;
  const char* folder = std::getenv("LOCKSTEP_UPSTREAM_TLAPLUS");
  if (folder == nullptr) {
    GTEST_SKIP() << "LOCKSTEP_UPSTREAM_TLAPLUS does not name a folder with upstream's "
                    "LeaderlessLog.tla";
  }
  for (const std::string_view scenario : {"log_small", "log_medium"}) {
    ExpectTheSameVerdict(Record({scenario, {}}, 3), folder);
    ExpectTheSameVerdict(Record({scenario, "pointer_before_data"}, 3), folder);
  }
}

}  // namespace
}  // namespace lockstep::scenarios
