// ReadError: why a file was refused, where, and what would have been accepted instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::traces {

struct ReadError {
  std::string file;
  std::int64_t line = 0;  ///< from 1; 0 = the file as a whole
  std::string problem;    ///< "unknown key \"nod\" in a step"
  std::string accepted;   ///< "n, t, node, event, action, changed, in this order"

  /// One line, safe to print: "run.trace:3: unknown key ...; accepted: ...".
  [[nodiscard]] std::string ToString() const;
};

/// `text` with every byte that is not printable ASCII escaped, so that a terminal is safe from it.
std::string Printable(std::string_view text);

/// `text` in double quotes, printable and cut to a readable length: what an error shows of a file.
std::string Quoted(std::string_view text);

}  // namespace lockstep::traces
