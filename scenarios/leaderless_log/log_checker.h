// LogChecker: one run of the leaderless log, watched. Every event becomes a step or a stutter of
// the spec; after every one the oracles are asked.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_refinement.h"
#include "protocol/leaderless_log/log_step.h"
#include "scenarios/exhaust/log_state_layout.h"
#include "scenarios/leaderless_log/log_setup.h"
#include "scenarios/leaderless_log/log_situation.h"
#include "scenarios/scenario.h"
#include "sim/history/history.h"
#include "sim/world/world.h"

namespace lockstep::scenarios {

class LogChecker : public sim::WorldObserver {
 public:
  LogChecker(const LogSetup& setup, bool record_trace);

  /// REQUIRES: once, before anything happens; the world must outlive the checker's use.
  void Watch(const sim::World& world) { world_ = &world; }
  void AddNode(sim::NodeId node, const std::string& name, bool is_writer);

  void On(const sim::WorldEvent& event) override;

  // The clients' side. Each returns or takes the operation's number.
  [[nodiscard]] bool CanInvoke(sim::NodeId node) const { return refinement_.CanInvoke(node); }
  sim::OperationId Invoke(sim::NodeId node, protocol::leaderless_log::ClientOperation kind,
                          std::int64_t argument);
  void AnswerAppend(sim::NodeId node, sim::OperationId operation, std::int64_t count,
                    const protocol::leaderless_log::AppendResult& result);
  void AnswerRead(sim::NodeId node, sim::OperationId operation,
                  const protocol::leaderless_log::ReadResult& result);
  void AnswerFence(sim::NodeId node, sim::OperationId operation,
                   const protocol::leaderless_log::FenceResult& result);
  void AnswerCompact(sim::NodeId node, sim::OperationId operation,
                     protocol::leaderless_log::CompactStatus status);
  void AnswerUnfence(sim::NodeId node, sim::OperationId operation);

  /// After the heal phase: the liveness oracles.
  void CheckEnd(bool budget_spent);

  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  /// The next offset to be assigned, for choosing what to read.
  [[nodiscard]] protocol::leaderless_log::Offset NextOffset() const {
    return refinement_.observed().counter;
  }
  /// Moves the results out. REQUIRES: once, at the end.
  void Finish(const RunSpec& spec, RunResult& result);

 private:
  /// What happened in an event beside its action.
  struct Facts {
    const protocol::leaderless_log::Acknowledgement* acknowledgement = nullptr;
    const protocol::leaderless_log::ReadAnswer* read_answer = nullptr;
    const protocol::leaderless_log::FenceAnswer* fence_answer = nullptr;
  };
  struct PendingRead {
    protocol::leaderless_log::Offset offset = 0;
    bool must_be_found = false;
  };

  /// Takes the refinement's latest emissions, one step each, and checks. `actor`: who acts instead
  /// of the node.
  void CheckEvent(sim::NodeId node, const Facts& facts, std::string_view actor = {});
  void CheckOneStep(const protocol::leaderless_log::Emission* emission,
                    const protocol::leaderless_log::ObservedChanges& observed_changes,
                    const Facts& facts);
  std::optional<invariants::Violation> Oracles(const protocol::leaderless_log::LogStep& step) const;
  /// The caller of an append was told something else than the spec's state says.
  std::optional<invariants::Violation> AnswerMismatch(
      const protocol::leaderless_log::Emission& emission) const;
  /// A lookup found something else than the spec's state says.
  std::optional<invariants::Violation> LookupMismatch(
      const protocol::leaderless_log::Emission& emission) const;
  /// Whose event is under way, as traces and failures call it.
  [[nodiscard]] std::string Actor() const;
  void KeepLedger();
  void NoteSituations(const protocol::leaderless_log::Action& action);
  void Note(LogSituation situation) { ++situations_[static_cast<std::size_t>(situation)]; }
  void NoteState();
  void Fail(std::optional<invariants::Violation> violation,
            std::optional<invariants::Violation> conformance,
            const protocol::leaderless_log::Emission* emission, bool applied);
  void TraceStep(const protocol::leaderless_log::Emission* emission, bool applied);
  /// What the store and the nodes show of the variables that the event touched.
  [[nodiscard]] sim::Value ObservedDifferences(
      const protocol::leaderless_log::Emission* emission) const;

  const LogSetup& setup_;
  protocol::leaderless_log::Constants constants_;
  protocol::leaderless_log::Machine machine_;
  protocol::leaderless_log::State state_;
  protocol::leaderless_log::Refinement refinement_;
  protocol::leaderless_log::Ledger ledger_;
  const sim::World* world_ = nullptr;
  sim::History history_;

  // The step being checked.
  protocol::leaderless_log::Changes changes_;
  protocol::leaderless_log::ObservedChanges nothing_observed_;
  std::optional<protocol::leaderless_log::Action> action_;
  std::optional<protocol::leaderless_log::Assignment> assignment_;
  std::int64_t step_ = 0;
  sim::NodeId node_ = 0;
  std::string_view actor_;    // "store", "world"; empty = the node
  bool by_the_dead_ = false;  // the event is a request of an incarnation that has ended

  std::vector<PendingRead> pending_reads_;                       // by node
  std::vector<protocol::leaderless_log::Offset> highest_found_;  // by node
  std::vector<bool> sent_change_;   // by node: its latest request was to change the store
  std::vector<bool> in_doubt_;      // by node: such a request of its operation got no answer
  std::vector<bool> is_compactor_;  // by node
  bool compactor_crashed_ = false;

  struct Taken {
    std::int64_t step;
    protocol::leaderless_log::Action action;
  };
  std::array<Taken, 8> recent_{};  // a ring
  std::uint64_t taken_ = 0;
  std::array<std::uint64_t, protocol::leaderless_log::kActionKinds> actions_{};
  std::array<std::uint64_t, kLogSituations> situations_{};
  std::optional<LogStateLayout> layout_;  // when states are collected, from the first step on
  PackedState packed_{};                  // state_, packed
  std::vector<std::uint64_t> state_hashes_;
  std::vector<std::uint64_t> transition_hashes_;
  std::optional<Failure> failure_;
  sim::Value failure_observed_;

  bool record_trace_;
  sim::Value event_value_;  // of the event under way, when recording
  std::vector<traces::Step> trace_;
};

}  // namespace lockstep::scenarios
