// The names in C++ are the names in the .tla files, in both directions.
//
// The modules' text is read, not run. Every dialect module is read together with the modules it
// extends. TLC checks what the names mean (see README.md for how, and for the figures).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/module_text_for_tests.h"
#include "protocol/task_claiming/enumeration_for_tests.h"
#include "protocol/task_claiming/task_claiming_module.h"

namespace lockstep::protocol::task_claiming {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

ModuleText Read(std::string_view name) { return ReadModule("task_claiming", name, "TaskClaiming"); }

std::string TextHere(std::string_view file) { return TextOf("task_claiming/" + std::string(file)); }

std::vector<std::string> Strings(const std::vector<std::string_view>& names) {
  return {names.begin(), names.end()};
}

std::vector<std::string> ActionsInCpp(const Dialect& dialect) {
  std::vector<std::string> actions;
  for (const ActionKind kind : ActionKinds()) {
    std::string text = std::string(OperatorName(dialect, kind)) + "(";
    for (const std::string_view parameter : OperatorParameters(kind)) {
      text += std::string(parameter) + ",";
    }
    actions.push_back(text + ")");
  }
  return actions;
}

constexpr std::array kDialects{Dialect{false, false}, Dialect{true, false}, Dialect{false, true},
                               Dialect{true, true}};

constexpr std::string_view kFixture = R"(
---- MODULE Fixture ----
EXTENDS Integers
CONSTANT Workers \* x
VARIABLES workerState, (* not, these *)
          lockVersion

ScanTasks(w, t) ==
    /\ workerState[w] = "IDLE"
    /\ UNCHANGED lockVersion

TryLock(w) == UNCHANGED workerState
Stop == lockVersion' = 0 /\ UNCHANGED workerState

Next == \/ \E w \in Workers : ScanTasks(w, w)
        \/ \E w \in Workers : TryLock(w)
        \/ Stop
====
)";

ModuleText Fixture() {
  ModuleText module;
  ReadInto(module, kFixture);
  return module;
}

TEST(TaskParity, RejectsARenamedAction) {
  EXPECT_THAT(Mismatches("action", ActionsOf(Fixture(), "Next"),
                         {"ScanTasks(w,t,)", "TryLockSuccess(w,)", "Stop()"}),
              ElementsAre("action TryLock(w,) of the module is not in C++",
                          "action TryLockSuccess(w,) of C++ is not in the module"));
}

TEST(TaskParity, RejectsOtherParametersAndAnotherOrder) {
  EXPECT_THAT(Mismatches("action", ActionsOf(Fixture(), "Next"),
                         {"ScanTasks(w,)", "TryLock(w,)", "Stop()"}),
              SizeIs(2));
  EXPECT_THAT(Mismatches("action", ActionsOf(Fixture(), "Next"),
                         {"TryLock(w,)", "ScanTasks(w,t,)", "Stop()"}),
              ElementsAre("actions stand in another order"));
}

TEST(TaskParity, ReadsDeclarations) {
  EXPECT_THAT(Fixture().constants, ElementsAre("Workers"));
  EXPECT_THAT(Fixture().variables, ElementsAre("workerState", "lockVersion"));
}

TEST(TaskParity, OfConstants) {
  for (const Dialect& dialect : kDialects) {
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

TEST(TaskParity, OfVariables) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  std::vector<std::string> given;
  const sim::Value value = machine.ToValue(machine.Init());
  for (const auto& field : value.AsFields()) given.push_back(field.first);
  EXPECT_EQ(given, Strings(VariableNames()));
  for (const Dialect& dialect : kDialects) {
    const ModuleText module = Read(ModuleName(dialect));
    EXPECT_THAT(Mismatches("variable", module.variables, Strings(VariableNames())), IsEmpty());
  }
}

TEST(TaskParity, OfActions) {
  for (const Dialect& dialect : kDialects) {
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

/// "WF_vars(TryLockFail(w))" for each action that has a promise. That of SessionExpiry is always
/// made of the module's own, which needs a dead worker.
TEST(TaskParity, OfFairness) {
  for (const Dialect& dialect : kDialects) {
    const ModuleText module = Read(ModuleName(dialect));
    const bool base = ModuleName(dialect) == "TaskClaiming";
    const std::string body = module.Find(base ? "Fairness" : SpecName(dialect))->body;
    std::size_t promises = 0;
    for (const ActionKind kind : ActionKinds()) {
      const bool of_the_module = kind == ActionKind::SessionExpiry;
      std::string action(OperatorName(of_the_module ? Dialect{} : dialect, kind));
      action += OperatorParameters(kind).size() == 2 ? "(w, t))" : "(w))";
      const bool weak = body.find("WF_vars(" + action) != std::string::npos;
      const bool strong = body.find("SF_vars(" + action) != std::string::npos;
      EXPECT_EQ(weak, FairnessOf(kind) == Fairness::kWeak) << action;
      EXPECT_EQ(strong, FairnessOf(kind) == Fairness::kStrong) << action;
      promises += weak || strong ? 1U : 0U;
    }
    std::size_t in_module = 0;
    for (std::size_t i = body.find("F_vars("); i != std::string::npos; ++in_module) {
      i = body.find("F_vars(", i + 1);
    }
    EXPECT_EQ(in_module, promises) << ModuleName(dialect);
  }
}

/// Everything behind Spec but what is for the model checker is a property.
TEST(TaskParity, OfProperties) {
  const ModuleText base = Read("TaskClaiming");
  std::vector<std::string> behind;
  bool found = false;
  for (const auto& definition : base.definitions) {
    if (found) behind.push_back(definition.name);
    if (definition.name == "Spec") found = true;
  }
  std::vector<std::string> cpp = {std::string(ConstraintName()), std::string(ViewName())};
  for (const std::string_view name : InvariantNames()) cpp.emplace_back(name);
  for (const std::string_view name : LeadsToNames()) cpp.emplace_back(name);
  EXPECT_THAT(Mismatches("property", behind, cpp), IsEmpty());
  for (const std::string_view name : LeadsToNames()) {
    EXPECT_NE(base.Find(name)->body.find("~>"), std::string::npos) << name;
  }
}

TEST(TaskParity, OfConfigurations) {
  for (const char* name :
       {"TaskClaiming_small.cfg", "TaskClaiming_small3.cfg", "TaskClaiming_medium.cfg"}) {
    const std::string text = WithoutComments(TextHere(name));
    const std::size_t invariants = text.find("INVARIANTS");
    ASSERT_NE(invariants, std::string::npos) << name;
    std::vector<std::string> names = NamesIn(text.substr(invariants));
    names.erase(names.begin());
    EXPECT_EQ(names, Strings(InvariantNames())) << name;
    EXPECT_NE(Joined(text).find("CONSTRAINT " + std::string(ConstraintName()) + " "),
              std::string::npos)
        << name;
    for (const std::string_view constant : ConstantNames(Dialect{})) {
      EXPECT_NE(text.find(std::string(constant) + " = "), std::string::npos) << constant;
    }
  }
}

TEST(TaskParity, OfStateNames) {
  const ModuleText module = Read("TaskClaiming");
  const std::string& type_ok = module.Find("TypeOK")->body;
  std::set<std::string> in_module;
  for (std::size_t i = type_ok.find('"'); i != std::string::npos; i = type_ok.find('"', i + 1)) {
    const std::size_t end = type_ok.find('"', i + 1);
    in_module.insert(type_ok.substr(i + 1, end - i - 1));
    i = end;
  }
  std::set<std::string> in_cpp = {"NONE"};
  for (std::uint8_t i = 0; i < 4; ++i) {
    in_cpp.insert(std::string(Name(static_cast<TaskStatus>(i))));
    in_cpp.insert(std::string(Name(static_cast<WorkerState>(i))));
  }
  EXPECT_EQ(in_module, in_cpp);
}

TEST(TaskParity, OfConjunctsThatRefusalNames) {
  std::set<std::string> conjuncts;
  for (const Dialect& dialect : kDialects) {
    Constants constants = SmallConstants();
    constants.dialect = dialect;
    const Machine machine(constants);
    std::vector<Action> actions = ActionsOfNext(constants);
    actions.push_back({ActionKind::TryLockFail, 2, 0});
    actions.push_back({ActionKind::ScanTasks, 0, 2});
    const auto collect = [&](const State& state, std::size_t) {
      for (const Action& action : actions) {
        if (const auto refusal = machine.Refusal(state, action)) {
          conjuncts.insert(std::string(refusal->conjunct));
        }
      }
      return true;
    };
    Enumerate(machine, {View::kWithoutLockVersions, {}, collect});
  }
  EXPECT_THAT(conjuncts, SizeIs(14));

  const std::string text = Joined(WithoutComments(TextHere("TaskClaiming.tla")));
  for (const std::string& conjunct : conjuncts) {
    EXPECT_NE(text.find(conjunct), std::string::npos) << conjunct;
  }
}

}  // namespace
}  // namespace lockstep::protocol::task_claiming
