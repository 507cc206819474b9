#include "tools/console.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lockstep::tools {

Console Console::OfProcess(const Environment& environment) {
  Console console(stdout, stderr);
  const bool ci = environment("CI").has_value();
  const bool colour = !environment("NO_COLOR").has_value();
  console.colours_ = colour && !ci && ::isatty(STDOUT_FILENO) == 1;
  console.live_ = !ci && ::isatty(STDERR_FILENO) == 1;
  return console;
}

void Console::Write(std::FILE* file, std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), file);
  if (written != text.size() && file == out_ && out_error_ == 0) out_error_ = errno;
}

void Console::Error(std::string_view line) {
  std::string text = "lockstep: ";
  text.append(line).push_back('\n');
  // Results first, so that the two streams keep their order on a terminal.
  std::fflush(out_);
  Err(text);
}

std::string Console::Bad(std::string_view text) const {
  if (!colours_) return std::string(text);
  return "\x1b[1;31m" + std::string(text) + "\x1b[0m";
}

std::string Console::Good(std::string_view text) const {
  if (!colours_) return std::string(text);
  return "\x1b[1;32m" + std::string(text) + "\x1b[0m";
}

bool Console::Flush(std::string& why) {
  if (std::fflush(out_) != 0 && out_error_ == 0) out_error_ = errno;
  std::fflush(err_);
  if (out_error_ == 0 && std::ferror(out_) == 0) return true;
  why = out_error_ == 0 ? "write error" : std::strerror(out_error_);
  return false;
}

}  // namespace lockstep::tools
