#include "tools/tidy/symbol_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>

#include "tools/tidy/source_text.h"

namespace lockstep::tools {
namespace {

struct BannedSymbol {
  std::string_view text;  // Ends in '*' when any symbol that starts so is meant.
  std::string_view why;
  std::string_view instead;
};

constexpr std::string_view kRng = "Choices, or sim/random/rng.h,";
constexpr std::string_view kClock = "the virtual clock of sim/time";
constexpr std::string_view kTimer = "timers in virtual time";
constexpr std::string_view kFiber = "fibers";
constexpr std::string_view kOption = "an option";
constexpr std::string_view kIntegers = "integers";

constexpr std::array kBannedSymbols{
    BannedSymbol{"std::random_device::*", "gives another seed each time", kRng},
    BannedSymbol{"rand", "is a second source of choice", kRng},
    BannedSymbol{"srand", "is a second source of choice", kRng},
    BannedSymbol{"random", "is a second source of choice", kRng},
    BannedSymbol{"drand48", "is a second source of choice", kRng},
    BannedSymbol{"getrandom", "gives another number each time", kRng},
    BannedSymbol{"getentropy", "gives another number each time", kRng},
    BannedSymbol{"std::chrono::_V2::*", "reads the machine's clock", kClock},
    BannedSymbol{"time", "reads the wall clock", kClock},
    BannedSymbol{"clock", "reads the machine's clock", kClock},
    BannedSymbol{"clock_gettime", "reads the machine's clock", kClock},
    BannedSymbol{"gettimeofday", "reads the wall clock", kClock},
    BannedSymbol{"localtime", "reads the machine's time zone", kClock},
    BannedSymbol{"sleep", "waits for the machine", kTimer},
    BannedSymbol{"usleep", "waits for the machine", kTimer},
    BannedSymbol{"nanosleep", "waits for the machine", kTimer},
    BannedSymbol{"clock_nanosleep", "waits for the machine", kTimer},
    BannedSymbol{"std::thread::*", "runs in no defined order", kFiber},
    BannedSymbol{"pthread_create", "runs in no defined order", kFiber},
    BannedSymbol{"getenv", "depends on the caller's environment", kOption},
    BannedSymbol{"secure_getenv", "depends on the caller's environment", kOption},
    BannedSymbol{"setlocale", "depends on the caller's environment", kOption},
    BannedSymbol{"std::__detail::_Prime_rehash_policy::*", "belongs to an unordered container",
                 "std::map, std::set or a sorted std::vector"},
    BannedSymbol{"sin", "is rounded differently from library to library", kIntegers},
    BannedSymbol{"cos", "is rounded differently from library to library", kIntegers},
    BannedSymbol{"exp", "is rounded differently from library to library", kIntegers},
    BannedSymbol{"log", "is rounded differently from library to library", kIntegers},
    BannedSymbol{"log2", "is rounded differently from library to library", kIntegers},
    BannedSymbol{"log10", "is rounded differently from library to library", kIntegers},
    BannedSymbol{"pow", "is rounded differently from library to library", kIntegers},
    BannedSymbol{"sqrt", "is rounded differently from library to library", kIntegers},
};

bool Matches(std::string_view symbol, std::string_view text) {
  if (text.ends_with('*')) return symbol.starts_with(text.substr(0, text.size() - 1));
  return symbol == text;
}

struct Undefined {
  std::string_view object;
  std::string_view symbol;
};

// `lib.a:object.o:                 U symbol(arguments)`. U is undefined, w and v are weak.
std::optional<Undefined> ParseLine(std::string_view line) {
  for (const std::string_view mark : {": ", ":\t"}) {
    const std::size_t colon = line.find(mark);
    if (colon == std::string_view::npos) continue;
    const std::string_view rest = Trimmed(line.substr(colon + 1));
    if (rest.size() < 3 || rest[1] != ' ') return std::nullopt;
    if (rest[0] != 'U' && rest[0] != 'w' && rest[0] != 'v') return std::nullopt;
    std::string_view object = line.substr(0, colon);
    object = object.substr(object.find_last_of('/') + 1);
    return Undefined{.object = object, .symbol = Trimmed(rest.substr(2))};
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> FindBannedSymbols(std::string_view nm_output) {
  std::vector<std::string> findings;
  std::set<std::string> seen;
  for (const std::string& line : SplitLines(nm_output)) {
    const std::optional<Undefined> undefined = ParseLine(line);
    if (!undefined) continue;
    const auto* const banned = std::ranges::find_if(kBannedSymbols, [&](const BannedSymbol& row) {
      return Matches(undefined->symbol, row.text);
    });
    if (banned == kBannedSymbols.end()) continue;
    std::string finding = fmt::format("{}: {}: {} (use {} instead)", undefined->object,
                                      undefined->symbol, banned->why, banned->instead);
    if (seen.insert(finding).second) findings.push_back(std::move(finding));
  }
  return findings;
}

std::string UndefinedSymbols(const std::string& nm, const std::string& file) {
  const std::string command = fmt::format("'{}' -A -C -u '{}' 2>&1", nm, file);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error(fmt::format("cannot run {}", command));
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), count);
  }
  if (::pclose(pipe) != 0) throw std::runtime_error(fmt::format("{} failed: {}", command, output));
  return output;
}

}  // namespace lockstep::tools
