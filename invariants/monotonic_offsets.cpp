#include "invariants/monotonic_offsets.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {

using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::State;

std::optional<Violation> MonotonicOffsets(const Machine& /*machine*/, const State& state) {
  if (state.sequence_counter >= 1) return std::nullopt;
  return SafetyViolation(
      "MonotonicOffsets",
      fmt::format("the sequence counter is {}, below the first offset", state.sequence_counter),
      {{"sequenceCounter", Bound(">=", 1), Number(state.sequence_counter)}});
}

std::optional<Violation> MonotonicOffsets(const LogStep& step) {
  return MonotonicOffsets(step.machine, step.state);
}

}  // namespace lockstep::invariants
