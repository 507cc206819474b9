#include "traces/trace_writer.h"

#include <cstddef>
#include <vector>

#include "sim/base/check.h"
#include "traces/trace_digest.h"

namespace lockstep::traces {
namespace {

using sim::Value;

// Writes `,"key":` (without the comma for the first key of an object).
void AppendKey(std::string& out, std::string_view key) {
  if (out.back() != '{') out.push_back(',');
  sim::AppendJsonString(out, key);
  out.push_back(':');
}

void AppendString(std::string& out, std::string_view key, std::string_view text) {
  AppendKey(out, key);
  sim::AppendJsonString(out, text);
}

void AppendInt(std::string& out, std::string_view key, std::int64_t value) {
  AppendKey(out, key);
  out.append(std::to_string(value));
}

void AppendStrings(std::string& out, std::string_view key, const std::vector<std::string>& items) {
  AppendKey(out, key);
  AppendJsonStrings(out, items);
}

void AppendValue(std::string& out, std::string_view key, const Value& value) {
  AppendKey(out, key);
  value.AppendJson(out);
}

bool IsDefault(const Value& value) { return value.kind() == Value::Kind::kBool && !value.AsBool(); }

void AppendRecord(std::string& out, std::string_view key, const Value& value) {
  if (IsDefault(value)) {
    AppendKey(out, key);
    out.append("{}");
    return;
  }
  LOCKSTEP_CHECK_MSG(value.kind() == Value::Kind::kRecord, key);
  AppendValue(out, key, value);
}

void AppendAction(std::string& out, const std::string& name, const Value& parameters) {
  AppendKey(out, "action");
  out.push_back('{');
  AppendString(out, "name", name);
  if (!IsDefault(parameters)) {
    for (const auto& [parameter, value] : parameters.AsFields()) {
      LOCKSTEP_CHECK_MSG(parameter != "name", "a parameter cannot be called name");
      AppendValue(out, parameter, value);
    }
  }
  out.push_back('}');
}

void AppendViolation(std::string& out, const ViolationRecord& violation) {
  out.push_back('{');
  AppendString(out, "property", violation.property);
  AppendString(out, "kind", violation.kind);
  AppendInt(out, "step", violation.step);
  AppendString(out, "action", violation.action);
  AppendString(out, "message", violation.message);
  AppendValue(out, "expected", violation.expected);
  AppendValue(out, "actual", violation.actual);
  AppendStrings(out, "enabled", violation.enabled);
  AppendRecord(out, "observed", violation.observed);
  out.push_back('}');
}

}  // namespace

void AppendJsonStrings(std::string& out, const std::vector<std::string>& items) {
  out.push_back('[');
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out.push_back(',');
    sim::AppendJsonString(out, items[i]);
  }
  out.push_back(']');
}

char ChoiceLetter(sim::ChoiceKind kind) {
  switch (kind) {
    case sim::ChoiceKind::kEvent:
      return 'e';
    case sim::ChoiceKind::kWorkload:
      return 'w';
    case sim::ChoiceKind::kFaultSwarm:
      return 's';
    case sim::ChoiceKind::kFaultGap:
      return 'g';
    case sim::ChoiceKind::kFaultTarget:
      return 't';
    case sim::ChoiceKind::kFaultDuration:
      return 'd';
    case sim::ChoiceKind::kNode:
      return 'n';
  }
  return '?';
}

void AppendHeaderLine(std::string& out, const Header& header) {
  out.push_back('{');
  AppendString(out, "format", "lockstep-trace");
  AppendInt(out, "version", kFormatVersion);
  AppendString(out, "lockstep", header.lockstep_version);
  AppendString(out, "scenario", header.scenario);
  AppendString(out, "seed", header.seed);
  AppendString(out, "mutant", header.mutant);
  AppendString(out, "strategy", header.strategy);
  AppendInt(out, "max_steps", header.max_steps);
  AppendStrings(out, "faults", header.faults);
  AppendString(out, "spec", header.spec);
  AppendStrings(out, "dialect", header.dialect);
  AppendString(out, "tla_module", header.tla_module);
  AppendString(out, "tla_init", header.tla_init);
  AppendString(out, "tla_next", header.tla_next);
  AppendStrings(out, "invariants", header.invariants);
  AppendKey(out, "actions");
  out.push_back('[');
  for (const ActionSignature& action : header.actions) {
    if (out.back() != '[') out.push_back(',');
    out.push_back('{');
    AppendString(out, "name", action.name);
    AppendStrings(out, "arguments", action.arguments);
    AppendString(out, "tla_operator", action.tla_operator);
    out.push_back('}');
  }
  out.push_back(']');
  AppendRecord(out, "constants", header.constants);
  AppendRecord(out, "initial", header.initial);
  out.append("}\n");
}

void AppendStepLine(std::string& out, const Step& step) {
  out.push_back('{');
  AppendInt(out, "n", step.number);
  AppendInt(out, "t", step.time);
  AppendString(out, "node", step.node);
  AppendRecord(out, "event", step.event);
  if (step.action) {
    AppendAction(out, *step.action, step.parameters);
    AppendRecord(out, "changed", step.changed);
  }
  out.append("}\n");
}

void AppendScheduleLine(std::string& out, const sim::Schedule& schedule) {
  out.append("{\"schedule\":\"");
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (i > 0) out.push_back(' ');
    out.push_back(ChoiceLetter(schedule[i].kind));
    out.append(std::to_string(schedule[i].value)).push_back('/');
    out.append(std::to_string(schedule[i].bound));
  }
  out.append("\"}\n");
}

void AppendFooterUpToDigest(std::string& out, const Footer& footer, std::int64_t steps) {
  out.push_back('{');
  AppendString(out, "verdict", footer.verdict);
  AppendInt(out, "steps", steps);
  AppendKey(out, "violation");
  if (footer.violation) {
    AppendViolation(out, *footer.violation);
  } else {
    out.append("null");
  }
  AppendKey(out, "digest");
  out.push_back('"');
}

std::string WriteTrace(const Trace& trace) {
  std::string out;
  AppendHeaderLine(out, trace.header);
  for (const Step& step : trace.steps) AppendStepLine(out, step);
  AppendScheduleLine(out, trace.schedule);
  AppendFooterUpToDigest(out, trace.footer, static_cast<std::int64_t>(trace.steps.size()));
  out.append(Digest(out)).append(kFooterEnd);
  return out;
}

std::string_view DigestOfWritten(std::string_view bytes) {
  LOCKSTEP_CHECK(bytes.size() > kDigestSize + kFooterEnd.size());
  return bytes.substr(bytes.size() - kFooterEnd.size() - kDigestSize, kDigestSize);
}

std::string TraceDigest(const Trace& trace) {
  return std::string(DigestOfWritten(WriteTrace(trace)));
}

}  // namespace lockstep::traces
