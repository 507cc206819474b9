// The names in C++ are the names in the .tla files, in both directions.
//
// The modules' text is read, not run: declarations, definitions and the operators that a next-state
// operator is made of. Every dialect module is read together with the modules it extends. TLC
// checks what the names mean (see README.md for how, and for the figures).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "protocol/leaderless_log/leaderless_log_module.h"
#include "protocol/module_text_for_tests.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ModuleText Read(std::string_view name) {
  return ReadModule("leaderless_log", name, "LeaderlessLog");
}

std::string TextHere(std::string_view file) {
  return TextOf("leaderless_log/" + std::string(file));
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
  ModuleText module;
  ReadInto(module, kFixture);
  EXPECT_THAT(Mismatches("action", ActionsOf(module, "Next"),
                         {"StartAppend(w,)", "AssignOffset(w,)", "FenceLog()"}),
              ElementsAre("action AssignOffsets(w,) of the module is not in C++",
                          "action AssignOffset(w,) of C++ is not in the module"));
}

TEST(LogParity, RejectsOtherParametersAndAnotherOrder) {
  ModuleText module;
  ReadInto(module, kFixture);
  EXPECT_THAT(Mismatches("action", ActionsOf(module, "Next"),
                         {"StartAppend(w,count,)", "AssignOffsets(w,)", "FenceLog()"}),
              testing::SizeIs(2));
  EXPECT_THAT(Mismatches("action", ActionsOf(module, "Next"),
                         {"AssignOffsets(w,)", "StartAppend(w,)", "FenceLog()"}),
              ElementsAre("actions stand in another order"));
}

TEST(LogParity, ReadsDeclarations) {
  ModuleText module;
  ReadInto(module, kFixture);
  EXPECT_THAT(module.constants, ElementsAre("Writers"));
  EXPECT_THAT(module.variables, ElementsAre("logIndex", "logState"));
  EXPECT_EQ(module.Find("StartAppend")->parameters, std::vector<std::string>{"w"});
}

TEST(LogParity, OfConstants) {
  for (const Dialect& dialect : FullestDialects()) {
    const ModuleText module = Read(ModuleName(dialect));
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
    const ModuleText module = Read(ModuleName(dialect));
    EXPECT_THAT(Mismatches("variable", module.variables, Strings(VariableNames())), IsEmpty());
  }
}

TEST(LogParity, OfActions) {
  for (const Dialect& dialect : FullestDialects()) {
    const ModuleText module = Read(ModuleName(dialect));
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
  const ModuleText base = Read("LeaderlessLog");
  std::vector<std::string> properties;
  bool behind = false;
  for (const ModuleText::Definition& definition : base.definitions) {
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
  const ModuleText module = Read(ModuleName(rounds));
  for (std::string& name : properties) {
    if (module.Find(name + "Rounds") != nullptr) name += "Rounds";
  }
  properties.resize(InvariantNames(rounds).size());
  EXPECT_THAT(Mismatches("invariant", properties, Strings(InvariantNames(rounds))), IsEmpty());
}

TEST(LogParity, OfConfigurations) {
  for (const char* name : {"LeaderlessLog_small.cfg", "LeaderlessLog_medium.cfg"}) {
    const std::string text = WithoutComments(TextHere(name));
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
  const ModuleText module = Read("LeaderlessLog");
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

  const std::string text = Joined(WithoutComments(
      TextHere("LeaderlessLog.tla") + TextHere("LeaderlessLogResume.tla") +
      TextHere("LeaderlessLogEndBoundary.tla") + TextHere("LeaderlessLogRounds.tla")));
  for (const std::string& conjunct : conjuncts) {
    EXPECT_NE(text.find(conjunct), std::string::npos) << conjunct;
  }
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
