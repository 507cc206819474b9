// Bytes to Trace, strictly: WriteTrace(ReadTrace(bytes)) == bytes, or a ReadError.
//
// The bytes may be hostile: time and memory stay proportional to their number, and every limit
// below ends in a ReadError.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>

#include "traces/read_error.h"
#include "traces/trace.h"

namespace lockstep::traces {

inline constexpr std::size_t kLineBytesMax = std::size_t{64} << 20U;

/// `file_name` is only for the error.
std::variant<Trace, ReadError> ReadTrace(std::string_view bytes, std::string_view file_name);

}  // namespace lockstep::traces
