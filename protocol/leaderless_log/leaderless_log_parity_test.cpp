// The names in C++ are the names in the .tla files, in both directions.
//
// The modules' text is read, not run: declarations, definitions and the operators that a next-state
// operator is made of. Every dialect module is read together with the modules it extends. TLC
// checks what the names mean (see README.md for how, and for the figures).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "protocol/leaderless_log/leaderless_log_module.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Reading a module.

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The text without comments: `\*` to the end of the line, and `(* ... *)`.
std::string WithoutComments(std::string_view text) {
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
std::vector<std::string> NamesIn(std::string_view text) {
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

struct Definition {
  std::string name;
  std::vector<std::string> parameters;
  std::string body;
};

/// A module with what it extends in front.
struct Module {
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
bool ReadDefinitionHead(const std::string& line, Definition& definition) {
  const std::size_t equals = line.find("==");
  if (line.empty() || !IsNameCharacter(line[0]) || equals == std::string::npos) return false;
  if (line.compare(0, 4, "====") == 0) return false;
  std::vector<std::string> names = NamesIn(std::string_view(line).substr(0, equals));
  definition.name = names.front();
  definition.parameters.assign(names.begin() + 1, names.end());
  definition.body = line.substr(equals + 2);
  return true;
}

/// Adds the declarations and definitions of one module's text.
void ReadInto(Module& module, std::string_view text) {
  enum class Section { kNone, kConstants, kVariables, kDefinition };
  Section section = Section::kNone;
  std::istringstream lines(WithoutComments(text));
  for (std::string line; std::getline(lines, line);) {
    Definition definition;
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

std::string TextOf(std::string_view file_name) {
  const std::string path =
      std::string(LOCKSTEP_SOURCE_DIR "/protocol/leaderless_log/") + std::string(file_name);
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The module of this dialect, behind the modules of this folder that it extends.
Module Read(std::string_view name) {
  std::vector<std::string> texts;
  std::string next(name);
  while (!next.empty()) {
    texts.push_back(TextOf(next + ".tla"));
    const std::string plain = WithoutComments(texts.back());
    const std::size_t extends = plain.find("EXTENDS ");
    next.clear();
    if (extends == std::string::npos) continue;
    const std::size_t end = plain.find('\n', extends);
    for (const std::string& extended : NamesIn(plain.substr(extends, end - extends))) {
      if (extended.starts_with("LeaderlessLog")) next = extended;
    }
  }
  Module module;
  for (auto text = texts.rbegin(); text != texts.rend(); ++text) ReadInto(module, *text);
  return module;
}

/// Definitions that say what becomes of a variable, themselves or through others: actions.
bool IsAction(const Module& module, const Definition& definition) {
  if (definition.body.find("UNCHANGED") != std::string::npos) return true;
  for (const std::string& name : NamesIn(definition.body)) {
    const Definition* used = module.Find(name);
    if (used != nullptr && used->name != definition.name && IsAction(module, *used)) return true;
  }
  return false;
}

/// The actions that `next` is a disjunction of, in order, with their parameters. A next-state
/// operator of another module among them stands for its own.
std::vector<std::string> ActionsOf(const Module& module, std::string_view next) {
  std::vector<std::string> actions;
  const Definition* definition = module.Find(next);
  if (definition == nullptr) return actions;
  for (const std::string& name : NamesIn(definition->body)) {
    const Definition* used = module.Find(name);
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

// Comparing.

/// What is in one list only, said so that one knows which side to change.
std::vector<std::string> Mismatches(std::string_view kind, const std::vector<std::string>& module,
                                    const std::vector<std::string>& cpp) {
  std::vector<std::string> mismatches;
  for (const std::string& name : module) {
    if (std::find(cpp.begin(), cpp.end(), name) == cpp.end()) {
      mismatches.push_back(std::string(kind) + " " + name + " of the module is not in C++");
    }
  }
  for (const std::string& name : cpp) {
    if (std::find(module.begin(), module.end(), name) == module.end()) {
      mismatches.push_back(std::string(kind) + " " + name + " of C++ is not in the module");
    }
  }
  if (mismatches.empty() && module != cpp) {
    mismatches.push_back(std::string(kind) + "s stand in another order");
  }
  return mismatches;
}

std::vector<std::string> Strings(const std::vector<std::string_view>& names) {
  return {names.begin(), names.end()};
}

std::vector<std::string> ActionsInCpp(const Dialect& dialect) {
  std::vector<std::string> actions;
  for (const ActionKind kind : ActionKinds(dialect)) {
    std::string text = std::string(OperatorName(dialect, kind)) + "(";
    for (const std::string_view parameter : OperatorParameters(kind)) {
      text += std::string(parameter) + ",";
    }
    actions.push_back(text + ")");
  }
  return actions;
}

/// The dialects whose next-state operator mentions all actions that the module has.
const std::vector<Dialect>& FullestDialects() {
  static const std::vector<Dialect> dialects = {Dialect{}, Dialect{false, true, false},
                                                Dialect{true, true, false},
                                                Dialect{true, true, true}};
  return dialects;
}

constexpr std::string_view kFixture = R"(
---- MODULE Fixture ----
EXTENDS Integers
CONSTANT Writers \* x
VARIABLES logIndex, (* not, these *)
          logState

StartAppend(w) ==
    /\ logState = "OPEN"
    /\ UNCHANGED logState

AssignOffsets(w) == UNCHANGED logState
FenceLog == logState' = "FENCED" /\ UNCHANGED logIndex

Next == \/ \E w \in Writers : StartAppend(w)
        \/ \E w \in Writers : AssignOffsets(w)
        \/ FenceLog
====
)";

TEST(LogParity, RejectsARenamedAction) {
  Module module;
  ReadInto(module, kFixture);
  EXPECT_THAT(Mismatches("action", ActionsOf(module, "Next"),
                         {"StartAppend(w,)", "AssignOffset(w,)", "FenceLog()"}),
              ElementsAre("action AssignOffsets(w,) of the module is not in C++",
                          "action AssignOffset(w,) of C++ is not in the module"));
}

TEST(LogParity, RejectsOtherParametersAndAnotherOrder) {
  Module module;
  ReadInto(module, kFixture);
  EXPECT_THAT(Mismatches("action", ActionsOf(module, "Next"),
                         {"StartAppend(w,count,)", "AssignOffsets(w,)", "FenceLog()"}),
              testing::SizeIs(2));
  EXPECT_THAT(Mismatches("action", ActionsOf(module, "Next"),
                         {"AssignOffsets(w,)", "StartAppend(w,)", "FenceLog()"}),
              ElementsAre("actions stand in another order"));
}

TEST(LogParity, ReadsDeclarations) {
  Module module;
  ReadInto(module, kFixture);
  EXPECT_THAT(module.constants, ElementsAre("Writers"));
  EXPECT_THAT(module.variables, ElementsAre("logIndex", "logState"));
  EXPECT_EQ(module.Find("StartAppend")->parameters, std::vector<std::string>{"w"});
}

TEST(LogParity, OfConstants) {
  for (const Dialect& dialect : FullestDialects()) {
    const Module module = Read(ModuleName(dialect));
    EXPECT_THAT(Mismatches("constant", module.constants, Strings(ConstantNames(dialect))),
                IsEmpty());
    Constants constants = SmallConstants();
    constants.dialect = dialect;
    std::vector<std::string> given;
    const sim::Value value = ConstantsToValue(constants, 5);
    for (const auto& field : value.AsFields()) given.push_back(field.first);
    EXPECT_EQ(given, module.constants);
  }
}

TEST(LogParity, OfVariables) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  std::vector<std::string> given;
  const sim::Value value = machine.ToValue(machine.Init(), 5);
  for (const auto& field : value.AsFields()) given.push_back(field.first);
  EXPECT_EQ(given, Strings(VariableNames()));
  for (const Dialect& dialect : FullestDialects()) {
    const Module module = Read(ModuleName(dialect));
    EXPECT_THAT(Mismatches("variable", module.variables, Strings(VariableNames())), IsEmpty());
  }
}

TEST(LogParity, OfActions) {
  for (const Dialect& dialect : FullestDialects()) {
    const Module module = Read(ModuleName(dialect));
    EXPECT_THAT(Mismatches("action", ActionsOf(module, NextName(dialect)), ActionsInCpp(dialect)),
                IsEmpty())
        << ModuleName(dialect);
    ASSERT_NE(module.Find(SpecName(dialect)), nullptr);
    EXPECT_NE(
        module.Find(SpecName(dialect))->body.find("[" + std::string(NextName(dialect)) + "]_"),
        std::string::npos);
  }
}

/// In LeaderlessLog everything behind Spec is a property; so it is in a dialect's module, where a
/// property with the module's suffix takes the place of the one without.
TEST(LogParity, OfProperties) {
  const Module base = Read("LeaderlessLog");
  std::vector<std::string> properties;
  bool behind = false;
  for (const Definition& definition : base.definitions) {
    if (behind) properties.push_back(definition.name);
    if (definition.name == "Spec") behind = true;
  }
  std::vector<std::string> cpp = Strings(InvariantNames(Dialect{}));
  for (const std::string_view name : LeadsToNames()) cpp.emplace_back(name);
  EXPECT_THAT(Mismatches("property", properties, cpp), IsEmpty());
  for (const std::string_view name : LeadsToNames()) {
    EXPECT_NE(base.Find(name)->body.find("~>"), std::string::npos) << name;
  }

  const Dialect rounds{true, true, true};
  const Module module = Read(ModuleName(rounds));
  for (std::string& name : properties) {
    if (module.Find(name + "Rounds") != nullptr) name += "Rounds";
  }
  properties.resize(InvariantNames(rounds).size());
  EXPECT_THAT(Mismatches("invariant", properties, Strings(InvariantNames(rounds))), IsEmpty());
}

TEST(LogParity, OfConfigurations) {
  for (const char* name : {"LeaderlessLog_small.cfg", "LeaderlessLog_medium.cfg"}) {
    const std::string text = WithoutComments(TextOf(name));
    const std::size_t constants = text.find("CONSTANTS");
    const std::size_t invariants = text.find("INVARIANTS");
    ASSERT_NE(constants, std::string::npos);
    ASSERT_NE(invariants, std::string::npos);
    std::vector<std::string> names = NamesIn(text.substr(invariants));
    names.erase(names.begin());
    EXPECT_EQ(names, Strings(InvariantNames(Dialect{}))) << name;
    for (const std::string_view constant : ConstantNames(Dialect{})) {
      EXPECT_NE(text.find(std::string(constant) + " = ", constants), std::string::npos) << constant;
    }
  }
}

TEST(LogParity, OfStateNames) {
  const Module module = Read("LeaderlessLog");
  const std::string& type_ok = module.Find("TypeOK")->body;
  std::set<std::string> in_module;
  for (std::size_t i = type_ok.find('"'); i != std::string::npos; i = type_ok.find('"', i + 1)) {
    const std::size_t end = type_ok.find('"', i + 1);
    in_module.insert(type_ok.substr(i + 1, end - i - 1));
    i = end;
  }
  std::set<std::string> in_cpp;
  for (std::uint8_t i = 0; i < 5; ++i) {
    in_cpp.insert(std::string(Name(static_cast<WriterState>(i))));
    in_cpp.insert(std::string(Name(static_cast<CompactorState>(i))));
    if (i < 3) in_cpp.insert(std::string(Name(static_cast<EntryType>(i))));
    if (i < 3) in_cpp.insert(std::string(Name(static_cast<ReaderResult>(i))));
    if (i < 2) in_cpp.insert(std::string(Name(static_cast<LogState>(i))));
  }
  EXPECT_EQ(in_module, in_cpp);
}

/// One blank for any white space, so that a conjunct can be looked for over line ends.
std::string Joined(std::string_view text) {
  std::string joined;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || joined.empty() || joined.back() != ' ') joined += blank ? ' ' : c;
  }
  return joined;
}

TEST(LogParity, OfConjunctsThatRefusalNames) {
  Constants constants = TinyConstants();
  const Machine machine(constants);
  std::vector<Action> actions = ActionsOfNext(constants);
  actions.push_back({ActionKind::StartAppend, 2, 1});
  actions.push_back({ActionKind::StartAppend, 0, 3});
  actions.push_back({ActionKind::ReadEntry, 0, 0});
  std::set<std::string> conjuncts;
  const auto collect = [&](const State& state, std::size_t) {
    for (const Action& action : actions) {
      if (action.kind == ActionKind::CompactResume && !constants.dialect.compaction_resume)
        continue;
      if (const auto refusal = machine.Refusal(state, action)) {
        conjuncts.insert(std::string(refusal->conjunct));
      }
    }
  };
  Enumerate(machine, collect);
  constants.dialect = {true, true, false};
  Enumerate(machine, collect);
  constants.dialect = {true, true, true};
  constants.ranges = {{1, 1}};
  State past_the_last = machine.Init();
  past_the_last.compact_round = 2;
  collect(past_the_last, 1);
  ASSERT_EQ(conjuncts.size(), 24U);

  const std::string text = Joined(
      WithoutComments(TextOf("LeaderlessLog.tla") + TextOf("LeaderlessLogResume.tla") +
                      TextOf("LeaderlessLogEndBoundary.tla") + TextOf("LeaderlessLogRounds.tla")));
  for (const std::string& conjunct : conjuncts) {
    EXPECT_NE(text.find(conjunct), std::string::npos) << conjunct;
  }
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
