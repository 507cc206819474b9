#include "invariants/offsets_assigned_once.h"

#include <fmt/format.h>

#include <algorithm>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Assignment;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::OperationId;

std::optional<Violation> CheckCounter(const LogStep& step) {
  const auto& before = step.observed_changes.counter;
  if (!before || step.observed.counter >= *before) return std::nullopt;
  return SafetyViolation(
      "OffsetsAssignedOnce",
      fmt::format("the counter went back from {} to {}", *before, step.observed.counter),
      {{"sequenceCounter", Bound(">=", *before), Number(step.observed.counter)}});
}

Violation AssignedTwice(Offset offset, OperationId first, OperationId second) {
  return SafetyViolation(
      "OffsetsAssignedOnce",
      fmt::format("offset {} is assigned to append {} and was assigned to append {} before", offset,
                  second, first),
      {{fmt::format("assignments of offset {}", offset), Number(1), Number(2)},
       {fmt::format("assigned[{}]", offset), Number(static_cast<std::int64_t>(first)),
        Number(static_cast<std::int64_t>(second))}});
}

std::optional<Violation> CheckAssignment(const LogStep& step, const Assignment& assignment) {
  // The same append at the same place again is told from the first time by its step.
  const Assignment* first = step.ledger.AssignmentOf(assignment.operation);
  const bool again = first != nullptr && first->step != assignment.step;
  const Offset begin = assignment.end - assignment.count + 1;
  for (Offset offset = std::max<Offset>(begin, 1); offset <= assignment.end; ++offset) {
    const OperationId owner = step.ledger.AssignedAt(offset);
    const bool first_time = owner == assignment.operation &&
                            step.ledger.RecordAssignedAt(offset) == offset - begin + 1 &&
                            !(again && offset > first->end - first->count && offset <= first->end);
    if (!first_time) return AssignedTwice(offset, owner, assignment.operation);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Violation> OffsetsAssignedOnce(const LogStep& step) {
  if (auto violation = CheckCounter(step)) return violation;
  if (step.assignment == nullptr) return std::nullopt;
  return CheckAssignment(step, *step.assignment);
}

}  // namespace lockstep::invariants
