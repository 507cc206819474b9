// Replay of a trace of a machine alone (from exhaust or walk).
#pragma once

#include <optional>
#include <string>

#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace lockstep::tools {

/// Nothing when the file is not a readable trace of a machine: then it is somebody else's to say
/// what it is. Otherwise takes its actions again; exit code of what the trace shows, 5 when the
/// machine does not follow it.
std::optional<ExitCode> ReplayMachineTrace(const std::string& path, const Options& options,
                                           Console& console);

}  // namespace lockstep::tools
