#include "protocol/leaderless_log/leaderless_log_refinement.h"

#include <algorithm>

#include "sim/base/check.h"

namespace lockstep::protocol::leaderless_log {

std::string_view ClientOperationName(ClientOperation operation) {
  switch (operation) {
    case ClientOperation::kAppend:
      return "append";
    case ClientOperation::kRead:
      return "read";
    case ClientOperation::kCompact:
      return "compact";
    case ClientOperation::kFence:
      return "fence";
    case ClientOperation::kUnfence:
      return "unfence";
  }
  return "?";
}

Refinement::Refinement(Constants& constants, State& state, Options options)
    : constants_(constants), state_(state), options_(options) {
  invocations_.emplace_back();  // Operation 0 is nobody's.
  plan_.claimant = "-";
}

// ---- Identities
// ----------------------------------------------------------------------------------

void Refinement::AddNode(sim::NodeId node, const std::string& name, bool is_writer) {
  if (node >= clients_.size()) clients_.resize(node + 1);
  clients_[node].name = name;
  if (is_writer) GiveIdentity(clients_[node]);
}

void Refinement::GiveIdentity(Client& client) {
  std::string name = client.name;
  if (++client.identities > 1) name += "." + std::to_string(client.identities);
  client.identity = static_cast<WriterIndex>(constants_.writers.size());
  constants_.writers.push_back(std::move(name));
  state_.writers.emplace_back();
}

void Refinement::Retire(Client& client) {
  client.identity.reset();
  if (options_.fresh_identities) GiveIdentity(client);
}

std::optional<WriterIndex> Refinement::IdentityOf(sim::NodeId node) const {
  return clients_[node].identity;
}

OperationId Refinement::CurrentOperation(sim::NodeId node) const {
  return clients_[node].operation;
}

std::optional<ClientOperation> Refinement::CurrentKind(sim::NodeId node) const {
  const OperationId operation = clients_[node].operation;
  if (operation == 0) return std::nullopt;
  return invocations_[static_cast<std::size_t>(operation)].kind;
}

Refinement::Invocation* Refinement::Current(OperationId operation) {
  if (operation == 0 || operation >= invocations_.size()) return nullptr;
  Invocation& invocation = invocations_[static_cast<std::size_t>(operation)];
  return clients_[invocation.node].operation == operation ? &invocation : nullptr;
}

// ---- Clients
// -------------------------------------------------------------------------------------

void Refinement::BeginEvent() {
  emissions_.clear();
  observed_changes_.Clear();
  assignment_.reset();
  compacted_written_ = false;
  withdrawn_ = false;
}

void Refinement::Emit(ActionKind kind, WriterIndex writer, std::int64_t number) {
  emissions_.push_back({{kind, writer, number}, std::nullopt, std::nullopt});
}

bool Refinement::CanInvoke(sim::NodeId node) const { return clients_[node].identity.has_value(); }

void Refinement::Invoke(sim::NodeId node, OperationId operation, ClientOperation kind,
                        std::int64_t argument) {
  BeginEvent();
  LOCKSTEP_CHECK(operation == invocations_.size());
  Client& client = clients_[node];
  client.operation = operation;
  invocations_.push_back({node, kind, argument, client.identity, false});
}

void Refinement::AnswerAppend(sim::NodeId node, OperationId operation, const AppendResult& result) {
  BeginEvent();
  Client& client = clients_[node];
  LOCKSTEP_CHECK(client.operation == operation && client.identity);
  client.operation = 0;
  const WriterIndex writer = *client.identity;
  const bool appended = result.status == AppendStatus::kAppended;
  if (!appended) {
    switch (StateOf(writer)) {
      case WriterState::IDLE:  // The log was FENCED when it was read: the module has no step for
                               // it.
        return;
      case WriterState::WRITING_WAL:  // The write has failed for good, or was never tried.
        Emit(ActionKind::WALWriteFail, writer);
        break;
      case WriterState::ASSIGNING_OFFSET:  // Withdrawn while OPEN: the module has no way out.
        Retire(client);
        return;
      case WriterState::DONE:
      case WriterState::FAILED:
        break;
    }
  }
  Emit(ActionKind::AppendComplete, writer);
  emissions_.back().answered = appended ? result.end : 0;
}

void Refinement::AnswerOther(sim::NodeId node, OperationId operation) {
  BeginEvent();
  LOCKSTEP_CHECK(clients_[node].operation == operation);
  clients_[node].operation = 0;
}

// ---- The world
// -----------------------------------------------------------------------------------

void Refinement::On(const sim::WorldEvent& event) {
  BeginEvent();
  switch (event.kind) {
    case sim::WorldEventKind::kApply:
      if (event.store_request != nullptr) {
        OnStoreApplied(event);
      } else {
        OnObjectApplied(event);
      }
      return;
    case sim::WorldEventKind::kSessionEnd:
      Observe(event);
      return;
    case sim::WorldEventKind::kCrash:
      OnCrash(event.node);
      return;
    case sim::WorldEventKind::kRetired:
      OnRetired(event.node, event.incarnation);
      return;
    default:
      return;
  }
}

void Refinement::OnCrash(sim::NodeId node) {
  Client& client = clients_[node];
  client.operation = 0;
  // An IDLE process has nothing under way that could still be a step of it: its name lives on.
  if (client.identity && StateOf(*client.identity) != WriterState::IDLE) Retire(client);
}

void Refinement::OnRetired(sim::NodeId node, std::uint32_t incarnation) {
  if (IsPlanHolder(node, incarnation)) CompactorLeaves();
}

bool Refinement::IsPlanHolder(sim::NodeId node, std::uint32_t incarnation) const {
  const std::string& name = clients_[node].name;
  if (!plan_.claimant.starts_with(name)) return false;
  const std::string_view suffix = std::string_view(plan_.claimant).substr(name.size());
  if (incarnation == 1) return suffix.empty();
  return suffix.starts_with('\'') && suffix.substr(1) == std::to_string(incarnation);
}

void Refinement::CompactorLeaves() {
  switch (state_.compactor_state) {
    case CompactorState::WRITING_COMPACTED_INDEX:
    case CompactorState::DELETING_OLD:
    case CompactorState::UPDATING_CURSOR:
      Emit(ActionKind::CompactorCrash);
      return;
    case CompactorState::IDLE:
    case CompactorState::DONE:
      return;
  }
}

void Refinement::OnObjectApplied(const sim::WorldEvent& event) {
  Observe(event);
  if (event.object_request->operation != sim::ObjectOperation::kPutObject) return;
  if (!event.object_response->ok()) return;
  const Invocation* invocation = Current(event.operation);
  if (invocation == nullptr || invocation->kind != ClientOperation::kAppend) return;
  if (StateOf(*invocation->identity) == WriterState::WRITING_WAL) {
    Emit(ActionKind::WALWriteSuccess, *invocation->identity);
  }
}

void Refinement::OnStoreApplied(const sim::WorldEvent& event) {
  const bool applied = event.store_response->ok();
  if (applied && !event.mutations->empty()) Observe(event);
  if (applied) EmitIndexActions(event);
  Invocation* invocation = Current(event.operation);
  if (invocation == nullptr) return;
  switch (invocation->kind) {
    case ClientOperation::kAppend:
      if (applied && event.mutations->empty()) OnWriterRead(*invocation);
      if (!applied) OnWriterRefused(event, *invocation);
      if (withdrawn_ && observed_.log_state == LogState::FENCED &&
          StateOf(*invocation->identity) == WriterState::ASSIGNING_OFFSET) {
        Emit(ActionKind::AssignOffsetFenced, *invocation->identity);
      }
      return;
    case ClientOperation::kRead:
      if (applied) OnLookup(event, *invocation);
      return;
    case ClientOperation::kCompact:
      if (applied) OnCompactorRead(event);
      return;
    case ClientOperation::kFence:
    case ClientOperation::kUnfence:
      return;
  }
}

void Refinement::EmitIndexActions(const sim::WorldEvent& event) {
  if (assignment_ && event.operation < invocations_.size()) {
    const Invocation& invocation = invocations_[static_cast<std::size_t>(event.operation)];
    if (invocation.kind == ClientOperation::kAppend && invocation.identity) {
      Emit(ActionKind::AssignOffset, *invocation.identity);
    }
  }
  if (compacted_written_) {
    // The last moment at which the compaction can have started, if no read showed it before.
    if (state_.compactor_state == CompactorState::IDLE) Emit(ActionKind::CompactStart);
    Emit(ActionKind::CompactWriteCompactedIndex);
  }
  for (const sim::Operation& operation : event.store_request->operations) {
    // A range without entries below its end is deleted all the same: look at what was asked.
    if ((operation.kind == sim::OperationKind::kRangeDelete ||
         operation.kind == sim::OperationKind::kDelete) &&
        OffsetOfIndexKey(operation.key)) {
      Emit(ActionKind::CompactDeleteOldEntries);
      break;
    }
  }
  if (observed_changes_.cursor) Emit(ActionKind::CompactUpdateCursor);
  if (observed_changes_.log_state) {
    Emit(observed_.log_state == LogState::FENCED ? ActionKind::FenceLog : ActionKind::UnfenceLog);
  }
}

void Refinement::OnWriterRead(Invocation& invocation) {
  const WriterIndex writer = *invocation.identity;
  const bool open = observed_.log_state == LogState::OPEN;
  if (StateOf(writer) == WriterState::IDLE && !invocation.started && open) {
    invocation.started = true;
    Emit(ActionKind::StartAppend, writer, invocation.argument);
    return;
  }
  // A writer that sees no room below the bound will never try: the counter does not go back.
  if (StateOf(writer) == WriterState::ASSIGNING_OFFSET &&
      observed_.counter + invocation.argument - 1 > constants_.max_offset) {
    Emit(open ? ActionKind::AssignOffsetExhausted : ActionKind::AssignOffsetFenced, writer);
  }
}

void Refinement::OnWriterRefused(const sim::WorldEvent& event, const Invocation& invocation) {
  if (StateOf(*invocation.identity) != WriterState::ASSIGNING_OFFSET) return;
  if (event.store_response->status != sim::StoreStatus::kConditionFailed) return;
  // A refusal is final when it is what the writer will learn, if anything. Not so when the writer
  // has moved on (a late duplicate), nor while a duplicate is in flight that may arrive after the
  // log has been opened again: the writer's withdrawal will settle that.
  if (!event.awaited || event.others_in_flight != 0) return;
  bool fenced = false;
  for (const std::uint32_t i : event.store_response->failed_conditions) {
    const std::string& key = event.store_request->conditions[i].key;
    if (key == kStateKey) fenced = true;
    if (key.starts_with(kAppendPrefix)) return;
  }
  if (fenced) Emit(ActionKind::AssignOffsetFenced, *invocation.identity);
}

void Refinement::OnLookup(const sim::WorldEvent& event, const Invocation& invocation) {
  if (event.store_request->operations.empty()) return;
  const sim::Operation& lookup = event.store_request->operations.front();
  if (lookup.kind != sim::OperationKind::kCeilingGet &&
      lookup.kind != sim::OperationKind::kHigherGet) {
    return;
  }
  const Offset offset = invocation.argument;
  if (offset < 1 || offset >= state_.sequence_counter) return;
  const sim::OperationResult& found = event.store_response->results.front();
  const auto end = found.found ? OffsetOfIndexKey(found.key) : std::nullopt;
  bool covers = false;
  if (end) {
    const Entry entry = observed_.index.At(*end);
    covers = offset <= *end && offset > *end - entry.msg_count;
  }
  Emit(ActionKind::ReadEntry, *invocation.identity, offset);
  emissions_.back().reader_result = covers ? ReaderResult::OK : ReaderResult::ERROR;
}

void Refinement::OnCompactorRead(const sim::WorldEvent& event) {
  if (event.store_request->operations.empty()) return;
  const sim::Operation& lookup = event.store_request->operations.front();
  if (lookup.kind != sim::OperationKind::kCeilingGet || plan_.phase != PlanPhase::kWriting ||
      state_.compactor_state != CompactorState::IDLE ||
      !IsPlanHolder(event.node, event.incarnation)) {
    return;
  }
  const auto offset = OffsetOfIndexKey(lookup.key);
  const sim::OperationResult& found = event.store_response->results.front();
  const auto end = found.found ? OffsetOfIndexKey(found.key) : std::nullopt;
  if (!offset || !end) return;
  if (validated_below_ == 0) validated_below_ = plan_.range.start;
  const Entry entry = observed_.index.At(*end);
  const Offset begin = *end - entry.msg_count + 1;
  // What begins before the range shows that it cannot be compacted.
  if (entry.type != EntryType::WAL || begin < plan_.range.start) return;
  if (*offset > validated_below_ || *offset < begin) return;
  validated_below_ = std::max(validated_below_, *end + 1);
  if (validated_below_ == plan_.range.end + 1) Emit(ActionKind::CompactStart);
}

}  // namespace lockstep::protocol::leaderless_log
