#include "invariants/acknowledged_offsets_unique.h"

#include <fmt/format.h>

#include <algorithm>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {

using protocol::leaderless_log::Acknowledgement;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::OperationId;

std::optional<Violation> AcknowledgedOffsetsUnique(const LogStep& step) {
  if (step.acknowledgement == nullptr) return std::nullopt;
  const Acknowledgement& ack = *step.acknowledgement;
  const Offset begin = ack.end - ack.count + 1;
  for (Offset offset = std::max<Offset>(begin, 1); offset <= ack.end; ++offset) {
    const OperationId owner = step.ledger.AcknowledgedAt(offset);
    const std::int64_t record = step.ledger.RecordAcknowledgedAt(offset);
    if (owner == ack.operation && record == offset - begin + 1) continue;
    return SafetyViolation(
        "AcknowledgedOffsetsUnique",
        fmt::format("offset {} is acknowledged to append {} (record {}) and was to append {} "
                    "(record {})",
                    offset, ack.operation, offset - begin + 1, owner, record),
        {{fmt::format("acknowledged[{}]", offset), Number(static_cast<std::int64_t>(owner)),
          Number(static_cast<std::int64_t>(ack.operation))}});
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants
