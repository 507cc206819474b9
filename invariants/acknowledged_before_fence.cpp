#include "invariants/acknowledged_before_fence.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Acknowledgement;
using protocol::leaderless_log::Assignment;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::OperationId;

constexpr std::string_view kName = "AcknowledgedBeforeFence";

/// The answer names a place: the append must have been assigned exactly that.
std::optional<Violation> CheckPlace(const LogStep& step, const Acknowledgement& ack) {
  const OperationId owner = step.ledger.AssignedAt(ack.end);
  const std::int64_t record = step.ledger.RecordAssignedAt(ack.end);
  if (ack.end >= 1 && owner == ack.operation && record == ack.count) return std::nullopt;
  return SafetyViolation(
      kName,
      fmt::format("append {} is acknowledged with {} records up to offset {}, which is assigned to "
                  "append {} (record {})",
                  ack.operation, ack.count, ack.end, owner, record),
      {{fmt::format("assigned[{}]", ack.end), Number(static_cast<std::int64_t>(ack.operation)),
        Number(static_cast<std::int64_t>(owner))},
       {fmt::format("record[{}]", ack.end), Number(ack.count), Number(record)}});
}

}  // namespace

std::optional<Violation> AcknowledgedBeforeFence(const LogStep& step) {
  if (step.acknowledgement == nullptr) return std::nullopt;
  const Acknowledgement& ack = *step.acknowledgement;
  if (auto violation = CheckPlace(step, ack)) return violation;
  const Assignment* assignment = step.ledger.AssignmentOf(ack.operation);
  if (assignment == nullptr || !assignment->while_fenced) return std::nullopt;
  return SafetyViolation(
      kName,
      fmt::format("append {} is acknowledged, but it was assigned {}..{} at step {} while the log "
                  "was FENCED",
                  ack.operation, assignment->end - assignment->count + 1, assignment->end,
                  assignment->step),
      {{"logState when assigned", Text("OPEN"), Text("FENCED")}});
}

}  // namespace lockstep::invariants
