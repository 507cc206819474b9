// What the tests of the world share: choices that follow a script, an observer that keeps all it
// hears, and a bench that puts a world together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/choice/choices.h"
#include "sim/fault/fault_injector.h"
#include "sim/fiber/stack_pool.h"
#include "sim/world/world.h"
#include "sim/world/world_event.h"

namespace lockstep::sim {

/// Decides what was written down for each kind of decision; beyond that the oldest event happens,
/// no fault strikes again and every other decision takes its least value.
class ScriptedChoices : public Choices {
 public:
  /// Appends to what is written down for `kind`.
  ScriptedChoices& Script(ChoiceKind kind, std::initializer_list<std::uint32_t> values);
  /// True when everything written down has been asked for.
  [[nodiscard]] bool exhausted() const;

 protected:
  std::uint32_t Decide(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least) override;

 private:
  std::array<std::deque<std::uint32_t>, kChoiceKinds> script_;
};

/// Prefers one end of the enabled events, and the greatest value of everything else.
class ExtremeChoices : public Choices {
 protected:
  std::uint32_t Decide(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least) override;
};

/// A plan with these faults on. Scripted gaps may be as long as 1999.
FaultPlan PlanOf(std::initializer_list<FaultKind> kinds);

/// A world event that has its own copy of everything.
struct Seen {
  WorldEventKind kind = WorldEventKind::kSend;
  Tick time = 0;
  NodeId node = 0;
  std::uint32_t incarnation = 0;
  MessageId message = 0;
  OperationId operation = 0;
  std::uint32_t others_in_flight = 0;
  bool awaited = false;
  SessionId session = 0;
  Tick until = 0;
  std::optional<StoreRequest> store_request;
  std::optional<StoreResponse> store_response;
  std::optional<ObjectRequest> object_request;
  std::optional<ObjectResponse> object_response;
  std::vector<Mutation> mutations;
};

/// Everything a test could compare, in one line.
std::string Text(const StoreRequest& request);
std::string Text(const StoreResponse& response);
std::string Text(const Seen& seen);

class Recorder : public WorldObserver {
 public:
  /// The world whose clock dates the events.
  void Watch(const World& world) { world_ = &world; }
  void On(const WorldEvent& event) override;

  [[nodiscard]] const std::vector<Seen>& all() const { return all_; }
  /// "start send apply reply".
  [[nodiscard]] std::string Names() const;
  /// The same of one node.
  [[nodiscard]] std::string NamesOf(NodeId node) const;
  [[nodiscard]] std::vector<Seen> Of(WorldEventKind kind) const;
  [[nodiscard]] std::size_t Count(WorldEventKind kind) const { return Of(kind).size(); }
  /// The only event of that kind. A failure, and an empty event, when there is another number.
  [[nodiscard]] Seen Only(WorldEventKind kind) const;
  [[nodiscard]] std::vector<std::string> Texts() const;

 private:
  const World* world_ = nullptr;
  std::vector<Seen> all_;
};

struct Bench {
  explicit Bench(Choices& choices, const FaultPlan& plan = {}, const WorldOptions& options = {});

  /// Steps until nothing is left to happen; a failure when that takes too long.
  void Run(std::uint64_t steps_max = 100'000);
  /// Steps until `count` events of that kind have been seen; a failure when that does not come.
  void RunUntil(WorldEventKind kind, std::size_t count = 1);
  [[nodiscard]] std::uint64_t Struck(FaultKind kind) const {
    return faults.struck()[static_cast<std::size_t>(kind)];
  }

  StackPool stacks;
  FaultInjector faults;
  Recorder seen;
  World world;
};

}  // namespace lockstep::sim
