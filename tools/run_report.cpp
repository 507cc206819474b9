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

ExitCode CodeOf(const RunReport& report) {
  const RunResult& result = report.result;
  if (report.difference) return ExitCode::kNondeterminism;
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

Json DifferenceJson(const RunDifference& difference) {
  Json json;
  json["property"] = std::string(kSameRunTwice);
  json["step"] = difference.step;
  json["action"] = TextOrNull(difference.action);
  json["expected"] = TextOrNull(difference.recorded);
  json["actual"] = TextOrNull(difference.now.empty() ? difference.message : difference.now);
  json["enabled"] = Json::array();
  return json;
}

std::string_view VerdictText(const RunReport& report) {
  return invariants::VerdictName(report.difference ? invariants::Verdict::kViolated
                                                   : report.result.verdict);
}

Json RunJson(const RunReport& report) {
  const RunResult& result = report.result;
  Json json;
  json["scenario"] = std::string(report.spec.scenario->name);
  json["seed"] = report.spec.seed;
  json["steps"] = result.steps;
  json["verdict"] = std::string(VerdictText(report));
  json["digest"] = report.digest;
  json["violation"] = report.difference ? DifferenceJson(*report.difference)
                      : result.failure  ? ViolationJson(*result.failure)
                                        : Json(nullptr);
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
  const std::string_view verdict = VerdictText(report);
  const std::string coloured =
      CodeOf(report) == ExitCode::kHolds ? console.Good(verdict) : console.Bad(verdict);
  std::string out;
  if (!options.quiet) {
    out += fmt::format(
        "run        {}, seed {}{}\n", report.spec.scenario->name, SeedText(report.spec.seed),
        report.spec.mutant == nullptr ? std::string()
                                      : fmt::format(", mutant {}", report.spec.mutant->name));
    if (!result.plan.empty()) out += fmt::format("drawn      {}\n", result.plan);
    out += fmt::format("steps      {} events, {} decisions\n",
                       Thousands(static_cast<std::uint64_t>(result.steps)),
                       Thousands(result.schedule.size()));
    if (options.verbose) out += Tables(report);
  }
  out += fmt::format("verdict    {}\ndigest     {}\n", coloured, report.digest);
  if (options.quiet) return out;
  if (!report.trace.empty()) out += fmt::format("trace      {}\n", report.trace);
  if (!report.schedule.empty()) out += fmt::format("schedule   {}\n", report.schedule);
  if (!result.failure) out += fmt::format("reproduce  {}\n", report.reproduce);
  return out;
}

// The block that tells what broke, or empty.
std::string Block(const Catalog& catalog, const RunReport& report, const Console& console) {
  FailureFacts facts;
  if (report.difference) {
    facts.scenario = report.spec.scenario->name;
    if (report.spec.mutant != nullptr) facts.mutant = report.spec.mutant->name;
    facts.seed = report.spec.seed;
    facts.kind = ExitCode::kNondeterminism;
    facts.property = kSameRunTwice;
    facts.step = report.difference->step;
    facts.message = report.difference->message;
    facts.reproduce = report.reproduce;
    std::string block = FailureBlock(facts, catalog.Meaning(facts.property), console);
    if (report.difference->recorded.empty() && report.difference->now.empty()) return block;
    return block + fmt::format("  recorded:   {}\n  now:        {}\n", report.difference->recorded,
                               report.difference->now);
  }
  if (!report.result.failure) return {};
  facts = FactsOf(report.spec, report.result, report.reproduce);
  facts.trace = report.trace;
  facts.schedule = report.schedule;
  return FailureBlock(facts, catalog.Meaning(facts.property), console);
}

}  // namespace

ExitCode PrintRun(const Catalog& catalog, const Options& options, const RunReport& report,
                  Console& console) {
  const std::string block = Block(catalog, report, console);
  if (options.json) {
    console.Out(Document(RunJson(report)));
    if (!options.quiet) console.Err(block);
  } else {
    console.Out(Summary(options, report, console) + block);
  }
  return CodeOf(report);
}

}  // namespace lockstep::tools
