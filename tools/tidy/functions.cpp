#include "tools/tidy/functions.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace lockstep::tools {
namespace {

enum class Brace { kScope, kFunction, kOther };

std::string_view FirstWord(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsIdentifierCharacter(text[end])) ++end;
  return text.substr(0, end);
}

// Drops leading `template <...>`.
std::string_view WithoutTemplate(std::string_view text) {
  text = Trimmed(text);
  while (FirstWord(text) == "template") {
    int depth = 0;
    std::size_t i = text.find('<');
    for (; i < text.size(); ++i) {
      if (text[i] == '<') ++depth;
      if (text[i] == '>' && --depth == 0) break;
    }
    text = i < text.size() ? Trimmed(text.substr(i + 1)) : std::string_view{};
  }
  return text;
}

Brace Classify(std::string_view before, Brace last_closed) {
  static constexpr std::array<std::string_view, 7> kScopes{"namespace", "class",  "struct", "union",
                                                           "enum",      "extern", "inline"};
  static constexpr std::array<std::string_view, 8> kControls{"if", "for",  "while", "switch",
                                                             "do", "else", "try",   "catch"};
  before = WithoutTemplate(before);
  // The body of a constructor whose last initializer has braces: `: a_{1} {`.
  if (before.empty()) return last_closed == Brace::kFunction ? Brace::kFunction : Brace::kOther;
  const std::string_view word = FirstWord(before);
  const bool inline_function = word == "inline" && !before.starts_with("inline namespace");
  if (!inline_function && std::ranges::find(kScopes, word) != kScopes.end()) return Brace::kScope;
  if (std::ranges::find(kControls, word) != kControls.end()) return Brace::kOther;
  const auto opened = std::ranges::count(before, '(');
  const auto closed = std::ranges::count(before, ')');
  if (opened == 0 || opened != closed) return Brace::kOther;
  if (before.back() == '=' || before.back() == ',' || before.ends_with("return")) {
    return Brace::kOther;
  }
  return Brace::kFunction;
}

// What stands before the first parenthesis: `Foo::Bar` of `int Foo::Bar(int x) const`.
std::string NameOf(std::string_view before) {
  before = WithoutTemplate(before);
  before = before.substr(0, before.find('('));
  before = Trimmed(before);
  std::size_t start = before.size();
  while (start > 0 && (IsIdentifierCharacter(before[start - 1]) || before[start - 1] == ':' ||
                       before[start - 1] == '~')) {
    --start;
  }
  return std::string(before.substr(start));
}

class Finder {
 public:
  void Take(char c, int line) {
    if (c == '{') {
      Open(line);
    } else if (c == '}') {
      Close(line);
    } else if (c == ';' && !InsideFunction()) {
      before_.clear();
      last_closed_ = Brace::kScope;
    } else if (!InsideFunction()) {
      before_.push_back(c);
    }
  }

  std::vector<FunctionBody> found;

 private:
  [[nodiscard]] bool InsideFunction() const {
    return std::ranges::find(open_, Brace::kFunction) != open_.end();
  }

  void Open(int line) {
    if (InsideFunction()) {
      open_.push_back(Brace::kOther);
      return;
    }
    open_.push_back(Classify(before_, last_closed_));
    if (open_.back() == Brace::kFunction) {
      if (std::string name = NameOf(before_); !name.empty()) name_ = std::move(name);
      first_line_ = line;
    }
    before_.clear();
  }

  void Close(int line) {
    if (open_.empty()) return;
    last_closed_ = open_.back();
    open_.pop_back();
    if (last_closed_ == Brace::kFunction) {
      found.push_back({.name = name_, .first_line = first_line_, .last_line = line});
    }
    if (!InsideFunction()) before_.clear();
  }

  std::vector<Brace> open_;
  std::string before_;
  Brace last_closed_ = Brace::kScope;
  std::string name_;
  int first_line_ = 0;
};

}  // namespace

std::vector<FunctionBody> FindFunctions(const SourceText& source) {
  Finder finder;
  bool directive = false;
  for (std::size_t i = 0; i < source.code.size(); ++i) {
    const std::string_view line = Trimmed(source.code[i]);
    directive = directive || line.starts_with('#');
    if (!directive) {
      const int number = static_cast<int>(i) + 1;
      for (const char c : line) finder.Take(c, number);
      finder.Take(' ', number);
    }
    directive = directive && line.ends_with('\\');
  }
  return std::move(finder.found);
}

}  // namespace lockstep::tools
