// Numbers as people read them, and as they type them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::tools {

/// 41207 -> "41,207"
std::string Thousands(std::uint64_t number);
/// 8234567 -> "8.23M", 1310000000 -> "1.31G", 950 -> "950"
std::string Short(double number);
/// 0x2a, without leading zeros: how a seed is printed everywhere.
std::string SeedText(std::uint64_t seed);
/// 75 -> "1m15s", 7 -> "7s", 3700 -> "1h01m"
std::string DurationText(double seconds);

/// Digits, or 0x and hexadecimal digits; nothing for anything else or beyond 64 bits.
std::optional<std::uint64_t> ParseNumber(std::string_view text);

/// `text` as one word of a POSIX shell, quoted only where needed.
std::string ShellWord(std::string_view text);

}  // namespace lockstep::tools
