#include "tools/machine_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/scenario.h"
#include "tools/run_files.h"
#include "traces/file_io.h"
#include "traces/read_error.h"
#include "traces/trace_writer.h"

namespace lockstep::tools {
namespace {

std::vector<std::string> SplitNames(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    names.emplace_back(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return names;
}

bool Ships(std::string_view protocol, std::string_view config) {
  const auto names = scenarios::ModelConfigs(protocol);
  return std::ranges::find(names, config) != names.end();
}

bool IsProtocol(std::string_view name) {
  const auto names = scenarios::ExplorableProtocols();
  return std::ranges::find(names, name) != names.end();
}

/// leaderless_log-small-NoReaderError, in characters that any file system takes.
std::string FileName(const scenarios::LoadedModel& loaded, std::string_view scenario,
                     std::string_view property) {
  const std::string_view config = std::string_view(loaded.config);
  const std::size_t slash = config.rfind('/');
  const std::string_view short_config =
      slash == std::string_view::npos ? config : config.substr(slash + 1);
  std::string name = fmt::format("{}-{}-{}-{}", scenario, loaded.protocol, short_config, property);
  std::ranges::replace_if(
      name,
      [](char c) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == '-';
        return !word;
      },
      '_');
  return name;
}

}  // namespace

std::variant<scenarios::LoadedModel, std::string> ModelFor(const Options& options) {
  scenarios::ModelRequest request;
  request.protocol = options.names.front();
  request.config = options.config;
  request.dialects = SplitNames(options.dialect);
  if (IsProtocol(request.protocol) && !Ships(request.protocol, request.config)) {
    auto read = traces::ReadFileBytes(request.config);
    if (auto* bytes = std::get_if<std::string>(&read)) {
      request.text = std::move(*bytes);
    } else if (request.config.find_first_of("./") != std::string::npos) {
      return std::get<traces::ReadError>(read).ToString();
    }
  }
  return scenarios::LoadModel(request);
}

std::variant<SavedTrace, std::string> SaveMachineTrace(const Options& options,
                                                       const scenarios::LoadedModel& loaded,
                                                       std::string_view scenario,
                                                       const scenarios::StateTrace& states,
                                                       const scenarios::MachineFinding& finding) {
  if (auto problem = PrepareFolder(options.out)) return *problem;
  traces::Header header = loaded.header;
  header.lockstep_version = std::string(scenarios::kLockstepVersion);
  header.scenario = scenario;
  header.seed = fmt::format("{:#x}", options.seed.value_or(0));
  header.strategy = scenario;
  header.max_steps = static_cast<std::int64_t>(states.size()) - 1;
  header.faults = {};
  const traces::Trace trace = scenarios::MachineTrace(*loaded.model, std::move(header), states,
                                                      loaded.values(states), finding);
  const std::string path =
      fmt::format("{}/{}.trace.ndjson", options.out, FileName(loaded, scenario, finding.property));
  if (auto problem = traces::WriteFileAtomically(path, traces::WriteTrace(trace))) return *problem;
  return SavedTrace{path};
}

std::string TraceLines(const scenarios::LoadedModel& loaded, const scenarios::StateTrace& states,
                       std::size_t lines_max) {
  std::string text;
  const std::size_t steps = states.size() - 1;
  for (std::size_t i = 1; i <= steps; ++i) {
    if (steps > lines_max && i == lines_max / 2 + 1) {
      text += fmt::format("        ... {} steps ...\n", steps - lines_max);
      i += steps - lines_max;
    }
    text += fmt::format("  {:>5} {}\n", i, loaded.model->ActionToString(states[i].action));
  }
  return text;
}

}  // namespace lockstep::tools
