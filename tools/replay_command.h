// lockstep replay FILE: the run of a trace or a schedule again. A trace must come out the same,
// byte for byte.
#pragma once

#include "tools/catalog.h"
#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace lockstep::tools {

ExitCode ReplayCommand(const Catalog& catalog, const Options& options, Console& console);

}  // namespace lockstep::tools
