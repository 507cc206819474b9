#include "tools/tidy/source_text.h"

#include <utility>

namespace lockstep::tools {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Walks over a C++ text once, handing each character to the code or the comment of its line.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {
    code_.emplace_back();
    comments_.emplace_back();
  }

  void Run() {
    while (at_ < text_.size()) {
      if (Starts("//")) {
        TakeComment("\n");
      } else if (Starts("/*")) {
        TakeComment("*/");
      } else if (Peek() == 'R' && Peek(1) == '"' && !InsideIdentifier()) {
        TakeRawString();
      } else if (Peek() == '"') {
        TakeLiteral('"');
      } else if (Peek() == '\'' && !IsDigitSeparator()) {
        TakeLiteral('\'');
      } else {
        TakeCode();
      }
    }
  }

  std::vector<std::string>& code() { return code_; }
  std::vector<std::string>& comments() { return comments_; }

 private:
  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  [[nodiscard]] bool Starts(std::string_view what) const {
    return text_.substr(at_).starts_with(what);
  }

  [[nodiscard]] bool InsideIdentifier() const {
    if (at_ == 0 || !IsIdentifierCharacter(text_[at_ - 1])) return false;
    const char before = text_[at_ - 1];
    return before != 'L' && before != 'u' && before != 'U' && before != '8';
  }

  [[nodiscard]] bool IsDigitSeparator() const {
    if (at_ == 0 || !IsIdentifierCharacter(text_[at_ - 1])) return false;
    std::size_t start = at_;
    while (start > 0 && (IsIdentifierCharacter(text_[start - 1]) || text_[start - 1] == '\'')) {
      --start;
    }
    return IsDigit(text_[start]);
  }

  void NextLine() {
    code_.emplace_back();
    comments_.emplace_back();
  }

  void TakeCode() {
    if (Peek() == '\n') {
      NextLine();
    } else {
      code_.back().push_back(Peek());
    }
    ++at_;
  }

  void TakeComment(std::string_view end) {
    std::size_t stop = text_.find(end, at_ + 2);
    if (stop == std::string_view::npos) stop = text_.size();
    if (end != "\n" && stop < text_.size()) stop += end.size();
    for (; at_ < stop; ++at_) {
      if (Peek() == '\n') {
        NextLine();
      } else {
        comments_.back().push_back(Peek());
      }
    }
  }

  void TakeRawString() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) {
      TakeCode();
      return;
    }
    const std::string end = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    std::size_t stop = text_.find(end, open);
    stop = stop == std::string_view::npos ? text_.size() : stop + end.size();
    code_.back() += "\"\"";
    for (; at_ < stop; ++at_) {
      if (Peek() == '\n') NextLine();
    }
  }

  void TakeLiteral(char quote) {
    ++at_;
    while (at_ < text_.size() && Peek() != quote && Peek() != '\n') {
      at_ += Peek() == '\\' ? 2U : 1U;
    }
    if (Peek() == quote) ++at_;
    code_.back() += {quote, quote};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> code_;
  std::vector<std::string> comments_;
};

// `comment_mark` stays in the comment.
void SplitAtMark(SourceText& source, char comment_mark) {
  for (const std::string& line : source.raw) {
    const std::size_t mark = line.find(comment_mark);
    source.code.push_back(line.substr(0, mark));
    source.comments.push_back(mark == std::string::npos ? "" : line.substr(mark));
  }
}

void FindIncludes(SourceText& source) {
  for (std::size_t i = 0; i < source.raw.size(); ++i) {
    // The code of an include line has lost what stood between quotes; the raw line has it.
    if (!Trimmed(source.code[i]).starts_with("#include")) continue;
    const std::string& line = source.raw[i];
    const std::size_t open = line.find_first_of("\"<");
    if (open == std::string::npos) continue;
    const std::size_t close = line.find_first_of("\">", open + 1);
    if (close == std::string::npos) continue;
    source.includes.push_back({.line = static_cast<int>(i) + 1,
                               .target = line.substr(open + 1, close - open - 1),
                               .quoted = line[open] == '"'});
  }
}

}  // namespace

SourceText TakeApart(const SourceFile& file) {
  SourceText source;
  source.raw = SplitLines(file.text);
  if (!IsCpp(file.path)) {
    SplitAtMark(source, '#');
    return source;
  }
  Lexer lexer(file.text);
  lexer.Run();
  source.code = std::move(lexer.code());
  source.comments = std::move(lexer.comments());
  source.code.resize(source.raw.size());
  source.comments.resize(source.raw.size());
  FindIncludes(source);
  return source;
}

std::vector<std::string> SplitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool IsCpp(std::string_view path) { return path.ends_with(".h") || path.ends_with(".cpp"); }

bool IsIdentifierCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_';
}

std::string_view::size_type FindWord(std::string_view text, std::string_view word,
                                     std::string_view::size_type from) {
  while (true) {
    const std::size_t at = text.find(word, from);
    if (at == std::string_view::npos) return at;
    const std::size_t end = at + word.size();
    const bool starts =
        at == 0 || !IsIdentifierCharacter(word.front()) || !IsIdentifierCharacter(text[at - 1]);
    const bool ends = end == text.size() || !IsIdentifierCharacter(word.back()) ||
                      !IsIdentifierCharacter(text[end]);
    if (starts && ends) return at;
    from = at + 1;
  }
}

}  // namespace lockstep::tools
