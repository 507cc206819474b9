#include "tools/run_command.h"

#include <string>
#include <utility>
#include <variant>

#include "tools/crash_line.h"
#include "tools/run_files.h"
#include "tools/run_report.h"
#include "tools/selection.h"

namespace lockstep::tools {
namespace {

constexpr std::uint64_t kDefaultSeed = 1;

}  // namespace

ExitCode RunCommand(const Catalog& catalog, const Options& options, Console& console) {
  const std::variant<Selection, std::string> selected = SelectOne(catalog, options);
  if (const auto* problem = std::get_if<std::string>(&selected)) {
    console.Error("run: " + *problem);
    return ExitCode::kError;
  }
  if (const auto problem = PrepareFolder(options.out)) {
    console.Error("run: " + *problem);
    return ExitCode::kError;
  }
  const Selection& selection = std::get<Selection>(selected);
  const scenarios::Scenario& scenario = *selection.scenarios.front();
  scenarios::RunSpec spec = selection.Spec(scenario, options.seed.value_or(kDefaultSeed));
  spec.record_trace = true;
  const std::string reproduce = selection.Reproduce(scenario, spec.seed);
  const scenarios::RunResult result = [&] {
    const CrashLine crash_line(reproduce);
    return catalog.run(spec);
  }();

  RunReport report{.spec = spec,
                   .result = result,
                   .digest = {},
                   .trace = {},
                   .schedule = {},
                   .reproduce = reproduce};
  std::variant<SavedRun, std::string> saved = SaveRun(options.out, spec, result);
  const auto* unsaved = std::get_if<std::string>(&saved);
  if (unsaved == nullptr) {
    SavedRun& files = std::get<SavedRun>(saved);
    report.digest = std::move(files.digest);
    report.trace = std::move(files.trace);
    report.schedule = std::move(files.schedule);
  }
  const ExitCode code = PrintRun(catalog, options, report, console);
  if (unsaved == nullptr) return code;
  console.Error("run: " + *unsaved);
  return ExitCode::kError;
}

}  // namespace lockstep::tools
