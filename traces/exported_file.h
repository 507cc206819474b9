// What an exporter gives: files in memory, or why there are none.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace lockstep::traces {

struct ExportedFile {
  std::string name;  ///< without a folder
  std::string bytes;
  friend bool operator==(const ExportedFile&, const ExportedFile&) = default;
};

struct ExportError {
  std::string problem;  ///< one line, safe to print
};

using ExportResult = std::variant<std::vector<ExportedFile>, ExportError>;

}  // namespace lockstep::traces
