#include "tools/run_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "sim/base/check.h"
#include "tools/numbers.h"
#include "traces/file_io.h"
#include "traces/read_error.h"
#include "traces/schedule_file.h"
#include "traces/trace_writer.h"

namespace lockstep::tools {

std::optional<std::string> PrepareFolder(const std::string& folder) {
  const auto problem = [&](std::string_view what) {
    return fmt::format("--out: {} {}; accepted: a folder where files can be written",
                       traces::Quoted(folder), what);
  };
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder, error)) {
    return problem(error ? "cannot be made: " + error.message() : "is not a folder");
  }
  const std::string probe = fmt::format("{}/.lockstep-probe", folder);
  if (const auto failed = traces::WriteFileAtomically(probe, "")) {
    return problem("cannot be written: " + *failed);
  }
  std::filesystem::remove(probe, error);
  return std::nullopt;
}

std::string RunName(const scenarios::RunSpec& spec) {
  std::string name(spec.scenario->name);
  if (spec.mutant != nullptr) name.append("-").append(spec.mutant->name);
  return name + "-" + SeedText(spec.seed);
}

std::variant<SavedRun, std::string> SaveRun(const std::string& folder,
                                            const scenarios::RunSpec& spec,
                                            const scenarios::RunResult& result) {
  LOCKSTEP_CHECK(result.trace.has_value());
  const std::string base = folder + "/" + RunName(spec);
  SavedRun saved{.trace = base + ".trace.ndjson", .schedule = base + ".schedule", .digest = {}};
  const std::string bytes = traces::WriteTrace(*result.trace);
  saved.digest = traces::DigestOfWritten(bytes);
  if (auto failed = traces::WriteFileAtomically(saved.trace, bytes)) return *failed;
  const std::string schedule = traces::PrintSchedule(traces::ScheduleOf(*result.trace));
  if (auto failed = traces::WriteFileAtomically(saved.schedule, schedule)) return *failed;
  return saved;
}

}  // namespace lockstep::tools
