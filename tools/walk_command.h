// lockstep walk: random walks over a machine, every invariant in every state.
#pragma once

#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace lockstep::tools {

ExitCode WalkCommand(const Options& options, Console& console);

}  // namespace lockstep::tools
