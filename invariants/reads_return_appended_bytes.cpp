#include "invariants/reads_return_appended_bytes.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::OperationId;
using protocol::leaderless_log::ReadAnswer;

Violation WrongAnswer(const ReadAnswer& answer, std::string message, std::string_view expected,
                      std::string_view actual) {
  return SafetyViolation("ReadsReturnAppendedBytes", std::move(message),
                         {{fmt::format("read({})", answer.offset), Text(expected), Text(actual)}});
}

}  // namespace

std::optional<Violation> ReadsReturnAppendedBytes(const LogStep& step) {
  if (step.read_answer == nullptr) return std::nullopt;
  const ReadAnswer& answer = *step.read_answer;
  if (!answer.found) {
    if (!answer.must_be_found) return std::nullopt;
    return WrongAnswer(answer,
                       fmt::format("offset {} was acknowledged before the read began, which did "
                                   "not find it",
                                   answer.offset),
                       "found", "not found");
  }
  const OperationId operation = step.ledger.AssignedAt(answer.offset);
  if (operation == 0) {
    return WrongAnswer(
        answer, fmt::format("a read found offset {}, which was never assigned", answer.offset),
        "not found", answer.bytes);
  }
  const std::int64_t record = step.ledger.RecordAssignedAt(answer.offset);
  const std::string expected = protocol::leaderless_log::RecordBytes(operation, record);
  if (answer.bytes == expected) return std::nullopt;
  return WrongAnswer(answer,
                     fmt::format("a read of offset {} did not return record {} of append {}",
                                 answer.offset, record, operation),
                     expected, answer.bytes);
}

}  // namespace lockstep::invariants
