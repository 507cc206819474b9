// The names that TaskClaiming.tla and its dialect modules give to things: what a header of a trace,
// a .cfg and a generated module have to spell.
//
// task_claiming_parity_test.cpp compares every list here with the modules' text, both ways.
//
// SPEC: TaskClaiming.tla
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "protocol/task_claiming/task_claiming_machine.h"
#include "sim/base/value.h"

namespace lockstep::protocol::task_claiming {

/// Names of the dialects that are on, sorted: "live_session_expiry", "recover_markdown".
[[nodiscard]] std::vector<std::string_view> DialectNames(const Dialect& dialect);
/// The dialect with those names, in any order; nothing when a name is unknown.
[[nodiscard]] std::optional<Dialect> DialectFromNames(const std::vector<std::string_view>& names);

/// The module that has this dialect's meaning; "TaskClaiming" for upstream's.
[[nodiscard]] std::string_view ModuleName(const Dialect& dialect);
/// Its next-state operator and its specification ("Next", "Spec"). Its initial predicate is "Init".
[[nodiscard]] std::string_view NextName(const Dialect& dialect);
[[nodiscard]] std::string_view SpecName(const Dialect& dialect);

/// The operator that is this action in ModuleName(dialect): Name(kind), with the module's suffix
/// where the dialect changes the action.
[[nodiscard]] std::string_view OperatorName(const Dialect& dialect, ActionKind kind);
/// The parameters that it takes, in order: {"w"} or {"w", "t"}.
[[nodiscard]] std::vector<std::string_view> OperatorParameters(ActionKind kind);
/// The disjuncts of the next-state operator, in its order; every dialect has the same.
[[nodiscard]] std::vector<ActionKind> ActionKinds();

/// What SpecName(dialect) promises of an action, for each choice of its parameters.
enum class Fairness : std::uint8_t { kNone, kWeak, kStrong };
/// The same in every dialect. Under live_session_expiry the promise for SessionExpiry is made only
/// for a worker that is not alive: a living worker's session need not end.
[[nodiscard]] Fairness FairnessOf(ActionKind kind);

/// In the order in which the module declares them; a dialect's own constants after upstream's.
[[nodiscard]] std::vector<std::string_view> ConstantNames(const Dialect& dialect);
[[nodiscard]] std::vector<std::string_view> VariableNames();
/// As a .cfg lists them: CONSTRAINT, VIEW, INVARIANTS and PROPERTIES; the same in every dialect.
[[nodiscard]] std::string_view ConstraintName();
[[nodiscard]] std::string_view ViewName();
[[nodiscard]] std::vector<std::string_view> InvariantNames();
[[nodiscard]] std::vector<std::string_view> LeadsToNames();

/// A record of ConstantNames(dialect), in their order; Workers and Tasks as sets of strings.
/// `max_lock_version` stands for MaxLockVersion, which a trace needs even when the run had no
/// bound.
[[nodiscard]] sim::Value ConstantsToValue(const Constants& constants, LockVersion max_lock_version);

}  // namespace lockstep::protocol::task_claiming
