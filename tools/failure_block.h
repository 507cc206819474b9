// A failing run as plain values, and the block that tells it to a person.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/base/value.h"
#include "tools/console.h"
#include "tools/exit_code.h"

namespace lockstep::tools {

/// One place where the state is not as it should be: logIndex[4], expected, actual.
struct Difference {
  std::string where;
  std::string expected;
  std::string actual;
  friend bool operator==(const Difference&, const Difference&) = default;
};

/// Strings alone, so that a worker process can send it.
struct FailureFacts {
  std::string scenario;
  std::string mutant;  ///< empty = none
  std::uint64_t seed = 0;
  ExitCode kind = ExitCode::kSafety;
  std::string property;
  std::int64_t step = 0;
  std::string action;
  std::string message;
  std::string
      refusal;  ///< why the spec refuses the step, beside the broken promise; empty = it does not
  std::vector<std::string> recent;
  std::vector<std::string> enabled;
  std::vector<Difference> differences;
  std::string reproduce;
  std::string trace;     ///< a file; empty = none was written
  std::string schedule;  ///< likewise

  /// Failures of one bucket are taken for the same defect.
  [[nodiscard]] std::string Bucket() const { return scenario + "/" + property; }
};

/// REQUIRES: the run failed.
FailureFacts FactsOf(const scenarios::RunSpec& spec, const scenarios::RunResult& result,
                     std::string reproduce);

/// The innermost places where two values differ, at most `most`. Two records or sequences are
/// compared field by field; anything else as a whole.
std::vector<Difference> Differences(const sim::Value& expected, const sim::Value& actual,
                                    std::size_t most);

/// About eleven lines: the broken promise, the steps that led there, expected against actual, what
/// else was enabled, and how to see it again here and in TLC.
std::string FailureBlock(const FailureFacts& facts, std::string_view meaning,
                         const Console& console);

}  // namespace lockstep::tools
