// lockstep: parse, dispatch, one error line, exit.

#include <csignal>
#include <cstdlib>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include "tools/cli.h"
#include "tools/console.h"
#include "tools/environment.h"
#include "tools/exhaust_command.h"
#include "tools/exit_code.h"
#include "tools/export_command.h"
#include "tools/full_catalog.h"
#include "tools/list_command.h"
#include "tools/replay_command.h"
#include "tools/run_command.h"
#include "tools/sweep_command.h"
#include "tools/walk_command.h"

namespace {

using namespace lockstep::tools;

ExitCode Dispatch(const Invocation& invocation, Console& console) {
  const Catalog catalog = FullCatalog();
  const Options& options = invocation.options;
  switch (invocation.command) {
    case Command::kList:
      return ListCommand(catalog, options, console);
    case Command::kRun:
      return RunCommand(catalog, options, console);
    case Command::kSweep:
      return SweepCommand(catalog, options, console);
    case Command::kReplay:
      return ReplayCommand(catalog, options, console);
    case Command::kExhaust:
      return ExhaustCommand(options, console);
    case Command::kWalk:
      return WalkCommand(options, console);
    case Command::kExport:
      return ExportCommand(options, console);
  }
  return ExitCode::kError;
}

ExitCode Answered(const ParsedLine& line, Console& console) {
  if (const auto* error = std::get_if<UsageError>(&line)) {
    console.Error(error->line);
    return ExitCode::kError;
  }
  if (const auto* answer = std::get_if<Answer>(&line)) {
    console.Out(answer->text);
    return ExitCode::kHolds;
  }
  return Dispatch(std::get<Invocation>(line), console);
}

}  // namespace

int main(int argc, char** argv) {
  // A reader of our output that goes away is a failed write, with an error line.
  std::signal(SIGPIPE, SIG_IGN);
  const Environment environment = ProcessEnvironment();
  Console console = Console::OfProcess(environment);
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  ExitCode code = ExitCode::kError;
  try {
    code = Answered(ParseCommandLine(arguments, environment, FullCatalog().version), console);
  } catch (const std::exception& error) {
    console.Error(std::string("internal error: ") + error.what());
  }
  std::string why;
  if (!console.Flush(why)) {
    console.Error("cannot write to standard output: " + why);
    code = ExitCode::kError;
  }
  return static_cast<int>(code);
}
