// Refinement: from what happens in the world to steps of LeaderlessLog.tla.
//
// It watches commits in the store and what clients ask and are told; it never believes a node about
// itself. From each event it derives the actions that the event is (often none: a stutter), and
// what the store now shows. Whether the actions are enabled, and whether they lead to what the
// store shows, is for the oracles to say: this only translates.
//
// Identities: a spec process is one incarnation's use of a writer name. When it ends in a state the
// module gives no way out of, the name is retired and the node goes on under a fresh one, if the
// run allows fresh names. The table of linearization points is in README.md beside this file.
//
// SPEC: LeaderlessLog.tla
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/leaderless_log/compactor_node.h"
#include "protocol/leaderless_log/fencer_node.h"
#include "protocol/leaderless_log/log_step.h"
#include "protocol/leaderless_log/reader_node.h"
#include "protocol/leaderless_log/writer_node.h"
#include "sim/world/world_event.h"

namespace lockstep::protocol::leaderless_log {

/// What a client asked for.
enum class ClientOperation : std::uint8_t { kAppend, kRead, kCompact, kFence, kUnfence };
std::string_view ClientOperationName(ClientOperation operation);

/// One action derived from an event, with what the event showed of a node's side of it.
struct Emission {
  Action action;
  /// ReadEntry: what the lookup's reply shows.
  std::optional<ReaderResult> reader_result;
  /// AppendComplete: what the caller was told: the end offset, 0 = not appended.
  std::optional<Offset> answered;
};

class Refinement {
 public:
  struct Options {
    /// Names for the spec's processes: one a node that appends or reads. Appended to when fresh
    /// ones are needed.
    bool fresh_identities = true;
  };

  /// `constants` grows while the run goes on: fresh writers, chosen ranges.
  Refinement(Constants& constants, State& state, Options options);

  /// A node joins. One that appends or reads does so under the writer name `name`.
  void AddNode(sim::NodeId node, const std::string& name, bool is_writer);

  /// A client asks. False when the node has no identity left to ask under (it must stop).
  bool CanInvoke(sim::NodeId node) const;
  void Invoke(sim::NodeId node, OperationId operation, ClientOperation kind, std::int64_t argument);
  /// A client is told the outcome of an append.
  void AnswerAppend(sim::NodeId node, OperationId operation, const AppendResult& result);
  /// A client is told the outcome of anything else.
  void AnswerOther(sim::NodeId node, OperationId operation);

  /// Something happened in the world.
  void On(const sim::WorldEvent& event);

  // Results of the latest Invoke, Answer or On.
  [[nodiscard]] const std::vector<Emission>& emissions() const { return emissions_; }
  [[nodiscard]] const ObservedChanges& observed_changes() const { return observed_changes_; }
  [[nodiscard]] const std::optional<Assignment>& assignment() const { return assignment_; }

  [[nodiscard]] const ObservedLog& observed() const { return observed_; }
  /// The compaction plan as the store shows it.
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const ObjectReferences& references() const { return references_; }
  /// The writer name's index under which the node works now, or nothing.
  [[nodiscard]] std::optional<WriterIndex> IdentityOf(sim::NodeId node) const;
  /// The operation the node works on, 0 = none.
  [[nodiscard]] OperationId CurrentOperation(sim::NodeId node) const;
  [[nodiscard]] std::optional<ClientOperation> CurrentKind(sim::NodeId node) const;

 private:
  struct Client {
    std::string name;
    std::optional<WriterIndex> identity;
    std::uint32_t identities = 0;  // used so far
    OperationId operation = 0;     // the current one
  };
  struct Invocation {
    sim::NodeId node = 0;
    ClientOperation kind = ClientOperation::kAppend;
    std::int64_t argument = 0;
    std::optional<WriterIndex> identity;
    bool answered = false;
    bool started = false;  // StartAppend was taken for it
  };

  void BeginEvent();
  void Emit(ActionKind kind, WriterIndex writer = 0, std::int64_t number = 0);
  [[nodiscard]] WriterState StateOf(WriterIndex writer) const {
    return state_.writers[writer].state;
  }
  void Retire(Client& client);
  void GiveIdentity(Client& client);

  void OnStoreApplied(const sim::WorldEvent& event);
  void OnObjectApplied(const sim::WorldEvent& event);
  void EmitIndexActions(const sim::WorldEvent& event);
  void OnWriterRead(Invocation& invocation);
  void OnWriterRefused(const sim::WorldEvent& event, const Invocation& invocation);
  void OnLookup(const sim::WorldEvent& event, const Invocation& invocation);
  void OnCompactorRead(const sim::WorldEvent& event);
  void OnCrash(sim::NodeId node);
  void OnRetired(sim::NodeId node, std::uint32_t incarnation);

  void Observe(const sim::WorldEvent& event);
  void ObserveMutation(const sim::Mutation& mutation, const sim::WorldEvent& event);
  void ObserveIndex(Offset offset, const sim::Mutation& mutation, const sim::WorldEvent& event);
  void ObservePlan(const sim::Mutation& mutation);
  void CompactorLeaves();
  [[nodiscard]] bool IsPlanHolder(sim::NodeId node, std::uint32_t incarnation) const;
  /// The invocation, if it is the one its node works on; else nullptr.
  Invocation* Current(OperationId operation);

  Constants& constants_;
  State& state_;
  Options options_;
  std::vector<Client> clients_;          // by node; unused ones have no name
  std::vector<Invocation> invocations_;  // by operation

  ObservedLog observed_;
  ObjectReferences references_;
  Plan plan_;
  Offset validated_below_ = 0;  // the holder of the plan has read the range's entries up to here

  std::vector<Emission> emissions_;
  ObservedChanges observed_changes_;
  std::optional<Assignment> assignment_;
  bool compacted_written_ = false;  // what the event's mutations did
  bool withdrawn_ = false;
};

}  // namespace lockstep::protocol::leaderless_log
