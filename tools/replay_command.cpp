#include "tools/replay_command.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "sim/base/check.h"
#include "tools/crash_line.h"
#include "tools/machine_replay.h"
#include "tools/numbers.h"
#include "tools/run_again.h"
#include "tools/run_files.h"
#include "tools/run_report.h"
#include "tools/trace_difference.h"
#include "traces/trace_writer.h"

namespace lockstep::tools {
namespace {

// How the run differs from the file, or nothing.
std::optional<RunDifference> Difference(const RunAgain& again, const scenarios::RunResult& result) {
  if (again.trace) {
    traces::Trace now = *result.trace;
    // Another version of lockstep may say so in the header, and nothing else.
    now.header.lockstep_version = again.trace->header.lockstep_version;
    const std::optional<TraceDifference> found = FirstDifference(*again.trace, now);
    if (!found) return std::nullopt;
    std::string message = found->where + " is not as recorded";
    if (result.divergence) message += "; " + *result.divergence;
    return RunDifference{.message = std::move(message),
                         .step = found->step,
                         .action = found->action,
                         .recorded = found->recorded.empty() ? "(none)" : found->recorded,
                         .now = found->now.empty() ? "(none)" : found->now};
  }
  if (!result.divergence) return std::nullopt;
  return RunDifference{.message = "the schedule does not fit: " + *result.divergence,
                       .step = 0,
                       .action = {},
                       .recorded = {},
                       .now = {}};
}

ExitCode Fail(Console& console, const std::string& line) {
  console.Error("replay: " + line);
  return ExitCode::kError;
}

}  // namespace

ExitCode ReplayCommand(const Catalog& catalog, const Options& options, Console& console) {
  const std::string& path = options.names.front();
  if (const auto code = ReplayMachineTrace(path, options, console)) return *code;
  std::variant<RunAgain, FileError> read = ReadRunAgain(catalog, path);
  if (const auto* error = std::get_if<FileError>(&read)) return Fail(console, error->line);
  if (options.out_given) {
    if (const auto problem = PrepareFolder(options.out)) return Fail(console, *problem);
  }
  RunAgain& again = std::get<RunAgain>(read);
  again.spec.schedule = &again.schedule;
  const std::string reproduce = "lockstep replay " + ShellWord(path);
  const scenarios::RunResult result = [&] {
    const CrashLine crash_line(reproduce);
    return catalog.run(again.spec);
  }();
  LOCKSTEP_CHECK(result.trace.has_value());

  RunReport report{.spec = again.spec,
                   .result = result,
                   .digest = traces::TraceDigest(*result.trace),
                   .trace = again.trace ? path : std::string(),
                   .schedule = again.trace ? std::string() : path,
                   .reproduce = reproduce,
                   .difference = Difference(again, result)};
  std::string unsaved;
  if (options.out_given) {
    std::variant<SavedRun, std::string> saved = SaveRun(options.out, again.spec, result);
    if (auto* problem = std::get_if<std::string>(&saved)) {
      unsaved = std::move(*problem);
    } else {
      report.trace = std::get<SavedRun>(saved).trace;
      report.schedule = std::get<SavedRun>(saved).schedule;
    }
  }
  const ExitCode code = PrintRun(catalog, options, report, console);
  return unsaved.empty() ? code : Fail(console, unsaved);
}

}  // namespace lockstep::tools
