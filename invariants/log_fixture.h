// LogFixture: a log and one step of it, built by hand, for the oracles' tests.
//
//   LogFixture log;
//   log.AppendAcknowledged(1, 2);          // history
//   log.BeginStep();
//   log.DeleteEntry(2);                    // the step
//   EXPECT_THAT(OneEffectiveEntry(log.Step()), Breaks("OneEffectiveEntry"));
//
// The spec's side (state, changes) and the store's side (records, objects, observed) are set
// separately, so that a test can make them differ. Nothing here asks whether a step is allowed.
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// For failure messages.
std::ostream& operator<<(std::ostream& out, const Violation& violation);

/// What every violation must have: a registered name and its kind, a sentence, and facts with the
/// same names on both sides, of which at least one differs. Empty when it has, else what it lacks.
[[nodiscard]] std::string Shortcoming(const Violation& violation);

MATCHER(Holds, "holds") { return !arg.has_value(); }

MATCHER_P(Breaks, property, "breaks " + std::string(property)) {
  if (!arg) return false;
  const std::string shortcoming = Shortcoming(*arg);
  *result_listener << shortcoming;
  return arg->property == property && shortcoming.empty();
}

[[nodiscard]] inline protocol::leaderless_log::Entry Wal(std::int64_t count) {
  return {protocol::leaderless_log::EntryType::WAL, count};
}
[[nodiscard]] inline protocol::leaderless_log::Entry Compacted(std::int64_t count) {
  return {protocol::leaderless_log::EntryType::COMPACTED, count};
}

class LogFixture {
 public:
  /// An empty log without bounds: writers w1, w2 and w3, batches up to 4, rounds 1..4 and 5..8.
  LogFixture();
  LogFixture(const LogFixture&) = delete;
  LogFixture& operator=(const LogFixture&) = delete;

  /// Forgets what changed so far: it is history, and the next step begins.
  void BeginStep();
  /// The step since then.
  [[nodiscard]] protocol::leaderless_log::LogStep Step() const;

  // The spec's side.
  protocol::leaderless_log::Constants constants;
  protocol::leaderless_log::Machine machine;
  protocol::leaderless_log::State state;
  protocol::leaderless_log::Changes changes;
  std::optional<protocol::leaderless_log::Action> action;

  void Take(const protocol::leaderless_log::Action& taken);  ///< whatever its guard says
  void SetSpecEntry(protocol::leaderless_log::Offset key, protocol::leaderless_log::Entry entry);
  void SetSpecCounter(protocol::leaderless_log::Offset counter);
  void SetSpecLogState(protocol::leaderless_log::LogState log_state);
  void SetSpecCursor(protocol::leaderless_log::Offset cursor);
  void SetSpecCompactor(protocol::leaderless_log::CompactorState compactor_state);
  void SetSpecRound(std::int64_t round);
  void SetSpecWriter(protocol::leaderless_log::WriterIndex index,
                     const protocol::leaderless_log::Writer& writer);

  // The store's side.
  protocol::leaderless_log::ObservedLog observed;
  protocol::leaderless_log::ObservedChanges observed_changes;
  sim::StoreModel store;
  sim::ObjectStore objects;
  protocol::leaderless_log::ObjectReferences references;

  void PutObject(const std::string& key, const std::string& bytes);
  void DeleteObject(const std::string& key);
  void PutEntry(protocol::leaderless_log::Offset key, protocol::leaderless_log::Entry entry,
                const std::string& object);
  void DeleteEntry(protocol::leaderless_log::Offset key);
  void SetCounter(protocol::leaderless_log::Offset counter);
  void SetCursor(protocol::leaderless_log::Offset cursor);
  void SetLogState(protocol::leaderless_log::LogState log_state);
  void SetRound(std::int64_t round);
  /// Writes any record, without a change of the observed log.
  void PutRecord(const std::string& key, const std::string& value);

  // The clients' side.
  protocol::leaderless_log::Ledger ledger;

  void Assign(protocol::leaderless_log::OperationId operation, protocol::leaderless_log::Offset end,
              std::int64_t count);
  void Acknowledge(protocol::leaderless_log::OperationId operation,
                   protocol::leaderless_log::Offset end, std::int64_t count);
  void AnswerRead(const protocol::leaderless_log::ReadAnswer& answer);
  void AnswerFence(const protocol::leaderless_log::FenceAnswer& answer);
  /// The version of the record log/state.
  [[nodiscard]] std::int64_t StateVersion() const;

  // Whole stories, on the store's side: object, entry, counter, assignment.
  /// Returns the end offset.
  protocol::leaderless_log::Offset Append(protocol::leaderless_log::OperationId operation,
                                          std::int64_t count);
  protocol::leaderless_log::Offset AppendAcknowledged(
      protocol::leaderless_log::OperationId operation, std::int64_t count);
  /// The three compaction steps, in their order.
  void WriteCompacted(const protocol::leaderless_log::Range& range);
  void DeleteOld(const protocol::leaderless_log::Range& range);
  void MoveCursor(const protocol::leaderless_log::Range& range);
  void Compact(const protocol::leaderless_log::Range& range);

  /// The records of an append, as an object has them.
  [[nodiscard]] static std::string RecordsOf(protocol::leaderless_log::OperationId operation,
                                             std::int64_t count);
  /// The records assigned to a range, as a compacted object has them.
  [[nodiscard]] std::string RecordsOf(const protocol::leaderless_log::Range& range) const;

 private:
  void PutSettled(std::string_view key, std::int64_t number);
  void SetEntry(protocol::leaderless_log::Offset key, protocol::leaderless_log::Entry entry);
  void DropReference(protocol::leaderless_log::Offset key);

  protocol::leaderless_log::StepNumber number_ = 1;
  std::optional<protocol::leaderless_log::Assignment> assignment_;
  std::optional<protocol::leaderless_log::Acknowledgement> acknowledgement_;
  std::optional<protocol::leaderless_log::ReadAnswer> read_answer_;
  std::optional<protocol::leaderless_log::FenceAnswer> fence_answer_;
};

}  // namespace lockstep::invariants
