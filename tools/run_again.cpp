#include "tools/run_again.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/numbers.h"
#include "tools/selection.h"
#include "tools/suggest.h"
#include "traces/file_io.h"
#include "traces/file_kind.h"
#include "traces/read_error.h"
#include "traces/schedule_file.h"
#include "traces/trace_reader.h"

namespace lockstep::tools {
namespace {

constexpr std::int64_t kMaxStepsMax = std::int64_t{1} << 40U;

// What traces and schedules both say of their run.
struct Origin {
  const std::string& scenario;
  const std::string& mutant;
  const std::string& seed;
  std::int64_t max_steps;
  const std::vector<std::string>& faults;
};

// Everything of the origin stands in the first line.
FileError InFirstLine(const std::string& path, std::string_view what) {
  return {fmt::format("{}:1: {}", path, what)};
}

std::variant<sim::FaultSet, std::string> FaultsOf(const std::vector<std::string>& names) {
  if (names == std::vector<std::string>{"all"}) return sim::FaultSet::All();
  sim::FaultSet faults;
  for (const std::string& name : names) {
    const std::optional<sim::FaultKind> kind = sim::FaultFromName(name);
    if (!kind) {
      std::vector<std::string_view> known{"all"};
      for (const sim::FaultInfo& info : sim::FaultTable()) known.push_back(info.name);
      return "unknown fault " + NotAmong(name, known);
    }
    faults.Add(*kind);
  }
  return faults;
}

std::variant<scenarios::RunSpec, FileError> SpecOf(const Catalog& catalog, const std::string& path,
                                                   const Origin& origin) {
  scenarios::RunSpec spec;
  spec.scenario = catalog.FindScenario(origin.scenario);
  if (spec.scenario == nullptr) {
    return InFirstLine(path, "unknown scenario " + UnknownScenario(catalog, origin.scenario));
  }
  if (!origin.mutant.empty()) {
    spec.mutant = catalog.FindMutant(origin.mutant);
    if (spec.mutant == nullptr) {
      return InFirstLine(path, "unknown mutant " + UnknownMutant(catalog, origin.mutant));
    }
  }
  const std::optional<std::uint64_t> seed = ParseNumber(origin.seed);
  if (!seed) {
    return InFirstLine(path, fmt::format("the seed {}; accepted: a number of 64 bits, decimal or "
                                         "0x...",
                                         traces::Quoted(origin.seed)));
  }
  if (origin.max_steps < 0 || origin.max_steps > kMaxStepsMax) {
    return InFirstLine(path, fmt::format("max_steps {}; accepted: 0 to 2^40", origin.max_steps));
  }
  const std::variant<sim::FaultSet, std::string> faults = FaultsOf(origin.faults);
  if (const auto* problem = std::get_if<std::string>(&faults)) return InFirstLine(path, *problem);
  spec.seed = *seed;
  spec.max_steps = origin.max_steps;
  spec.faults = std::get<sim::FaultSet>(faults);
  spec.record_trace = true;
  return spec;
}

std::variant<RunAgain, FileError> FromTrace(const Catalog& catalog, const std::string& path,
                                            std::string bytes) {
  std::variant<traces::Trace, traces::ReadError> read = traces::ReadTrace(bytes, path);
  if (const auto* error = std::get_if<traces::ReadError>(&read))
    return FileError{error->ToString()};
  RunAgain again;
  again.trace = std::move(std::get<traces::Trace>(read));
  const traces::Header& header = again.trace->header;
  std::variant<scenarios::RunSpec, FileError> spec = SpecOf(catalog, path,
                                                            {.scenario = header.scenario,
                                                             .mutant = header.mutant,
                                                             .seed = header.seed,
                                                             .max_steps = header.max_steps,
                                                             .faults = header.faults});
  if (auto* error = std::get_if<FileError>(&spec)) return *error;
  again.bytes = std::move(bytes);
  again.spec = std::get<scenarios::RunSpec>(spec);
  again.spec.strategy = header.strategy;
  again.schedule = again.trace->schedule;
  return again;
}

std::variant<RunAgain, FileError> FromSchedule(const Catalog& catalog, const std::string& path,
                                               std::string bytes) {
  std::variant<traces::ScheduleFile, traces::ReadError> read = traces::ParseSchedule(bytes, path);
  if (const auto* error = std::get_if<traces::ReadError>(&read))
    return FileError{error->ToString()};
  traces::ScheduleFile& file = std::get<traces::ScheduleFile>(read);
  std::variant<scenarios::RunSpec, FileError> spec = SpecOf(catalog, path,
                                                            {.scenario = file.scenario,
                                                             .mutant = file.mutant,
                                                             .seed = file.seed,
                                                             .max_steps = file.max_steps,
                                                             .faults = file.faults});
  if (auto* error = std::get_if<FileError>(&spec)) return *error;
  RunAgain again;
  again.bytes = std::move(bytes);
  again.spec = std::get<scenarios::RunSpec>(spec);
  again.schedule = std::move(file.schedule);
  return again;
}

}  // namespace

std::variant<RunAgain, FileError> ReadRunAgain(const Catalog& catalog, const std::string& path) {
  std::variant<std::string, traces::ReadError> read = traces::ReadFileBytes(path);
  if (const auto* error = std::get_if<traces::ReadError>(&read))
    return FileError{error->ToString()};
  std::string& bytes = std::get<std::string>(read);
  const std::string_view first_line = std::string_view(bytes).substr(0, bytes.find('\n'));
  switch (traces::DetectKind(first_line)) {
    case traces::FileKind::kTrace:
      return FromTrace(catalog, path, std::move(bytes));
    case traces::FileKind::kSchedule:
      return FromSchedule(catalog, path, std::move(bytes));
    case traces::FileKind::kForeign:
      break;
  }
  traces::ReadError error;
  error.file = path;
  error.line = 1;
  error.problem = bytes.empty() ? "an empty file"
                                : "neither a lockstep trace nor a schedule: the first line begins "
                                  "with " +
                                      traces::Quoted(first_line.substr(0, 40));
  error.accepted =
      "a first line that begins with {\"format\":\"lockstep-trace\",\"version\":1, or "
      "{\"format\":\"lockstep-schedule\",\"version\":1,";
  return FileError{error.ToString()};
}

std::variant<traces::Trace, FileError> ReadTraceFile(const std::string& path) {
  const std::variant<std::string, traces::ReadError> read = traces::ReadFileBytes(path);
  if (const auto* error = std::get_if<traces::ReadError>(&read))
    return FileError{error->ToString()};
  std::variant<traces::Trace, traces::ReadError> trace =
      traces::ReadTrace(std::get<std::string>(read), path);
  if (const auto* error = std::get_if<traces::ReadError>(&trace)) {
    return FileError{error->ToString()};
  }
  return std::move(std::get<traces::Trace>(trace));
}

}  // namespace lockstep::tools
