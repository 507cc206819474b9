// A lock that a living worker holds is that of the task it works on.
//
// SPEC: TaskClaiming.tla, LockConsistency
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::invariants::task_claiming {

[[nodiscard]] std::optional<Violation> LockConsistency(
    const protocol::task_claiming::Machine& machine, const protocol::task_claiming::State& state);

}  // namespace lockstep::invariants::task_claiming
