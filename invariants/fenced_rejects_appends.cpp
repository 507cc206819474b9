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

std::optional<Violation> CheckWriter(const Machine& machine, const State& state,
                                     WriterIndex writer) {
  const Action action{ActionKind::AssignOffset, writer, 0};
  if (!machine.Enabled(state, action)) return std::nullopt;
  const std::string& name = machine.constants().writers[writer];
  return SafetyViolation(
      "FencedRejectsAppends",
      fmt::format("the log is FENCED and writer {} may still assign an offset", name),
      {{fmt::format("ENABLED AssignOffset({})", name), sim::Value::Bool(false),
        sim::Value::Bool(true)}});
}

}  // namespace

std::optional<Violation> FencedRejectsAppends(const Machine& machine, const State& state) {
  if (state.log_state != LogState::FENCED) return std::nullopt;
  for (std::size_t i = 0; i < machine.constants().writers.size(); ++i) {
    if (auto violation = CheckWriter(machine, state, static_cast<WriterIndex>(i))) return violation;
  }
  return std::nullopt;
}

std::optional<Violation> FencedRejectsAppends(const LogStep& step) {
  if (step.state.log_state != LogState::FENCED) return std::nullopt;
  if (step.changes.log_state || step.changes.sequence_counter) {
    return FencedRejectsAppends(step.machine, step.state);
  }
  if (!step.changes.writer) return std::nullopt;
  return CheckWriter(step.machine, step.state, step.changes.writer->first);
}

}  // namespace lockstep::invariants
