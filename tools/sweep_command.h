// lockstep sweep [SCENARIO...]: many runs in worker processes; the same report for any --jobs.
#pragma once

#include "tools/catalog.h"
#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace lockstep::tools {

ExitCode SweepCommand(const Catalog& catalog, const Options& options, Console& console);

}  // namespace lockstep::tools
