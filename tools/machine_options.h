// What the commands on a machine alone (exhaust, walk) have in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "scenarios/exhaust/machine_trace.h"
#include "scenarios/exhaust/model_catalog.h"
#include "tools/console.h"
#include "tools/options.h"

namespace lockstep::tools {

/// The model that the options name: PROTOCOL, --config, --dialect. Or one line.
std::variant<scenarios::LoadedModel, std::string> ModelFor(const Options& options);

/// Writes a trace of the machine to `<out>/<name>.trace.ndjson` and returns the path, or one line
/// that says why not. `kind` is kExhaustScenario or kWalkScenario.
struct SavedTrace {
  std::string path;
};
std::variant<SavedTrace, std::string> SaveMachineTrace(const Options& options,
                                                       const scenarios::LoadedModel& loaded,
                                                       std::string_view scenario,
                                                       const scenarios::StateTrace& states,
                                                       const scenarios::MachineFinding& finding);

/// The trace's actions, one a line, indented; long ones with their middle left out.
std::string TraceLines(const scenarios::LoadedModel& loaded, const scenarios::StateTrace& states,
                       std::size_t lines_max);

}  // namespace lockstep::tools
