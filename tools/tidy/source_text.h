// A source file taken apart for the lint: what is code, what is comment, what it includes.
//
// The rules need to know that `std::mt19937` stands in code and not in a comment or a string.
// This is not a C++ parser: it knows comments, string and character literals (raw ones too) and
// include lines, and nothing about macros.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tools {

struct SourceFile {
  std::string path;  // From the repository's top, with '/'.
  std::string text;
};

struct Include {
  int line = 0;
  std::string target;  // Without quotes or angle brackets.
  bool quoted = false;
};

// All three vectors have one element a line of the file.
struct SourceText {
  std::vector<std::string> raw;
  std::vector<std::string> code;      // Comments gone, the insides of literals gone.
  std::vector<std::string> comments;  // Only what stands in comments.
  std::vector<Include> includes;
};

// For a file that is not C++, `code` is what stands before the first '#' of each line, and
// `comments` is the rest.
[[nodiscard]] SourceText TakeApart(const SourceFile& file);

[[nodiscard]] std::vector<std::string> SplitLines(std::string_view text);
[[nodiscard]] std::string_view Trimmed(std::string_view text);
[[nodiscard]] bool IsCpp(std::string_view path);
[[nodiscard]] bool IsIdentifierCharacter(char c);

// Where `word` stands in `text` at or after `from`, not as a part of a longer identifier.
[[nodiscard]] std::string_view::size_type FindWord(std::string_view text, std::string_view word,
                                                   std::string_view::size_type from = 0);

}  // namespace lockstep::tools
