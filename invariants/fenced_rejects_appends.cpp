#include "invariants/fenced_rejects_appends.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Action;
using protocol::leaderless_log::ActionKind;
using protocol::leaderless_log::LogState;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::State;
using protocol::leaderless_log::WriterIndex;

bool GuardOfMachine(const Machine& machine, const State& state, WriterIndex writer) {
  return machine.Enabled(state, Action{ActionKind::AssignOffset, writer, 0});
}

std::optional<Violation> CheckWriter(const Machine& machine, const State& state, WriterIndex writer,
                                     AssignOffsetGuard guard) {
  if (!guard(machine, state, writer)) return std::nullopt;
  const std::string& name = machine.constants().writers[writer];
  return SafetyViolation(
      "FencedRejectsAppends",
      fmt::format("the log is FENCED and writer {} may still assign an offset", name),
      {{fmt::format("ENABLED AssignOffset({})", name), sim::Value::Bool(false),
        sim::Value::Bool(true)}});
}

}  // namespace

std::optional<Violation> FencedRejectsAppends(const Machine& machine, const State& state,
                                              AssignOffsetGuard guard) {
  if (state.log_state != LogState::FENCED) return std::nullopt;
  const auto writers = static_cast<WriterIndex>(machine.constants().writers.size());
  for (WriterIndex writer = 0; writer < writers; ++writer) {
    if (auto violation = CheckWriter(machine, state, writer, guard)) return violation;
  }
  return std::nullopt;
}

std::optional<Violation> FencedRejectsAppends(const LogStep& step, AssignOffsetGuard guard) {
  if (step.state.log_state != LogState::FENCED) return std::nullopt;
  if (step.changes.log_state || step.changes.sequence_counter) {
    return FencedRejectsAppends(step.machine, step.state, guard);
  }
  if (!step.changes.writer) return std::nullopt;
  const WriterIndex writer = step.changes.writer->first;
  if (writer >= step.machine.constants().writers.size()) return std::nullopt;
  return CheckWriter(step.machine, step.state, writer, guard);
}

std::optional<Violation> FencedRejectsAppends(const Machine& machine, const State& state) {
  return FencedRejectsAppends(machine, state, GuardOfMachine);
}

std::optional<Violation> FencedRejectsAppends(const LogStep& step) {
  return FencedRejectsAppends(step, GuardOfMachine);
}

}  // namespace lockstep::invariants
