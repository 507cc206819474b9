#include "invariants/records_at_one_offset.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {

using protocol::leaderless_log::Assignment;
using protocol::leaderless_log::LogStep;

std::optional<Violation> RecordsAtOneOffset(const LogStep& step) {
  if (step.assignment == nullptr) return std::nullopt;
  const Assignment& assignment = *step.assignment;
  const Assignment* first = step.ledger.AssignmentOf(assignment.operation);
  if (first == nullptr || (first->end == assignment.end && first->count == assignment.count)) {
    return std::nullopt;
  }
  const auto describe = [](const Assignment& place) {
    return fmt::format("{}..{}", place.end - place.count + 1, place.end);
  };
  return SafetyViolation(
      "RecordsAtOneOffset",
      fmt::format("append {} is assigned {} and was assigned {} at step {}", assignment.operation,
                  describe(assignment), describe(*first), first->step),
      {{fmt::format("place of append {}", assignment.operation), Text(describe(*first)),
        Text(describe(assignment))}});
}

}  // namespace lockstep::invariants
