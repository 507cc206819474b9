#include "tools/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace lockstep::tools {

std::string Thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string Short(double number) {
  constexpr std::array<char, 4> kUnits = {'k', 'M', 'G', 'T'};
  if (!(number > 0)) return "0";
  if (number < 10'000.0) return fmt::format("{:.0f}", number);
  std::size_t unit = 0;
  number /= 1000.0;
  while (number >= 999.5 && unit + 1 < kUnits.size()) {
    number /= 1000.0;
    ++unit;
  }
  const int digits = number < 9.995 ? 2 : (number < 99.95 ? 1 : 0);
  return fmt::format("{:.{}f}{}", number, digits, kUnits[unit]);
}

std::string SeedText(std::uint64_t seed) { return fmt::format("{:#x}", seed); }

std::string DurationText(double seconds) {
  constexpr double kLongest = 1e9;
  const auto whole = static_cast<std::uint64_t>(std::clamp(std::round(seconds), 0.0, kLongest));
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}h{:02}m", whole / 3600, whole % 3600 / 60);
}

std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::string ShellWord(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./,:=+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out.append("'\\''");
    } else {
      out.push_back(c);
    }
  }
  out.push_back('\'');
  return out;
}

}  // namespace lockstep::tools
