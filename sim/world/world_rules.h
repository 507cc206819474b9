// WorldRules: what holds of the events of every run of a world, whatever its faults: an oracle for
// the world itself, for use in tests. It follows the events one by one and keeps its own books:
// what is in flight, who lives, what a store that knows no faults would have answered.
//
//  1. Time never goes back.
//  2. A node starts, sends and is answered only while it lives and is not paused; a dead one starts
//     again as the next incarnation.
//  3. A request is lost at once, or applied as often as it was sent and duplicated. None is applied
//     out of nothing.
//  4. A reply reaches the incarnation that waits for it, and tells what one application of its
//     request gave. A timeout comes no earlier than agreed.
//  5. While a node is cut off, every request it sends and every reply to it is lost.
//  6. While the store is unavailable it refuses every request, and at no other time.
//  7. An ended incarnation is retired exactly once, as soon as nothing of it is in flight.
//  8. The applied requests and ended sessions, run in their order on a fresh store model and a
//     fresh object store, give the same responses and the same changes.
//  9. Nothing strikes after the world was healed.
// At the end of a healed run nothing is in flight, held, dead, paused or cut off.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/store/object_store.h"
#include "sim/store/store_model.h"
#include "sim/world/world_test_support.h"

namespace lockstep::sim {

class WorldRules {
 public:
  explicit WorldRules(const WorldOptions& options = {}) : options_(options) {}

  /// REQUIRES: the events of one run, in order.
  void Check(const std::vector<Seen>& events);
  /// What holds after the last step of a healed run. REQUIRES: Check() with all of its events.
  void CheckEnd(const Bench& bench);

  /// One line for each breach, the first ones only.
  [[nodiscard]] const std::vector<std::string>& broken() const { return broken_; }

 private:
  using Incarnation = std::pair<NodeId, std::uint32_t>;

  struct Node {
    std::uint32_t incarnation = 0;
    bool lives = false;
    bool paused = false;
    bool partitioned = false;
    MessageId waiting_for = 0;
  };
  struct Message {
    Incarnation sender;
    Tick sent = 0;
    std::uint32_t copies = 0;  // in flight
    std::set<std::string> outcomes;
  };

  void CheckOne(const Seen& seen);
  void CheckWhoAndWhen(const Seen& seen, const Node& node);
  void CheckLife(const Seen& seen, Node& node);
  void CheckSend(const Seen& seen, Node& node);
  void CheckApply(const Seen& seen, const Node& node);
  void CheckOutcome(const Seen& seen, Node& node);
  void CheckRetired(const Seen& seen);
  void CheckStoreOutcome(const Seen& seen);
  void CheckObjectOutcome(const Seen& seen);
  void CheckSessionEnd(const Seen& seen);
  void CheckCounts(const Bench& bench);
  [[nodiscard]] std::uint32_t InFlight(Incarnation incarnation) const;
  [[nodiscard]] bool Ended(Incarnation incarnation) const;
  /// The next event must be this one.
  void ExpectNext(WorldEventKind kind, const Seen& about);
  void Require(bool condition, std::string_view rule);

  WorldOptions options_;
  std::map<NodeId, Node> nodes_;
  std::map<MessageId, Message> messages_;
  std::set<Incarnation> retired_;
  std::array<std::uint64_t, kFaultKinds> struck_{};
  StoreModel model_;
  ObjectStore objects_;
  Tick unavailable_until_ = 0;
  Tick now_ = 0;
  bool healed_ = false;
  const Seen* current_ = nullptr;
  const Seen* previous_ = nullptr;
  std::optional<std::pair<WorldEventKind, const Seen*>> expected_next_;
  std::vector<std::string> broken_;
};

/// A request over few keys, counters and sessions, made of draws below a bound.
StoreRequest DrawStoreRequest(const std::function<std::uint32_t(std::uint32_t)>& draw);
ObjectRequest DrawObjectRequest(const std::function<std::uint32_t(std::uint32_t)>& draw);

}  // namespace lockstep::sim
