// The files a run leaves behind: its trace and its schedule, in the folder of --out.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "scenarios/scenario.h"

namespace lockstep::tools {

/// Creates the folder if need be and makes sure that files can be written there. Returns what is
/// wrong, as one line, or nothing.
std::optional<std::string> PrepareFolder(const std::string& folder);

/// "log_small-0x2a", or "log_small-no_fence_check-0x2a" with a mutant.
std::string RunName(const scenarios::RunSpec& spec);

struct SavedRun {
  std::string trace;     ///< path of <name>.trace.ndjson
  std::string schedule;  ///< path of <name>.schedule
  std::string digest;
};

/// Writes both, each whole or not at all; or says what went wrong, as one line.
/// REQUIRES: the run was recorded.
std::variant<SavedRun, std::string> SaveRun(const std::string& folder,
                                            const scenarios::RunSpec& spec,
                                            const scenarios::RunResult& result);

}  // namespace lockstep::tools
