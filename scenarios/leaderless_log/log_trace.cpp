#include "scenarios/leaderless_log/log_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_module.h"
#include "scenarios/run_choices.h"

namespace lockstep::scenarios {

namespace log = protocol::leaderless_log;
using sim::Value;

namespace {

using Fields = std::vector<std::pair<std::string, Value>>;

std::string ConditionToText(const sim::Condition& condition) {
  switch (condition.kind) {
    case sim::Condition::Kind::kValueIs:
      return fmt::format("{} = {}", condition.key, condition.value);
    case sim::Condition::Kind::kVersionIs:
      return fmt::format("{} at version {}", condition.key, condition.version);
    case sim::Condition::Kind::kAbsent:
      return condition.key + " absent";
    case sim::Condition::Kind::kExists:
      return condition.key + " present";
  }
  return "?";
}

std::string OperationToText(const sim::Operation& operation) {
  const std::string_view name = sim::OperationName(operation.kind);
  switch (operation.kind) {
    case sim::OperationKind::kRangeDelete:
      return fmt::format("{}({}, {})", name, operation.key, operation.end);
    case sim::OperationKind::kPut:
    case sim::OperationKind::kConditionalCreate:
    case sim::OperationKind::kSequencedPut:
      return fmt::format("{}({}, {})", name, operation.key, operation.value);
    case sim::OperationKind::kCompareAndSet:
      return fmt::format("{}({}, {}, {})", name, operation.key,
                         operation.expected.value_or("absent"), operation.value);
    case sim::OperationKind::kAtomicIncrement:
      return fmt::format("{}({}, {})", name, operation.key, operation.delta);
    case sim::OperationKind::kEphemeralRecord:
      return fmt::format("{}({}, {}, session {})", name, operation.key, operation.value,
                         operation.session);
    case sim::OperationKind::kConditionalDelete:
      return fmt::format("{}({}, version {})", name, operation.key, operation.version);
    case sim::OperationKind::kOpenSession:
      return fmt::format("{}({})", name, operation.delta);
    case sim::OperationKind::kKeepAlive:
    case sim::OperationKind::kCloseSession:
      return fmt::format("{}(session {})", name, operation.session);
    default:
      return fmt::format("{}({})", name, operation.key);
  }
}

std::string ResultToText(const sim::StoreRequest* request, const sim::StoreResponse& response) {
  if (request == nullptr || !response.ok() || request->operations.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < response.results.size() && i < request->operations.size(); ++i) {
    const sim::OperationKind kind = request->operations[i].kind;
    if (sim::IsMutation(kind)) continue;
    const sim::OperationResult& result = response.results[i];
    if (!text.empty()) text += "; ";
    if (!result.found) {
      text += "nothing";
    } else if (result.key.empty()) {
      text += result.value;
    } else {
      text += fmt::format("{}: {}", result.key, result.value);
    }
  }
  return text;
}

void AddStrings(Fields& fields, const char* name, const std::string& text) {
  if (!text.empty()) fields.emplace_back(name, Value::String(text));
}

}  // namespace

std::string RequestToText(const sim::StoreRequest& request) {
  std::string text;
  for (const sim::Condition& condition : request.conditions) {
    text += text.empty() ? "if " : " and ";
    text += ConditionToText(condition);
  }
  if (!text.empty()) text += ": ";
  bool first = true;
  for (const sim::Operation& operation : request.operations) {
    if (!first) text += "; ";
    first = false;
    text += OperationToText(operation);
  }
  return text;
}

Value WorldEventToValue(const sim::WorldEvent& event) {
  Fields fields;
  fields.emplace_back("kind", Value::String(std::string(sim::WorldEventName(event.kind))));
  if (event.incarnation > 1) fields.emplace_back("incarnation", Value::Int(event.incarnation));
  if (event.message != 0) {
    fields.emplace_back("message", Value::Int(static_cast<std::int64_t>(event.message)));
  }
  if (event.operation != 0) {
    fields.emplace_back("operation", Value::Int(static_cast<std::int64_t>(event.operation)));
  }
  if (event.store_request != nullptr) {
    fields.emplace_back("service", Value::String("store"));
    AddStrings(fields, "request", RequestToText(*event.store_request));
  }
  if (event.object_request != nullptr) {
    fields.emplace_back("service", Value::String("objects"));
    AddStrings(fields, "request",
               fmt::format("{}({})", sim::ObjectOperationName(event.object_request->operation),
                           event.object_request->key));
  }
  if (event.store_response != nullptr) {
    fields.emplace_back(
        "status", Value::String(std::string(sim::StoreStatusName(event.store_response->status))));
    AddStrings(fields, "result", ResultToText(event.store_request, *event.store_response));
  }
  if (event.object_response != nullptr) {
    fields.emplace_back(
        "status", Value::String(std::string(sim::ObjectStatusName(event.object_response->status))));
  }
  if (event.session != 0) fields.emplace_back("session", Value::Int(event.session));
  if (event.until != 0) fields.emplace_back("until", Value::Int(event.until));
  return Value::RecordOf(std::move(fields));
}

void DescribeLogModule(const log::Constants& constants, log::Offset max_offset,
                       traces::Header& header) {
  header.spec = "LeaderlessLog";
  const log::Dialect& dialect = constants.dialect;
  for (const std::string_view name : log::DialectNames(dialect)) header.dialect.emplace_back(name);
  header.tla_module = log::ModuleName(dialect);
  header.tla_next = log::NextName(dialect);
  header.tla_init = "Init";
  for (const std::string_view name : log::InvariantNames(dialect)) {
    header.invariants.emplace_back(name);
  }
  for (const log::ActionKind kind : log::ActionKinds(dialect)) {
    traces::ActionSignature signature;
    signature.name = log::Name(kind);
    for (const std::string_view parameter : log::OperatorParameters(kind)) {
      signature.arguments.emplace_back(parameter);
    }
    const std::string_view op = log::OperatorName(dialect, kind);
    if (op != signature.name) signature.tla_operator = op;
    header.actions.push_back(std::move(signature));
  }
  header.constants = log::ConstantsToValue(constants, max_offset);
  const log::Machine machine(constants);
  header.initial = machine.ToValue(machine.Init(), max_offset);
}

traces::Header LogTraceHeader(const RunSpec& spec, const log::Constants& constants,
                              log::Offset highest) {
  traces::Header header;
  header.lockstep_version = std::string(kLockstepVersion);
  header.scenario = spec.scenario->name;
  header.seed = fmt::format("{:#x}", spec.seed);
  if (spec.mutant != nullptr) header.mutant = spec.mutant->name;
  header.strategy = spec.strategy;
  header.max_steps = spec.max_steps;
  header.faults = FaultNames(spec.faults);
  // A run without bounds is a run of the module with any bound that it did not meet.
  log::Offset max_offset = constants.max_offset;
  if (max_offset == log::kUnboundedOffset) {
    max_offset = std::max<log::Offset>(highest + 1, 8);
    for (const log::Range& range : constants.ranges) max_offset = std::max(max_offset, range.end);
  }
  DescribeLogModule(constants, max_offset, header);
  return header;
}

}  // namespace lockstep::scenarios
