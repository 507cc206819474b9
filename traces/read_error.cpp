#include "traces/read_error.h"

#include <cstddef>

namespace lockstep::traces {
namespace {

constexpr std::size_t kShownBytesMax = 80;

}  // namespace

std::string Printable(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;

  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out.push_back(c);
    } else {
      out.append({'\\', 'x', kHex[byte >> 4U], kHex[byte & 0xfU]});
    }
  }
  return out;
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  out.append(Printable(text.substr(0, kShownBytesMax)));
  if (text.size() > kShownBytesMax) out.append("...");
  out.push_back('"');
  return out;
}

std::string ReadError::ToString() const {
  std::string out = Printable(file);
  if (line > 0) out.append(":").append(std::to_string(line));
  out.append(": ").append(problem);
  if (!accepted.empty()) out.append("; accepted: ").append(accepted);
  return out;
}

}  // namespace lockstep::traces
