#include "invariants/readers_never_move_back.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {

using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::ReadAnswer;

std::optional<Violation> ReadersNeverMoveBack(const LogStep& step) {
  if (step.read_answer == nullptr) return std::nullopt;
  const ReadAnswer& answer = *step.read_answer;
  if (answer.found || answer.offset > answer.highest_found_before) return std::nullopt;
  return SafetyViolation(
      "ReadersNeverMoveBack",
      fmt::format("a reader (node {}) found offset {} before and does not find offset {} now",
                  answer.node, answer.highest_found_before, answer.offset),
      {{fmt::format("found({})", answer.offset), sim::Value::Bool(true), sim::Value::Bool(false)}});
}

}  // namespace lockstep::invariants
