#include "invariants/violation.h"

#include <algorithm>

namespace lockstep::invariants {

std::string_view PropertyKindName(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::kSafety:
      return "safety";
    case PropertyKind::kLiveness:
      return "liveness";
    case PropertyKind::kConformance:
      return "conformance";
  }
  return "?";
}

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kInconclusive:
      return "inconclusive";
    case Verdict::kViolated:
      return "violated";
  }
  return "?";
}

Verdict Merge(Verdict a, Verdict b) { return std::max(a, b); }

}  // namespace lockstep::invariants
