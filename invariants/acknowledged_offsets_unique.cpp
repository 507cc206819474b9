#include "invariants/acknowledged_offsets_unique.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

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
    const std::string first = fmt::format("record {} of append {}", record, owner);
    const std::string second =
        fmt::format("record {} of append {}", offset - begin + 1, ack.operation);
    return SafetyViolation(
        "AcknowledgedOffsetsUnique",
        fmt::format("offset {} is acknowledged to {} and was to {} before", offset, second, first),
        {{fmt::format("acknowledged[{}]", offset), Text(first), Text(second)}});
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants
