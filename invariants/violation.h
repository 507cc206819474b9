// Violation: a property that does not hold, as a value. Verdict: the three answers of a check.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/value.h"

namespace lockstep::invariants {

/// What kind of promise was broken; decides the exit code.
enum class PropertyKind : std::uint8_t { kSafety, kLiveness, kConformance };
std::string_view PropertyKindName(PropertyKind kind);

struct Violation {
  std::string property;  ///< the registered name
  PropertyKind kind = PropertyKind::kSafety;
  std::string message;  ///< one sentence: what is wrong, with the values that show it
  sim::Value expected;  ///< record: what the property wants, by variable or fact
  sim::Value actual;    ///< record with the same fields: what is there
};

/// Ordered: a sweep's verdict is the greatest of its runs'.
enum class Verdict : std::uint8_t { kHolds, kInconclusive, kViolated };
std::string_view VerdictName(Verdict verdict);
Verdict Merge(Verdict a, Verdict b);

}  // namespace lockstep::invariants
