// Goal: the registry lists every oracle, says where each comes from, and the documentation agrees.
#include "invariants/log_registry.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace lockstep::invariants {
namespace {

const std::filesystem::path kSource = LOCKSTEP_SOURCE_DIR;
constexpr std::string_view kModule = "LeaderlessLog.tla";

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// "NoPhantomEntries" of "LeaderlessLog.tla, NoPhantomEntries"; empty for another source.
std::string ModuleFormula(std::string_view spec) {
  const std::string prefix = std::string(kModule) + ", ";
  return spec.starts_with(prefix) ? std::string(spec.substr(prefix.size())) : std::string();
}

/// The name in lower case with underscores: the property's file.
std::string FileStem(std::string_view name) {
  if (name == "TypeOK") return "type_ok";
  std::string stem;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !stem.empty()) stem += '_';
    stem += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return stem;
}

TEST(LogRegistry, RejectsANameThatIsNotRegistered) {
  EXPECT_EQ(FindLogProperty("NoBadState"), nullptr);
  EXPECT_EQ(FindLogProperty(""), nullptr);
}

TEST(LogRegistry, FindsEveryPropertyUnderItsOwnName) {
  std::set<std::string_view> names;
  for (const LogProperty& property : LogProperties()) {
    EXPECT_TRUE(names.insert(property.name).second) << property.name;
    EXPECT_EQ(FindLogProperty(property.name), &property);
    EXPECT_FALSE(property.what.empty()) << property.name;
    EXPECT_FALSE(property.spec.empty()) << property.name;
  }
}

TEST(LogRegistry, HasTheFormsThatEachKindNeeds) {
  for (const LogProperty& property : LogProperties()) {
    const bool safety = property.kind == PropertyKind::kSafety;
    const bool upstream = property.form == PropertyForm::kUpstream;
    EXPECT_EQ(property.step != nullptr, safety) << property.name;
    EXPECT_EQ(property.state != nullptr, safety && upstream) << property.name;
    EXPECT_EQ(property.end != nullptr, property.kind == PropertyKind::kLiveness) << property.name;
  }
}

TEST(LogRegistry, IsInCheckingOrder) {
  const auto rank = [](const LogProperty& property) {
    if (property.kind == PropertyKind::kConformance) return 3;
    if (property.kind == PropertyKind::kLiveness) return 2;
    return property.form == PropertyForm::kUpstream ? 0 : 1;
  };
  int latest = 0;
  for (const LogProperty& property : LogProperties()) {
    EXPECT_GE(rank(property), latest) << property.name;
    latest = rank(property);
  }
}

TEST(LogRegistry, NamesFormulasThatTheModuleDefines) {
  const std::string module = ReadFile(kSource / "protocol/leaderless_log/LeaderlessLog.tla");
  if (module.empty()) GTEST_SKIP() << "protocol/leaderless_log/LeaderlessLog.tla is not there";
  for (const LogProperty& property : LogProperties()) {
    const std::string formula = ModuleFormula(property.spec);
    if (formula.empty()) {
      EXPECT_EQ(property.form, PropertyForm::kStronger) << property.name;
      continue;
    }
    EXPECT_NE(module.find("\n" + formula + " =="), std::string::npos) << formula;
  }
}

/// Every property of the module's .cfg is registered under the module's name.
TEST(LogRegistry, ListsWhatTheModuleIsCheckedFor) {
  const std::string config = ReadFile(kSource / "protocol/leaderless_log/LeaderlessLog_small.cfg");
  const std::size_t at = config.find("INVARIANTS");
  if (at == std::string::npos) GTEST_SKIP() << "LeaderlessLog_small.cfg is not there";
  std::istringstream words(config.substr(at));
  std::string word;
  while (words >> word) {
    if (word == "INVARIANTS" || word == "PROPERTIES") continue;
    const LogProperty* property = FindLogProperty(word);
    ASSERT_NE(property, nullptr) << word;
    EXPECT_EQ(property->form, PropertyForm::kUpstream) << word;
  }
}

/// An oracle that is not listed is never checked.
TEST(LogRegistry, ListsEveryOracleInTheFolder) {
  std::set<std::string> stems;
  for (const LogProperty& property : LogProperties()) stems.insert(FileStem(property.name));
  for (const auto& file : std::filesystem::directory_iterator(kSource / "invariants")) {
    if (file.path().extension() != ".h") continue;
    const std::string text = ReadFile(file.path());
    const bool oracle_of_the_log = text.find("// SCOPE: ") != std::string::npos &&
                                   text.find("leaderless_log") != std::string::npos;
    if (!oracle_of_the_log) continue;
    EXPECT_TRUE(stems.contains(file.path().stem().string())) << file.path();
  }
}

TEST(LogRegistry, GivesEveryOracleAFileOfItsName) {
  for (const LogProperty& property : LogProperties()) {
    if (property.kind == PropertyKind::kConformance) continue;
    const std::string header = ReadFile(kSource / "invariants" / (FileStem(property.name) + ".h"));
    EXPECT_NE(header.find("\n// SPEC: "), std::string::npos) << property.name;
    EXPECT_NE(header.find("\n// SCOPE: "), std::string::npos) << property.name;
    const std::string test =
        ReadFile(kSource / "invariants" / (FileStem(property.name) + "_test.cpp"));
    const std::size_t first = test.find("\nTEST");
    ASSERT_NE(first, std::string::npos) << property.name;
    const std::string opening = test.substr(first, test.find('\n', first + 1) - first);
    EXPECT_NE(opening.find(", Rejects"), std::string::npos)
        << "the first test of " << property.name;
  }
}

/// The README's table has a row for each property, with its form and its one line.
TEST(LogRegistry, IsTheTableOfTheReadme) {
  const std::string readme = ReadFile(kSource / "invariants/README.md");
  for (const LogProperty& property : LogProperties()) {
    const std::string row = "| " + std::string(property.name) + " | " + std::string(property.spec) +
                            " | " + std::string(property.what) + " |\n";
    EXPECT_NE(readme.find(row), std::string::npos) << "missing:\n" << row;
  }
}

}  // namespace
}  // namespace lockstep::invariants
