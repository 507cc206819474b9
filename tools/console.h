// Console: where a command prints. stdout has results alone, stderr everything else.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "tools/environment.h"

namespace lockstep::tools {

class Console {
 public:
  /// Does not own the files.
  Console(std::FILE* out, std::FILE* err) : out_(out), err_(err) {}
  /// Colours and a progress line where a person looks: on a terminal, without NO_COLOR, without CI.
  static Console OfProcess(const Environment& environment);

  void Out(std::string_view text) { Write(out_, text); }
  void Err(std::string_view text) { Write(err_, text); }
  /// "lockstep: LINE" on stderr.
  void Error(std::string_view line);

  /// Text for stdout in red or green, or as it is where nobody sees colours.
  [[nodiscard]] std::string Bad(std::string_view text) const;
  [[nodiscard]] std::string Good(std::string_view text) const;
  /// Whether a line on stderr may be drawn again and again.
  [[nodiscard]] bool live() const { return live_; }

  /// Whether everything printed so far has arrived; if not, why.
  [[nodiscard]] bool Flush(std::string& why);

 private:
  void Write(std::FILE* file, std::string_view text);

  std::FILE* out_;
  std::FILE* err_;
  bool colours_ = false;
  bool live_ = false;
  int out_error_ = 0;  ///< errno of the first failed write to out_
};

}  // namespace lockstep::tools
