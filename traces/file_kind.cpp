#include "traces/file_kind.h"

#include <algorithm>
#include <string>

#include "traces/read_error.h"
#include "traces/trace.h"

namespace lockstep::traces {
namespace {

constexpr std::string_view kTracePrefix = "{\"format\":\"lockstep-trace\",\"version\":";
constexpr std::string_view kSchedulePrefix = "{\"format\":\"lockstep-schedule\",\"version\":";

}  // namespace

FileKind DetectKind(std::string_view first_line) {
  if (first_line.starts_with(kTracePrefix)) return FileKind::kTrace;
  if (first_line.starts_with(kSchedulePrefix)) return FileKind::kSchedule;
  return FileKind::kForeign;
}

std::optional<Problem> CheckFormat(std::string_view first_line, FileKind kind) {
  const bool trace = kind == FileKind::kTrace;
  const std::string_view prefix = trace ? kTracePrefix : kSchedulePrefix;
  const std::string opening = "a first line that begins with " + std::string(prefix) + "1,";
  if (prefix.starts_with(first_line)) {
    return Problem{"the first line is cut: the file is truncated", opening};
  }
  const FileKind found = DetectKind(first_line);
  if (found == FileKind::kForeign) {
    return Problem{std::string("not a lockstep ") + (trace ? "trace" : "schedule") +
                       ": the first line begins with " + Quoted(first_line.substr(0, 40)),
                   opening};
  }
  if (found != kind) {
    return Problem{trace ? "a schedule, not a trace" : "a trace, not a schedule", opening};
  }
  const std::string_view rest = first_line.substr(prefix.size());
  const std::string_view version = rest.substr(0, rest.find(','));
  if (version != std::to_string(kFormatVersion)) {
    return Problem{"format version " + Quoted(version.substr(0, 20)),
                   "this build reads version " + std::to_string(kFormatVersion)};
  }
  return std::nullopt;
}

}  // namespace lockstep::traces
