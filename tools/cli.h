// The command line as values: which command, with which options, or one line of what is wrong.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "tools/environment.h"
#include "tools/options.h"

namespace lockstep::tools {

struct Invocation {
  Command command = Command::kList;
  Options options;
};

/// --help, --version: text for stdout, and exit code 0.
struct Answer {
  std::string text;
};

struct UsageError {
  std::string line;  ///< for stderr, behind "lockstep: "
};

using ParsedLine = std::variant<Invocation, Answer, UsageError>;

/// `arguments` without the program's name. Flags win over the environment.
ParsedLine ParseCommandLine(std::span<const std::string> arguments, const Environment& environment,
                            std::string_view version);

std::string_view CommandName(Command command);

}  // namespace lockstep::tools
