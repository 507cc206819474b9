// lockstep exhaust: every reachable state of a machine, breadth first, as TLC would.
#pragma once

#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace lockstep::tools {

ExitCode ExhaustCommand(const Options& options, Console& console);

}  // namespace lockstep::tools
