// Another program, run to its end, for tests of what a program prints and exits with.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lockstep::tools {

struct Finished {
  int code = -1;  ///< exit code, or 128 + signal
  std::string out;
  std::string err;
};

struct ProgramRun {
  std::vector<std::string> command;  ///< program and arguments
  std::string folder;                ///< where it runs
  /// Beside PATH and HOME, its whole environment.
  std::map<std::string, std::string> environment{};
  /// Send SIGINT after so long; 0 = never.
  int interrupt_after_milliseconds = 0;
  /// Instead of being captured, stdout goes there.
  std::string out_file{};
};

Finished RunProgram(const ProgramRun& run);

}  // namespace lockstep::tools
