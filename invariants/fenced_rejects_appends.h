// While the log is FENCED, AssignOffset is enabled for no writer.
//
// Asks the machine, so that a change of its guard cannot go unnoticed. The step form asks for
// every writer only when the log state or the counter changed, else for the writer that changed.
//
// SPEC: LeaderlessLog.tla, FencedRejectsAppends
// SCOPE: every step
#pragma once

#include <optional>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// Whether AssignOffset is enabled for a writer.
using AssignOffsetGuard = bool (*)(const protocol::leaderless_log::Machine& machine,
                                   const protocol::leaderless_log::State& state,
                                   protocol::leaderless_log::WriterIndex writer);

/// The whole state.
[[nodiscard]] std::optional<Violation> FencedRejectsAppends(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state);
/// What the step changed; the same verdict when the property held before it.
[[nodiscard]] std::optional<Violation> FencedRejectsAppends(
    const protocol::leaderless_log::LogStep& step);

/// Both forms with another guard than the machine's own, which no state can break: how a test, or a
/// mutant of the machine, shows the oracle a guard that has forgotten the fence.
[[nodiscard]] std::optional<Violation> FencedRejectsAppends(
    const protocol::leaderless_log::Machine& machine, const protocol::leaderless_log::State& state,
    AssignOffsetGuard guard);
[[nodiscard]] std::optional<Violation> FencedRejectsAppends(
    const protocol::leaderless_log::LogStep& step, AssignOffsetGuard guard);

}  // namespace lockstep::invariants
