// The fingerprint of a trace: XXH3-128 of its bytes, printed like `xxh128sum` prints it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::traces {

/// "xxh3:" and 32 lowercase hexadecimal digits.
std::string Digest(std::string_view bytes);
inline constexpr std::size_t kDigestSize = 5 + 32;

}  // namespace lockstep::traces
