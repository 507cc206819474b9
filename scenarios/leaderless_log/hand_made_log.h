// HandMadeLog: a LogChecker and a store, driven by hand, event by event, for this folder's tests.
//
//   HandMadeLog log;
//   log.Append(kW1, 2);              // as a correct writer does it
//   log.Commit(kC1, request);        // any request at all, applied and shown to the checker
//   EXPECT_EQ(log.Broken(), "UndeclaredChange");
//
// The world's own nodes only stand there: they have started and have nothing to do, so that
// whatever happens is what the test says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/leaderless_log/log_checker.h"
#include "scenarios/leaderless_log/log_setup.h"
#include "scenarios/leaderless_log/log_situation.h"
#include "scenarios/scenario.h"
#include "sim/choice/replay_choices.h"
#include "sim/fault/fault_injector.h"
#include "sim/fiber/stack_pool.h"
#include "sim/world/world.h"

namespace lockstep::scenarios {

inline constexpr sim::NodeId kW1 = 0;
inline constexpr sim::NodeId kW2 = 1;
inline constexpr sim::NodeId kR1 = 2;
inline constexpr sim::NodeId kC1 = 3;
inline constexpr sim::NodeId kC2 = 4;
inline constexpr sim::NodeId kF1 = 5;

class HandMadeLog {
 public:
  using Offset = protocol::leaderless_log::Offset;
  using Operation = protocol::leaderless_log::ClientOperation;
  using Range = protocol::leaderless_log::Range;
  using PlanPhase = protocol::leaderless_log::PlanPhase;

  /// No bounds, rounds chosen on the way, and a compactor may go on behind another.
  static LogSetup OpenSetup() {
    LogSetup setup;
    setup.constants.max_batch = 4;
    setup.constants.dialect.rounds = true;
    setup.constants.dialect.compaction_resume = true;
    return setup;
  }

  explicit HandMadeLog(LogSetup setup = OpenSetup())
      : setup_(std::move(setup)),
        choices_({}),
        faults_(sim::FaultPlan{}, choices_),
        checker_(setup_, true),
        world_(setup_.world, stacks_, choices_, faults_, quiet_) {
    checker_.Watch(world_);
    AddNode("w1", true);
    AddNode("w2", true);
    AddNode("r1", true);
    AddNode("c1", false);
    AddNode("c2", false);
    AddNode("f1", false);
    while (world_.Step()) continue;  // Every node starts.
    std::vector<sim::Mutation> mutations;
    world_.store().Handle(sim::Txn({}, {sim::Put(Key(protocol::leaderless_log::kStateKey), "OPEN"),
                                        sim::Put(Key(protocol::leaderless_log::kCounterKey), "1"),
                                        sim::Put(Key(protocol::leaderless_log::kCursorKey), "1")}),
                          0, mutations);
  }

  LogChecker& checker() { return checker_; }
  [[nodiscard]] std::string Broken() const {
    return checker_.failure() ? checker_.failure()->violation.property : "";
  }
  /// Why the step is none of the spec's; empty when it is one.
  [[nodiscard]] std::string Refused() const {
    return checker_.failure() && checker_.failure()->conformance
               ? checker_.failure()->conformance->property
               : "";
  }

  // ---- Events

  sim::OperationId Invoke(sim::NodeId node, Operation kind, std::int64_t argument = 0) {
    const sim::OperationId operation = checker_.Invoke(node, kind, argument);
    operations_[node] = operation;
    return operation;
  }

  /// A request as it arrives. `dead`: its sender's incarnation has ended.
  struct Arrival {
    std::uint32_t others_in_flight = 0;
    bool awaited = true;
    bool dead = false;
  };

  sim::StoreResponse Commit(sim::NodeId node, const sim::StoreRequest& request) {
    return Commit(node, request, Arrival());
  }
  sim::StoreResponse Commit(sim::NodeId node, const sim::StoreRequest& request, Arrival arrival) {
    std::vector<sim::Mutation> mutations;
    const sim::StoreResponse response = world_.store().Handle(request, world_.now(), mutations);
    checker_.On({.kind = sim::WorldEventKind::kApply,
                 .node = node,
                 .incarnation = arrival.dead ? 99U : 1U,
                 .message = ++messages_,
                 .operation = operations_[node],
                 .store_request = &request,
                 .store_response = &response,
                 .mutations = &mutations,
                 .others_in_flight = arrival.others_in_flight,
                 .awaited = arrival.awaited && !arrival.dead});
    return response;
  }

  void Objects(sim::NodeId node, const sim::ObjectRequest& request) {
    const sim::ObjectResponse response = world_.objects().Handle(request);
    ShowObjects(node, request, response);
  }
  void FailObjects(sim::NodeId node, const sim::ObjectRequest& request) {
    ShowObjects(node, request, {sim::ObjectStatus::kFailed, {}});
  }

  void Happen(sim::WorldEventKind kind, sim::NodeId node) {
    checker_.On({.kind = kind, .node = node, .incarnation = 1, .operation = operations_[node]});
  }
  /// A request goes out; nothing is applied yet.
  void Send(sim::NodeId node, const sim::StoreRequest& request) {
    checker_.On({.kind = sim::WorldEventKind::kSend,
                 .node = node,
                 .incarnation = 1,
                 .message = ++messages_,
                 .operation = operations_[node],
                 .store_request = &request});
  }

  // ---- Appends

  /// Invoked, and the log's state read: StartAppend.
  sim::OperationId StartAppend(sim::NodeId node, std::int64_t count) {
    const sim::OperationId operation = Invoke(node, Operation::kAppend, count);
    ReadLog(node);
    return operation;
  }
  void ReadLog(sim::NodeId node) {
    Commit(node, sim::Txn({}, {sim::Get(Key(protocol::leaderless_log::kStateKey)),
                               sim::Get(Key(protocol::leaderless_log::kCounterKey))}));
  }
  static sim::ObjectRequest WalObject(sim::OperationId operation, std::int64_t count) {
    std::string bytes;
    for (std::int64_t i = 1; i <= count; ++i) {
      protocol::leaderless_log::AppendRecord(bytes,
                                             protocol::leaderless_log::RecordBytes(operation, i));
    }
    return {sim::ObjectOperation::kPutObject, "wal/" + std::to_string(operation), bytes};
  }
  /// The transaction of a correct writer, at the counter's present value.
  [[nodiscard]] sim::StoreRequest AssignRequest(sim::OperationId operation,
                                                std::int64_t count) const {
    const Offset end = checker_.NextOffset() + count - 1;
    const std::string token = std::to_string(operation);
    const protocol::leaderless_log::IndexValue value{
        {protocol::leaderless_log::EntryType::WAL, count}, "wal/" + token, token};
    return sim::Txn({sim::ValueIs(Key(protocol::leaderless_log::kStateKey), "OPEN")},
                    {sim::Put(Key(protocol::leaderless_log::kCounterKey), std::to_string(end + 1)),
                     sim::ConditionalCreate(protocol::leaderless_log::IndexKey(end),
                                            protocol::leaderless_log::EncodeIndexValue(value)),
                     sim::Put(protocol::leaderless_log::AppendKey(token), std::to_string(end))});
  }
  static sim::StoreRequest WithdrawRequest(sim::OperationId operation) {
    const std::string key = protocol::leaderless_log::AppendKey(std::to_string(operation));
    return sim::Txn({sim::Absent(key)}, {sim::Put(key, Key(protocol::leaderless_log::kWithdrawn))});
  }
  void Answer(sim::NodeId node, sim::OperationId operation, std::int64_t count,
              protocol::leaderless_log::AppendStatus status, Offset end = 0) {
    checker_.AnswerAppend(node, operation, count, {status, end});
  }
  /// All of it up to the object in place: the writer is ASSIGNING_OFFSET.
  sim::OperationId AppendUpToAssign(sim::NodeId node, std::int64_t count) {
    const sim::OperationId operation = StartAppend(node, count);
    Objects(node, WalObject(operation, count));
    return operation;
  }
  /// All of it; the end offset.
  Offset Append(sim::NodeId node, std::int64_t count) {
    const sim::OperationId operation = AppendUpToAssign(node, count);
    const Offset end = checker_.NextOffset() + count - 1;
    Commit(node, AssignRequest(operation, count));
    Answer(node, operation, count, protocol::leaderless_log::AppendStatus::kAppended, end);
    return end;
  }

  // ---- Fences and reads

  void SetLogState(sim::NodeId node, std::string_view from, std::string_view to) {
    Commit(node, sim::Single(sim::CompareAndSet(Key(protocol::leaderless_log::kStateKey), Key(from),
                                                Key(to))));
  }
  void Fence() {
    Invoke(kF1, Operation::kFence);
    SetLogState(kF1, "OPEN", "FENCED");
  }
  void Unfence() {
    Invoke(kF1, Operation::kUnfence);
    SetLogState(kF1, "FENCED", "OPEN");
  }
  /// Invoked, and the index looked up: ReadEntry.
  sim::OperationId Lookup(sim::NodeId node, Offset offset) {
    const sim::OperationId operation = Invoke(node, Operation::kRead, offset);
    Commit(node, sim::Single(sim::CeilingGet(protocol::leaderless_log::IndexKey(offset))));
    return operation;
  }

  // ---- Compaction

  [[nodiscard]] sim::StoreRequest PlanRequest(PlanPhase phase, Range range, std::int64_t round,
                                              std::string_view claimant,
                                              std::vector<sim::Operation> operations = {}) const {
    const bool held = phase != PlanPhase::kIdle && phase != PlanPhase::kComplete;
    operations.push_back(
        sim::Put(Key(protocol::leaderless_log::kPlanKey),
                 protocol::leaderless_log::EncodePlan(
                     {round, phase, held ? range : Range{}, held ? Key(claimant) : "-"})));
    return sim::Txn({}, std::move(operations));
  }
  /// Claimed and validated: CompactStart.
  void StartCompaction(Range range, std::int64_t round = 1) {
    Invoke(kC1, Operation::kCompact);
    Commit(kC1, PlanRequest(PlanPhase::kWriting, range, round, "c1"));
    for (Offset next = range.start; next <= range.end;) {
      const sim::StoreResponse found =
          Commit(kC1, sim::Single(sim::CeilingGet(protocol::leaderless_log::IndexKey(next))));
      next =
          protocol::leaderless_log::OffsetOfIndexKey(found.results[0].key).value_or(range.end) + 1;
    }
  }
  /// The merged object and its entry: CompactWriteCompactedIndex.
  void WriteCompacted(Range range, std::int64_t round = 1) {
    std::string bytes;
    for (const auto& [operation, i] : RecordsOf(range)) {
      protocol::leaderless_log::AppendRecord(bytes,
                                             protocol::leaderless_log::RecordBytes(operation, i));
    }
    const std::string object = "compacted/" + std::to_string(round);
    Objects(kC1, {sim::ObjectOperation::kPutObject, object, bytes});
    const protocol::leaderless_log::IndexValue value{
        {protocol::leaderless_log::EntryType::COMPACTED, range.end - range.start + 1}, object, "-"};
    Commit(kC1, PlanRequest(PlanPhase::kDeleting, range, round, "c1",
                            {sim::Put(protocol::leaderless_log::IndexKey(range.end),
                                      protocol::leaderless_log::EncodeIndexValue(value))}));
  }
  void DeleteOld(Range range, std::int64_t round = 1) {
    Commit(kC1, PlanRequest(PlanPhase::kCursor, range, round, "c1",
                            {sim::RangeDelete(protocol::leaderless_log::IndexKey(range.start),
                                              protocol::leaderless_log::IndexKey(range.end))}));
  }
  void MoveCursor(Range range, std::int64_t round = 1) {
    Commit(kC1, PlanRequest(PlanPhase::kDone, range, round, "c1",
                            {sim::Put(Key(protocol::leaderless_log::kCursorKey),
                                      std::to_string(range.end + 1))}));
  }
  void CloseRound(std::int64_t round = 1) {
    Commit(kC1, PlanRequest(PlanPhase::kIdle, {}, round + 1, "-"));
    checker_.AnswerCompact(kC1, operations_[kC1],
                           protocol::leaderless_log::CompactStatus::kCompacted);
  }
  void Compact(Range range, std::int64_t round = 1) {
    StartCompaction(range, round);
    WriteCompacted(range, round);
    DeleteOld(range, round);
    MoveCursor(range, round);
    CloseRound(round);
  }

  // ---- The outcome

  /// Ends the run; nothing may happen any more.
  RunResult Finish() {
    scenario_.name = "by_hand";
    scenario_.spec = "LeaderlessLog";
    for (std::size_t i = 0; i < kLogSituations; ++i) {
      scenario_.must_reach.push_back(LogSituationName(static_cast<LogSituation>(i)));
    }
    for (std::size_t i = 0; i < protocol::leaderless_log::kActionKinds; ++i) {
      scenario_.actions.push_back(Name(static_cast<protocol::leaderless_log::ActionKind>(i)));
    }
    RunSpec spec;
    spec.scenario = &scenario_;
    spec.record_trace = true;
    RunResult result;
    checker_.Finish(spec, result);
    return result;
  }

 private:
  class Nobody : public sim::WorldObserver {
    void On(const sim::WorldEvent&) override {}
  };

  static std::string Key(std::string_view key) { return std::string(key); }

  void AddNode(const std::string& name, bool is_writer) {
    const sim::NodeId node = world_.AddNode(name, [](sim::NodeContext&) {});
    checker_.AddNode(node, name, is_writer);
    operations_.push_back(0);
  }

  void ShowObjects(sim::NodeId node, const sim::ObjectRequest& request,
                   const sim::ObjectResponse& response) {
    checker_.On({.kind = sim::WorldEventKind::kApply,
                 .node = node,
                 .incarnation = 1,
                 .message = ++messages_,
                 .operation = operations_[node],
                 .object_request = &request,
                 .object_response = &response,
                 .awaited = true});
  }

  /// Which records lie at the range's offsets, by the WAL entries there.
  [[nodiscard]] std::vector<std::pair<sim::OperationId, std::int64_t>> RecordsOf(
      Range range) const {
    std::vector<std::pair<sim::OperationId, std::int64_t>> records;
    for (Offset end = range.start; end <= range.end; ++end) {
      const sim::Record* record =
          world_.store().model().Find(protocol::leaderless_log::IndexKey(end));
      if (record == nullptr) continue;
      const auto value = protocol::leaderless_log::DecodeIndexValue(record->value);
      if (!value) continue;
      const auto operation = protocol::leaderless_log::ParseDecimal(value->token).value_or(0);
      for (std::int64_t i = 1; i <= value->entry.msg_count; ++i) {
        records.emplace_back(static_cast<sim::OperationId>(operation), i);
      }
    }
    return records;
  }

  LogSetup setup_;
  Scenario scenario_;
  sim::StackPool stacks_;
  sim::ReplayChoices choices_;
  sim::FaultInjector faults_;
  Nobody quiet_;
  LogChecker checker_;
  sim::World world_;
  std::vector<sim::OperationId> operations_;  // by node: the latest
  sim::MessageId messages_ = 0;
};

}  // namespace lockstep::scenarios
