// ExitCode: what the program says with its exit code, never mixed. Other programs rely on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "invariants/violation.h"

namespace lockstep::tools {

enum class ExitCode : std::uint8_t {
  kHolds = 0,
  kError = 1,
  kSafety = 2,
  kLiveness = 3,
  kConformance = 4,
  kNondeterminism = 5,
  kInconclusive = 6,
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view name;     ///< as `kind` in traces, where a violation has that kind
  std::string_view meaning;  ///< the line in --help
};

/// By number.
inline constexpr std::array<ExitCodeRow, 7> kExitCodes = {{
    {ExitCode::kHolds, "holds", "everything held, and everything was reached"},
    {ExitCode::kError, "error", "bad usage, or an internal error: a run that crashed or hung"},
    {ExitCode::kSafety, "safety", "a safety property is violated"},
    {ExitCode::kLiveness, "liveness", "a liveness property is violated"},
    {ExitCode::kConformance, "conformance", "the implementation took a step that the spec forbids"},
    {ExitCode::kNondeterminism, "nondeterminism", "the same run came out differently"},
    {ExitCode::kInconclusive, "inconclusive",
     "not everything was reached, the budget was spent, or a check gave up"},
}};

constexpr const ExitCodeRow& Info(ExitCode code) {
  return kExitCodes[static_cast<std::size_t>(code)];
}

/// From the worst to the best: what a sweep with several kinds of bad news ends with. Nothing can
/// be believed after an internal error or nondeterminism; then what harms data comes first.
inline constexpr std::array<ExitCode, 7> kWorstFirst = {
    ExitCode::kError,    ExitCode::kNondeterminism, ExitCode::kSafety, ExitCode::kConformance,
    ExitCode::kLiveness, ExitCode::kInconclusive,   ExitCode::kHolds};

constexpr ExitCode Worst(ExitCode a, ExitCode b) {
  for (const ExitCode code : kWorstFirst) {
    if (code == a || code == b) return code;
  }
  return ExitCode::kError;
}

constexpr ExitCode ExitCodeOf(invariants::PropertyKind kind) {
  switch (kind) {
    case invariants::PropertyKind::kSafety:
      return ExitCode::kSafety;
    case invariants::PropertyKind::kLiveness:
      return ExitCode::kLiveness;
    case invariants::PropertyKind::kConformance:
      return ExitCode::kConformance;
  }
  return ExitCode::kError;
}

}  // namespace lockstep::tools
