// The repository's own lint: rules over source text, run as a test.
//
// Every finding names the file, the line, the rule and what to do instead. The tables beside this
// file (layers, bans, exemptions) are the rules' data; a change of rule is a change of a table. The
// lint sees text, not meaning: what it cannot see, the link tests and the symbol scan do.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/tidy/source_text.h"

namespace lockstep::tools {

inline constexpr int kFunctionLinesMax = 70;
inline constexpr int kFileLinesMax = 600;
inline constexpr int kLineColumnsMax = 100;

struct Finding {
  std::string file;
  int line = 0;
  std::string rule;
  std::string message;  // Ends in "(use ... instead)".

  friend bool operator==(const Finding&, const Finding&) = default;
};

// `file:line: rule: message`.
[[nodiscard]] std::string Print(const Finding& finding);

// The rules that look at one file.
[[nodiscard]] std::vector<Finding> CheckFile(const SourceFile& file);

// Every rule: those of CheckFile, and those that need the other files (tests beside sources, tests
// listed in CMake, SPEC: tags, tables without dead rows). Ordered by file and line.
[[nodiscard]] std::vector<Finding> CheckRepository(std::span<const SourceFile> files);

// The text files of the six layers and those at the top, ordered by path. Build folders are not
// part of it.
//
// REQUIRES: `top` is the repository's folder.
[[nodiscard]] std::vector<SourceFile> ReadRepository(const std::string& top);

}  // namespace lockstep::tools
