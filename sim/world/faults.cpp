// The faults of the world that strike nodes and services, and the end of all of them.
#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/world/world.h"

namespace lockstep::sim {

NodeId World::PickRunningNode() {
  std::uint32_t pick = choices_.Choose(ChoiceKind::kFaultTarget, running_);
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (!nodes_[id].lives || nodes_[id].paused) continue;
    if (pick-- == 0) return id;
  }
  CheckFailed("a running node was promised", __FILE__, __LINE__, {});
}

Tick World::ShortTicks() {
  return static_cast<Tick>(choices_.Choose(
      ChoiceKind::kFaultDuration, static_cast<std::uint32_t>(options_.session_timeout / 2), 1));
}

Tick World::LongTicks() {
  return options_.session_timeout +
         static_cast<Tick>(choices_.Choose(
             ChoiceKind::kFaultDuration, static_cast<std::uint32_t>(options_.session_timeout), 1));
}

void World::StrikeAtStep() {
  const auto strikes_a_node = [this](FaultKind kind) {
    return AnyNodeRuns() && faults_.Fires(kind);
  };
  // DETERMINISM: who, then for how long, in two statements: the order in which the arguments of one
  // call are evaluated differs between compilers.
  if (strikes_a_node(FaultKind::kCrash)) Crash(PickRunningNode());
  if (strikes_a_node(FaultKind::kPauseShort)) {
    const NodeId node = PickRunningNode();
    Pause(node, ShortTicks());
  }
  if (strikes_a_node(FaultKind::kPauseLong)) {
    const NodeId node = PickRunningNode();
    Pause(node, LongTicks());
  }
  if (strikes_a_node(FaultKind::kPartitionShort)) {
    const NodeId node = PickRunningNode();
    Partition(node, ShortTicks());
  }
  if (strikes_a_node(FaultKind::kPartitionLong)) {
    const NodeId node = PickRunningNode();
    Partition(node, LongTicks());
  }
  if (!store_.IsUnavailable(now_) && faults_.Fires(FaultKind::kStoreUnavailable)) {
    const Tick until = now_ + ShortTicks();
    store_.MakeUnavailable(until);
    observer_.On({.kind = WorldEventKind::kUnavailable, .until = until});
  }
  if (!store_.model().sessions().empty() && faults_.Fires(FaultKind::kSessionExpiryLiving)) {
    ExpireLivingSession();
  }
}

void World::Crash(NodeId id) {
  Node& node = nodes_[id];
  node.lives = false;
  --running_;
  // Unwind the fiber before anything else: what it holds must not outlive its memory.
  node.context->fiber_.reset();
  const auto of_the_dead = [id](const Enabled& event) {
    return event.node == id && event.kind != EventKind::kRequest;
  };
  for (const Enabled& event : enabled_) {
    if (of_the_dead(event) && event.kind == EventKind::kReply) FreeMessage(event.slot);
  }
  for (const Enabled& event : node.held) {
    if (event.kind == EventKind::kReply) FreeMessage(event.slot);
  }
  node.held.clear();
  std::erase_if(enabled_, of_the_dead);
  labels_.clear();
  for (const Enabled& event : enabled_) {
    labels_.push_back({event.node, static_cast<std::uint8_t>(event.kind)});
  }
  Notify(WorldEventKind::kCrash, id);
  const Tick restart_at = now_ + ShortTicks();
  timers_.Add(restart_at, {TimerKind::kRestart, id, 0, node.incarnation, {}});
  if (node.in_flight[node.incarnation - 1] == 0) Notify(WorldEventKind::kRetired, id);
}

void World::Pause(NodeId id, Tick ticks) {
  Node& node = nodes_[id];
  node.paused = true;
  --running_;
  ++node.pauses;
  timers_.Add(now_ + ticks, {TimerKind::kResume, id, 0, node.pauses, {}});
  // What was about to happen to the node waits until it goes on.
  std::vector<Enabled> others;
  for (const Enabled& event : enabled_) {
    if (event.node == id && event.kind != EventKind::kRequest) {
      node.held.push_back(event);
    } else {
      others.push_back(event);
    }
  }
  enabled_ = std::move(others);
  labels_.clear();
  for (const Enabled& event : enabled_) {
    labels_.push_back({event.node, static_cast<std::uint8_t>(event.kind)});
  }
  observer_.On({.kind = WorldEventKind::kPause,
                .node = id,
                .incarnation = node.incarnation,
                .until = now_ + ticks});
}

void World::ResumeNode(NodeId id) {
  Node& node = nodes_[id];
  node.paused = false;
  ++running_;
  Notify(WorldEventKind::kResume, id);
  const std::vector<Enabled> held = std::move(node.held);
  node.held.clear();
  for (const Enabled& event : held) Enable(event);
}

void World::Partition(NodeId id, Tick ticks) {
  Node& node = nodes_[id];
  // A short partition does not end a long one.
  const Tick until = node.partitioned ? std::max(node.reconnects_at, now_ + ticks) : now_ + ticks;
  node.partitioned = true;
  node.reconnects_at = until;
  ++node.partitions;
  timers_.Add(until, {TimerKind::kReconnect, id, 0, node.partitions, {}});
  observer_.On({.kind = WorldEventKind::kPartition,
                .node = id,
                .incarnation = node.incarnation,
                .until = until});
}

void World::Reconnect(NodeId id) {
  nodes_[id].partitioned = false;
  Notify(WorldEventKind::kReconnect, id);
}

void World::ExpireLivingSession() {
  const auto& sessions = store_.model().sessions();
  const auto pick =
      choices_.Choose(ChoiceKind::kFaultTarget, static_cast<std::uint32_t>(sessions.size()));
  const SessionId session = std::next(sessions.begin(), pick)->first;
  mutations_.clear();
  store_.ExpireNow(session, mutations_);
  observer_.On({.kind = WorldEventKind::kSessionEnd, .mutations = &mutations_, .session = session});
}

void World::Heal() {
  if (healing_) return;
  healing_ = true;
  faults_.Stop();
  store_.MakeUnavailable(now_);
  observer_.On({.kind = WorldEventKind::kHeal});
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (nodes_[id].paused) ResumeNode(id);
    if (nodes_[id].partitioned) Reconnect(id);
    // A dead node's restart timer is already set.
  }
}

}  // namespace lockstep::sim
