// The network of the world: requests and replies in flight, and the faults that befall them.
#include <utility>

#include "sim/base/check.h"
#include "sim/world/world.h"

namespace lockstep::sim {

std::uint32_t World::NewMessage() {
  std::uint32_t slot = 0;
  if (free_messages_.empty()) {
    slot = static_cast<std::uint32_t>(messages_.size());
    messages_.emplace_back();
  } else {
    slot = free_messages_.back();
    free_messages_.pop_back();
  }
  messages_[slot].in_use = true;
  messages_[slot].duplicate = false;
  return slot;
}

void World::FreeMessage(std::uint32_t slot) {
  messages_[slot].in_use = false;
  free_messages_.push_back(slot);
}

MessageId World::Send(NodeContext& context, std::uint32_t slot) {
  Message& message = messages_[slot];
  Node& node = nodes_[context.node_];
  message.id = next_message_++;
  message.node = context.node_;
  message.incarnation = context.incarnation_;
  message.operation = context.operation_;
  const MessageId id = message.id;
  timers_.Add(now_ + options_.call_timeout, {TimerKind::kTimeout, context.node_, 0, id, {}});
  ++node.in_flight[context.incarnation_ - 1];
  NotifyMessage(WorldEventKind::kSend, message);

  const bool lost =
      node.partitioned ||
      faults_.Fires(message.to_store ? FaultKind::kRequestLost : FaultKind::kObjectOutcomeUnknown);
  if (lost) {
    LoseRequest(slot);
    return id;
  }
  if (message.to_store && faults_.Fires(FaultKind::kRequestDuplicated)) {
    const std::uint32_t copy = NewMessage();
    messages_[copy] = messages_[slot];
    messages_[copy].duplicate = true;
    ++node.in_flight[context.incarnation_ - 1];
    NotifyMessage(WorldEventKind::kDuplicate, messages_[copy]);
    Launch(EventKind::kRequest, slot);
    Launch(EventKind::kRequest, copy);
    return id;
  }
  Launch(EventKind::kRequest, slot);
  return id;
}

void World::Launch(EventKind kind, std::uint32_t slot) {
  const Message& message = messages_[slot];
  if (faults_.Fires(FaultKind::kDelay)) {
    // Long enough to be overtaken by anything, and often to outlast the client's patience.
    const auto ticks = static_cast<Tick>(choices_.Choose(
        ChoiceKind::kFaultDuration, static_cast<std::uint32_t>(options_.call_timeout * 3), 1));
    timers_.Add(now_ + ticks, {TimerKind::kRelease, message.node, slot, 0, kind});
    NotifyMessage(WorldEventKind::kDelay, message, now_ + ticks);
    return;
  }
  Enable({kind, message.node, slot, 0});
}

void World::LoseRequest(std::uint32_t slot) {
  const Message& message = messages_[slot];
  NotifyMessage(WorldEventKind::kLost, message);
  const NodeId node = message.node;
  const std::uint32_t incarnation = message.incarnation;
  FreeMessage(slot);
  SettleRequest(node, incarnation);
}

void World::SettleRequest(NodeId id, std::uint32_t incarnation) {
  Node& node = nodes_[id];
  const std::uint32_t left = --node.in_flight[incarnation - 1];
  const bool ended = !node.lives || node.incarnation != incarnation;
  if (left == 0 && ended) {
    observer_.On({.kind = WorldEventKind::kRetired, .node = id, .incarnation = incarnation});
  }
}

void World::Wait(NodeContext& context, std::uint64_t what) {
  context.waiting_for_ = what;
  context.fiber_->Suspend();
}

void World::ApplyRequest(std::uint32_t slot) {
  // The observer may not send; the slot stays where it is, but take no reference across Launch.
  Message& message = messages_[slot];
  mutations_.clear();
  if (message.to_store) {
    message.store_response = store_.Handle(message.store_request, now_, mutations_);
  } else if (message.object_request.operation == ObjectOperation::kPutObject &&
             faults_.Fires(FaultKind::kObjectWriteFailed)) {
    message.object_response = ObjectResponse{ObjectStatus::kFailed, {}};
  } else {
    message.object_response = objects_.Handle(message.object_request);
  }
  const Node& node = nodes_[message.node];
  const bool heard = node.lives && node.incarnation == message.incarnation;
  observer_.On({.kind = WorldEventKind::kApply,
                .node = message.node,
                .incarnation = message.incarnation,
                .message = message.id,
                .operation = message.operation,
                .store_request = message.to_store ? &message.store_request : nullptr,
                .store_response = message.to_store ? &message.store_response : nullptr,
                .object_request = message.to_store ? nullptr : &message.object_request,
                .object_response = message.to_store ? nullptr : &message.object_response,
                .mutations = message.to_store ? &mutations_ : nullptr,
                .others_in_flight = InFlight(message.node, message.incarnation) - 1,
                .awaited = heard && node.context->waiting_for_ == message.id});
  const bool lost =
      heard &&
      (node.partitioned ||
       faults_.Fires(message.to_store ? FaultKind::kReplyLost : FaultKind::kObjectOutcomeUnknown));
  if (lost) NotifyMessage(WorldEventKind::kReplyLost, message);
  const NodeId id = message.node;
  const std::uint32_t incarnation = message.incarnation;
  if (lost || !heard) {
    FreeMessage(slot);
  } else {
    Launch(EventKind::kReply, slot);
  }
  SettleRequest(id, incarnation);
}

void World::DeliverReply(std::uint32_t slot) {
  Message& message = messages_[slot];
  Node& node = nodes_[message.node];
  const bool awaited = node.lives && node.incarnation == message.incarnation &&
                       node.context->waiting_for_ == message.id;
  if (!awaited) {  // A late or second reply: nobody waits for it.
    FreeMessage(slot);
    return;
  }
  NodeContext& context = *node.context;
  if (context.timeout_enabled_) ForgetTimeout(context);
  observer_.On({.kind = WorldEventKind::kReply,
                .node = message.node,
                .incarnation = message.incarnation,
                .message = message.id,
                .operation = message.operation,
                .store_response = message.to_store ? &message.store_response : nullptr,
                .object_response = message.to_store ? nullptr : &message.object_response});
  if (message.to_store) {
    context.store_response_ = std::move(message.store_response);
  } else {
    context.object_response_ = std::move(message.object_response);
  }
  FreeMessage(slot);
  ResumeFiber(context);
}

void World::ForgetTimeout(NodeContext& context) {
  context.timeout_enabled_ = false;
  for (std::size_t i = 0; i < enabled_.size(); ++i) {
    if (enabled_[i].kind != EventKind::kTimeout || enabled_[i].node != context.node_) continue;
    enabled_.erase(enabled_.begin() + static_cast<std::ptrdiff_t>(i));
    labels_.erase(labels_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

void World::Notify(WorldEventKind kind, NodeId node) {
  observer_.On({.kind = kind, .node = node, .incarnation = nodes_[node].incarnation});
}

void World::NotifyMessage(WorldEventKind kind, const Message& message, Tick until) {
  observer_.On({.kind = kind,
                .node = message.node,
                .incarnation = message.incarnation,
                .message = message.id,
                .operation = message.operation,
                .store_request = message.to_store ? &message.store_request : nullptr,
                .object_request = message.to_store ? nullptr : &message.object_request,
                .until = until});
}

}  // namespace lockstep::sim
