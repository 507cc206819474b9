#include "sim/world/world.h"

#include <utility>

#include "sim/base/check.h"

namespace lockstep::sim {

std::string_view WorldEventName(WorldEventKind kind) {
  switch (kind) {
    case WorldEventKind::kSend:
      return "send";
    case WorldEventKind::kApply:
      return "apply";
    case WorldEventKind::kReply:
      return "reply";
    case WorldEventKind::kTimeout:
      return "timeout";
    case WorldEventKind::kLost:
      return "request_lost";
    case WorldEventKind::kReplyLost:
      return "reply_lost";
    case WorldEventKind::kDelay:
      return "delay";
    case WorldEventKind::kDuplicate:
      return "duplicate";
    case WorldEventKind::kStart:
      return "start";
    case WorldEventKind::kCrash:
      return "crash";
    case WorldEventKind::kPause:
      return "pause";
    case WorldEventKind::kResume:
      return "resume";
    case WorldEventKind::kPartition:
      return "partition";
    case WorldEventKind::kReconnect:
      return "reconnect";
    case WorldEventKind::kUnavailable:
      return "unavailable";
    case WorldEventKind::kSessionEnd:
      return "session_end";
    case WorldEventKind::kRetired:
      return "retired";
    case WorldEventKind::kHeal:
      return "heal";
  }
  return "?";
}

// ---- What a node calls -------------------------------------------------------------------------

NodeContext::NodeContext(World& world, NodeId node, std::uint32_t incarnation, std::string name)
    : world_(world), node_(node), incarnation_(incarnation), incarnation_name_(std::move(name)) {}

StoreResponse NodeContext::Store(StoreRequest request) {
  const std::uint32_t slot = world_.NewMessage();
  World::Message& message = world_.messages_[slot];
  message.to_store = true;
  message.store_request = std::move(request);
  world_.Wait(*this, world_.Send(*this, slot));
  return std::move(store_response_);
}

ObjectResponse NodeContext::Objects(ObjectRequest request) {
  const std::uint32_t slot = world_.NewMessage();
  World::Message& message = world_.messages_[slot];
  message.to_store = false;
  message.object_request = std::move(request);
  world_.Wait(*this, world_.Send(*this, slot));
  return std::move(object_response_);
}

void NodeContext::Backoff(std::uint32_t ticks) {
  LOCKSTEP_CHECK(ticks >= 1);
  const Tick wait = 1 + static_cast<Tick>(world_.choices_.Choose(ChoiceKind::kNode, ticks));
  const std::uint64_t id = world_.next_message_++;
  world_.timers_.Add(world_.now_ + wait, {World::TimerKind::kWake, node_, 0, id, {}});
  waiting_for_ = id;
  fiber_->Suspend();
}

bool NodeContext::HasRequestsInFlight() const { return world_.InFlight(node_, incarnation_) != 0; }

// ---- Set-up ------------------------------------------------------------------------------------

World::World(const WorldOptions& options, StackPool& stacks, Choices& choices,
             FaultInjector& faults, WorldObserver& observer)
    : options_(options), stacks_(stacks), choices_(choices), faults_(faults), observer_(observer) {}

World::~World() {
  // What lives on a node's stack may still look at the world while it is unwound.
  for (Node& node : nodes_) {
    if (node.context) node.context->fiber_.reset();
  }
}

NodeId World::AddNode(std::string name, NodeMain main) {
  const auto id = static_cast<NodeId>(nodes_.size());
  Node node;
  node.name = std::move(name);
  node.main = std::move(main);
  nodes_.push_back(std::move(node));
  Enable({EventKind::kStart, id, 0, 0});
  return id;
}

bool World::Finished(NodeId node) const {
  const Node& n = nodes_[node];
  return n.lives && n.context->fiber_->done();
}

std::uint32_t World::InFlight(NodeId node, std::uint32_t incarnation) const {
  const auto& in_flight = nodes_[node].in_flight;
  return incarnation == 0 || incarnation > in_flight.size() ? 0 : in_flight[incarnation - 1];
}

// ---- The loop ----------------------------------------------------------------------------------

bool World::Step() {
  RunTimers();
  if (!healing_) StrikeAtStep();
  while (enabled_.empty()) {
    if (!AdvanceToNextTimer()) return false;
    RunTimers();
  }
  const std::uint32_t index = healing_ ? 0 : choices_.ChooseEvent(labels_);
  const Enabled event = enabled_[index];
  enabled_.erase(enabled_.begin() + index);
  labels_.erase(labels_.begin() + index);
  ++now_;
  Dispatch(event);
  return true;
}

void World::Dispatch(const Enabled& event) {
  switch (event.kind) {
    case EventKind::kStart:
      StartNode(event.node);
      return;
    case EventKind::kRequest:
      ApplyRequest(event.slot);
      return;
    case EventKind::kReply:
      DeliverReply(event.slot);
      return;
    case EventKind::kTimeout: {
      NodeContext& context = *nodes_[event.node].context;
      context.timeout_enabled_ = false;
      context.store_response_ = StoreResponse{StoreStatus::kUnknown, {}, {}, 0};
      context.object_response_ = ObjectResponse{ObjectStatus::kUnknown, {}};
      observer_.On({.kind = WorldEventKind::kTimeout,
                    .node = event.node,
                    .incarnation = context.incarnation_,
                    .message = event.waiting_for,
                    .operation = context.operation_});
      ResumeFiber(context);
      return;
    }
    case EventKind::kWake:
      ResumeFiber(*nodes_[event.node].context);
      return;
  }
}

void World::Enable(const Enabled& event) {
  Node& node = nodes_[event.node];
  // A request already sent is out of the node's hands: a pause does not stop it.
  if (node.paused && event.kind != EventKind::kRequest) {
    node.held.push_back(event);
    return;
  }
  enabled_.push_back(event);
  labels_.push_back({event.node, static_cast<std::uint8_t>(event.kind)});
}

void World::StartNode(NodeId id) {
  Node& node = nodes_[id];
  if (node.lives) return;
  node.lives = true;
  ++running_;
  ++node.incarnation;
  node.in_flight.push_back(0);
  std::string name = node.name;
  if (node.incarnation > 1) name += "'" + std::to_string(node.incarnation);
  node.context =
      std::unique_ptr<NodeContext>(new NodeContext(*this, id, node.incarnation, std::move(name)));
  NodeContext* context = node.context.get();
  context->fiber_ =
      std::make_unique<Fiber>(stacks_, [this, id, context] { nodes_[id].main(*context); });
  Notify(WorldEventKind::kStart, id);
  context->fiber_->Resume();
}

void World::ResumeFiber(NodeContext& context) {
  context.waiting_for_ = 0;
  context.fiber_->Resume();
}

// ---- Time --------------------------------------------------------------------------------------

bool World::IsStale(const Timer& timer) const {
  if (timer.kind != TimerKind::kTimeout && timer.kind != TimerKind::kWake) return false;
  const Node& node = nodes_[timer.node];
  return !node.lives || node.context->waiting_for_ != timer.waiting_for;
}

void World::RunTimers() {
  while (!timers_.empty() && timers_.NextDeadline() <= now_) {
    const Timer timer = timers_.Pop();
    if (!IsStale(timer)) RunTimer(timer);
  }
  while (true) {
    mutations_.clear();
    const auto session = store_.ExpireOne(now_, mutations_);
    if (!session) break;
    observer_.On(
        {.kind = WorldEventKind::kSessionEnd, .mutations = &mutations_, .session = *session});
  }
}

void World::RunTimer(const Timer& timer) {
  Node& node = nodes_[timer.node];
  switch (timer.kind) {
    case TimerKind::kTimeout:
      node.context->timeout_enabled_ = true;
      Enable({EventKind::kTimeout, timer.node, 0, timer.waiting_for});
      return;
    case TimerKind::kWake:
      Enable({EventKind::kWake, timer.node, 0, timer.waiting_for});
      return;
    case TimerKind::kRelease:
      Enable({timer.released, timer.node, timer.slot, 0});
      return;
    case TimerKind::kRestart:
      if (!node.lives && node.incarnation == timer.waiting_for) {
        Enable({EventKind::kStart, timer.node, 0, 0});
      }
      return;
    case TimerKind::kResume:
      if (node.paused && node.pauses == timer.waiting_for) ResumeNode(timer.node);
      return;
    case TimerKind::kReconnect:
      if (node.partitioned && node.partitions == timer.waiting_for) Reconnect(timer.node);
      return;
  }
}

bool World::AdvanceToNextTimer() {
  while (!timers_.empty() && IsStale(timers_.Next())) timers_.Pop();
  const auto expiry = store_.NextExpiry();
  if (timers_.empty() && !expiry) return false;
  Tick next = timers_.empty() ? *expiry : timers_.NextDeadline();
  if (expiry && *expiry < next) next = *expiry;
  if (next > now_) now_ = next;
  return true;
}

}  // namespace lockstep::sim
