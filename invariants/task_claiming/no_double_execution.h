// No worker is EXECUTING a COMMITTED task.
//
// SPEC: TaskClaiming.tla, NoDoubleExecution
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::invariants::task_claiming {

[[nodiscard]] std::optional<Violation> NoDoubleExecution(
    const protocol::task_claiming::Machine& machine, const protocol::task_claiming::State& state);

}  // namespace lockstep::invariants::task_claiming
