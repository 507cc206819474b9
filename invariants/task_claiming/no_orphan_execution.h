// While a dead worker holds the lock of a task, no other is EXECUTING it.
//
// SPEC: TaskClaiming.tla, NoOrphanExecution
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::invariants::task_claiming {

[[nodiscard]] std::optional<Violation> NoOrphanExecution(
    const protocol::task_claiming::Machine& machine, const protocol::task_claiming::State& state);

}  // namespace lockstep::invariants::task_claiming
