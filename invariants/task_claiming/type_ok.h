// Every variable is in its domain.
//
// Lock versions are naturals by their type.
//
// SPEC: TaskClaiming.tla, TypeOK
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::invariants::task_claiming {

[[nodiscard]] std::optional<Violation> TypeOK(const protocol::task_claiming::Machine& machine,
                                              const protocol::task_claiming::State& state);

}  // namespace lockstep::invariants::task_claiming
