// lockstep list KIND: what there is, from the tables that the program itself uses.
#pragma once

#include "tools/catalog.h"
#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace lockstep::tools {

ExitCode ListCommand(const Catalog& catalog, const Options& options, Console& console);

}  // namespace lockstep::tools
