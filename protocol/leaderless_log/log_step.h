// LogStep: everything an oracle may look at when a step of a run of the leaderless log is checked.
//
// Two states side by side: `state` is the spec's (the machine after the step), `observed` is what
// the store shows, derived from its records alone. Beside them the ledger: what was assigned,
// acknowledged and read so far. All of it is kept incrementally, so that checking a step costs the
// same with a million entries: an oracle looks at what changed, and at its neighbourhood.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "protocol/leaderless_log/log_layout.h"
#include "sim/store/object_store.h"
#include "sim/store/store_model.h"

namespace lockstep::protocol::leaderless_log {

using OperationId = std::uint64_t;  ///< number of a client operation within the run: 1, 2, ...
using StepNumber = std::int64_t;

/// The log's variables as the store's records show them; a node's own have no place here.
struct ObservedLog {
  LogIndex index;
  Offset counter = 1;
  LogState log_state = LogState::OPEN;
  Offset cursor = 1;
  std::int64_t round = 1;
  PlanPhase plan_phase = PlanPhase::kIdle;
};

/// What a step changed in ObservedLog and in the object store (values before; nothing = unchanged).
struct ObservedChanges {
  /// Every index record that was created, rewritten (also with an equal entry: its object may be
  /// another) or deleted.
  std::vector<Changes::IndexChange> index;
  std::optional<Offset> counter;
  std::optional<LogState> log_state;
  std::optional<Offset> cursor;
  std::optional<std::int64_t> round;
  std::vector<std::string> objects_written;
  std::vector<std::string> objects_deleted;
  /// A record under "log/" that the layout cannot parse or does not know; its key.
  std::optional<std::string> malformed_key;
  void Clear();
  [[nodiscard]] bool empty() const;
};

/// A WAL entry created in the index: who appended what, and where it went.
struct Assignment {
  OperationId operation = 0;
  Offset end = 0;
  std::int64_t count = 0;
  StepNumber step = 0;
  bool while_fenced = false;  ///< the store showed FENCED when it committed
};

/// An append's caller was told that it is in the log.
struct Acknowledgement {
  OperationId operation = 0;
  Offset end = 0;  ///< as answered
  std::int64_t count = 0;
};

/// A read's caller got its answer.
struct ReadAnswer {
  OperationId operation = 0;
  std::uint32_t node = 0;  ///< the reader (not its incarnation)
  Offset offset = 0;
  bool found = false;
  std::string bytes;                ///< when found
  bool must_be_found = false;       ///< acknowledged before the read was invoked
  Offset highest_found_before = 0;  ///< highest offset this reader had read before, 0 = none
};

/// A fencer's caller was told that the log is fenced and ends at `sealed_end`.
struct FenceAnswer {
  OperationId operation = 0;
  /// Which fence, as the fencer saw it: the version of the record log/state when it read FENCED
  /// there; 0 = it does not know.
  std::int64_t epoch = 0;
  Offset sealed_end = 0;
};

/// A fence that took effect: from the step that shows FENCED until one shows OPEN again.
struct Seal {
  std::int64_t epoch = 0;  ///< the version of the record log/state that made the log FENCED
  Offset end = 0;          ///< the counter - 1 at that step
};

/// History of the run, by offset and by operation. Grows with the log; look-ups are O(1).
class Ledger {
 public:
  /// Records the first assignment of every offset; later ones do not replace it.
  void Assign(const Assignment& assignment);
  void Acknowledge(const Acknowledgement& ack);
  void CompleteRound(Range range) { completed_.push_back(range); }
  /// The store shows FENCED and did not before. REQUIRES: epochs ascend (versions of one store do).
  void SealLog(const Seal& seal) { seals_.push_back(seal); }

  /// The operation that was first assigned this offset, 0 = none; and which of its records it is.
  [[nodiscard]] OperationId AssignedAt(Offset offset) const;
  [[nodiscard]] std::int64_t RecordAssignedAt(Offset offset) const;
  /// The operation first acknowledged at this offset, 0 = none; and which of its records it is.
  [[nodiscard]] OperationId AcknowledgedAt(Offset offset) const;
  [[nodiscard]] std::int64_t RecordAcknowledgedAt(Offset offset) const;
  /// First assignment of an operation, or nullptr.
  [[nodiscard]] const Assignment* AssignmentOf(OperationId operation) const;
  /// Ranges whose cursor step has been taken, in order.
  [[nodiscard]] const std::vector<Range>& completed() const { return completed_; }
  /// Every fence so far, in order; the last one lasts while the store shows FENCED.
  [[nodiscard]] const std::vector<Seal>& seals() const { return seals_; }
  /// Greatest offset ever acknowledged, 0 = none.
  [[nodiscard]] Offset highest_acknowledged() const { return highest_acknowledged_; }

 private:
  struct Owner {
    OperationId assigned = 0;
    std::int64_t assigned_record = 0;
    OperationId acknowledged = 0;
    std::int64_t acknowledged_record = 0;
  };
  Owner& At(Offset offset);

  std::vector<Owner> owners_;            // by offset
  std::vector<Assignment> assignments_;  // by operation, end 0 = none
  std::vector<Range> completed_;
  std::vector<Seal> seals_;
  Offset highest_acknowledged_ = 0;
};

/// Which index entries refer to an object: (object key, offset of an index record that names it),
/// one pair an index record. The reverse of the index.
using ObjectReferences = std::multimap<std::string, Offset, std::less<>>;

struct LogStep {
  const Machine& machine;
  const State& state;      ///< the spec's state after the step
  const Changes& changes;  ///< what the action changed in it (empty on a stutter)
  const std::optional<Action>& action;
  const ObservedLog& observed;  ///< after the step
  const ObservedChanges& observed_changes;
  const Ledger& ledger;  ///< after the step
  const sim::StoreModel& store;
  const sim::ObjectStore& objects;
  const ObjectReferences& references;  ///< after the step
  StepNumber number = 0;
  // What happened in this step beside the action; at most one of them.
  const Assignment* assignment = nullptr;  ///< already in the ledger, unless second for an offset
  const Acknowledgement* acknowledgement = nullptr;  ///< already in the ledger, likewise
  const ReadAnswer* read_answer = nullptr;
  const FenceAnswer* fence_answer = nullptr;
};

/// What is left undone when the heal phase has ended. For liveness oracles.
struct LogEnd {
  const Machine& machine;
  const State& state;
  const ObservedLog& observed;
  bool budget_spent = false;  ///< the heal phase ran out of steps; otherwise nothing was left to do
  /// Identities of living nodes whose append has not been answered.
  std::vector<WriterIndex> appends_pending;
  /// Identities of living readers whose latest read was an ERROR or is unanswered.
  std::vector<WriterIndex> reads_unsuccessful;
  /// The compaction task was asked for, and its compactor lives.
  bool compactor_lives = false;
};

}  // namespace lockstep::protocol::leaderless_log
