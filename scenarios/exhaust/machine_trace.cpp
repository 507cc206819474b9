#include "scenarios/exhaust/machine_trace.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

using sim::Value;
using Fields = std::vector<std::pair<std::string, Value>>;

/// The points in which two functions of the same domain differ; nothing when they are no such two.
std::optional<Value> ChangedPoints(const Value& before, const Value& after) {
  Fields points;
  if (before.kind() == Value::Kind::kSeq && after.kind() == Value::Kind::kSeq &&
      before.AsItems().size() == after.AsItems().size()) {
    for (std::size_t i = 0; i < after.AsItems().size(); ++i) {
      if (before.AsItems()[i] == after.AsItems()[i]) continue;
      points.emplace_back(std::to_string(i + 1), after.AsItems()[i]);
    }
    return Value::RecordOf(std::move(points));
  }
  if (before.kind() != Value::Kind::kRecord || after.kind() != Value::Kind::kRecord ||
      before.AsFields().size() != after.AsFields().size()) {
    return std::nullopt;
  }
  for (const auto& [name, value] : after.AsFields()) {
    const Value* const old = before.Find(name);
    if (old == nullptr) return std::nullopt;
    if (!(*old == value)) points.emplace_back(name, value);
  }
  return Value::RecordOf(std::move(points));
}

traces::Step MakeStep(const ExploreModel& model, std::int64_t number, std::uint32_t action,
                      const Value& before, const Value& after) {
  traces::Step step;
  step.number = number;
  step.time = number;
  step.node = "machine";
  step.event = Value::RecordOf({{"kind", Value::String("step")}});
  step.action = std::string(model.action_names()[model.ActionKindOf(action)]);
  step.parameters = model.ActionParameters(action);
  step.changed = StateDifference(before, after);
  return step;
}

/// A leads-to property of that name was begun and is not answered at the end of the trace.
bool IsOwed(const ExploreModel& model, Expander& expander, const StateTrace& states,
            std::string_view property) {
  std::uint64_t owed = 0;
  for (const TraceStep& step : states) {
    owed |= expander.LeadsToLeft(step.state);
    owed &= ~expander.LeadsToRight(step.state);
  }
  for (std::size_t i = 0; i < model.leads_to().size(); ++i) {
    if (model.leads_to()[i].property == property && (owed >> i & 1U) != 0) return true;
  }
  return false;
}

/// Why the trace does not show what it says, or nothing.
std::optional<std::string> WhyNotShown(const ExploreModel& model, const StateTrace& states,
                                       const MachineFinding& finding) {
  const auto expander = model.NewExpander();
  const PackedState& last = states.back().state;
  if (finding.kind.empty()) return std::nullopt;
  if (finding.kind == "liveness") {
    if (IsOwed(model, *expander, states, finding.property)) return std::nullopt;
    return fmt::format("{} is not begun, or is answered, at the end", finding.property);
  }
  if (finding.kind != "safety") {
    return fmt::format("a machine alone has no violation of the kind \"{}\"", finding.kind);
  }
  if (finding.property == "Deadlock") {
    std::vector<Successor> successors;
    expander->Expand(last, successors);
    if (successors.empty()) return std::nullopt;
    return fmt::format("{} is enabled in the last state",
                       model.ActionToString(successors.front().action));
  }
  const std::uint64_t broken = expander->BrokenInvariants(last);
  for (std::size_t i = 0; i < model.invariants().size(); ++i) {
    if (model.invariants()[i].name == finding.property && ((broken >> i) & 1U) != 0) {
      return std::nullopt;
    }
  }
  return fmt::format("{} holds in the last state", finding.property);
}

}  // namespace

Value StateDifference(const Value& before, const Value& after) {
  Fields changed;
  for (const auto& [name, value] : after.AsFields()) {
    const Value* const old = before.Find(name);
    LOCKSTEP_CHECK(old != nullptr);
    if (*old == value) continue;
    changed.emplace_back(name, ChangedPoints(*old, value).value_or(value));
  }
  return Value::RecordOf(std::move(changed));
}

traces::Trace MachineTrace(const ExploreModel& model, traces::Header header,
                           const StateTrace& states, const std::vector<Value>& values,
                           const MachineFinding& finding) {
  LOCKSTEP_CHECK(states.size() == values.size());
  traces::Trace trace;
  trace.header = std::move(header);
  std::string last;
  for (std::size_t i = 1; i < states.size(); ++i) {
    trace.steps.push_back(
        MakeStep(model, static_cast<std::int64_t>(i), states[i].action, values[i - 1], values[i]));
    last = model.ActionToString(states[i].action);
  }
  trace.footer.verdict = finding.kind.empty() ? "holds" : "violated";
  if (!finding.kind.empty()) {
    traces::ViolationRecord violation;
    violation.property = finding.property;
    violation.kind = finding.kind;
    violation.step = static_cast<std::int64_t>(trace.steps.size());
    violation.action = last;
    violation.message = finding.message;
    violation.expected = Value::RecordOf({});
    violation.actual = Value::RecordOf({});
    violation.observed = Value::RecordOf({});
    trace.footer.violation = std::move(violation);
  }
  return trace;
}

StateTrace JoinLasso(const StateTrace& prefix, const StateTrace& cycle) {
  StateTrace joined = prefix;
  joined.insert(joined.end(), cycle.begin(), cycle.end());
  return joined;
}

std::variant<traces::Trace, std::string> ReplayOnMachine(const ExploreModel& model,
                                                         const traces::Trace& trace) {
  const auto expander = model.NewExpander();
  StateTrace states{{kNoAction, model.Initial()}};
  std::vector<Value> values{model.StateToValue(states.back().state)};
  if (!(values.front() == trace.header.initial)) return "the initial state is not the machine's";
  std::vector<Successor> successors;
  bool in_constraint = true;
  for (const traces::Step& step : trace.steps) {
    // A model need not have room for what lies behind such a state.
    if (!in_constraint) {
      return fmt::format("step {}: the state before it is beyond the constraint", step.number);
    }
    expander->Expand(states.back().state, successors);
    const Successor* taken = nullptr;
    for (const Successor& successor : successors) {
      if (model.action_names()[model.ActionKindOf(successor.action)] != step.action ||
          !(model.ActionParameters(successor.action) == step.parameters)) {
        continue;
      }
      if (!(StateDifference(values.back(), model.StateToValue(successor.state)) == step.changed)) {
        continue;
      }
      taken = &successor;
      break;
    }
    if (taken == nullptr) {
      return fmt::format("step {}: {} with what it changes is no step of the machine here",
                         step.number, step.action.value_or("a step without an action"));
    }
    in_constraint = taken->in_constraint;
    states.push_back({taken->action, taken->state});
    values.push_back(model.StateToValue(taken->state));
  }
  MachineFinding finding;
  if (trace.footer.violation) {
    const traces::ViolationRecord& violation = *trace.footer.violation;
    finding = {violation.property, violation.kind, violation.message};
  }
  if (auto why = WhyNotShown(model, states, finding)) return std::move(*why);
  return MachineTrace(model, trace.header, states, values, finding);
}

}  // namespace lockstep::scenarios
