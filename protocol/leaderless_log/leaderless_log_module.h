// The names that LeaderlessLog.tla and its dialect modules give to things: what a header of a
// trace, a .cfg and a generated module have to spell.
//
// leaderless_log_parity_test.cpp compares every list here with the modules' text, both ways.
//
// SPEC: LeaderlessLog.tla
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "sim/base/value.h"

namespace lockstep::protocol::leaderless_log {

/// Names of the dialects that are on, sorted: "compaction_resume", "end_boundary_guard", "rounds".
[[nodiscard]] std::vector<std::string_view> DialectNames(const Dialect& dialect);
/// The dialect with those names, in any order; nothing when a name is unknown.
[[nodiscard]] std::optional<Dialect> DialectFromNames(const std::vector<std::string_view>& names);

/// The module that has this dialect's meaning; "LeaderlessLog" for upstream's.
[[nodiscard]] std::string_view ModuleName(const Dialect& dialect);
/// Its next-state operator and its specification ("Next", "Spec"). Its initial predicate is "Init".
[[nodiscard]] std::string_view NextName(const Dialect& dialect);
[[nodiscard]] std::string_view SpecName(const Dialect& dialect);

/// The operator that is this action in ModuleName(dialect): Name(kind), with the module's suffix
/// where the dialect changes the action.
[[nodiscard]] std::string_view OperatorName(const Dialect& dialect, ActionKind kind);
/// The parameters that it takes, in order: {}, {"w"} or {"w", "off"}. StartAppend chooses its count
/// inside.
[[nodiscard]] std::vector<std::string_view> OperatorParameters(ActionKind kind);
/// The actions of this dialect's next-state operator, in its order.
[[nodiscard]] std::vector<ActionKind> ActionKinds(const Dialect& dialect);

/// In the order in which the module declares them; a dialect's own constants after upstream's.
[[nodiscard]] std::vector<std::string_view> ConstantNames(const Dialect& dialect);
[[nodiscard]] std::vector<std::string_view> VariableNames();
/// As a .cfg lists them for ModuleName(dialect): INVARIANTS and PROPERTIES.
[[nodiscard]] std::vector<std::string_view> InvariantNames(const Dialect& dialect);
[[nodiscard]] std::vector<std::string_view> LeadsToNames();

/// A record of ConstantNames(dialect), in their order; Writers as a set of strings, Ranges as a
/// sequence of records. `max_offset` stands for MaxOffset, which a trace needs even when the run
/// had no bound. In the dialect `rounds` the module does not look at its first four range
/// constants, but still assumes that they are in order: they are given values that are, so
/// `max_offset` must be 2 at least. Outside it a missing range is given the first place that is in
/// order. REQUIRES: outside `rounds`, max_offset leaves room for the two ranges.
[[nodiscard]] sim::Value ConstantsToValue(const Constants& constants, Offset max_offset);

}  // namespace lockstep::protocol::leaderless_log
