// Conformance: a step of the implementation is a step of the spec.
//
// Three ways to fail, three properties: ConformanceGuard (the action is not enabled in the spec's
// state), ConformanceEffect (the spec's state after the action is not what the store and the nodes
// show), UndeclaredChange (the store changed and no action explains it).
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// Before the action is applied: `state` is the state before it. Nothing when it is enabled.
std::optional<Violation> ConformanceGuard(const protocol::leaderless_log::Machine& machine,
                                          const protocol::leaderless_log::State& state,
                                          const protocol::leaderless_log::Action& action);

/// After a step with an action: every variable that the action or the store changed is equal in
/// both.
std::optional<Violation> ConformanceEffect(const protocol::leaderless_log::LogStep& step);

/// After a step without an action: the store changed no variable of the spec.
std::optional<Violation> UndeclaredChange(const protocol::leaderless_log::LogStep& step);

}  // namespace lockstep::invariants
