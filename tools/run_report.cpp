#include "tools/run_report.h"

#include <fmt/format.h>

#include <span>

#include "invariants/violation.h"
#include "tools/failure_block.h"
#include "tools/json_output.h"
#include "tools/numbers.h"

namespace lockstep::tools {
namespace {

using scenarios::RunResult;
using scenarios::Scenario;

ExitCode CodeOf(const RunResult& result) {
  if (result.failure) return ExitCodeOf(result.failure->violation.kind);
  switch (result.verdict) {
    case invariants::Verdict::kHolds:
      return ExitCode::kHolds;
    case invariants::Verdict::kInconclusive:
      return ExitCode::kInconclusive;
    case invariants::Verdict::kViolated:
      break;
  }
  return ExitCode::kError;  // Violated, and nobody says what.
}

Json ViolationJson(const scenarios::Failure& failure) {
  Json json;
  json["property"] = failure.violation.property;
  json["step"] = failure.step;
  json["action"] = TextOrNull(failure.action);
  json["expected"] = ToJson(failure.violation.expected);
  json["actual"] = ToJson(failure.violation.actual);
  json["enabled"] = failure.enabled;
  return json;
}

Json RunJson(const RunReport& report) {
  const RunResult& result = report.result;
  Json json;
  json["scenario"] = std::string(report.spec.scenario->name);
  json["seed"] = report.spec.seed;
  json["steps"] = result.steps;
  json["verdict"] = std::string(invariants::VerdictName(result.verdict));
  json["digest"] = report.digest;
  json["violation"] = result.failure ? ViolationJson(*result.failure) : Json(nullptr);
  json["trace"] = TextOrNull(report.trace);
  json["schedule"] = TextOrNull(report.schedule);
  return json;
}

std::string CountLines(std::string_view title, std::span<const std::string_view> names,
                       std::span<const std::uint64_t> counts) {
  std::string out = fmt::format("{}\n", title);
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += fmt::format("  {:>12}  {}\n", Thousands(i < counts.size() ? counts[i] : 0), names[i]);
  }
  return out;
}

std::string Tables(const RunReport& report) {
  const Scenario& scenario = *report.spec.scenario;
  const scenarios::Coverage& coverage = report.result.coverage;
  std::string out = CountLines("actions", scenario.actions, coverage.actions);
  out += CountLines("reached", scenario.must_reach, coverage.reached);
  out += "faults\n";
  for (const sim::FaultInfo& info : sim::FaultTable()) {
    if (!scenario.faults.Has(info.kind)) continue;
    out += fmt::format("  {:>12}  {}\n",
                       Thousands(coverage.faults[static_cast<std::size_t>(info.kind)]), info.name);
  }
  return out;
}

std::string Summary(const Options& options, const RunReport& report, const Console& console) {
  const RunResult& result = report.result;
  const std::string verdict(invariants::VerdictName(result.verdict));
  const std::string coloured = result.verdict == invariants::Verdict::kHolds
                                   ? console.Good(verdict)
                                   : console.Bad(verdict);
  std::string out;
  if (!options.quiet) {
    out += fmt::format("run        {}, seed {}{}\n", report.spec.scenario->name,
                       SeedText(report.spec.seed),
                       report.spec.mutant == nullptr
                           ? std::string()
                           : fmt::format(", mutant {}", report.spec.mutant->name));
    if (!result.plan.empty()) out += fmt::format("drawn      {}\n", result.plan);
    out += fmt::format("steps      {} events, {} decisions\n",
                       Thousands(static_cast<std::uint64_t>(result.steps)),
                       Thousands(result.schedule.size()));
    if (options.verbose) out += Tables(report);
  }
  out += fmt::format("verdict    {}\ndigest     {}\n", coloured, report.digest);
  if (options.quiet) return out;
  if (!report.trace.empty()) {
    out += fmt::format("trace      {}\nschedule   {}\n", report.trace, report.schedule);
  }
  if (!result.failure) out += fmt::format("reproduce  {}\n", report.reproduce);
  return out;
}

}  // namespace

ExitCode PrintRun(const Catalog& catalog, const Options& options, const RunReport& report,
                  Console& console) {
  if (options.json) {
    console.Out(Document(RunJson(report)));
  } else {
    console.Out(Summary(options, report, console));
  }
  if (report.result.failure) {
    FailureFacts facts = FactsOf(report.spec, report.result, report.reproduce);
    facts.trace = report.trace;
    facts.schedule = report.schedule;
    const std::string block = FailureBlock(facts, catalog.Meaning(facts.property), console);
    if (!options.json) {
      console.Out(block);
    } else if (!options.quiet) {
      console.Err(block);
    }
  }
  return CodeOf(report.result);
}

}  // namespace lockstep::tools
