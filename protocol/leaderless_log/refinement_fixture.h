// RefinementFixture: a refinement fed with events that a test makes by hand.
//
//   Invoke(kW1, ClientOperation::kAppend, 2);
//   EXPECT_THAT(Apply(By(kW1), ReadLog()), ElementsAre("StartAppend(w1) count=2"));
//
// Store requests are applied to a StoreModel, so that mutations and replies are real; who sent
// them, and what else is in flight, is the test's to say. Every event answers with the actions it
// was taken for. They are applied to the spec's state; one that is not enabled says so and is left
// out. After an event all of whose actions are enabled, the store must show what the spec's state
// says.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_refinement.h"
#include "sim/store/object_store.h"
#include "sim/store/store_model.h"

namespace lockstep::protocol::leaderless_log {

using Actions = std::vector<std::string>;

class RefinementFixture : public testing::Test {
 protected:
  static constexpr sim::NodeId kW1 = 0;
  static constexpr sim::NodeId kW2 = 1;
  static constexpr sim::NodeId kR1 = 2;
  static constexpr sim::NodeId kC1 = 3;
  static constexpr sim::NodeId kC2 = 4;
  static constexpr sim::NodeId kF1 = 5;

  /// Who sent a request, and under which circumstances it is applied.
  struct Sender {
    sim::NodeId node = 0;
    std::uint32_t incarnation = 1;
    sim::OperationId operation = 0;
    bool awaited = true;
    std::uint32_t others_in_flight = 0;
  };

  /// Two rounds, 1..3 and 4..5, as the module has them, but no bound.
  explicit RefinementFixture(bool fresh_identities = true, Dialect dialect = {})
      : constants(TheConstants(dialect)), refinement(constants, state, {fresh_identities}) {
    refinement.AddNode(kW1, "w1", true);
    refinement.AddNode(kW2, "w2", true);
    refinement.AddNode(kR1, "r1", true);
    refinement.AddNode(kC1, "c1", false);
    refinement.AddNode(kC2, "c2", false);
    refinement.AddNode(kF1, "f1", false);
    std::vector<sim::Mutation> unseen;
    store.Apply(sim::Txn({}, {Set(kStateKey, "OPEN"), Set(kCounterKey, "1"), Set(kCursorKey, "1")}),
                unseen);
  }

  // ---- Events
  // ------------------------------------------------------------------------------------

  /// The operation that the node was last asked for, awaited and alone.
  [[nodiscard]] Sender By(sim::NodeId node, std::uint32_t incarnation = 1) const {
    return {node, incarnation, latest_[node], true, 0};
  }
  /// The same, but the node has given up waiting for it.
  [[nodiscard]] Sender Late(sim::NodeId node, std::uint32_t incarnation = 1) const {
    return {node, incarnation, latest_[node], false, 0};
  }

  Actions Apply(const Sender& sender, const sim::StoreRequest& request) {
    mutations.clear();
    response = store.Apply(request, mutations);
    refinement.On(StoreEvent(sender, request));
    return Take();
  }
  Actions ApplyObject(const Sender& sender, const sim::ObjectRequest& request,
                      sim::ObjectStatus status = sim::ObjectStatus::kOk) {
    const sim::ObjectResponse object_response{status, {}};
    refinement.On({.kind = sim::WorldEventKind::kApply,
                   .node = sender.node,
                   .incarnation = sender.incarnation,
                   .operation = sender.operation,
                   .object_request = &request,
                   .object_response = &object_response,
                   .others_in_flight = sender.others_in_flight,
                   .awaited = sender.awaited});
    return Take();
  }
  /// An event that has nothing but its node: a crash, a retirement, ...
  Actions Happens(sim::WorldEventKind kind, sim::NodeId node, std::uint32_t incarnation = 1) {
    refinement.On({.kind = kind, .node = node, .incarnation = incarnation});
    return Take();
  }
  Actions Crash(sim::NodeId node) { return Happens(sim::WorldEventKind::kCrash, node); }
  Actions Retire(sim::NodeId node, std::uint32_t incarnation = 1) {
    return Happens(sim::WorldEventKind::kRetired, node, incarnation);
  }
  Actions Invoke(sim::NodeId node, ClientOperation kind, std::int64_t argument = 0) {
    latest_[node] = ++operations_;
    refinement.Invoke(node, operations_, kind, argument);
    return Take();
  }
  Actions AnswerAppend(sim::NodeId node, AppendStatus status, Offset end = 0) {
    refinement.AnswerAppend(node, latest_[node], {status, end});
    return Take();
  }
  Actions AnswerOther(sim::NodeId node) {
    refinement.AnswerOther(node, latest_[node]);
    return Take();
  }

  // ---- Requests
  // ----------------------------------------------------------------------------------

  static sim::Operation Set(std::string_view key, std::string value) {
    return sim::Put(std::string(key), std::move(value));
  }
  static sim::StoreRequest ReadLog() {
    return sim::Txn({}, {sim::Get(std::string(kStateKey)), sim::Get(std::string(kCounterKey))});
  }
  static sim::ObjectRequest PutObject(const std::string& key = "wal/x") {
    return {sim::ObjectOperation::kPutObject, key, "1.1"};
  }
  /// The assignment as a writer that has just read the counter asks for it.
  [[nodiscard]] sim::StoreRequest Assign(const std::string& token, std::int64_t count) const {
    const sim::Record* counter = store.Find(kCounterKey);
    const Offset end = ParseDecimal(counter->value).value_or(1) + count - 1;
    const IndexValue entry{{EntryType::WAL, count}, "wal/" + token, token};
    return sim::Txn(
        {sim::ValueIs(std::string(kStateKey), "OPEN"),
         sim::VersionIs(std::string(kCounterKey), counter->version), sim::Absent(AppendKey(token))},
        {Set(kCounterKey, std::to_string(end + 1)),
         sim::ConditionalCreate(IndexKey(end), EncodeIndexValue(entry)),
         sim::Put(AppendKey(token), std::to_string(end))});
  }
  static sim::StoreRequest Withdraw(const std::string& token) {
    return sim::Txn({sim::Absent(AppendKey(token))},
                    {sim::Put(AppendKey(token), std::string(kWithdrawn))});
  }
  static sim::StoreRequest Fence() {
    return sim::Single(sim::CompareAndSet(std::string(kStateKey), "OPEN", "FENCED"));
  }
  static sim::StoreRequest Unfence() {
    return sim::Single(sim::CompareAndSet(std::string(kStateKey), "FENCED", "OPEN"));
  }
  static sim::StoreRequest LookUp(Offset offset) {
    return sim::Single(sim::CeilingGet(IndexKey(offset)));
  }
  static sim::Operation PlanIs(std::int64_t round, PlanPhase phase, Range range,
                               const std::string& claimant) {
    return Set(kPlanKey, EncodePlan({round, phase, range, claimant}));
  }

  // ---- Stories
  // -----------------------------------------------------------------------------------

  /// A writer's append up to its object, so that it may assign.
  void WriteObject(sim::NodeId node, std::int64_t count) {
    Invoke(node, ClientOperation::kAppend, count);
    Apply(By(node), ReadLog());
    ApplyObject(By(node), PutObject());
  }
  /// A whole append. Its token is the operation's number.
  void Append(sim::NodeId node, std::int64_t count) {
    WriteObject(node, count);
    Apply(By(node), Assign(std::to_string(latest_[node]), count));
    AnswerAppend(node, AppendStatus::kAppended, refinement.observed().counter - 1);
  }
  [[nodiscard]] WriterState StateOf(WriterIndex writer) const {
    return state.writers[writer].state;
  }

  Constants constants;
  State state;
  Machine machine{constants};
  Refinement refinement;
  sim::StoreModel store;
  sim::StoreResponse response;           // of the latest Apply
  std::vector<sim::Mutation> mutations;  // likewise

 private:
  static Constants TheConstants(Dialect dialect) {
    Constants constants;
    constants.max_batch = 3;
    constants.dialect = dialect;
    if (!dialect.rounds) constants.ranges = {{1, 3}, {4, 5}};
    return constants;
  }

  [[nodiscard]] sim::WorldEvent StoreEvent(const Sender& sender,
                                           const sim::StoreRequest& request) const {
    return {.kind = sim::WorldEventKind::kApply,
            .node = sender.node,
            .incarnation = sender.incarnation,
            .operation = sender.operation,
            .store_request = &request,
            .store_response = &response,
            .mutations = &mutations,
            .others_in_flight = sender.others_in_flight,
            .awaited = sender.awaited};
  }

  /// What the latest event was taken for, and its effect on the spec's state.
  Actions Take() {
    Actions actions;
    bool refused = false;
    Changes changes;
    for (const Emission& emission : refinement.emissions()) {
      std::string text = machine.ToString(emission.action);
      if (emission.reader_result) text += " shows " + std::string(Name(*emission.reader_result));
      if (emission.answered) text += " answers " + std::to_string(*emission.answered);
      if (const auto refusal = machine.Refusal(state, emission.action)) {
        text += " refused: " + std::string(refusal->conjunct);
        refused = true;
      } else {
        machine.Apply(state, emission.action, changes);
      }
      actions.push_back(std::move(text));
    }
    if (!actions.empty() && !refused) ExpectConformance();
    return actions;
  }
  void ExpectConformance() const {
    const ObservedLog& observed = refinement.observed();
    EXPECT_TRUE(observed.index == state.log_index);
    EXPECT_EQ(observed.counter, state.sequence_counter);
    EXPECT_EQ(observed.log_state, state.log_state);
    EXPECT_EQ(observed.cursor, state.compaction_cursor);
    EXPECT_EQ(observed.round, state.compact_round);
  }

  sim::OperationId operations_ = 0;
  std::vector<sim::OperationId> latest_ = std::vector<sim::OperationId>(kF1 + 1);  // by node
};

}  // namespace lockstep::protocol::leaderless_log
