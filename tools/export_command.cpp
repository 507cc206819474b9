#include "tools/export_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include "tools/run_again.h"
#include "tools/run_files.h"
#include "traces/exported_file.h"
#include "traces/file_io.h"
#include "traces/read_error.h"
#include "traces/text_exporter.h"
#include "traces/tla_trace_exporter.h"

namespace lockstep::tools {
namespace {

namespace fs = std::filesystem;

ExitCode Fail(Console& console, const std::string& line) {
  console.Error("export: " + line);
  return ExitCode::kError;
}

// log_small_0x2a: what the module is called behind "Replay_".
std::string IdOf(const traces::Trace& trace, bool observe) {
  const traces::Header& header = trace.header;
  constexpr std::size_t kNameMax = 30;
  std::string id = header.scenario.substr(0, kNameMax);
  const std::string tail = header.seed.substr(0, 18) + (observe ? "_observe" : "");
  if (!header.mutant.empty()) id += "_" + header.mutant;
  // Traces of a machine have no seed to tell them apart.
  if (header.strategy == header.scenario && trace.footer.violation) {
    id += "_" + trace.footer.violation->property;
  }
  constexpr std::size_t kIdMax = 64;
  id = id.substr(0, kIdMax - 1 - tail.size()) + "_" + tail;
  std::ranges::replace_if(
      id,
      [](char c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return !letter && !(c >= '0' && c <= '9');
      },
      '_');
  return id;
}

bool HasModule(const fs::path& folder, const std::string& module) {
  std::error_code ignored;
  return fs::is_regular_file(folder / (module + ".tla"), ignored);
}

// The folder below `top` that has the module: protocol/leaderless_log, say.
std::optional<fs::path> ModuleBelow(const fs::path& top, const std::string& module) {
  std::error_code ignored;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(top / "protocol", ignored)) {
    if (HasModule(entry.path(), module)) folders.push_back(entry.path());
  }
  if (folders.empty()) return std::nullopt;
  return *std::ranges::min_element(folders);
}

// Looks where the modules of a checkout lie, as seen from here and from the program itself.
std::optional<fs::path> FindModule(const std::string& module) {
  std::error_code ignored;
  if (auto found = ModuleBelow(fs::current_path(ignored), module)) return found;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (fs::path top = program.parent_path(); top.has_relative_path(); top = top.parent_path()) {
    if (auto found = ModuleBelow(top, module)) return found;
    if (auto found = ModuleBelow(top / "share" / "lockstep", module)) return found;
  }
  return std::nullopt;
}

ExitCode ExportTlc(const traces::Trace& trace, const Options& options, Console& console) {
  const bool observe = options.mode == "observe";
  const std::string id = IdOf(trace, observe);
  const traces::ExportResult exported = traces::ExportForTlc(
      trace, {.id = id, .mode = observe ? traces::TlaMode::kObserve : traces::TlaMode::kConform});
  if (const auto* error = std::get_if<traces::ExportError>(&exported)) {
    return Fail(console, fmt::format("{}: {}", options.names.front(), error->problem));
  }
  const std::string& module = trace.header.tla_module;
  std::optional<fs::path> module_dir;
  if (!options.module_dir.empty()) {
    module_dir = options.module_dir;
    if (!HasModule(*module_dir, module)) {
      return Fail(console, fmt::format("--module-dir: {} is not in {}; accepted: the folder of "
                                       "the spec's module",
                                       module + ".tla", traces::Quoted(options.module_dir)));
    }
  } else {
    module_dir = FindModule(module);
  }
  if (const auto problem = PrepareFolder(options.out)) return Fail(console, *problem);
  std::string written = "wrote";
  for (const traces::ExportedFile& file : std::get<std::vector<traces::ExportedFile>>(exported)) {
    const std::string path = options.out + "/" + file.name;
    if (const auto problem = traces::WriteFileAtomically(path, file.bytes)) {
      return Fail(console, *problem);
    }
    written += " " + path;
  }
  console.Err(written + "\n");
  std::error_code ignored;
  if (module_dir) {
    module_dir = fs::absolute(*module_dir, ignored).lexically_normal();
  } else {
    console.Err(fmt::format("{}.tla was not found: copy it into {}, or give --module-dir\n", module,
                            options.out));
  }
  console.Out(traces::TlcCommand({.id = id,
                                  .folder = options.out,
                                  .spec_folder = module_dir ? module_dir->string() : std::string(),
                                  .jar = {},
                                  .meta_folder = {}}) +
              "\n");
  return ExitCode::kHolds;
}

}  // namespace

ExitCode ExportCommand(const Options& options, Console& console) {
  if (options.format.empty()) return Fail(console, "--format is missing; accepted: tlc or text");
  const std::variant<traces::Trace, FileError> read = ReadTraceFile(options.names.front());
  if (const auto* error = std::get_if<FileError>(&read)) return Fail(console, error->line);
  const traces::Trace& trace = std::get<traces::Trace>(read);
  if (options.format == "tlc") return ExportTlc(trace, options, console);
  console.Out(traces::ExportText(trace, traces::TextOptions()));
  return ExitCode::kHolds;
}

}  // namespace lockstep::tools
