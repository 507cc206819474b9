#include "invariants/conformance.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Action;
using protocol::leaderless_log::Changes;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::ObservedChanges;
using protocol::leaderless_log::ObservedLog;
using protocol::leaderless_log::State;

constexpr std::string_view kEffect = "ConformanceEffect";
constexpr std::string_view kUndeclared = "UndeclaredChange";

sim::Value ToValue(std::int64_t number) { return Number(number); }
sim::Value ToValue(protocol::leaderless_log::LogState state) { return Text(Name(state)); }

std::optional<Violation> CheckLayout(std::string_view property, const ObservedChanges& changes) {
  if (!changes.malformed_key) return std::nullopt;
  return ConformanceViolation(
      property,
      fmt::format("the record at {} is none that the log's layout knows", *changes.malformed_key),
      {{*changes.malformed_key, Text("a record of the layout"), Text("malformed or unknown")}});
}

/// One variable after the step, in the spec and in the store.
template <typename T>
std::optional<Violation> Compare(const LogStep& step, const char* variable, bool changed,
                                 const T& spec, const T& store) {
  if (!changed || spec == store) return std::nullopt;
  return ConformanceViolation(kEffect,
                              fmt::format("after {}, {} is not what the spec says",
                                          step.machine.ToString(*step.action), variable),
                              {{variable, ToValue(spec), ToValue(store)}});
}

std::optional<Violation> CompareEntries(const LogStep& step,
                                        const std::vector<Changes::IndexChange>& changes) {
  for (const auto& change : changes) {
    const Entry spec = step.state.log_index.At(change.offset);
    const Entry store = step.observed.index.At(change.offset);
    if (spec == store) continue;
    return ConformanceViolation(
        kEffect,
        fmt::format("after {}, the spec has {}, and the store {}",
                    step.machine.ToString(*step.action), DescribeEntry(change.offset, spec),
                    DescribeEntry(change.offset, store)),
        {{IndexName(change.offset), EntryValue(spec), EntryValue(store)}});
  }
  return std::nullopt;
}

/// One variable without an action: it must be what it was.
template <typename T>
std::optional<Violation> Unchanged(const char* variable, const std::optional<T>& before,
                                   const T& after) {
  if (!before || *before == after) return std::nullopt;
  return ConformanceViolation(
      kUndeclared, fmt::format("the store changed {} and no action explains it", variable),
      {{variable, ToValue(*before), ToValue(after)}});
}

}  // namespace

std::optional<Violation> ConformanceGuard(const Machine& machine, const State& state,
                                          const Action& action) {
  if (machine.Enabled(state, action)) return std::nullopt;
  auto failure = machine.Refusal(state, action);
  const std::string conjunct =
      failure ? std::string(failure->conjunct) : std::string("its guard holds");
  return ConformanceViolation(
      "ConformanceGuard", fmt::format("{} is not enabled: {}", machine.ToString(action), conjunct),
      {{conjunct, failure ? std::move(failure->expected) : sim::Value::Bool(true),
        failure ? std::move(failure->actual) : sim::Value::Bool(false)}});
}

std::optional<Violation> ConformanceEffect(const LogStep& step) {
  const ObservedChanges& seen = step.observed_changes;
  if (auto violation = CheckLayout(kEffect, seen)) return violation;
  if (!step.action) return std::nullopt;
  const State& state = step.state;
  const Changes& changes = step.changes;
  const ObservedLog& log = step.observed;
  if (auto violation = CompareEntries(step, changes.index)) return violation;
  if (auto violation = CompareEntries(step, seen.index)) return violation;
  if (auto violation = Compare(step, "sequenceCounter", changes.sequence_counter || seen.counter,
                               state.sequence_counter, log.counter)) {
    return violation;
  }
  if (auto violation = Compare(step, "logState", changes.log_state || seen.log_state,
                               state.log_state, log.log_state)) {
    return violation;
  }
  if (auto violation = Compare(step, "compactionCursor", changes.compaction_cursor || seen.cursor,
                               state.compaction_cursor, log.cursor)) {
    return violation;
  }
  return Compare(step, "compactRound", changes.compact_round || seen.round, state.compact_round,
                 log.round);
}

std::optional<Violation> UndeclaredChange(const LogStep& step) {
  const ObservedChanges& seen = step.observed_changes;
  if (auto violation = CheckLayout(kUndeclared, seen)) return violation;
  if (step.action) return std::nullopt;
  for (const auto& change : seen.index) {
    const Entry after = step.observed.index.At(change.offset);
    if (change.before == after) continue;
    return ConformanceViolation(
        kUndeclared,
        fmt::format("the store changed the entry at offset {} and no action explains it",
                    change.offset),
        {{IndexName(change.offset), EntryValue(change.before), EntryValue(after)}});
  }
  const ObservedLog& log = step.observed;
  if (auto violation = Unchanged("sequenceCounter", seen.counter, log.counter)) return violation;
  if (auto violation = Unchanged("logState", seen.log_state, log.log_state)) return violation;
  if (auto violation = Unchanged("compactionCursor", seen.cursor, log.cursor)) return violation;
  return Unchanged("compactRound", seen.round, log.round);
}

}  // namespace lockstep::invariants
