// World: nodes, network, services and faults, one event at a time.
//
// A node is a function run on a fiber; it calls the services as if they blocked. A request travels
// to its service, is applied there (its linearization point), and its reply travels back; both can
// be overtaken, delayed, lost. At each step one of the enabled events happens, chosen among them in
// the order in which they became enabled; while healing, the oldest one does. Virtual time advances
// by one tick an event, and jumps to the next timer when nothing is enabled. Timers due at a tick
// run after its event, so a request handled at its session's deadline still finds it.
//
// DETERMINISM: every decision goes through Choices; containers are ordered or indexed by creation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/choice/choices.h"
#include "sim/fault/fault_injector.h"
#include "sim/fiber/fiber.h"
#include "sim/store/node_api.h"
#include "sim/store/simulated_store.h"
#include "sim/time/timer_queue.h"
#include "sim/world/world_event.h"

namespace lockstep::sim {

struct WorldOptions {
  /// After which a caller takes its request's outcome for unknown.
  Tick call_timeout = 120;
  /// What the node code is expected to ask for; scales the durations of faults.
  Tick session_timeout = 400;
};

class World;

/// What a running incarnation of a node has in its hands.
class NodeContext : public NodeApi {
 public:
  StoreResponse Store(StoreRequest request) override;
  ObjectResponse Objects(ObjectRequest request) override;
  void Backoff(std::uint32_t ticks) override;
  [[nodiscard]] std::string_view incarnation() const override { return incarnation_name_; }

  /// The client operation to which the requests from now on belong.
  void SetOperation(OperationId operation) { operation_ = operation; }
  [[nodiscard]] OperationId operation() const { return operation_; }
  [[nodiscard]] NodeId node() const { return node_; }
  [[nodiscard]] std::uint32_t incarnation_number() const { return incarnation_; }
  /// This incarnation has requests in flight whose outcome it does not wait for.
  [[nodiscard]] bool HasRequestsInFlight() const;

 private:
  friend class World;
  NodeContext(World& world, NodeId node, std::uint32_t incarnation, std::string name);

  World& world_;
  NodeId node_;
  std::uint32_t incarnation_;
  std::string incarnation_name_;
  OperationId operation_ = 0;
  // The call or back-off under way. A fiber waits for one thing at a time.
  std::uint64_t waiting_for_ = 0;  ///< message id or back-off id; 0 = not waiting
  bool timeout_enabled_ = false;   ///< its timeout stands among the enabled events
  StoreResponse store_response_;
  ObjectResponse object_response_;
  std::unique_ptr<Fiber> fiber_;
};

using NodeMain = std::function<void(NodeContext&)>;

class World {
 public:
  World(const WorldOptions& options, StackPool& stacks, Choices& choices, FaultInjector& faults,
        WorldObserver& observer);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  /// REQUIRES: before the first Step(). The main function is run anew by every incarnation.
  NodeId AddNode(std::string name, NodeMain main);

  /// One event. False when nothing is left to happen.
  bool Step();

  /// Ends the hurt phase: no fault strikes any more, paused nodes go on, partitions are mended, the
  /// store answers, dead nodes restart, and from now on the oldest enabled event happens first.
  void Heal();

  [[nodiscard]] Tick now() const { return now_; }
  /// Direct access for setting a scene before the run.
  SimulatedStore& store() { return store_; }
  [[nodiscard]] const SimulatedStore& store() const { return store_; }
  ObjectStore& objects() { return objects_; }
  [[nodiscard]] const ObjectStore& objects() const { return objects_; }
  [[nodiscard]] const std::string& NodeName(NodeId node) const { return nodes_[node].name; }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  /// False between a crash and the restart.
  [[nodiscard]] bool Lives(NodeId node) const { return nodes_[node].lives; }
  /// Its main function has returned, in the present incarnation.
  [[nodiscard]] bool Finished(NodeId node) const;
  [[nodiscard]] std::uint32_t Incarnation(NodeId node) const { return nodes_[node].incarnation; }
  /// Requests of that incarnation that are neither applied nor lost.
  [[nodiscard]] std::uint32_t InFlight(NodeId node, std::uint32_t incarnation) const;
  /// Requests and replies that the network holds, late and unwanted ones included.
  [[nodiscard]] std::size_t messages_held() const {
    return messages_.size() - free_messages_.size();
  }

 private:
  friend class NodeContext;

  enum class EventKind : std::uint8_t { kStart, kRequest, kReply, kTimeout, kWake };

  struct Message {
    MessageId id = 0;
    NodeId node = 0;
    std::uint32_t incarnation = 0;
    OperationId operation = 0;
    bool to_store = true;
    bool in_use = false;
    bool duplicate = false;
    StoreRequest store_request;
    StoreResponse store_response;
    ObjectRequest object_request;
    ObjectResponse object_response;
  };

  /// One enabled event. `slot` is a message slot, or (kTimeout, kWake) unused.
  struct Enabled {
    EventKind kind;
    NodeId node;
    std::uint32_t slot;
    std::uint64_t waiting_for;
  };

  enum class TimerKind : std::uint8_t { kTimeout, kWake, kRelease, kRestart, kResume, kReconnect };
  struct Timer {
    TimerKind kind;
    NodeId node;
    std::uint32_t slot;         // kRelease: a message
    std::uint64_t waiting_for;  // kTimeout, kWake; else an incarnation, pause or partition
    EventKind released;         // kRelease: what the message is
  };

  struct Node {
    std::string name;
    NodeMain main;
    std::uint32_t incarnation = 0;
    bool lives = false;
    bool paused = false;
    bool partitioned = false;
    std::uint64_t pauses = 0;      // tells a stale resume timer from the latest one
    std::uint64_t partitions = 0;  // likewise
    Tick reconnects_at = 0;        // while partitioned
    std::unique_ptr<NodeContext> context;
    std::vector<Enabled> held;             // events of a paused node, in order
    std::vector<std::uint32_t> in_flight;  // by incarnation - 1
  };

  // Messages.
  std::uint32_t NewMessage();
  void FreeMessage(std::uint32_t slot);
  MessageId Send(NodeContext& context, std::uint32_t slot);
  /// Puts a message among the enabled events, now or (delay fault) later.
  void Launch(EventKind kind, std::uint32_t slot);
  void LoseRequest(std::uint32_t slot);
  void SettleRequest(NodeId node, std::uint32_t incarnation);
  void Wait(NodeContext& context, std::uint64_t what);

  // Events.
  void Enable(const Enabled& event);
  void Dispatch(const Enabled& event);
  void ApplyRequest(std::uint32_t slot);
  void DeliverReply(std::uint32_t slot);
  void StartNode(NodeId node);
  void ResumeFiber(NodeContext& context);
  void ForgetTimeout(NodeContext& context);
  void RunTimers();
  void RunTimer(const Timer& timer);
  [[nodiscard]] bool IsStale(const Timer& timer) const;
  bool AdvanceToNextTimer();

  // Faults.
  void StrikeAtStep();
  void Crash(NodeId node);
  void Pause(NodeId node, Tick ticks);
  void ResumeNode(NodeId node);
  void Partition(NodeId node, Tick ticks);
  void Reconnect(NodeId node);
  void ExpireLivingSession();
  [[nodiscard]] Tick ShortTicks();
  [[nodiscard]] Tick LongTicks();
  [[nodiscard]] bool AnyNodeRuns() const { return running_ != 0; }
  /// Draws one of the nodes that live and are not paused. REQUIRES: AnyNodeRuns().
  NodeId PickRunningNode();

  void Notify(WorldEventKind kind, NodeId node);
  void NotifyMessage(WorldEventKind kind, const Message& message, Tick until = 0);

  WorldOptions options_;
  StackPool& stacks_;
  Choices& choices_;
  FaultInjector& faults_;
  WorldObserver& observer_;
  SimulatedStore store_;
  ObjectStore objects_;
  std::vector<Node> nodes_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_messages_;
  std::vector<Enabled> enabled_;
  std::vector<EventLabel> labels_;  // parallel to enabled_
  TimerQueue<Timer> timers_;
  std::vector<Mutation> mutations_;
  Tick now_ = 0;
  MessageId next_message_ = 1;
  std::uint32_t running_ = 0;  // nodes that live and are not paused
  bool healing_ = false;
};

}  // namespace lockstep::sim
