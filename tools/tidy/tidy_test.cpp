// Every rule is shown a bad snippet and must answer with exactly one text; the clean snippet at the
// end shows that none of them fires on ordinary code.
//
// Snippets are strings, and the lint does not look into strings, so they may say what they like.

#include "tools/tidy/tidy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tidy/ban_list.h"
#include "tools/tidy/functions.h"
#include "tools/tidy/layer_table.h"

namespace lockstep::tools {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> PrintAll(const std::vector<Finding>& findings) {
  std::vector<std::string> texts;
  for (const Finding& finding : findings) texts.push_back(Print(finding));
  return texts;
}

// A snippet in the namespace that its path asks for, so that only the rule under test speaks.
std::vector<std::string> Check(const std::string& path, const std::string& text) {
  const std::string layer = path.substr(0, path.find('/'));
  return PrintAll(CheckFile({path, text + "\nnamespace lockstep::" + layer + " {}\n"}));
}

std::vector<std::string> CheckAll(const std::vector<SourceFile>& files) {
  return PrintAll(CheckRepository(files));
}

std::string CppFile(const std::string& layer, const std::string& text = "") {
  return text + "namespace lockstep::" + layer + " {}\n";
}

// --- layers ---------------------------------------------------------------------------------

TEST(LayerRule, RejectsAnUpwardInclude) {
  EXPECT_THAT(Check("sim/base/a.cpp", "#include \"protocol/step.h\""),
              ElementsAre("sim/base/a.cpp:1: layer: sim includes protocol/step.h (use only sim "
                          "instead)"));
}

TEST(LayerRule, KeepsInvariantsAndTracesApart) {
  EXPECT_THAT(Check("invariants/a.cpp", "#include \"traces/trace.h\""),
              ElementsAre("invariants/a.cpp:1: layer: invariants includes traces/trace.h (use only "
                          "sim, protocol, invariants instead)"));
  EXPECT_THAT(Check("traces/a.cpp", "#include \"invariants/violation.h\""),
              ElementsAre("traces/a.cpp:1: layer: traces includes invariants/violation.h (use only "
                          "sim, protocol, traces instead)"));
}

TEST(LayerRule, RejectsAFolderToTheRightInsideSim) {
  EXPECT_THAT(Check("sim/random/rng.cpp", "#include \"sim/store/store_api.h\""),
              ElementsAre("sim/random/rng.cpp:1: layer: sim/store/store_api.h is right of this "
                          "file in base < random < choice < time < history < fault < fiber < store "
                          "< world (use only folders to the left instead)"));
  EXPECT_THAT(Check("sim/store/a.cpp", "#include \"sim/random/rng.h\""), IsEmpty());
}

TEST(LayerRule, RejectsAnUnknownFolderInSim) {
  EXPECT_THAT(Check("sim/zoo/a.cpp", ""),
              ElementsAre("sim/zoo/a.cpp:1: layer: this folder has no place in kSimOrder (use a "
                          "folder of tools/tidy/layer_table.h, or add a row, instead)"));
}

TEST(LayerRule, RejectsANamedProtocolInTraces) {
  EXPECT_THAT(Check("traces/a.cpp", "#include \"protocol/log/log_machine.h\""),
              ElementsAre("traces/a.cpp:1: layer: traces knows no named protocol but includes "
                          "protocol/log/log_machine.h (use the headers directly in protocol/ "
                          "instead)"));
  EXPECT_THAT(Check("traces/a.cpp", "#include \"protocol/step.h\""), IsEmpty());
}

TEST(LayerRule, AgreesWithTheArrowsOfTheBuild) {
  std::string cmake;
  for (const SourceFile& file : ReadRepository(LOCKSTEP_SOURCE_DIR)) {
    if (file.path == "tools/cmake/Layer.cmake") cmake = file.text;
  }
  for (const LayerRow& row : kLayerTable) {
    const std::string start = fmt::format("set(lockstep_arrows_{} ", row.name);
    const std::size_t at = cmake.find(start);
    ASSERT_NE(at, std::string::npos) << row.name;
    const std::string arrows = cmake.substr(at + start.size(), cmake.find(')', at) - at);
    for (const LayerRow& other : kLayerTable) {
      const bool in_cmake =
          FindWord(arrows.substr(0, arrows.find(')')), other.name) != std::string_view::npos;
      EXPECT_EQ(in_cmake, (row.may_include & other.layer) != 0) << row.name << " " << other.name;
    }
  }
}

TEST(IncludeRule, RejectsAPathRelativeToTheFile) {
  EXPECT_THAT(Check("sim/base/a.cpp", "#include \"b.h\""),
              ElementsAre("sim/base/a.cpp:1: include: \"b.h\" is not written from the repository's "
                          "top (use \"sim/...\" instead)"));
}

TEST(ThirdPartyRule, KeepsBoostInTheFiberFolder) {
  EXPECT_THAT(Check("sim/store/a.cpp", "#include <boost/context/fiber.hpp>"),
              ElementsAre("sim/store/a.cpp:1: third-party: <boost/context/fiber.hpp> is not for "
                          "this folder (use what sim/fiber/ offers instead)"));
  EXPECT_THAT(Check("sim/fiber/a.cpp", "#include <boost/context/fiber.hpp>"), IsEmpty());
}

// --- bans -----------------------------------------------------------------------------------

struct BannedLine {
  std::string_view code;
  std::string_view text;  // Of the ban that must fire.
};

class BanRule : public ::testing::TestWithParam<BannedLine> {};

TEST_P(BanRule, NamesTheReplacement) {
  const auto [code, text] = GetParam();
  const auto* const ban = std::ranges::find(kBanList, text, &Ban::text);
  ASSERT_NE(ban, kBanList.end()) << text;
  EXPECT_THAT(Check("sim/world/a.cpp", "\n" + std::string(code)),
              ElementsAre(fmt::format("sim/world/a.cpp:2: ban: {} is banned in sim: it {} (use {} "
                                      "instead)",
                                      ban->text, ban->why, ban->instead)));
}

INSTANTIATE_TEST_SUITE_P(
    EveryKind, BanRule,
    ::testing::Values(
        BannedLine{"std::random_device device;", "std::random_device"},
        BannedLine{"std::mt19937 engine{1};", "std::mt19937"},
        BannedLine{"std::mt19937_64 engine{1};", "std::mt19937_64"},
        BannedLine{"#include <random>", "<random>"},
        BannedLine{"std::uniform_int_distribution<int> d;", "std::uniform_int_distribution"},
        BannedLine{"int x = rand();", "rand("}, BannedLine{"int x = std::rand();", "rand("},
        BannedLine{"auto t = std::chrono::steady_clock::now();", "std::chrono::steady_clock"},
        BannedLine{"auto t = std::chrono::system_clock::now();", "std::chrono::system_clock"},
        BannedLine{"auto t = time(NULL);", "time(NULL)"},
        BannedLine{"gettimeofday(&now, nullptr);", "gettimeofday("},
        BannedLine{"std::unordered_map<int, int> m;", "std::unordered_map"},
        BannedLine{"std::unordered_set<int> s;", "std::unordered_set"},
        BannedLine{"std::map<Node*, int> m;", "std::map<"},
        BannedLine{"std::set<const Node* const> s;", "std::set<"},
        BannedLine{"std::hash<Node*> h;", "std::hash<"},
        BannedLine{"std::thread t([] {});", "std::thread"},
        BannedLine{"std::this_thread::yield();", "std::this_thread"},
        BannedLine{"sleep(1);", "sleep("}, BannedLine{"usleep(1);", "usleep("},
        BannedLine{"auto* home = std::getenv(name);", "getenv("},
        BannedLine{"float x = 1;", "float"}, BannedLine{"double x = 1;", "double"}));

TEST(BanRule, SaysWhatToUseInsteadOfFloatingPoint) {
  EXPECT_THAT(Check("protocol/a.cpp", "double ratio = 0.5;"),
              ElementsAre("protocol/a.cpp:1: ban: double is banned in protocol: it is rounded "
                          "differently from machine to machine (use integers, or a ratio of two "
                          "integers, instead)"));
}

TEST(BanRule, AcceptsTheSameWordsElsewhere) {
  EXPECT_THAT(Check("sim/world/a.cpp", "// std::mt19937 is banned\nauto s = \"std::mt19937\";"),
              IsEmpty());
  EXPECT_THAT(Check("sim/world/a.cpp", "int operand(int); node.sleep(3); int doubled = 1;"),
              IsEmpty());
  EXPECT_THAT(Check("sim/world/a.cpp", "std::map<int, Node*> m; std::set<Pair<Node*, int>> s;"),
              IsEmpty());
  EXPECT_THAT(Check("sim/world/a.cpp", "auto s = R\"(rand() \")\"; char c = '\"'; // rand()"),
              IsEmpty());
  EXPECT_THAT(Check("sim/world/a.cpp", "auto n = 1'000'000; /* rand()\n rand() */"), IsEmpty());
}

TEST(BanRule, AppliesOnlyToItsLayers) {
  EXPECT_THAT(Check("traces/a.cpp", "double x = 1;"), IsEmpty());
  EXPECT_THAT(Check("tools/a.cpp", "std::unordered_map<int, int> m;"), IsEmpty());
}

TEST(BanRule, AllowsToolsAClockOnlyInNamedFiles) {
  EXPECT_THAT(Check("tools/a.cpp", "auto* h = getenv(n);"),
              ElementsAre("tools/a.cpp:1: ban: getenv( is banned in tools: it makes a run depend "
                          "on the caller's environment (use an option instead)"));
  EXPECT_THAT(Check("tools/tidy/symbol_scan.cpp", "auto* p = popen(c, m);"), IsEmpty());
}

TEST(BanList, NamesAReasonAndAReplacementForEveryRow) {
  for (const Ban& ban : kBanList) {
    EXPECT_FALSE(ban.why.empty()) << ban.text;
    EXPECT_FALSE(ban.instead.empty()) << ban.text;
    EXPECT_EQ(std::ranges::count(kBanList, ban.text, &Ban::text), 1) << ban.text;
  }
  for (const Allowance& allowance : kAllowances) {
    const bool known = std::ranges::count(kBanList, allowance.text, &Ban::text) == 1;
    EXPECT_TRUE(known || allowance.text == "*") << allowance.text;
  }
}

// --- sizes ----------------------------------------------------------------------------------

std::string Repeated(std::string_view line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

TEST(LineLengthRule, RejectsTheHundredAndFirstColumn) {
  EXPECT_THAT(Check("sim/world/a.cpp", "// " + std::string(98, 'x')),
              ElementsAre("sim/world/a.cpp:1: line-length: 101 columns (use at most 100 instead)"));
  EXPECT_THAT(Check("sim/world/a.cpp", "// " + std::string(97, 'x')), IsEmpty());
}

TEST(LineLengthRule, CountsCharactersAndNotBytes) {
  EXPECT_THAT(Check("sim/world/a.cpp", "// " + Repeated("\u2264", 97)), IsEmpty());
}

TEST(FileLengthRule, RejectsALongFile) {
  EXPECT_THAT(Check("sim/world/a.cpp", Repeated("// x\n", 600)),
              ElementsAre("sim/world/a.cpp:602: file-length: 602 lines (use a second file for the "
                          "second idea, from 600 lines on, instead)"));
}

TEST(FunctionLengthRule, RejectsALongFunction) {
  EXPECT_THAT(Check("sim/world/a.cpp", "int Long(int x) {\n" + Repeated("  ++x;\n", 69) + "}"),
              ElementsAre("sim/world/a.cpp:1: function-length: Long has 71 lines (use functions of "
                          "at most 70 instead)"));
  EXPECT_THAT(Check("sim/world/a.cpp", "int Long(int x) {\n" + Repeated("  ++x;\n", 68) + "}"),
              IsEmpty());
}

TEST(FunctionLengthRule, AcceptsLongTablesAndTypes) {
  EXPECT_THAT(Check("sim/world/a.cpp", "constexpr auto kTable = std::to_array<Row>({\n" +
                                           Repeated("  {1, 2},\n", 100) + "});"),
              IsEmpty());
  EXPECT_THAT(Check("sim/world/a.cpp", "template <class T>\nstruct Big : Base<F(T)> {\n" +
                                           Repeated("  int F() { return 1; }\n", 100) + "};"),
              IsEmpty());
}

std::vector<std::string> FunctionsOf(const std::string& text) {
  std::vector<std::string> found;
  for (const FunctionBody& body : FindFunctions(TakeApart({"sim/a.cpp", text}))) {
    found.push_back(fmt::format("{} {}-{}", body.name, body.first_line, body.last_line));
  }
  return found;
}

TEST(FindFunctions, SeesMembersTestsAndConstructors) {
  EXPECT_THAT(FunctionsOf("class A {\n public:\n  A() : x_(1) {\n  }\n  int F() const {\n"
                          "    if (x_) {\n    }\n    return 1;\n  }\n};\n"),
              ElementsAre("A 3-4", "F 5-9"));
  EXPECT_THAT(FunctionsOf("TEST(A, B) {\n  auto f = [] { return 1; };\n}\n"),
              ElementsAre("TEST 1-3"));
  EXPECT_THAT(FunctionsOf("A::A(int x) : x_{x} {\n  F();\n}\n"),
              ElementsAre("A::A 1-1", "A::A 1-3"));
}

TEST(FindFunctions, SkipsNamespacesTypesTablesAndMacros) {
  EXPECT_THAT(FunctionsOf("namespace a {\nenum class E : int { kA };\nint t[] = {1, F(2)};\n"
                          "#define M(x) \\\n  void F() {   \\\n  }\n}\n"),
              IsEmpty());
}

// --- words and shape ------------------------------------------------------------------------

TEST(FixmeRule, RejectsTheWord) {
  EXPECT_THAT(Check("sim/world/a.cpp", "// FIXME later"),
              ElementsAre("sim/world/a.cpp:1: fixme: a note to yourself was left (use a fix "
                          "instead)"));
}

TEST(TodoRule, AsksForAnOwner) {
  EXPECT_THAT(Check("sim/world/a.cpp", "// TODO: later"),
              ElementsAre("sim/world/a.cpp:1: todo: TODO without an owner (use \"TODO(name): what, "
                          "until when\" instead)"));
  EXPECT_THAT(Check("sim/world/a.cpp", "// TODO(ada): until fmt 10 is everywhere."), IsEmpty());
}

TEST(DisabledTestRule, RejectsADisabledTest) {
  EXPECT_THAT(Check("sim/world/a_test.cpp", "TEST(A, DISABLED_Works) {}"),
              ElementsAre("sim/world/a_test.cpp:1: disabled-test: a disabled test is no test (use "
                          "a repaired test, or none, instead)"));
}

TEST(MachinePathRule, LooksIntoScriptsAndPagesToo) {
  const std::string bad = std::string("cd /ro") + "ot/lockstep";
  EXPECT_THAT(PrintAll(CheckFile({"tools/test", bad})),
              ElementsAre(std::string("tools/test:1: machine-path: /ro") +
                          "ot/ exists on one machine only (use a path from the repository's top "
                          "instead)"));
  EXPECT_THAT(PrintAll(CheckFile({"README.md", "see out/" + std::string("wo") + "rk/a"})),
              IsEmpty());
}

TEST(HeaderRule, AsksForPragmaOnce) {
  EXPECT_THAT(Check("sim/base/a.h", "// A.\nint x;"),
              ElementsAre("sim/base/a.h:2: header: code stands before #pragma once (use a comment "
                          "block, then #pragma once, instead)"));
}

TEST(HeaderRule, AsksForAContract) {
  EXPECT_THAT(Check("sim/base/a.h", "#pragma once\n// A.\n"),
              ElementsAre("sim/base/a.h:1: header: the header has no contract (use a comment block "
                          "on top that says what it gives, instead)"));
}

TEST(NamespaceRule, AsksForTheFoldersName) {
  EXPECT_THAT(PrintAll(CheckFile({"sim/base/a.cpp", "namespace lockstep::base {}"})),
              ElementsAre("sim/base/a.cpp:1: namespace: the namespace is not the folder's (use "
                          "namespace lockstep::sim instead)"));
  EXPECT_THAT(PrintAll(CheckFile({"sim/base/a.cpp", "int x;"})),
              ElementsAre("sim/base/a.cpp:1: namespace: no namespace of this project (use "
                          "namespace lockstep::sim instead)"));
}

// --- rules over several files ---------------------------------------------------------------

TEST(TestBesideRule, AsksForATest) {
  EXPECT_THAT(CheckAll({{"sim/base/a.cpp", CppFile("sim")}}),
              ElementsAre("sim/base/a.cpp:1: test-beside: no test beside it (use a_test.cpp, or a "
                          "row in tools/tidy/exemptions.h, instead)"));
}

TEST(TestListedRule, AsksForALineInCMake) {
  const SourceFile test{"sim/base/a_test.cpp", CppFile("sim")};
  const std::string finding =
      "sim/base/a_test.cpp:1: test-listed: no CMakeLists.txt lists it, so nobody runs it (use "
      "TESTS a_test.cpp instead)";
  EXPECT_THAT(CheckAll({{"sim/CMakeLists.txt", "TESTS base/aa_test.cpp"}, test}),
              ElementsAre(finding));
  EXPECT_THAT(CheckAll({{"sim/CMakeLists.txt", "TESTS base/a_test.cpp"}, test}), IsEmpty());
  EXPECT_THAT(CheckAll({{"sim/base/CMakeLists.txt", "TESTS a_test.cpp"}, test}), IsEmpty());
}

TEST(SpecTagRule, AsksForAModuleAndItsFormula) {
  const SourceFile module{"protocol/log/Log.tla", "TypeOK == TRUE\n"};
  const auto check = [&](const std::string& tag) {
    return CheckAll(
        {module, {"invariants/a.h", CppFile("invariants", "// " + tag + "\n#pragma once\n")}});
  };
  EXPECT_THAT(check("SPEC: Lag.tla, TypeOK"),
              ElementsAre("invariants/a.h:1: spec-tag: \"Lag.tla\" is no module in protocol/ (use "
                          "\"SPEC: Module.tla, Formula\" instead)"));
  EXPECT_THAT(check("SPEC: TypeOK"),
              ElementsAre("invariants/a.h:1: spec-tag: \"TypeOK\" is no module in protocol/ (use "
                          "\"SPEC: Module.tla, Formula\" instead)"));
  EXPECT_THAT(check("SPEC: Log.tla, Type"),
              ElementsAre("invariants/a.h:1: spec-tag: Log.tla does not say Type (use a formula of "
                          "the module instead)"));
  EXPECT_THAT(check("SPEC: Log.tla, TypeOK."), IsEmpty());
}

TEST(DeadRowRule, RejectsARowForAFileThatIsGone) {
  EXPECT_THAT(CheckAll({{"tools/tidy/ban_list.h", CppFile("tools", "// A.\n#pragma once\n")},
                        {"tools/tidy/fixtures/a.txt", ""}}),
              Contains("tools/tidy/ban_list.h:1: dead-row: tools/tidy/symbol_scan.cpp is not "
                       "there (use no row for it instead)"));
}

TEST(Tidy, AcceptsCleanCode) {
  const std::string header =
      "// A register that only grows.\n//\n// SPEC: Log.tla, Monotone\n\n#pragma once\n\n"
      "#include <cstdint>\n\n#include \"sim/random/rng.h\"\n\nnamespace lockstep::protocol {\n\n"
      "class Register {\n public:\n  void Set(std::int64_t value);\n\n private:\n"
      "  std::int64_t value_ = 0;\n};\n\n}  // namespace lockstep::protocol\n";
  const std::string source =
      "#include \"protocol/register.h\"\n\n#include <algorithm>\n\nnamespace lockstep::protocol "
      "{\n\nvoid Register::Set(std::int64_t value) { value_ = std::max(value_, value); }\n\n}  // "
      "namespace lockstep::protocol\n";
  const std::string test =
      "#include \"protocol/register.h\"\n\n#include <gtest/gtest.h>\n\nnamespace "
      "lockstep::protocol {\nnamespace {\n\nTEST(Register, OnlyGrows) { EXPECT_TRUE(true); }\n\n"
      "}  // namespace\n}  // namespace lockstep::protocol\n";
  EXPECT_THAT(CheckAll({{"protocol/CMakeLists.txt", "TESTS register_test.cpp"},
                        {"protocol/Log.tla", "Monotone == TRUE"},
                        {"protocol/register.cpp", source},
                        {"protocol/register.h", header},
                        {"protocol/register_test.cpp", test}}),
              IsEmpty());
}

}  // namespace
}  // namespace lockstep::tools
