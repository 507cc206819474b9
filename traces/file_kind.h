// What a file is, by its first line: a trace, a schedule, or something from elsewhere.
#pragma once

#include <optional>
#include <string_view>

#include "traces/json_line.h"

namespace lockstep::traces {

enum class FileKind { kTrace, kSchedule, kForeign };

/// Looks at "format" alone; any version. `first_line` may be longer than the line.
FileKind DetectKind(std::string_view first_line);

/// Nothing if the line opens a file of `kind` in the version that this build reads.
std::optional<Problem> CheckFormat(std::string_view first_line, FileKind kind);

}  // namespace lockstep::traces
