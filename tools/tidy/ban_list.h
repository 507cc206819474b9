// Texts that must not stand in code, each with the layers where it is banned, why, and what to use
// instead. Allowances name the files that may, each with its reason.
//
// A seed has to give the same trace on every compiler, build type and machine. Whatever could give
// another answer the second time is listed here.

#pragma once

#include <array>
#include <string_view>

#include "tools/tidy/layer_table.h"

namespace lockstep::tools {

enum class Match {
  kWord,       // The text, not as a part of a longer identifier.
  kCall,       // The same, and not a member: `x.rand()` is another function.
  kPointerKey  // The text ends in '<' and the first template argument is a pointer.
};

struct Ban {
  std::string_view text;
  Match match;
  Layers layers;
  std::string_view why;
  std::string_view instead;
};

inline constexpr std::string_view kRng = "Choices, or sim/random/rng.h,";
inline constexpr std::string_view kClock = "the virtual clock of sim/time";
inline constexpr std::string_view kOrdered = "std::map, std::set or a sorted std::vector";
inline constexpr std::string_view kIntegers = "integers, or a ratio of two integers,";

inline constexpr std::array kBanList{
    Ban{"std::random_device", Match::kWord, kEverywhere, "gives another seed each time", kRng},
    Ban{"std::mt19937", Match::kWord, kEverywhere, "is a second source of choice", kRng},
    Ban{"std::mt19937_64", Match::kWord, kEverywhere, "is a second source of choice", kRng},
    Ban{"std::default_random_engine", Match::kWord, kEverywhere, "differs between libraries", kRng},
    Ban{"<random>", Match::kWord, kEverywhere, "differs between libraries", kRng},
    Ban{"std::uniform_int_distribution", Match::kWord, kEverywhere, "differs between libraries",
        kRng},
    Ban{"std::shuffle", Match::kWord, kEverywhere, "differs between libraries", kRng},
    Ban{"std::sample", Match::kWord, kEverywhere, "differs between libraries", kRng},
    Ban{"rand(", Match::kCall, kEverywhere, "is a second source of choice", kRng},
    Ban{"srand(", Match::kCall, kEverywhere, "is a second source of choice", kRng},

    Ban{"std::chrono::system_clock", Match::kWord, kEverywhere, "reads the wall clock", kClock},
    Ban{"std::chrono::steady_clock", Match::kWord, kEverywhere, "reads the machine's clock",
        kClock},
    Ban{"std::chrono::high_resolution_clock", Match::kWord, kEverywhere,
        "reads the machine's clock", kClock},
    Ban{"time(NULL)", Match::kCall, kEverywhere, "reads the wall clock", kClock},
    Ban{"time(nullptr)", Match::kCall, kEverywhere, "reads the wall clock", kClock},
    Ban{"time(0)", Match::kCall, kEverywhere, "reads the wall clock", kClock},
    Ban{"gettimeofday(", Match::kCall, kEverywhere, "reads the wall clock", kClock},
    Ban{"clock_gettime(", Match::kCall, kEverywhere, "reads the machine's clock", kClock},

    Ban{"std::unordered_map", Match::kWord, kBelowTools, "has no defined order", kOrdered},
    Ban{"std::unordered_set", Match::kWord, kBelowTools, "has no defined order", kOrdered},
    Ban{"std::unordered_multimap", Match::kWord, kBelowTools, "has no defined order", kOrdered},
    Ban{"std::unordered_multiset", Match::kWord, kBelowTools, "has no defined order", kOrdered},
    Ban{"std::map<", Match::kPointerKey, kBelowTools, "is ordered by addresses", "an id as key"},
    Ban{"std::multimap<", Match::kPointerKey, kBelowTools, "is ordered by addresses",
        "an id as key"},
    Ban{"std::set<", Match::kPointerKey, kBelowTools, "is ordered by addresses", "an id as key"},
    Ban{"std::multiset<", Match::kPointerKey, kBelowTools, "is ordered by addresses",
        "an id as key"},
    Ban{"std::hash<", Match::kPointerKey, kBelowTools, "depends on addresses", "an id as key"},

    Ban{"std::thread", Match::kWord, kBelowTools, "runs in no defined order",
        "fibers, or processes in tools,"},
    Ban{"std::jthread", Match::kWord, kBelowTools, "runs in no defined order",
        "fibers, or processes in tools,"},
    Ban{"std::async", Match::kWord, kBelowTools, "runs in no defined order",
        "fibers, or processes in tools,"},
    Ban{"std::this_thread", Match::kWord, kEverywhere, "waits for the machine",
        "timers in virtual time"},
    Ban{"sleep(", Match::kCall, kEverywhere, "waits for the machine", "timers in virtual time"},
    Ban{"usleep(", Match::kCall, kEverywhere, "waits for the machine", "timers in virtual time"},
    Ban{"nanosleep(", Match::kCall, kEverywhere, "waits for the machine", "timers in virtual time"},

    Ban{"getenv(", Match::kCall, kEverywhere, "makes a run depend on the caller's environment",
        "an option"},
    Ban{"popen(", Match::kCall, kEverywhere, "starts a process", "a file listed in kAllowances"},
    Ban{"fork(", Match::kCall, kEverywhere, "starts a process", "a file listed in kAllowances"},

    Ban{"float", Match::kWord, kDecided, "is rounded differently from machine to machine",
        kIntegers},
    Ban{"double", Match::kWord, kDecided, "is rounded differently from machine to machine",
        kIntegers},
};

struct Allowance {
  std::string_view file;  // A path, or a folder with '/' at its end.
  std::string_view text;  // A text of the ban list.
  std::string_view why;
};

inline constexpr std::array kAllowances{
    Allowance{"tools/environment.cpp", "getenv(", "is where options may come from"},
    Allowance{"tools/stopwatch.h", "std::chrono::steady_clock", "times sweeps, not runs"},
    Allowance{"tools/subprocess.cpp", "fork(", "runs the built program in tests"},
    Allowance{"tools/worker_pool.cpp", "fork(", "runs sweeps in processes"},
    Allowance{"tools/tidy/symbol_scan.cpp", "popen(", "runs nm"},
    Allowance{"traces/test_support.cpp", "popen(", "runs TLC, for tests"},
    Allowance{"traces/test_support.cpp", "getenv(", "finds TLC and the wish for new golden files"},
    Allowance{"scenarios/golden_digests_test.cpp", "getenv(", "the wish for new golden digests"},
    Allowance{"scenarios/tlc_agreement_test.cpp", "getenv(", "finds upstream's module"},
    Allowance{"tools/tidy/fixtures/", "*", "is bad on purpose"},
};

}  // namespace lockstep::tools
