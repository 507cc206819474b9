// What the tests of this layer share: specs of runs, runs as bytes, and names for parameters.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"
#include "traces/trace_writer.h"

namespace lockstep::scenarios {

/// For the names of parametrised tests.
inline void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }
inline void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

struct NameOfParameter {
  template <typename Info>
  std::string operator()(const Info& info) const {
    return std::string(info.param.name);
  }
};

inline RunSpec SpecOf(const Scenario& scenario, std::uint64_t seed) {
  RunSpec spec;
  spec.scenario = &scenario;
  spec.seed = seed;
  return spec;
}

inline RunSpec TracedSpecOf(const Scenario& scenario, std::uint64_t seed) {
  RunSpec spec = SpecOf(scenario, seed);
  spec.record_trace = true;
  return spec;
}

/// Run, under a name that test classes do not hide.
inline RunResult RunOf(const RunSpec& spec) { return Run(spec); }

/// The file that a run leaves behind. REQUIRES: its trace was recorded.
inline std::string TraceBytes(const RunResult& result) { return traces::WriteTrace(*result.trace); }

/// A failed run in one line, for messages: which property, where, why.
inline std::string FailureText(const RunResult& result) {
  if (!result.failure) return "no failure";
  const invariants::Violation& violation = result.failure->violation;
  return violation.property + " at step " + std::to_string(result.failure->step) + " (" +
         result.failure->action + "): " + violation.message;
}

/// Lowercase words joined by single underscores, beginning with a letter.
inline bool IsSnakeCase(std::string_view name) {
  if (name.empty() || name.front() < 'a' || name.front() > 'z' || name.back() == '_') return false;
  char before = ' ';
  for (const char c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (!fits || (c == '_' && before == '_')) return false;
    before = c;
  }
  return true;
}

/// True when no two of them are equal.
inline bool AreUnique(std::vector<std::string_view> names) {
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

}  // namespace lockstep::scenarios
