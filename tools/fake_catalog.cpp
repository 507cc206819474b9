#include "tools/fake_catalog.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "sim/base/check.h"
#include "tools/numbers.h"
#include "tools/options.h"

namespace lockstep::tools {
namespace {

using scenarios::Mutant;
using scenarios::RunResult;
using scenarios::RunSpec;
using scenarios::Scenario;
using sim::Value;

constexpr std::string_view kVersion = "9.9.9";

void Fail(RunResult& result, std::string_view property, invariants::PropertyKind kind) {
  result.verdict = invariants::Verdict::kViolated;
  scenarios::Failure failure;
  failure.violation.property = property;
  failure.violation.kind = kind;
  failure.violation.message = "ten is not allowed";
  failure.violation.expected = Value::RecordOf({{"x", Value::Int(1)}, {"y", Value::Int(2)}});
  failure.violation.actual = Value::RecordOf({{"x", Value::Int(10)}, {"y", Value::Int(2)}});
  failure.step = 2;
  failure.action = "Step(a)";
  failure.enabled = {"Step(a)", "Rest"};
  failure.recent = {"    1 Rest", "    2 Step(a)"};
  result.failure = failure;
}

// Two decisions: drawn from the seed, or followed.
void Decide(const RunSpec& spec, RunResult& result) {
  result.schedule = {{sim::ChoiceKind::kEvent, 1000, static_cast<std::uint32_t>(spec.seed % 1000)},
                     {sim::ChoiceKind::kNode, 3, 1}};
  if (spec.schedule == nullptr) return;
  if (spec.schedule->size() != 2 || spec.schedule->at(0).bound != 1000) {
    result.divergence = "decision 1: something else";
    return;
  }
  result.schedule = *spec.schedule;
}

traces::Trace TraceOf(const RunSpec& spec, const RunResult& result) {
  traces::Trace trace;
  traces::Header& header = trace.header;
  header.lockstep_version = kVersion;
  header.scenario = spec.scenario->name;
  header.seed = SeedText(spec.seed);
  if (spec.mutant != nullptr) header.mutant = spec.mutant->name;
  header.strategy = spec.strategy;
  header.max_steps = spec.max_steps;
  if (spec.faults == sim::FaultSet::All()) {
    header.faults = {"all"};
  } else {
    for (const sim::FaultInfo& info : sim::FaultTable()) {
      if (spec.faults.Has(info.kind)) header.faults.emplace_back(info.name);
    }
  }
  header.spec = "Fake";
  header.tla_module = "Fake";
  header.tla_next = "Next";
  header.tla_init = "Init";
  header.actions = {{.name = "Step", .arguments = {}}};
  header.constants = Value::RecordOf({});
  header.initial = Value::RecordOf({{"x", Value::Int(0)}});
  for (std::int64_t number = 1; number <= 2; ++number) {
    traces::Step step;
    step.number = number;
    step.time = number * 5;
    step.node = "a";
    step.event = Value::RecordOf({{"kind", Value::String("apply")}});
    step.action = "Step";
    const auto decided = static_cast<std::int64_t>(result.schedule.front().value);
    step.changed = Value::RecordOf({{"x", Value::Int(number + decided)}});
    trace.steps.push_back(step);
  }
  trace.schedule = result.schedule;
  trace.footer.verdict = invariants::VerdictName(result.verdict);
  if (result.failure) {
    traces::ViolationRecord violation;
    violation.property = result.failure->violation.property;
    violation.kind = invariants::PropertyKindName(result.failure->violation.kind);
    violation.step = result.failure->step;
    violation.action = "Step";
    violation.message = result.failure->violation.message;
    violation.expected = result.failure->violation.expected;
    violation.actual = result.failure->violation.actual;
    trace.footer.violation = violation;
  }
  return trace;
}

RunResult Base(const RunSpec& spec) {
  RunResult result;
  result.seed = spec.seed;
  result.steps = spec.max_steps == 0 ? 10 : spec.max_steps;
  result.plan = "delay/12";
  result.coverage.actions = {2, 1};
  result.coverage.reached = {spec.seed % 3 == 0 ? 1U : 0U};
  result.coverage.faults[0] = spec.seed % 2;
  result.coverage.states = {spec.seed % 7, 100};
  Decide(spec, result);
  return result;
}

RunResult Recorded(const RunSpec& spec, RunResult result) {
  if (spec.record_trace) result.trace = TraceOf(spec, result);
  return result;
}

RunResult Steady(const RunSpec& spec) {
  RunResult result = Base(spec);
  const bool tens = spec.mutant != nullptr && spec.mutant->name == "tens";
  if (tens && spec.seed % 10 == 0) Fail(result, "NoTens", invariants::PropertyKind::kSafety);
  return Recorded(spec, std::move(result));
}

RunResult Lazy(const RunSpec& spec) {
  RunResult result = Base(spec);
  result.coverage.actions = {2, 0};
  result.coverage.reached = {0};
  return Recorded(spec, std::move(result));
}

RunResult Breaks(const RunSpec& spec) {
  RunResult result = Base(spec);
  if (spec.seed % 10 == 0) Fail(result, "NoTens", invariants::PropertyKind::kSafety);
  return Recorded(spec, std::move(result));
}

RunResult Stalls(const RunSpec& spec) {
  RunResult result = Base(spec);
  if (spec.seed == 4) Fail(result, "Progress", invariants::PropertyKind::kLiveness);
  if (spec.seed == 6) Fail(result, "Conform", invariants::PropertyKind::kConformance);
  return Recorded(spec, std::move(result));
}

RunResult Unsure(const RunSpec& spec) {
  RunResult result = Base(spec);
  if (spec.seed == 3) result.verdict = invariants::Verdict::kInconclusive;
  return Recorded(spec, std::move(result));
}

RunResult Flaky(const RunSpec& spec) {
  RunResult result = Base(spec);
  const bool fails = spec.seed == 2 && !spec.record_trace;
  if (fails) Fail(result, "NoTens", invariants::PropertyKind::kSafety);
  return Recorded(spec, std::move(result));
}

RunResult Deadly(const RunSpec& spec) {
  if (spec.seed == 5) std::abort();
  if (spec.seed == 7) LOCKSTEP_CHECK_MSG(spec.seed != 7, "seven");
  while (spec.seed == 9) ::pause();
  if (spec.seed == 12) throw std::runtime_error("twelve");
  return Recorded(spec, Base(spec));
}

Scenario Make(std::string_view name, RunResult (*run)(const RunSpec&)) {
  Scenario scenario;
  scenario.name = name;
  scenario.story = "A story.\nOn two lines.";
  scenario.protocol = "fake";
  scenario.spec = "Fake";
  scenario.faults = sim::FaultSet().Add(sim::FaultKind::kDelay).Add(sim::FaultKind::kCrash);
  scenario.max_steps = 10;
  scenario.actions = {"Step", "Rest"};
  scenario.must_reach = {"mark"};
  scenario.run = run;
  return scenario;
}

const std::vector<Scenario>& Scenarios() {
  static const std::vector<Scenario> scenarios = [] {
    std::vector<Scenario> all = {Make("steady", Steady), Make("lazy", Lazy),
                                 Make("breaks", Breaks), Make("stalls", Stalls),
                                 Make("unsure", Unsure), Make("flaky", Flaky),
                                 Make("deadly", Deadly)};
    for (Scenario& scenario : all) {
      scenario.in_default_sweep = scenario.name == "steady" || scenario.name == "lazy";
    }
    all[0].states_total = 8;
    all[1].must_reach = {"far"};
    all[2].expectation = invariants::Verdict::kViolated;
    return all;
  }();
  return scenarios;
}

constexpr std::array kMutants{Mutant{.name = "tens",
                                     .what = "tens are let through",
                                     .source = "nowhere #1",
                                     .scenario = "steady",
                                     .killer = "NoTens"},
                              Mutant{.name = "lost",
                                     .what = "its scenario is gone",
                                     .source = "nowhere #2",
                                     .scenario = "gone",
                                     .killer = "NoTens"}};

RunResult Run(const RunSpec& spec) { return spec.scenario->run(spec); }

std::string Contents(std::FILE* file) {
  std::fflush(file);
  std::rewind(file);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file)) {
    text.append(buffer.data(), got);
  }
  return text;
}

}  // namespace

Catalog FakeCatalog() {
  Catalog catalog;
  catalog.version = kVersion;
  catalog.scenarios = Scenarios();
  catalog.mutants = kMutants;
  catalog.properties = {{.name = "NoTens",
                         .protocol = "fake",
                         .kind = "safety",
                         .form = "stronger",
                         .spec = "O-TEN",
                         .what = "no seed is a multiple of ten"}};
  catalog.strategies = {{.name = "random", .what = "by the seed"}};
  catalog.run = Run;
  return catalog;
}

CapturedConsole::CapturedConsole()
    : out_(std::tmpfile()), err_(std::tmpfile()), console_(out_, err_) {}

CapturedConsole::~CapturedConsole() {
  std::fclose(out_);
  std::fclose(err_);
}

std::string CapturedConsole::out() { return Contents(out_); }
std::string CapturedConsole::err() { return Contents(err_); }

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "lockstep-XXXXXX").string();
  LOCKSTEP_CHECK(::mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::File(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

std::string TemporaryFolder::Write(std::string_view name, std::string_view bytes) const {
  std::ofstream(File(name), std::ios::binary) << bytes;
  return File(name);
}

std::string TemporaryFolder::Read(std::string_view name) const {
  std::ifstream in(File(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool TemporaryFolder::Has(std::string_view name) const {
  return std::filesystem::exists(File(name));
}

}  // namespace lockstep::tools
