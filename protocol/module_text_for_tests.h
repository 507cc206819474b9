// Reads a .tla module as text: declarations, definitions, and the actions that a next-state
// operator is a disjunction of. For the tests that compare a module's names with those in C++.
//
// The text is read, not run: it finds a definition by its "Name ==" or "Name(a, b) ==" at the
// beginning of a line, and an action by what it says of variables.
#pragma once

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"

namespace lockstep::protocol {

inline bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The text without comments: `\*` to the end of the line, and `(* ... *)`.
inline std::string WithoutComments(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "(*") {
      i = std::min(text.find("*)", i), text.size() - 2) + 2;
    } else if (text.substr(i, 2) == "\\*") {
      i = std::min(text.find('\n', i), text.size());
    } else {
      out += text[i++];
    }
  }
  return out;
}

/// Names in the order in which they stand. What is in a string literal is no name.
inline std::vector<std::string> NamesIn(std::string_view text) {
  std::vector<std::string> names;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') in_string = !in_string;
    if (in_string || !IsNameCharacter(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && IsNameCharacter(text[i])) ++i;
    names.emplace_back(text.substr(begin, i - begin));
  }
  return names;
}

/// One blank for any white space, so that a phrase can be looked for over line ends.
inline std::string Joined(std::string_view text) {
  std::string joined;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || joined.empty() || joined.back() != ' ') joined += blank ? ' ' : c;
  }
  return joined;
}

/// A module with what it extends in front.
struct ModuleText {
  struct Definition {
    std::string name;
    std::vector<std::string> parameters;
    std::string body;
  };
  std::vector<std::string> constants;
  std::vector<std::string> variables;
  std::vector<Definition> definitions;  ///< in order

  [[nodiscard]] const Definition* Find(std::string_view name) const {
    for (const Definition& definition : definitions) {
      if (definition.name == name) return &definition;
    }
    return nullptr;
  }
};

/// "Name ==" or "Name(a, b) ==" at the beginning of a line.
inline bool ReadDefinitionHead(const std::string& line, ModuleText::Definition& definition) {
  const std::size_t equals = line.find("==");
  if (line.empty() || !IsNameCharacter(line[0]) || equals == std::string::npos) return false;
  std::vector<std::string> names = NamesIn(std::string_view(line).substr(0, equals));
  definition.name = names.front();
  definition.parameters.assign(names.begin() + 1, names.end());
  definition.body = line.substr(equals + 2);
  return true;
}

/// Adds the declarations and definitions of one module's text.
inline void ReadInto(ModuleText& module, std::string_view text) {
  enum class Section { kNone, kConstants, kVariables, kDefinition };
  Section section = Section::kNone;
  std::istringstream lines(WithoutComments(text));
  for (std::string line; std::getline(lines, line);) {
    ModuleText::Definition definition;
    std::string_view declared;
    if (line.starts_with("CONSTANT")) {
      section = Section::kConstants;
      declared = std::string_view(line).substr(line.starts_with("CONSTANTS") ? 9 : 8);
    } else if (line.starts_with("VARIABLE")) {
      section = Section::kVariables;
      declared = std::string_view(line).substr(line.starts_with("VARIABLES") ? 9 : 8);
    } else if (line.starts_with("ASSUME") || line.starts_with("EXTENDS") ||
               line.starts_with("--") || line.starts_with("==")) {
      section = Section::kNone;
    } else if (ReadDefinitionHead(line, definition)) {
      section = Section::kDefinition;
      module.definitions.push_back(definition);
    } else if (section == Section::kDefinition) {
      module.definitions.back().body += "\n" + line;
    } else {
      declared = line;
    }
    for (std::string& name : NamesIn(declared)) {
      if (section == Section::kConstants) module.constants.push_back(std::move(name));
      if (section == Section::kVariables) module.variables.push_back(std::move(name));
    }
  }
}

/// The text of protocol/<path>.
inline std::string TextOf(std::string_view path) {
  std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR "/protocol/") + std::string(path),
                     std::ios::binary);
  LOCKSTEP_CHECK_MSG(file.good(), path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The module protocol/<folder>/<name>.tla, behind the modules that it extends: those whose names
/// begin as `base` does.
inline ModuleText ReadModule(std::string_view folder, std::string_view name,
                             std::string_view base) {
  std::vector<std::string> texts;
  std::string next(name);
  while (!next.empty()) {
    texts.push_back(TextOf(std::string(folder) + "/" + next + ".tla"));
    const std::string plain = WithoutComments(texts.back());
    const std::size_t extends = plain.find("EXTENDS ");
    next.clear();
    if (extends == std::string::npos) continue;
    const std::size_t end = plain.find('\n', extends);
    for (const std::string& extended : NamesIn(plain.substr(extends, end - extends))) {
      if (extended.starts_with(base)) next = extended;
    }
  }
  ModuleText module;
  for (auto text = texts.rbegin(); text != texts.rend(); ++text) ReadInto(module, *text);
  return module;
}

/// Definitions that say what becomes of a variable, themselves or through others: actions.
inline bool IsAction(const ModuleText& module, const ModuleText::Definition& definition) {
  if (definition.body.find("UNCHANGED") != std::string::npos) return true;
  for (const std::string& name : NamesIn(definition.body)) {
    const ModuleText::Definition* used = module.Find(name);
    if (used != nullptr && used->name != definition.name && IsAction(module, *used)) return true;
  }
  return false;
}

/// The actions that `next` is a disjunction of, in order, with their parameters:
/// "ReadEntry(w,off,)". A next-state operator of another module among them stands for its own.
inline std::vector<std::string> ActionsOf(const ModuleText& module, std::string_view next) {
  std::vector<std::string> actions;
  const ModuleText::Definition* definition = module.Find(next);
  if (definition == nullptr) return actions;
  for (const std::string& name : NamesIn(definition->body)) {
    const ModuleText::Definition* used = module.Find(name);
    if (used == nullptr || !IsAction(module, *used)) continue;
    if (name.starts_with("Next")) {
      for (std::string& inner : ActionsOf(module, name)) actions.push_back(std::move(inner));
      continue;
    }
    std::string text = name + "(";
    for (const std::string& parameter : used->parameters) text += parameter + ",";
    actions.push_back(text + ")");
  }
  return actions;
}

/// What is in one list only, said so that one knows which side to change.
inline std::vector<std::string> Mismatches(std::string_view kind,
                                           const std::vector<std::string>& module,
                                           const std::vector<std::string>& cpp) {
  const auto lacks = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) == names.end();
  };
  std::vector<std::string> mismatches;
  for (const std::string& name : module) {
    if (!lacks(cpp, name)) continue;
    mismatches.push_back(std::string(kind) + " " + name + " of the module is not in C++");
  }
  for (const std::string& name : cpp) {
    if (!lacks(module, name)) continue;
    mismatches.push_back(std::string(kind) + " " + name + " of C++ is not in the module");
  }
  if (mismatches.empty() && module != cpp) {
    mismatches.push_back(std::string(kind) + "s stand in another order");
  }
  return mismatches;
}

}  // namespace lockstep::protocol
