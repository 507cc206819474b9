#include "sim/world/world_test_support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

namespace lockstep::sim {
namespace {

std::string Text(const std::optional<Record>& record) {
  if (!record) return "-";
  return fmt::format("'{}'@{}/{}", record->value, record->version, record->session);
}

}  // namespace

ScriptedChoices& ScriptedChoices::Script(ChoiceKind kind,
                                         std::initializer_list<std::uint32_t> values) {
  auto& script = script_[static_cast<std::size_t>(kind)];
  script.insert(script.end(), values.begin(), values.end());
  return *this;
}

bool ScriptedChoices::exhausted() const {
  return std::all_of(script_.begin(), script_.end(),
                     [](const auto& script) { return script.empty(); });
}

std::uint32_t ScriptedChoices::Decide(ChoiceKind kind, std::uint32_t /*bound*/,
                                      std::uint32_t at_least) {
  auto& script = script_[static_cast<std::size_t>(kind)];
  if (script.empty()) return kind == ChoiceKind::kFaultGap ? 0 : at_least;
  const std::uint32_t value = script.front();
  script.pop_front();
  return value;
}

std::uint32_t ExtremeChoices::Decide(ChoiceKind /*kind*/, std::uint32_t bound,
                                     std::uint32_t /*at_least*/) {
  return bound - 1;
}

FaultPlan PlanOf(std::initializer_list<FaultKind> kinds) {
  FaultPlan plan{};
  for (const FaultKind kind : kinds) plan[static_cast<std::size_t>(kind)] = 1000;
  return plan;
}

std::string Text(const StoreRequest& request) {
  std::string text;
  for (const Condition& condition : request.conditions) {
    text += fmt::format("if {} '{}' '{}' {}; ", static_cast<int>(condition.kind), condition.key,
                        condition.value, condition.version);
  }
  for (const Operation& operation : request.operations) {
    text +=
        fmt::format("{} '{}' '{}' '{}' {} {} {} {} {}; ", OperationName(operation.kind),
                    operation.key, operation.end, operation.value, operation.expected.value_or("-"),
                    operation.version, operation.session, operation.delta, operation.limit);
    for (const std::int64_t delta : operation.deltas) text += fmt::format("+{} ", delta);
  }
  return text;
}

std::string Text(const StoreResponse& response) {
  std::string text(StoreStatusName(response.status));
  for (const OperationResult& result : response.results) {
    text += fmt::format("; {} '{}' '{}' {} {}", result.found, result.key, result.value,
                        result.version, result.number);
  }
  for (const std::uint32_t index : response.failed_conditions) text += fmt::format(" ?{}", index);
  return text + fmt::format(" !{}", response.failed_operation);
}

std::string Text(const Seen& seen) {
  std::string text =
      fmt::format("{} {} {}.{} #{} op {} others {} awaited {} session {} until {}", seen.time,
                  WorldEventName(seen.kind), seen.node, seen.incarnation, seen.message,
                  seen.operation, seen.others_in_flight, seen.awaited, seen.session, seen.until);
  if (seen.store_request) text += " | " + Text(*seen.store_request);
  if (seen.store_response) text += " | " + Text(*seen.store_response);
  if (seen.object_request) {
    text += fmt::format(" | {} '{}' '{}'", ObjectOperationName(seen.object_request->operation),
                        seen.object_request->key, seen.object_request->bytes);
  }
  if (seen.object_response) {
    text += fmt::format(" | {} '{}'", ObjectStatusName(seen.object_response->status),
                        seen.object_response->bytes);
  }
  for (const Mutation& mutation : seen.mutations) {
    text +=
        fmt::format(" | {}: {} -> {}", mutation.key, Text(mutation.before), Text(mutation.after));
  }
  return text;
}

void Recorder::On(const WorldEvent& event) {
  Seen& seen = all_.emplace_back();
  seen.kind = event.kind;
  seen.time = world_->now();
  seen.node = event.node;
  seen.incarnation = event.incarnation;
  seen.message = event.message;
  seen.operation = event.operation;
  seen.others_in_flight = event.others_in_flight;
  seen.awaited = event.awaited;
  seen.session = event.session;
  seen.until = event.until;
  if (event.store_request != nullptr) seen.store_request = *event.store_request;
  if (event.store_response != nullptr) seen.store_response = *event.store_response;
  if (event.object_request != nullptr) seen.object_request = *event.object_request;
  if (event.object_response != nullptr) seen.object_response = *event.object_response;
  if (event.mutations != nullptr) seen.mutations = *event.mutations;
}

std::string Recorder::Names() const {
  std::string names;
  for (const Seen& seen : all_) {
    if (!names.empty()) names += ' ';
    names += WorldEventName(seen.kind);
  }
  return names;
}

std::string Recorder::NamesOf(NodeId node) const {
  std::string names;
  for (const Seen& seen : all_) {
    if (seen.node != node || seen.incarnation == 0) continue;  // 0: of no node
    if (!names.empty()) names += ' ';
    names += WorldEventName(seen.kind);
  }
  return names;
}

std::vector<Seen> Recorder::Of(WorldEventKind kind) const {
  std::vector<Seen> found;
  for (const Seen& seen : all_) {
    if (seen.kind == kind) found.push_back(seen);
  }
  return found;
}

Seen Recorder::Only(WorldEventKind kind) const {
  const std::vector<Seen> found = Of(kind);
  EXPECT_EQ(found.size(), 1U) << "events " << WorldEventName(kind) << " in: " << Names();
  return found.size() == 1 ? found.front() : Seen{};
}

std::vector<std::string> Recorder::Texts() const {
  std::vector<std::string> texts;
  texts.reserve(all_.size());
  for (const Seen& seen : all_) texts.push_back(Text(seen));
  return texts;
}

Bench::Bench(Choices& choices, const FaultPlan& plan, const WorldOptions& options)
    : faults(plan, choices), world(options, stacks, choices, faults, seen) {
  seen.Watch(world);
}

void Bench::Run(std::uint64_t steps_max) {
  for (std::uint64_t step = 0; step < steps_max; ++step) {
    if (!world.Step()) return;
  }
  ADD_FAILURE() << "still running after " << steps_max << " steps";
}

void Bench::RunUntil(WorldEventKind kind, std::size_t count) {
  while (seen.Count(kind) < count) {
    if (world.Step()) continue;
    ADD_FAILURE() << "nothing is left to happen before " << WorldEventName(kind);
    return;
  }
}

}  // namespace lockstep::sim
