#include "tools/sweep_command.h"

#include <string>
#include <variant>

#include "tools/run_files.h"
#include "tools/selection.h"
#include "tools/sweep_plan.h"
#include "tools/sweep_report.h"
#include "tools/sweep_result.h"
#include "tools/sweep_runner.h"
#include "tools/unseen.h"

namespace lockstep::tools {

ExitCode SweepCommand(const Catalog& catalog, const Options& options, Console& console) {
  const std::variant<Selection, std::string> selected = SelectMany(catalog, options);
  if (const auto* problem = std::get_if<std::string>(&selected)) {
    console.Error("sweep: " + *problem);
    return ExitCode::kError;
  }
  if (const auto problem = PrepareFolder(options.out)) {
    console.Error("sweep: " + *problem);
    return ExitCode::kError;
  }
  const Selection& selection = std::get<Selection>(selected);
  SweepPlan plan(options, selection);
  SweepRunner runner(catalog, options, selection, plan, console);
  const SweepResult result = runner.Run();
  const SweepReport report{.catalog = catalog,
                           .options = options,
                           .selection = selection,
                           .plan = plan,
                           .result = result,
                           .reaching = JudgeReaching(result, selection, plan.single_seed())};
  if (options.json) {
    console.Out(SweepJson(report));
    if (!options.quiet) console.Err(SweepFailures(report, console));
  } else {
    console.Out(SweepText(report, console) + SweepFailures(report, console));
  }
  ExitCode code = report.Code();
  if (!options.unseen.empty()) {
    if (const auto problem = WriteUnseen(result, options.unseen)) {
      console.Error("sweep: " + *problem);
      code = ExitCode::kError;
    }
  }
  for (const std::string& problem : runner.problems()) {
    console.Error("sweep: " + problem);
    code = ExitCode::kError;
  }
  return code;
}

}  // namespace lockstep::tools
