#include "tools/tidy/tidy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "tools/tidy/ban_list.h"
#include "tools/tidy/exemptions.h"
#include "tools/tidy/functions.h"
#include "tools/tidy/layer_table.h"

namespace lockstep::tools {
namespace {

// What one rule sees of one file, and where it reports.
struct Checked {
  const SourceFile& file;
  const SourceText& source;
  const LayerRow* layer;  // nullptr for a file outside the layers.
  std::vector<Finding>& findings;

  void Report(std::size_t line, std::string_view rule, std::string message) const {
    findings.push_back({.file = file.path,
                        .line = static_cast<int>(line),
                        .rule = std::string(rule),
                        .message = std::move(message)});
  }
};

std::string_view FirstFolder(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::string_view FileName(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0.
}

// A table's entry is a path, or a folder with '/' at its end.
bool Covers(std::string_view entry, std::string_view path) {
  return entry == path || (entry.ends_with('/') && path.starts_with(entry));
}

std::string LayerNames(Layers layers) {
  std::string names;
  for (const LayerRow& row : kLayerTable) {
    if ((row.layer & layers) == 0) continue;
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names.empty() ? "nothing" : names;
}

// --- includes -------------------------------------------------------------------------------

std::size_t SimRank(std::string_view path) {
  const std::string_view folder = FirstFolder(path.substr(std::string_view("sim/").size()));
  return static_cast<std::size_t>(std::ranges::find(kSimOrder, folder) - kSimOrder.begin());
}

bool IsUnknownSimFolder(std::string_view path) {
  return path.starts_with("sim/") && path.find('/', 4) != std::string_view::npos &&
         SimRank(path) == kSimOrder.size();
}

void CheckInclude(const Checked& checked, const Include& include) {
  const std::string_view from = checked.layer->name;
  const std::string_view to = FirstFolder(include.target);
  const LayerRow* const target = FindLayer(to);
  const auto line = static_cast<std::size_t>(include.line);
  if (include.quoted && target == nullptr) {
    checked.Report(line, "include",
                   fmt::format("\"{}\" is not written from the repository's top (use "
                               "\"{}/...\" instead)",
                               include.target, from));
  } else if (target != nullptr && target != checked.layer &&
             (target->layer & checked.layer->may_include) == 0) {
    checked.Report(line, "layer",
                   fmt::format("{} includes {} (use only {} instead)", from, include.target,
                               LayerNames(checked.layer->may_include | checked.layer->layer)));
  } else if (from == "sim" && to == "sim" && SimRank(include.target) > SimRank(checked.file.path)) {
    checked.Report(line, "layer",
                   fmt::format("{} is right of this file in {} (use only folders to the left "
                               "instead)",
                               include.target, fmt::join(kSimOrder, " < ")));
  } else if (from == "traces" && to == "protocol" &&
             include.target.find('/', to.size() + 1) != std::string::npos) {
    checked.Report(line, "layer",
                   fmt::format("traces knows no named protocol but includes {} (use the headers "
                               "directly in protocol/ instead)",
                               include.target));
  }
}

void CheckThirdParty(const Checked& checked, const Include& include) {
  for (const ThirdPartyRow& row : kThirdPartyTable) {
    if (!include.target.starts_with(row.prefix)) continue;
    const bool allowed = std::ranges::any_of(row.folders, [&](std::string_view folder) {
      return !folder.empty() && checked.file.path.starts_with(folder);
    });
    if (!allowed) {
      checked.Report(static_cast<std::size_t>(include.line), "third-party",
                     fmt::format("<{}> is not for this folder (use what {} offers instead)",
                                 include.target, row.folders.front()));
    }
  }
}

void CheckIncludes(const Checked& checked) {
  if (checked.layer == nullptr) return;
  if (IsUnknownSimFolder(checked.file.path)) {
    checked.Report(1, "layer",
                   "this folder has no place in kSimOrder (use a folder of "
                   "tools/tidy/layer_table.h, or add a row, instead)");
  }
  for (const Include& include : checked.source.includes) {
    CheckInclude(checked, include);
    CheckThirdParty(checked, include);
  }
}

// --- bans -----------------------------------------------------------------------------------

// True if the template argument that starts at `from` is a pointer.
bool IsPointerArgument(std::string_view code, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < code.size(); ++i) {
    const char c = code[i];
    if (depth == 0 && (c == ',' || c == '>')) {
      std::string_view argument = Trimmed(code.substr(from, i - from));
      if (argument.ends_with("const")) {
        argument.remove_suffix(std::string_view("const").size());
        argument = Trimmed(argument);
      }
      return argument.ends_with('*');
    }
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
  }
  return false;
}

bool Contains(std::string_view code, const Ban& ban) {
  for (std::size_t at = FindWord(code, ban.text); at != std::string_view::npos;
       at = FindWord(code, ban.text, at + 1)) {
    const std::string_view before = code.substr(0, at);
    const bool member = before.ends_with('.') || before.ends_with("->");
    if (ban.match == Match::kCall && member) continue;
    if (ban.match == Match::kPointerKey && !IsPointerArgument(code, at + ban.text.size())) continue;
    return true;
  }
  return false;
}

bool IsAllowed(std::string_view path, const Ban& ban) {
  return std::ranges::any_of(kAllowances, [&](const Allowance& allowance) {
    return Covers(allowance.file, path) && (allowance.text == ban.text || allowance.text == "*");
  });
}

void CheckBans(const Checked& checked) {
  if (checked.layer == nullptr) return;
  for (const Ban& ban : kBanList) {
    if ((ban.layers & checked.layer->layer) == 0 || IsAllowed(checked.file.path, ban)) continue;
    for (std::size_t i = 0; i < checked.source.code.size(); ++i) {
      if (!Contains(checked.source.code[i], ban)) continue;
      checked.Report(i + 1, "ban",
                     fmt::format("{} is banned in {}: it {} (use {} instead)", ban.text,
                                 checked.layer->name, ban.why, ban.instead));
    }
  }
}

// --- size -----------------------------------------------------------------------------------

int Columns(std::string_view line) {
  // Bytes that continue a UTF-8 character take no column.
  return static_cast<int>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void CheckSizes(const Checked& checked) {
  const auto& lines = checked.source.raw;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const int columns = Columns(lines[i]); columns > kLineColumnsMax) {
      checked.Report(i + 1, "line-length",
                     fmt::format("{} columns (use at most {} instead)", columns, kLineColumnsMax));
    }
  }
  if (lines.size() > static_cast<std::size_t>(kFileLinesMax)) {
    checked.Report(lines.size(), "file-length",
                   fmt::format("{} lines (use a second file for the second idea, from {} lines on, "
                               "instead)",
                               lines.size(), kFileLinesMax));
  }
  for (const FunctionBody& body : FindFunctions(checked.source)) {
    const int length = body.last_line - body.first_line + 1;
    if (length <= kFunctionLinesMax) continue;
    checked.Report(static_cast<std::size_t>(body.first_line), "function-length",
                   fmt::format("{} has {} lines (use functions of at most {} instead)", body.name,
                               length, kFunctionLinesMax));
  }
}

// --- words ----------------------------------------------------------------------------------

void CheckNotes(const Checked& checked) {
  for (std::size_t i = 0; i < checked.source.comments.size(); ++i) {
    const std::string& comment = checked.source.comments[i];
    if (FindWord(comment, "FIXME") != std::string::npos) {
      checked.Report(i + 1, "fixme", "a note to yourself was left (use a fix instead)");
    }
    const std::size_t todo = FindWord(comment, "TODO");
    if (todo == std::string::npos) continue;
    const std::string_view rest = std::string_view(comment).substr(todo + 4);
    if (!rest.starts_with('(') || rest.starts_with("()") ||
        rest.find("): ") == std::string_view::npos) {
      checked.Report(i + 1, "todo",
                     "TODO without an owner (use \"TODO(name): what, until when\" instead)");
    }
  }
}

void CheckDisabledTests(const Checked& checked) {
  for (std::size_t i = 0; i < checked.source.code.size(); ++i) {
    const std::string& code = checked.source.code[i];
    const std::size_t at = code.find("DISABLED_");
    if (at == std::string::npos || (at > 0 && IsIdentifierCharacter(code[at - 1]))) continue;
    checked.Report(i + 1, "disabled-test",
                   "a disabled test is no test (use a repaired test, or none, instead)");
  }
}

// Paths of a machine that mean nothing on another. Joined here so that this file may say them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kMachinePaths{{
    {"/ro", "ot/"},
    {"/wo", "rk/"},
    {"/ho", "me/"},
    {"/Us", "ers/"},
}};

void CheckMachinePaths(const Checked& checked) {
  for (std::size_t i = 0; i < checked.source.raw.size(); ++i) {
    const std::string& line = checked.source.raw[i];
    for (const auto& [head, tail] : kMachinePaths) {
      const std::string path = std::string(head) + std::string(tail);
      for (std::size_t at = line.find(path); at != std::string::npos;
           at = line.find(path, at + 1)) {
        // Behind the name of a folder the same text is the middle of a relative path.
        const bool absolute = at == 0 || (!IsIdentifierCharacter(line[at - 1]) &&
                                          line[at - 1] != '.' && line[at - 1] != '}');
        if (!absolute) continue;
        checked.Report(i + 1, "machine-path",
                       fmt::format("{} exists on one machine only (use a path from the "
                                   "repository's top instead)",
                                   path));
        break;
      }
    }
  }
}

// --- shape ----------------------------------------------------------------------------------

void CheckHeader(const Checked& checked) {
  if (!checked.file.path.ends_with(".h")) return;
  bool comment = false;
  for (std::size_t i = 0; i < checked.source.code.size(); ++i) {
    const std::string_view code = Trimmed(checked.source.code[i]);
    comment = comment || !Trimmed(checked.source.comments[i]).empty();
    if (code.empty()) continue;
    if (code == "#pragma once" && comment) return;
    checked.Report(i + 1, "header",
                   code == "#pragma once"
                       ? "the header has no contract (use a comment block on top that says what "
                         "it gives, instead)"
                       : "code stands before #pragma once (use a comment block, then #pragma once, "
                         "instead)");
    return;
  }
  checked.Report(1, "header", "no #pragma once (use a comment block, then #pragma once, instead)");
}

void CheckNamespace(const Checked& checked) {
  if (checked.layer == nullptr || checked.file.path.find("/fixtures/") != std::string::npos) return;
  const std::string expected = fmt::format("lockstep::{}", checked.layer->name);
  bool any = false;
  for (std::size_t i = 0; i < checked.source.code.size(); ++i) {
    const std::string_view code = Trimmed(checked.source.code[i]);
    if (!code.starts_with("namespace lockstep") || code.find('=') != std::string_view::npos) {
      continue;
    }
    any = true;
    const std::string_view name = code.substr(std::string_view("namespace ").size());
    if (FindWord(name, expected) == 0) continue;
    checked.Report(
        i + 1, "namespace",
        fmt::format("the namespace is not the folder's (use namespace {} instead)", expected));
  }
  // The main programs and headers of macros alone have nothing to put in a namespace.
  const bool main_program = checked.file.path.ends_with("main.cpp");
  const bool only_macros = checked.file.path.find("/cmake/") != std::string::npos;
  if (!any && !main_program && !only_macros) {
    checked.Report(1, "namespace",
                   fmt::format("no namespace of this project (use namespace {} "
                               "instead)",
                               expected));
  }
}

void CheckOne(const SourceFile& file, const SourceText& source, std::vector<Finding>& findings) {
  const Checked checked{.file = file,
                        .source = source,
                        .layer = FindLayer(FirstFolder(file.path)),
                        .findings = findings};
  CheckMachinePaths(checked);
  if (!IsCpp(file.path)) return;
  CheckIncludes(checked);
  CheckBans(checked);
  CheckSizes(checked);
  CheckNotes(checked);
  CheckDisabledTests(checked);
  CheckHeader(checked);
  CheckNamespace(checked);
}

// --- rules over the whole repository --------------------------------------------------------

using FilesByPath = std::map<std::string_view, const SourceFile*>;

bool IsTest(std::string_view path) { return path.ends_with("_test.cpp"); }

void CheckTestBeside(const Checked& checked, const FilesByPath& files) {
  const std::string_view path = checked.file.path;
  if (!path.ends_with(".cpp") || IsTest(path) || checked.layer == nullptr) return;
  const std::string test = std::string(path.substr(0, path.size() - 4)) + "_test.cpp";
  if (files.contains(test)) return;
  const bool exempt = std::ranges::any_of(
      kNoTestBeside, [&](const Exemption& exemption) { return Covers(exemption.file, path); });
  if (exempt) return;
  checked.Report(1, "test-beside",
                 fmt::format("no test beside it (use {}, or a row in tools/tidy/exemptions.h, "
                             "instead)",
                             FileName(test)));
}

// A test is listed by the CMakeLists.txt of its folder or of one above it.
void CheckTestListed(const Checked& checked, const FilesByPath& files) {
  const std::string_view path = checked.file.path;
  if (!IsTest(path)) return;
  std::size_t slash = path.find_last_of('/');
  while (slash != std::string_view::npos && slash > 0) {
    const std::string list = std::string(path.substr(0, slash)) + "/CMakeLists.txt";
    const auto found = files.find(list);
    if (found != files.end() &&
        FindWord(found->second->text, path.substr(slash + 1)) != std::string_view::npos) {
      return;
    }
    slash = path.find_last_of('/', slash - 1);
  }
  checked.Report(1, "test-listed",
                 fmt::format("no CMakeLists.txt lists it, so nobody runs it (use TESTS {} "
                             "instead)",
                             FileName(path)));
}

// The module and the formula of `SPEC: Module.tla, Formula ...`; the formula may be missing.
std::pair<std::string_view, std::string_view> SpecTarget(std::string_view tag) {
  tag = Trimmed(tag);
  const std::string_view module = tag.substr(0, tag.find_first_of(" ,;"));
  std::string_view rest = tag.substr(module.size());
  if (!rest.starts_with(',')) return {module, {}};
  rest = Trimmed(rest.substr(1));
  std::size_t end = 0;
  while (end < rest.size() && IsIdentifierCharacter(rest[end])) ++end;
  return {module, rest.substr(0, end)};
}

const SourceFile* FindModule(std::string_view module, const FilesByPath& files) {
  for (const auto& [path, file] : files) {
    if (path.starts_with("protocol/") && FileName(path) == FileName(module)) return file;
  }
  return nullptr;
}

void CheckSpecTags(const Checked& checked, const FilesByPath& files) {
  constexpr std::string_view kTag = "SPEC:";
  for (std::size_t i = 0; i < checked.source.comments.size(); ++i) {
    const std::string_view comment = checked.source.comments[i];
    if (!Trimmed(comment.substr(std::min<std::size_t>(2, comment.size()))).starts_with(kTag)) {
      continue;
    }
    const auto [module, formula] = SpecTarget(comment.substr(comment.find(kTag) + kTag.size()));
    const SourceFile* const file = module.ends_with(".tla") ? FindModule(module, files) : nullptr;
    if (file == nullptr) {
      checked.Report(i + 1, "spec-tag",
                     fmt::format("\"{}\" is no module in protocol/ (use \"SPEC: Module.tla, "
                                 "Formula\" instead)",
                                 module));
    } else if (!formula.empty() && FindWord(file->text, formula) == std::string_view::npos) {
      checked.Report(
          i + 1, "spec-tag",
          fmt::format("{} does not say {} (use a formula of the module instead)", module, formula));
    }
  }
}

// A row that covers no file is a hole waiting for one. Only asked of a whole repository, which is
// told by its tables being there.
void CheckDeadRows(const FilesByPath& files, std::vector<Finding>& findings) {
  const auto covers_a_file = [&](std::string_view entry) {
    return std::ranges::any_of(files, [&](const auto& file) { return Covers(entry, file.first); });
  };
  const auto report = [&](std::string_view table, std::string_view entry) {
    findings.push_back(
        {.file = std::string(table),
         .line = 1,
         .rule = "dead-row",
         .message = fmt::format("{} is not there (use no row for it instead)", entry)});
  };
  constexpr std::string_view kBans = "tools/tidy/ban_list.h";
  constexpr std::string_view kExemptions = "tools/tidy/exemptions.h";
  if (files.contains(kBans)) {
    for (const Allowance& row : kAllowances) {
      if (!covers_a_file(row.file)) report(kBans, row.file);
    }
  }
  if (files.contains(kExemptions)) {
    for (const Exemption& row : kNoTestBeside) {
      if (!covers_a_file(row.file)) report(kExemptions, row.file);
    }
  }
}

bool IsTextFile(const std::filesystem::path& path) {
  static const std::set<std::string, std::less<>> kExtensions{
      "",    ".h",   ".cpp", ".md",   ".txt",    ".cmake",
      ".sh", ".tla", ".cfg", ".json", ".ndjson", ".schedule"};
  return kExtensions.contains(path.extension().string());
}

void ReadOne(const std::filesystem::path& top, const std::filesystem::path& path,
             std::vector<SourceFile>& files) {
  if (!std::filesystem::is_regular_file(path) || !IsTextFile(path)) return;
  std::ifstream in(path, std::ios::binary);
  files.push_back({.path = std::filesystem::relative(path, top).generic_string(),
                   .text = {std::istreambuf_iterator<char>(in), {}}});
}

}  // namespace

std::string Print(const Finding& finding) {
  return fmt::format("{}:{}: {}: {}", finding.file, finding.line, finding.rule, finding.message);
}

std::vector<Finding> CheckFile(const SourceFile& file) {
  std::vector<Finding> findings;
  CheckOne(file, TakeApart(file), findings);
  return findings;
}

std::vector<Finding> CheckRepository(std::span<const SourceFile> files) {
  FilesByPath by_path;
  for (const SourceFile& file : files) by_path.emplace(file.path, &file);
  std::vector<Finding> findings;
  for (const SourceFile& file : files) {
    const SourceText source = TakeApart(file);
    CheckOne(file, source, findings);
    const Checked checked{.file = file,
                          .source = source,
                          .layer = FindLayer(FirstFolder(file.path)),
                          .findings = findings};
    CheckTestBeside(checked, by_path);
    CheckTestListed(checked, by_path);
    if (IsCpp(file.path)) CheckSpecTags(checked, by_path);
  }
  CheckDeadRows(by_path, findings);
  std::ranges::stable_sort(
      findings, {}, [](const Finding& finding) { return std::tie(finding.file, finding.line); });
  return findings;
}

std::vector<SourceFile> ReadRepository(const std::string& top) {
  const std::filesystem::path root(top);
  std::vector<SourceFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.path().filename() != "LICENSE") ReadOne(root, entry.path(), files);
  }
  std::vector<std::string> folders{".ci"};
  for (const LayerRow& row : kLayerTable) folders.emplace_back(row.name);
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      ReadOne(root, entry.path(), files);
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

}  // namespace lockstep::tools
