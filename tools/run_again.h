// A run as a file has it: read, checked against what there is to run, ready to be made again.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "scenarios/scenario.h"
#include "sim/choice/choices.h"
#include "tools/catalog.h"
#include "traces/trace.h"

namespace lockstep::tools {

/// One line: file, line, what is wrong, what is accepted.
struct FileError {
  std::string line;
};

struct RunAgain {
  std::string bytes;                   ///< of the file
  std::optional<traces::Trace> trace;  ///< of a trace; nothing for a schedule
  sim::Schedule schedule;
  /// Without the schedule: its address is not known before this stands still.
  scenarios::RunSpec spec;
};

/// A trace or a schedule of a scenario, mutant and faults that there are.
std::variant<RunAgain, FileError> ReadRunAgain(const Catalog& catalog, const std::string& path);

/// A trace of anything.
std::variant<traces::Trace, FileError> ReadTraceFile(const std::string& path);

}  // namespace lockstep::tools
