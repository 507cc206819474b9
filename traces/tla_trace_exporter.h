// Trace to TLC: a module that replays the trace on the spec's own module, its .cfg and its data.
//
//   conform  every recorded step must be an instance of the recorded action, a step of the spec's
//            next-state relation, and give exactly the recorded state. Stutters are left out.
//            TLC fails with the longest accepted prefix, or with the invariant that breaks.
//   observe  the states alone, in the recorded order: TLC reports which invariant breaks, whatever
//            the spec says of the steps.
//
// A violating step stands there with the state that was observed, in both modes.
// Nothing in the trace can become TLA+: names must be names, everything else is data.
#pragma once

#include <string>

#include "traces/exported_file.h"
#include "traces/trace.h"

namespace lockstep::traces {

enum class TlaMode { kConform, kObserve };

struct TlaExportOptions {
  std::string id;  ///< letters, digits and _: the module is called Replay_<id>
  TlaMode mode = TlaMode::kConform;
};

/// Replay_<id>.tla, .cfg and .ndjson. TLC must be started in their folder.
ExportResult ExportForTlc(const Trace& trace, const TlaExportOptions& options);

struct TlcCommandOptions {
  std::string id;
  std::string folder;       ///< of the exported files
  std::string spec_folder;  ///< of the module that is extended; empty = the same folder
  std::string jar;          ///< empty = $TLA2TOOLS_JAR, or ~/.local/share/tla2tools.jar
  std::string meta_folder;  ///< for TLC's own files; empty = a folder states/, removed at the end
};

/// One line for a POSIX shell. Exit code 0 = accepted and every invariant holds, 10 = a step is
/// refused, 12 = an invariant is violated.
std::string TlcCommand(const TlcCommandOptions& options);

}  // namespace lockstep::traces
