// Goal: the registry lists every oracle of the folder, says where each comes from, and has what the
// module is checked for.
#include "invariants/task_claiming/task_registry.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/task_claiming/task_claiming_module.h"

namespace lockstep::invariants::task_claiming {
namespace {

const std::filesystem::path kSource = LOCKSTEP_SOURCE_DIR;
const std::filesystem::path kFolder = kSource / "invariants/task_claiming";

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The name in lower case with underscores: the property's file.
std::string FileStem(std::string_view name) {
  if (name == "TypeOK") return "type_ok";
  if (name == "DLQOnlyAfterMaxFailures") return "dlq_only_after_max_failures";
  std::string stem;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !stem.empty()) stem += '_';
    stem += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return stem;
}

TEST(TaskRegistry, RejectsANameThatIsNotRegistered) {
  EXPECT_EQ(FindTaskProperty("NoBadState"), nullptr);
  EXPECT_EQ(FindTaskProperty(""), nullptr);
}

TEST(TaskRegistry, FindsEveryPropertyUnderItsOwnName) {
  std::set<std::string_view> names;
  for (const TaskProperty& property : TaskProperties()) {
    EXPECT_TRUE(names.insert(property.name).second) << property.name;
    EXPECT_EQ(FindTaskProperty(property.name), &property);
    EXPECT_FALSE(property.what.empty()) << property.name;
    EXPECT_NE(property.state, nullptr) << property.name;
  }
}

TEST(TaskRegistry, ListsWhatTheModuleIsCheckedFor) {
  std::vector<std::string_view> names;
  for (const TaskProperty& property : TaskProperties()) {
    if (property.form != PropertyForm::kUpstream) continue;
    names.push_back(property.name);
    EXPECT_EQ(property.spec, "TaskClaiming.tla, " + std::string(property.name));
  }
  EXPECT_EQ(names, protocol::task_claiming::InvariantNames());
}

/// An oracle that is not listed is never checked.
TEST(TaskRegistry, ListsEveryOracleInTheFolder) {
  std::set<std::string> stems;
  for (const TaskProperty& property : TaskProperties()) stems.insert(FileStem(property.name));
  for (const auto& file : std::filesystem::directory_iterator(kFolder)) {
    if (file.path().extension() != ".h") continue;
    if (ReadFile(file.path()).find("\n// SCOPE: ") == std::string::npos) continue;
    EXPECT_TRUE(stems.contains(file.path().stem().string())) << file.path();
  }
}

TEST(TaskRegistry, GivesEveryOracleAFileOfItsName) {
  for (const TaskProperty& property : TaskProperties()) {
    const std::string header = ReadFile(kFolder / (FileStem(property.name) + ".h"));
    EXPECT_NE(header.find("\n// SPEC: " + std::string(property.spec) + "\n"), std::string::npos)
        << property.name;
    EXPECT_NE(header.find("\n// SCOPE: "), std::string::npos) << property.name;
    const std::string test = ReadFile(kFolder / (FileStem(property.name) + "_test.cpp"));
    const std::size_t first = test.find("\nTEST");
    ASSERT_NE(first, std::string::npos) << property.name;
    const std::string opening = test.substr(first, test.find('\n', first + 1) - first);
    EXPECT_NE(opening.find(", Rejects"), std::string::npos)
        << "the first test of " << property.name;
  }
}

/// The README's table has a row for each property.
TEST(TaskRegistry, IsTheTableOfTheReadme) {
  const std::string readme = ReadFile(kFolder / "README.md");
  for (const TaskProperty& property : TaskProperties()) {
    const std::string row = "| " + std::string(property.name) + " | " + std::string(property.spec) +
                            " | " + std::string(property.what) + " |\n";
    EXPECT_NE(readme.find(row), std::string::npos) << "missing:\n" << row;
  }
}

}  // namespace
}  // namespace lockstep::invariants::task_claiming
