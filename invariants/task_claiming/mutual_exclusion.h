// At most one worker is EXECUTING each task.
//
// By what the workers believe, dead ones included; lock records are not looked at.
//
// SPEC: TaskClaiming.tla, MutualExclusion
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::invariants::task_claiming {

[[nodiscard]] std::optional<Violation> MutualExclusion(
    const protocol::task_claiming::Machine& machine, const protocol::task_claiming::State& state);

}  // namespace lockstep::invariants::task_claiming
