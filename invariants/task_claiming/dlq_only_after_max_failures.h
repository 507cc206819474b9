// A dead letter has failed as often as MaxFailures says.
//
// SPEC: TaskClaiming.tla, DLQOnlyAfterMaxFailures
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::invariants::task_claiming {

[[nodiscard]] std::optional<Violation> DLQOnlyAfterMaxFailures(
    const protocol::task_claiming::Machine& machine, const protocol::task_claiming::State& state);

}  // namespace lockstep::invariants::task_claiming
