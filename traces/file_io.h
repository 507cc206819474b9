// Files on disk: read whole with a limit, written whole or not at all.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "traces/read_error.h"

namespace lockstep::traces {

inline constexpr std::size_t kFileBytesMax = std::size_t{256} << 20U;

/// The bytes of a file (or a pipe), at most kFileBytesMax.
std::variant<std::string, ReadError> ReadFileBytes(const std::string& path);

/// Writes a file beside `path` and renames it, so that `path` is either what it was or complete.
/// Returns what went wrong, as one line, or nothing.
std::optional<std::string> WriteFileAtomically(const std::string& path, std::string_view bytes);

}  // namespace lockstep::traces
