#include "scenarios/leaderless_log/log_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "invariants/conformance.h"
#include "invariants/log_registry.h"
#include "scenarios/leaderless_log/log_trace.h"
#include "sim/base/check.h"

namespace lockstep::scenarios {

namespace log = protocol::leaderless_log;
using invariants::Violation;
using sim::Value;

LogChecker::LogChecker(const LogSetup& setup, bool record_trace)
    : setup_(setup),
      constants_(setup.constants),
      machine_(constants_),
      state_(machine_.Init()),
      refinement_(constants_, state_, {setup.fresh_identities}),
      record_trace_(record_trace) {}

void LogChecker::AddNode(sim::NodeId node, const std::string& name, bool is_writer) {
  LOCKSTEP_CHECK(node == pending_reads_.size());
  refinement_.AddNode(node, name, is_writer);
  pending_reads_.emplace_back();
  highest_found_.push_back(0);
  sent_change_.push_back(false);
  in_doubt_.push_back(false);
  is_compactor_.push_back(name.starts_with('c'));
}

// ---- Events
// --------------------------------------------------------------------------------------

namespace {

/// Who acts in an event that is no node's; empty for the others.
std::string_view NamelessActor(sim::WorldEventKind kind) {
  switch (kind) {
    case sim::WorldEventKind::kSessionEnd:
    case sim::WorldEventKind::kUnavailable:
      return "store";
    case sim::WorldEventKind::kHeal:
      return "world";
    default:
      return "";
  }
}

}  // namespace

void LogChecker::On(const sim::WorldEvent& event) {
  if (failure_) return;
  const sim::NodeId node = event.node;
  by_the_dead_ = event.kind == sim::WorldEventKind::kApply &&
                 (!world_->Lives(node) || world_->Incarnation(node) != event.incarnation);
  if (record_trace_) event_value_ = WorldEventToValue(event);
  refinement_.On(event);
  switch (event.kind) {
    case sim::WorldEventKind::kApply:
      if (by_the_dead_ && event.mutations != nullptr && !event.mutations->empty()) {
        Note(LogSituation::kLateRequestApplied);
      }
      if (event.object_response != nullptr &&
          event.object_response->status == sim::ObjectStatus::kNotFound &&
          refinement_.CurrentKind(node) == log::ClientOperation::kRead) {
        Note(LogSituation::kReadAgainAfterCompaction);
      }
      break;
    case sim::WorldEventKind::kSend:
      sent_change_[node] =
          event.store_request != nullptr &&
          std::ranges::any_of(event.store_request->operations,
                              [](const sim::Operation& o) { return sim::IsMutation(o.kind); });
      break;
    case sim::WorldEventKind::kTimeout:
      in_doubt_[node] = in_doubt_[node] || sent_change_[node];
      break;
    case sim::WorldEventKind::kCrash:
      compactor_crashed_ = compactor_crashed_ || is_compactor_[node];
      break;
    default:
      break;
  }
  CheckEvent(node, {}, NamelessActor(event.kind));
}

sim::OperationId LogChecker::Invoke(sim::NodeId node, log::ClientOperation kind,
                                    std::int64_t argument) {
  const sim::OperationId operation =
      history_.Invoke(node, world_->now(), static_cast<std::int64_t>(kind), argument);
  if (failure_) return operation;
  refinement_.Invoke(node, operation, kind, argument);
  in_doubt_[node] = false;
  if (kind == log::ClientOperation::kRead) {
    pending_reads_[node] = {argument, ledger_.AcknowledgedAt(argument) != 0};
  }
  if (record_trace_) {
    event_value_ =
        Value::RecordOf({{"kind", Value::String("invoke")},
                         {"operation", Value::Int(static_cast<std::int64_t>(operation))},
                         {"what", Value::String(std::string(log::ClientOperationName(kind)))},
                         {"argument", Value::Int(argument)}});
  }
  CheckEvent(node, {});
  return operation;
}

namespace {

Value AnswerValue(sim::OperationId operation, std::string_view what, std::string_view status,
                  std::int64_t number) {
  return Value::RecordOf({{"kind", Value::String("answer")},
                          {"operation", Value::Int(static_cast<std::int64_t>(operation))},
                          {"what", Value::String(std::string(what))},
                          {"status", Value::String(std::string(status))},
                          {"number", Value::Int(number)}});
}

}  // namespace

void LogChecker::AnswerAppend(sim::NodeId node, sim::OperationId operation, std::int64_t count,
                              const log::AppendResult& result) {
  if (failure_) return;
  const bool appended = result.status == log::AppendStatus::kAppended;
  history_.Answer(appended ? sim::HistoryEntryKind::kOk : sim::HistoryEntryKind::kFail, operation,
                  node, world_->now(), result.end, count);
  if (in_doubt_[node] && appended) Note(LogSituation::kAppendInDoubtFound);
  if (result.status == log::AppendStatus::kAborted) Note(LogSituation::kAppendWithdrawn);
  refinement_.AnswerAppend(node, operation, result);
  const log::Acknowledgement ack{operation, result.end, count};
  if (appended) ledger_.Acknowledge(ack);
  if (record_trace_) {
    event_value_ =
        AnswerValue(operation, "append", log::AppendStatusName(result.status), result.end);
  }
  CheckEvent(node, {.acknowledgement = appended ? &ack : nullptr});
}

void LogChecker::AnswerRead(sim::NodeId node, sim::OperationId operation,
                            const log::ReadResult& result) {
  if (failure_) return;
  const bool found = result.status == log::ReadStatus::kFound;
  const PendingRead& pending = pending_reads_[node];
  history_.Answer(found ? sim::HistoryEntryKind::kOk : sim::HistoryEntryKind::kFail, operation,
                  node, world_->now(), pending.offset, found ? 1 : 0);
  refinement_.AnswerOther(node, operation);
  const log::ReadAnswer answer{
      operation,           node, pending.offset, found, result.bytes, pending.must_be_found,
      highest_found_[node]};
  if (record_trace_) {
    event_value_ =
        AnswerValue(operation, "read", log::ReadStatusName(result.status), pending.offset);
  }
  CheckEvent(node, {.read_answer = &answer});
  if (found) highest_found_[node] = std::max(highest_found_[node], pending.offset);
}

void LogChecker::AnswerFence(sim::NodeId node, sim::OperationId operation,
                             const log::FenceResult& result) {
  if (failure_) return;
  history_.Answer(sim::HistoryEntryKind::kOk, operation, node, world_->now(), result.sealed_end,
                  result.fenced ? 1 : 0);
  refinement_.AnswerOther(node, operation);
  const log::FenceAnswer answer{operation, result.epoch, result.sealed_end};
  if (record_trace_) {
    event_value_ =
        AnswerValue(operation, "fence", result.fenced ? "fenced" : "open again", result.sealed_end);
  }
  CheckEvent(node, {.fence_answer = result.fenced ? &answer : nullptr});
}

void LogChecker::AnswerCompact(sim::NodeId node, sim::OperationId operation,
                               log::CompactStatus status) {
  if (failure_) return;
  history_.Answer(status == log::CompactStatus::kCompacted ? sim::HistoryEntryKind::kOk
                                                           : sim::HistoryEntryKind::kFail,
                  operation, node, world_->now());
  refinement_.AnswerOther(node, operation);
  if (record_trace_) {
    event_value_ = AnswerValue(operation, "compact", log::CompactStatusName(status), 0);
  }
  CheckEvent(node, {});
}

void LogChecker::AnswerUnfence(sim::NodeId node, sim::OperationId operation) {
  if (failure_) return;
  history_.Answer(sim::HistoryEntryKind::kOk, operation, node, world_->now());
  refinement_.AnswerOther(node, operation);
  if (record_trace_) event_value_ = AnswerValue(operation, "unfence", "open", 0);
  CheckEvent(node, {});
}

// ---- Steps
// ---------------------------------------------------------------------------------------

std::string LogChecker::Actor() const {
  return actor_.empty() ? world_->NodeName(node_) : std::string(actor_);
}

void LogChecker::CheckEvent(sim::NodeId node, const Facts& facts, std::string_view actor) {
  node_ = node;
  actor_ = actor;
  assignment_ = refinement_.assignment();
  KeepLedger();
  const std::vector<log::Emission>& emissions = refinement_.emissions();
  if (emissions.empty()) {
    CheckOneStep(nullptr, refinement_.observed_changes(), facts);
    return;
  }
  for (std::size_t i = 0; i < emissions.size() && !failure_; ++i) {
    // What the store shows belongs to the last of the actions; those before it have no effect
    // there.
    const bool last = i + 1 == emissions.size();
    CheckOneStep(&emissions[i], last ? refinement_.observed_changes() : nothing_observed_,
                 last ? facts : Facts{});
  }
}

void LogChecker::KeepLedger() {
  const log::ObservedChanges& seen = refinement_.observed_changes();
  const log::ObservedLog& observed = refinement_.observed();
  if (assignment_) {
    assignment_->step = step_ + 1;
    ledger_.Assign(*assignment_);
  }
  if (seen.cursor && observed.cursor > *seen.cursor) {
    ledger_.CompleteRound(refinement_.plan().range);
  }
  if (seen.log_state && observed.log_state == log::LogState::FENCED) {
    const sim::Record* record = world_->store().model().Find(log::kStateKey);
    ledger_.SealLog({record == nullptr ? 0 : record->version, observed.counter - 1});
  }
}

void LogChecker::CheckOneStep(const log::Emission* emission,
                              const log::ObservedChanges& observed_changes, const Facts& facts) {
  ++step_;
  changes_.Clear();
  action_.reset();
  std::optional<Violation> conformance;
  if (emission != nullptr) {
    action_ = emission->action;
    conformance = AnswerMismatch(*emission);
    if (!conformance) {
      conformance = invariants::ConformanceGuard(machine_, state_, emission->action);
    }
    if (!conformance) {
      machine_.Apply(state_, emission->action, changes_);
      ++actions_[static_cast<std::size_t>(emission->action.kind)];
      recent_[taken_++ % recent_.size()] = {step_, emission->action};
    }
  }
  const bool applied = emission != nullptr && !conformance;
  const bool last = &observed_changes != &nothing_observed_;
  const bool idle = emission == nullptr && observed_changes.empty() &&
                    facts.acknowledgement == nullptr && facts.read_answer == nullptr &&
                    facts.fence_answer == nullptr;
  if (!idle) {
    const log::LogStep step{machine_,
                            state_,
                            changes_,
                            action_,
                            refinement_.observed(),
                            observed_changes,
                            ledger_,
                            world_->store().model(),
                            world_->objects(),
                            refinement_.references(),
                            step_,
                            last && assignment_ ? &*assignment_ : nullptr,
                            facts.acknowledgement,
                            facts.read_answer,
                            facts.fence_answer};
    std::optional<Violation> violation = Oracles(step);
    if (!conformance && last) {
      conformance = emission != nullptr ? invariants::ConformanceEffect(step)
                                        : invariants::UndeclaredChange(step);
    }
    if (!conformance && applied) conformance = LookupMismatch(*emission);
    if (violation || conformance) {
      Fail(std::move(violation), std::move(conformance), emission, applied);
    }
  }
  if (record_trace_) TraceStep(emission, applied);
  if (applied && !failure_) {
    NoteSituations(emission->action);
    if (setup_.CollectsStates()) NoteState();
  }
}

std::optional<Violation> LogChecker::Oracles(const log::LogStep& step) const {
  for (const invariants::LogProperty& property : invariants::LogProperties()) {
    if (property.step == nullptr || property.kind != invariants::PropertyKind::kSafety) continue;
    if (auto violation = property.step(step)) return violation;
  }
  return std::nullopt;
}

std::optional<Violation> LogChecker::AnswerMismatch(const log::Emission& emission) const {
  if (!emission.answered) return std::nullopt;
  const log::Writer& writer = state_.writers[emission.action.writer];
  const bool done = writer.state == log::WriterState::DONE;
  if (!done && writer.state != log::WriterState::FAILED)
    return std::nullopt;  // The guard will say.
  const log::Offset expected = done ? writer.offset : 0;
  if (expected == *emission.answered) return std::nullopt;
  const std::string& name = constants_.writers[emission.action.writer];
  const auto fate = [](log::Offset end) {
    return end == 0 ? std::string("nothing of it") : fmt::format("it at end offset {}", end);
  };
  const std::string variable = fmt::format("writerOffset[{}]", name);
  return Violation{
      "ConformanceEffect", invariants::PropertyKind::kConformance,
      fmt::format("the caller of {}'s append was told that the log has {}, but it has {}", name,
                  fate(*emission.answered), fate(expected)),
      Value::RecordOf({{variable, Value::Int(expected)}}),
      Value::RecordOf({{variable, Value::Int(*emission.answered)}})};
}

std::optional<Violation> LogChecker::LookupMismatch(const log::Emission& emission) const {
  if (!emission.reader_result) return std::nullopt;
  const log::ReaderResult expected = state_.writers[emission.action.writer].reader_result;
  if (expected == *emission.reader_result) return std::nullopt;
  const auto text = [](log::ReaderResult result) {
    return Value::String(std::string(log::Name(result)));
  };
  const std::string variable =
      fmt::format("readerResult[{}]", constants_.writers[emission.action.writer]);
  return Violation{
      "ConformanceEffect", invariants::PropertyKind::kConformance,
      fmt::format("the lookup of offset {} found {} entry that covers it", emission.action.number,
                  *emission.reader_result == log::ReaderResult::OK ? "an" : "no"),
      Value::RecordOf({{variable, text(expected)}}),
      Value::RecordOf({{variable, text(*emission.reader_result)}})};
}

void LogChecker::CheckEnd(bool budget_spent) {
  if (failure_) return;
  log::LogEnd end{machine_, state_, refinement_.observed(), budget_spent, {}, {}, false};
  bool has_compactor = false;
  for (sim::NodeId node = 0; node < pending_reads_.size(); ++node) {
    has_compactor = has_compactor || is_compactor_[node];
    const auto identity = refinement_.IdentityOf(node);
    if (!world_->Lives(node) || !identity) continue;
    const auto kind = refinement_.CurrentKind(node);
    if (kind == log::ClientOperation::kAppend) end.appends_pending.push_back(*identity);
    if (kind == log::ClientOperation::kRead ||
        state_.writers[*identity].reader_result == log::ReaderResult::ERROR) {
      end.reads_unsuccessful.push_back(*identity);
    }
  }
  // Without resumption the module gives up a round whose compactor crashed.
  end.compactor_lives =
      has_compactor && (constants_.dialect.compaction_resume || !compactor_crashed_);
  ++step_;
  actor_ = "world";
  action_.reset();
  changes_.Clear();
  for (const invariants::LogProperty& property : invariants::LogProperties()) {
    if (property.end == nullptr) continue;
    if (auto violation = property.end(end)) {
      Fail(std::move(violation), std::nullopt, nullptr, false);
      break;
    }
  }
  if (record_trace_) {
    event_value_ = Value::RecordOf({{"kind", Value::String("end")}});
    TraceStep(nullptr, false);
  }
}

void LogChecker::Fail(std::optional<Violation> violation, std::optional<Violation> conformance,
                      const log::Emission* emission, bool applied) {
  Failure failure;
  // A broken promise says more than the refused step behind it.
  failure.violation = violation ? std::move(*violation) : *conformance;
  failure.conformance = std::move(conformance);
  failure.step = step_;
  failure.node = Actor();
  if (action_) failure.action = machine_.ToString(*action_);
  log::State before = state_;
  if (applied) log::Machine::Undo(before, changes_);
  std::vector<log::Action> enabled;
  machine_.EnabledActions(before, enabled);
  for (const log::Action& action : enabled) failure.enabled.push_back(machine_.ToString(action));
  const std::uint64_t count = std::min<std::uint64_t>(taken_, recent_.size());
  for (std::uint64_t i = taken_ - count; i < taken_; ++i) {
    const Taken& taken = recent_[i % recent_.size()];
    failure.recent.push_back(fmt::format("{:>5} {}", taken.step, machine_.ToString(taken.action)));
  }
  failure_observed_ = ObservedDifferences(emission);
  failure_ = std::move(failure);
}

Value LogChecker::ObservedDifferences(const log::Emission* emission) const {
  const log::ObservedChanges& seen = refinement_.observed_changes();
  const log::ObservedLog& observed = refinement_.observed();
  std::vector<std::pair<std::string, Value>> fields;
  std::vector<std::pair<std::string, Value>> entries;
  for (const log::Changes::IndexChange& change : seen.index) {
    const log::Entry entry = observed.index.At(change.offset);
    const std::string key = std::to_string(change.offset);
    const bool known =
        std::ranges::any_of(entries, [&key](const auto& e) { return e.first == key; });
    if (known) continue;
    entries.emplace_back(
        key, Value::RecordOf({{"type", Value::String(std::string(log::Name(entry.type)))},
                              {"msgCount", Value::Int(entry.msg_count)}}));
  }
  if (!entries.empty()) fields.emplace_back("logIndex", Value::RecordOf(std::move(entries)));
  if (seen.counter) fields.emplace_back("sequenceCounter", Value::Int(observed.counter));
  if (seen.log_state) {
    fields.emplace_back("logState", Value::String(std::string(log::Name(observed.log_state))));
  }
  if (seen.cursor) fields.emplace_back("compactionCursor", Value::Int(observed.cursor));
  if (emission != nullptr && emission->reader_result) {
    const Value result = Value::String(std::string(log::Name(*emission->reader_result)));
    fields.emplace_back("readerResult",
                        Value::RecordOf({{constants_.writers[emission->action.writer], result}}));
  }
  if (emission != nullptr && emission->answered) {
    fields.emplace_back("writerOffset",
                        Value::RecordOf({{constants_.writers[emission->action.writer],
                                          Value::Int(*emission->answered)}}));
  }
  return Value::RecordOf(std::move(fields));
}

}  // namespace lockstep::scenarios
