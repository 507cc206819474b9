// lockstep export FILE: a trace as files for TLC, or as text.
#pragma once

#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace lockstep::tools {

/// Knows no catalog: a trace has everything that an exporter needs, whoever wrote it.
ExitCode ExportCommand(const Options& options, Console& console);

}  // namespace lockstep::tools
