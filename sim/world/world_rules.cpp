#include "sim/world/world_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace lockstep::sim {
namespace {

constexpr std::size_t kBrokenMax = 10;

std::string MutationsText(const std::vector<Mutation>& mutations) {
  Seen seen;
  seen.mutations = mutations;
  return Text(seen);
}

std::string OutcomeText(const Seen& seen) {
  Seen outcome;
  outcome.store_response = seen.store_response;
  outcome.object_response = seen.object_response;
  return Text(outcome);
}

bool IsFault(WorldEventKind kind) {
  switch (kind) {
    case WorldEventKind::kLost:
    case WorldEventKind::kReplyLost:
    case WorldEventKind::kDelay:
    case WorldEventKind::kDuplicate:
    case WorldEventKind::kCrash:
    case WorldEventKind::kPause:
    case WorldEventKind::kPartition:
    case WorldEventKind::kUnavailable:
      return true;
    default:
      return false;
  }
}

}  // namespace

void WorldRules::Check(const std::vector<Seen>& events) {
  for (const Seen& seen : events) {
    current_ = &seen;
    CheckOne(seen);
    previous_ = &seen;
  }
  Require(!expected_next_, "the last event has the consequence it must have");
}

void WorldRules::CheckOne(const Seen& seen) {
  Require(seen.time >= now_, "time never goes back");
  now_ = seen.time;
  if (expected_next_) {
    const auto& [kind, about] = *expected_next_;
    Require(seen.kind == kind && seen.node == about->node &&
                seen.incarnation == about->incarnation &&
                (kind == WorldEventKind::kRetired || seen.message == about->message),
            "an event has the consequence it must have");
    expected_next_.reset();
  }
  Node& node = nodes_[seen.node];
  CheckWhoAndWhen(seen, node);
  switch (seen.kind) {
    case WorldEventKind::kSend:
    case WorldEventKind::kDuplicate:
    case WorldEventKind::kLost:
      return CheckSend(seen, node);
    case WorldEventKind::kApply:
      return CheckApply(seen, node);
    case WorldEventKind::kReply:
    case WorldEventKind::kTimeout:
    case WorldEventKind::kReplyLost:
    case WorldEventKind::kDelay:
      return CheckOutcome(seen, node);
    case WorldEventKind::kRetired:
      return CheckRetired(seen);
    case WorldEventKind::kSessionEnd:
      return CheckSessionEnd(seen);
    case WorldEventKind::kUnavailable:
      Require(seen.until >= seen.time, "a fault ends after it began");
      Require(seen.time >= unavailable_until_, "it does not strike while it lasts");
      unavailable_until_ = seen.until;
      ++struck_[static_cast<std::size_t>(FaultKind::kStoreUnavailable)];
      return;
    case WorldEventKind::kHeal:
      Require(!healed_, "a world heals once");
      healed_ = true;
      unavailable_until_ = seen.time;
      return;
    case WorldEventKind::kStart:
    case WorldEventKind::kCrash:
    case WorldEventKind::kPause:
    case WorldEventKind::kResume:
    case WorldEventKind::kPartition:
    case WorldEventKind::kReconnect:
      return CheckLife(seen, node);
  }
}

void WorldRules::CheckWhoAndWhen(const Seen& seen, const Node& node) {
  if (healed_) Require(!IsFault(seen.kind), "nothing strikes after the world was healed");
  switch (seen.kind) {
    case WorldEventKind::kSend:
    case WorldEventKind::kReply:
    case WorldEventKind::kTimeout:
    case WorldEventKind::kPause:
    case WorldEventKind::kCrash:
      Require(node.lives, "it happens to a node that lives");
      Require(!node.paused, "it happens to a node that is not paused");
      Require(seen.incarnation == node.incarnation, "it happens to the present incarnation");
      return;
    default:
      return;
  }
}

void WorldRules::CheckLife(const Seen& seen, Node& node) {
  switch (seen.kind) {
    case WorldEventKind::kStart:
      Require(!node.lives, "a node that lives does not start");
      Require(seen.incarnation == node.incarnation + 1, "the next incarnation starts");
      node.lives = true;
      node.incarnation = seen.incarnation;
      return;
    case WorldEventKind::kCrash:
      node.lives = false;
      node.waiting_for = 0;
      ++struck_[static_cast<std::size_t>(FaultKind::kCrash)];
      if (InFlight({seen.node, seen.incarnation}) == 0) ExpectNext(WorldEventKind::kRetired, seen);
      return;
    case WorldEventKind::kPause:
      Require(seen.until >= seen.time, "a fault ends after it began");
      node.paused = true;
      ++struck_[static_cast<std::size_t>(seen.until - seen.time >= options_.session_timeout
                                             ? FaultKind::kPauseLong
                                             : FaultKind::kPauseShort)];
      return;
    case WorldEventKind::kResume:
      Require(node.paused, "a paused node goes on");
      node.paused = false;
      return;
    case WorldEventKind::kPartition:
      Require(seen.until >= seen.time, "a fault ends after it began");
      node.partitioned = true;
      return;
    default:
      Require(node.partitioned, "a partition is mended");
      node.partitioned = false;
      return;
  }
}

void WorldRules::CheckSend(const Seen& seen, Node& node) {
  if (seen.kind == WorldEventKind::kSend) {
    Require(node.waiting_for == 0, "a node waits for one thing at a time");
    const bool fresh = messages_.empty() || messages_.rbegin()->first < seen.message;
    Require(fresh, "messages are numbered in the order of sending");
    messages_[seen.message] = {{seen.node, seen.incarnation}, seen.time, 1, {}};
    node.waiting_for = seen.message;
    if (node.partitioned) ExpectNext(WorldEventKind::kLost, seen);
    return;
  }
  const bool just_sent = previous_ != nullptr && previous_->kind == WorldEventKind::kSend &&
                         previous_->message == seen.message;
  Require(just_sent, "a request is lost or duplicated when it is sent");
  Message& message = messages_[seen.message];
  if (seen.kind == WorldEventKind::kDuplicate) {
    ++message.copies;
    ++struck_[static_cast<std::size_t>(FaultKind::kRequestDuplicated)];
    return;
  }
  --message.copies;
  if (node.partitioned) return;
  ++struck_[static_cast<std::size_t>(seen.store_request ? FaultKind::kRequestLost
                                                        : FaultKind::kObjectOutcomeUnknown)];
}

void WorldRules::CheckApply(const Seen& seen, const Node& node) {
  Message& message = messages_[seen.message];
  const Incarnation sender{seen.node, seen.incarnation};
  Require(message.copies > 0, "a request is applied as often as it was sent");
  Require(message.sender == sender, "a request is applied in its sender's name");
  if (message.copies > 0) --message.copies;
  const std::uint32_t in_flight = InFlight(sender);
  Require(seen.others_in_flight == in_flight, "the number of others in flight is right");
  Require(seen.awaited == (!Ended(sender) && node.waiting_for == seen.message),
          "whether the sender waits is right");
  message.outcomes.insert(OutcomeText(seen));
  if (seen.store_request) {
    CheckStoreOutcome(seen);
  } else {
    CheckObjectOutcome(seen);
  }
  if (Ended(sender)) {
    if (in_flight == 0) ExpectNext(WorldEventKind::kRetired, seen);
  } else if (node.partitioned) {
    ExpectNext(WorldEventKind::kReplyLost, seen);
  }
}

void WorldRules::CheckOutcome(const Seen& seen, Node& node) {
  Message& message = messages_[seen.message];
  switch (seen.kind) {
    case WorldEventKind::kReply:
      Require(node.waiting_for == seen.message, "a reply comes to who waits for it");
      Require(message.outcomes.count(OutcomeText(seen)) != 0,
              "a reply tells the outcome of an application of its request");
      node.waiting_for = 0;
      return;
    case WorldEventKind::kTimeout:
      Require(node.waiting_for == seen.message, "a timeout comes to who waits");
      Require(seen.time >= message.sent + options_.call_timeout, "a timeout is not early");
      node.waiting_for = 0;
      return;
    case WorldEventKind::kReplyLost: {
      const bool just_applied = previous_ != nullptr && previous_->kind == WorldEventKind::kApply &&
                                previous_->message == seen.message;
      Require(just_applied, "a reply is lost when its request is applied");
      if (node.partitioned) return;
      ++struck_[static_cast<std::size_t>(seen.store_request ? FaultKind::kReplyLost
                                                            : FaultKind::kObjectOutcomeUnknown)];
      return;
    }
    default:
      Require(message.sent != 0, "what is delayed was sent");
      Require(seen.until >= seen.time, "a fault ends after it began");
      ++struck_[static_cast<std::size_t>(FaultKind::kDelay)];
      return;
  }
}

void WorldRules::CheckRetired(const Seen& seen) {
  const Incarnation incarnation{seen.node, seen.incarnation};
  Require(Ended(incarnation), "an ended incarnation is retired");
  Require(InFlight(incarnation) == 0, "a retired incarnation has nothing in flight");
  Require(retired_.insert(incarnation).second, "an incarnation is retired once");
}

void WorldRules::CheckStoreOutcome(const Seen& seen) {
  const bool refused = seen.store_response->status == StoreStatus::kUnavailable;
  Require(refused == (seen.time < unavailable_until_), "the store refuses while it is unavailable");
  std::vector<Mutation> mutations;
  StoreResponse expected;
  expected.status = StoreStatus::kUnavailable;
  if (!refused) expected = model_.Apply(*seen.store_request, mutations);
  Require(Text(expected) == Text(*seen.store_response), "the store answers like its model");
  Require(MutationsText(mutations) == MutationsText(seen.mutations),
          "the store changes like its model");
}

void WorldRules::CheckObjectOutcome(const Seen& seen) {
  const ObjectResponse& response = *seen.object_response;
  if (response.status == ObjectStatus::kFailed) {
    Require(seen.object_request->operation == ObjectOperation::kPutObject, "only writes fail");
    ++struck_[static_cast<std::size_t>(FaultKind::kObjectWriteFailed)];
    return;
  }
  const ObjectResponse expected = objects_.Handle(*seen.object_request);
  Require(expected.status == response.status && expected.bytes == response.bytes,
          "the object store answers as one without faults");
}

void WorldRules::CheckSessionEnd(const Seen& seen) {
  Require(model_.HasSession(seen.session), "a session ends once");
  std::vector<Mutation> mutations;
  model_.EndSession(seen.session, mutations);
  Require(MutationsText(mutations) == MutationsText(seen.mutations),
          "the end of a session takes its records");
}

void WorldRules::CheckEnd(const Bench& bench) {
  current_ = nullptr;
  for (const auto& [id, node] : nodes_) {
    if (node.incarnation == 0) continue;  // events of no node
    Require(node.lives, "every node lives at the end");
    Require(!node.paused, "no node is paused at the end");
    Require(!node.partitioned, "no node is cut off at the end");
    Require(bench.world.Finished(id), "every node has finished at the end");
    for (std::uint32_t ended = 1; ended < node.incarnation; ++ended) {
      Require(retired_.count({id, ended}) != 0, "every ended incarnation has been retired");
    }
  }
  for (const auto& [id, message] : messages_) {
    Require(message.copies == 0, "no request is in flight at the end");
  }
  Require(bench.world.messages_held() == 0, "the network holds nothing at the end");
  Require(model_.records() == bench.world.store().model().records(),
          "the store holds what its model holds");
  Require(model_.sessions() == bench.world.store().model().sessions(),
          "the store has the sessions that its model has");
  Require(objects_.objects() == bench.world.objects().objects(),
          "the object store holds what one without faults holds");
  Require(bench.stacks.free() + nodes_.size() >= bench.stacks.mapped(), "stacks are given back");
  CheckCounts(bench);
}

void WorldRules::CheckCounts(const Bench& bench) {
  for (const FaultInfo& info : FaultTable()) {
    const auto i = static_cast<std::size_t>(info.kind);
    const bool counted_here = info.kind != FaultKind::kSessionExpiryLiving &&
                              info.kind != FaultKind::kPartitionShort &&
                              info.kind != FaultKind::kPartitionLong;
    if (!counted_here) continue;
    Require(struck_[i] == bench.faults.struck()[i],
            fmt::format("{} is counted {} times and struck {} times", info.name,
                        bench.faults.struck()[i], struck_[i]));
  }
}

std::uint32_t WorldRules::InFlight(Incarnation incarnation) const {
  std::uint32_t in_flight = 0;
  for (const auto& [id, message] : messages_) {
    if (message.sender == incarnation) in_flight += message.copies;
  }
  return in_flight;
}

bool WorldRules::Ended(Incarnation incarnation) const {
  const auto at = nodes_.find(incarnation.first);
  if (at == nodes_.end()) return false;
  return incarnation.second < at->second.incarnation ||
         (incarnation.second == at->second.incarnation && !at->second.lives);
}

void WorldRules::ExpectNext(WorldEventKind kind, const Seen& about) {
  expected_next_.emplace(kind, &about);
}

void WorldRules::Require(bool condition, std::string_view rule) {
  if (condition || broken_.size() == kBrokenMax) return;
  broken_.push_back(fmt::format("{}: {}", rule, current_ == nullptr ? "the end" : Text(*current_)));
}

// ---- Work for the nodes of random runs ---------------------------------------------------------

namespace {

// DETERMINISM: everything an operation might need is drawn first, one statement a draw: the order
// in which the arguments of one call are evaluated differs between compilers.
Operation DrawOperation(const std::function<std::uint32_t(std::uint32_t)>& draw) {
  const std::uint32_t kind = draw(16);
  const std::string key(1, static_cast<char>('a' + draw(4)));
  const std::string end(1, static_cast<char>('a' + draw(4)));
  const std::string counter = "n" + std::to_string(draw(2));
  const std::string value = std::to_string(draw(3));
  const std::string expected = std::to_string(draw(3));
  const auto session = static_cast<SessionId>(1 + draw(4));
  const auto version = static_cast<Version>(1 + draw(20));
  const auto timeout = static_cast<Tick>(50 + draw(400));
  const std::array<Operation, 16> operations = {
      Get(key),
      Put(key, value),
      Delete(key),
      CompareAndSet(key, expected, value),
      CompareAndSet(key, std::nullopt, value),
      AtomicIncrement(counter, version % 3),
      ConditionalCreate(key, value),
      EphemeralRecord(key, value, session),
      ConditionalDelete(key, version),
      RangeDelete(key, end),
      CeilingGet(key),
      HigherGet(key),
      SequencedPut("s/", {1 + version % 2}, value),
      OpenSession(timeout),
      KeepAlive(session),
      CloseSession(session),
  };
  return operations[kind];
}

Condition DrawCondition(const std::function<std::uint32_t(std::uint32_t)>& draw) {
  const std::uint32_t kind = draw(4);
  const std::string key(1, static_cast<char>('a' + draw(4)));
  const std::string value = std::to_string(draw(3));
  const auto version = static_cast<Version>(1 + draw(20));
  const std::array<Condition, 4> conditions = {ValueIs(key, value), VersionIs(key, version),
                                               Absent(key), Exists(key)};
  return conditions[kind];
}

}  // namespace

StoreRequest DrawStoreRequest(const std::function<std::uint32_t(std::uint32_t)>& draw) {
  StoreRequest request;
  if (draw(4) == 0) request.conditions.push_back(DrawCondition(draw));
  request.operations.push_back(DrawOperation(draw));
  while (request.operations.size() < 4 && draw(3) == 0) {
    request.operations.push_back(DrawOperation(draw));
  }
  return request;
}

ObjectRequest DrawObjectRequest(const std::function<std::uint32_t(std::uint32_t)>& draw) {
  ObjectRequest request;
  request.operation = static_cast<ObjectOperation>(draw(3));
  request.key = std::string(1, static_cast<char>('o' + draw(3)));
  if (request.operation == ObjectOperation::kPutObject) request.bytes = std::to_string(draw(10));
  return request;
}

}  // namespace lockstep::sim
