// lockstep run SCENARIO: one run, its summary, its trace and schedule.
#pragma once

#include "tools/catalog.h"
#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace lockstep::tools {

ExitCode RunCommand(const Catalog& catalog, const Options& options, Console& console);

}  // namespace lockstep::tools
