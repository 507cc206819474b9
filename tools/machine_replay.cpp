#include "tools/machine_replay.h"

#include <fmt/format.h>

#include <string_view>
#include <variant>

#include "scenarios/exhaust/machine_trace.h"
#include "scenarios/exhaust/model_catalog.h"
#include "tools/json_output.h"
#include "tools/run_again.h"
#include "traces/trace_writer.h"

namespace lockstep::tools {
namespace {

ExitCode CodeOf(const traces::Trace& trace) {
  if (!trace.footer.violation) return ExitCode::kHolds;
  return trace.footer.violation->kind == "liveness" ? ExitCode::kLiveness : ExitCode::kSafety;
}

void Print(const std::string& path, const traces::Trace& trace, std::string_view problem,
           ExitCode code, const Options& options, Console& console) {
  const std::string property =
      trace.footer.violation ? trace.footer.violation->property : std::string();
  if (options.json) {
    Json json;
    json["trace"] = path;
    json["spec"] = trace.header.spec;
    json["steps"] = trace.steps.size();
    json["verdict"] = problem.empty() ? Json(trace.footer.verdict) : Json("nondeterminism");
    json["property"] = TextOrNull(property);
    json["digest"] = traces::TraceDigest(trace);
    json["difference"] = TextOrNull(problem);
    console.Out(Document(json));
    return;
  }
  console.Out(fmt::format("replay     {}, a trace of {}'s machine, {} steps\n", path,
                          trace.header.spec, trace.steps.size()));
  if (!problem.empty()) console.Out(fmt::format("differs    {}\n", problem));
  if (!property.empty()) {
    console.Out(fmt::format("property   {}: {}\n", property, trace.footer.violation->message));
  }
  console.Out(
      fmt::format("digest     {}\nverdict    {}\n", traces::TraceDigest(trace), Info(code).name));
}

}  // namespace

std::optional<ExitCode> ReplayMachineTrace(const std::string& path, const Options& options,
                                           Console& console) {
  const auto read = ReadTraceFile(path);
  const auto* trace = std::get_if<traces::Trace>(&read);
  if (trace == nullptr) return std::nullopt;
  if (trace->header.scenario != scenarios::kExhaustScenario &&
      trace->header.scenario != scenarios::kWalkScenario) {
    return std::nullopt;
  }
  const auto loaded = scenarios::ModelOfTrace(*trace);
  if (const auto* problem = std::get_if<std::string>(&loaded)) {
    console.Error(fmt::format("replay: {}: {}", path, *problem));
    return ExitCode::kError;
  }
  const auto again =
      scenarios::ReplayOnMachine(*std::get<scenarios::LoadedModel>(loaded).model, *trace);
  std::string problem;
  if (const auto* refused = std::get_if<std::string>(&again)) {
    problem = *refused;
  } else if (traces::WriteTrace(std::get<traces::Trace>(again)) != traces::WriteTrace(*trace)) {
    problem = "the machine gives another trace";
  }
  const ExitCode code = problem.empty() ? CodeOf(*trace) : ExitCode::kNondeterminism;
  Print(path, *trace, problem, code, options, console);
  return code;
}

}  // namespace lockstep::tools
