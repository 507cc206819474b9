// What `run` and `replay` say of one run, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/scenario.h"
#include "tools/catalog.h"
#include "tools/console.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace lockstep::tools {

/// How a replayed run differs from the file.
struct RunDifference {
  std::string message;
  std::int64_t step = 0;  ///< 0 = not a step
  std::string action;
  std::string recorded;
  std::string now;
};

struct RunReport {
  const scenarios::RunSpec& spec;
  const scenarios::RunResult& result;
  std::string digest;
  std::string trace;      ///< file; empty = none
  std::string schedule;   ///< file; empty = none
  std::string reproduce;  ///< the line that makes the run again
  std::optional<RunDifference> difference{};
};

/// Prints the report and returns the exit code that the verdict asks for.
ExitCode PrintRun(const Catalog& catalog, const Options& options, const RunReport& report,
                  Console& console);

}  // namespace lockstep::tools
