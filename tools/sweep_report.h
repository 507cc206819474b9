// A sweep's result as text and as JSON.
#pragma once

#include <string>

#include "tools/catalog.h"
#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"
#include "tools/sweep_plan.h"
#include "tools/sweep_result.h"

namespace lockstep::tools {

struct SweepReport {
  const Catalog& catalog;
  const Options& options;
  const Selection& selection;
  const SweepPlan& plan;
  const SweepResult& result;
  Reaching reaching;

  [[nodiscard]] ExitCode Code() const;
};

std::string SweepText(const SweepReport& report, const Console& console);
/// The blocks of the first failure of each bucket, and one line for each other.
std::string SweepFailures(const SweepReport& report, const Console& console);
std::string SweepJson(const SweepReport& report);

}  // namespace lockstep::tools
