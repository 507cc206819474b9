#include "invariants/log_fixture.h"

#include <fmt/format.h>

#include <algorithm>

#include "invariants/log_registry.h"
#include "invariants/store_lookup.h"
#include "protocol/leaderless_log/log_layout.h"

namespace lockstep::invariants {

using protocol::leaderless_log::Acknowledgement;
using protocol::leaderless_log::Action;
using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::FenceAnswer;
using protocol::leaderless_log::IndexKey;
using protocol::leaderless_log::LogState;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::OperationId;
using protocol::leaderless_log::Range;
using protocol::leaderless_log::ReadAnswer;
using protocol::leaderless_log::Writer;
using protocol::leaderless_log::WriterIndex;

std::ostream& operator<<(std::ostream& out, const Violation& violation) {
  return out << violation.property << ": " << violation.message << ", expected "
             << violation.expected.ToJson() << ", actual " << violation.actual.ToJson();
}

std::string Shortcoming(const Violation& violation) {
  const LogProperty* property = FindLogProperty(violation.property);
  if (property == nullptr) return "the property is not registered";
  if (property->kind != violation.kind) return "the kind is not the registered one";
  if (violation.message.empty()) return "no message";
  const auto& expected = violation.expected.AsFields();
  const auto& actual = violation.actual.AsFields();
  const bool same_names =
      std::equal(expected.begin(), expected.end(), actual.begin(), actual.end(),
                 [](const auto& wanted, const auto& found) { return wanted.first == found.first; });
  if (expected.empty() || !same_names) return "expected and actual do not have the same facts";
  if (violation.expected == violation.actual) return "expected and actual are equal";
  return "";
}

LogFixture::LogFixture() : machine(constants) {
  constants.writers = {"w1", "w2", "w3"};
  constants.ranges = {{1, 4}, {5, 8}};
  constants.max_batch = 4;
  state = machine.Init();
  PutRecord(std::string(protocol::leaderless_log::kStateKey), "OPEN");
}

void LogFixture::BeginStep() {
  ++number_;
  changes.Clear();
  action.reset();
  observed_changes.Clear();
  assignment_.reset();
  acknowledgement_.reset();
  read_answer_.reset();
  fence_answer_.reset();
}

LogStep LogFixture::Step() const {
  return {.machine = machine,
          .state = state,
          .changes = changes,
          .action = action,
          .observed = observed,
          .observed_changes = observed_changes,
          .ledger = ledger,
          .store = store,
          .objects = objects,
          .references = references,
          .number = number_,
          .assignment = assignment_ ? &*assignment_ : nullptr,
          .acknowledgement = acknowledgement_ ? &*acknowledgement_ : nullptr,
          .read_answer = read_answer_ ? &*read_answer_ : nullptr,
          .fence_answer = fence_answer_ ? &*fence_answer_ : nullptr};
}

// The spec's side.

void LogFixture::Take(const Action& taken) {
  action = taken;
  machine.Apply(state, taken, changes);
}

void LogFixture::SetSpecEntry(Offset key, Entry entry) {
  changes.index.push_back({key, state.log_index.At(key)});
  state.log_index.Set(key, entry);
}

void LogFixture::SetSpecCounter(Offset counter) {
  changes.sequence_counter = state.sequence_counter;
  state.sequence_counter = counter;
}

void LogFixture::SetSpecLogState(LogState log_state) {
  changes.log_state = state.log_state;
  state.log_state = log_state;
}

void LogFixture::SetSpecCursor(Offset cursor) {
  changes.compaction_cursor = state.compaction_cursor;
  state.compaction_cursor = cursor;
}

void LogFixture::SetSpecCompactor(CompactorState compactor_state) {
  changes.compactor_state = state.compactor_state;
  state.compactor_state = compactor_state;
}

void LogFixture::SetSpecRound(std::int64_t round) {
  changes.compact_round = state.compact_round;
  state.compact_round = round;
}

void LogFixture::SetSpecWriter(WriterIndex index, const Writer& writer) {
  changes.writer = {index, state.writers.at(index)};
  state.writers.at(index) = writer;
}

// The store's side.

void LogFixture::PutRecord(const std::string& key, const std::string& value) {
  std::vector<sim::Mutation> mutations;
  store.Apply(sim::Single(sim::Put(key, value)), mutations);
}

void LogFixture::PutSettled(std::string_view key, std::int64_t number) {
  PutRecord(std::string(key), std::to_string(number));
}

void LogFixture::PutObject(const std::string& key, const std::string& bytes) {
  objects.Handle({sim::ObjectOperation::kPutObject, key, bytes});
  observed_changes.objects_written.push_back(key);
}

void LogFixture::DeleteObject(const std::string& key) {
  objects.Handle({sim::ObjectOperation::kDeleteObject, key, {}});
  observed_changes.objects_deleted.push_back(key);
}

void LogFixture::DropReference(Offset key) {
  const auto record = RecordOf(store, key);
  if (!record) return;
  const auto [first, last] = references.equal_range(record->object);
  const auto at = std::find_if(first, last, [key](const auto& pair) { return pair.second == key; });
  if (at != last) references.erase(at);
}

void LogFixture::SetEntry(Offset key, Entry entry) {
  observed_changes.index.push_back({key, observed.index.At(key)});
  observed.index.Set(key, entry);
}

void LogFixture::PutEntry(Offset key, Entry entry, const std::string& object) {
  DropReference(key);
  references.emplace(object, key);
  PutRecord(IndexKey(key), protocol::leaderless_log::EncodeIndexValue({entry, object, "-"}));
  SetEntry(key, entry);
}

void LogFixture::DeleteEntry(Offset key) {
  DropReference(key);
  std::vector<sim::Mutation> mutations;
  store.Apply(sim::Single(sim::Delete(IndexKey(key))), mutations);
  SetEntry(key, Entry{});
}

void LogFixture::SetCounter(Offset counter) {
  PutSettled(protocol::leaderless_log::kCounterKey, counter);
  observed_changes.counter = observed.counter;
  observed.counter = counter;
}

void LogFixture::SetCursor(Offset cursor) {
  PutSettled(protocol::leaderless_log::kCursorKey, cursor);
  observed_changes.cursor = observed.cursor;
  observed.cursor = cursor;
}

void LogFixture::SetLogState(LogState log_state) {
  PutRecord(std::string(protocol::leaderless_log::kStateKey), std::string(Name(log_state)));
  observed_changes.log_state = observed.log_state;
  observed.log_state = log_state;
  if (log_state == LogState::FENCED) ledger.SealLog({StateVersion(), observed.counter - 1});
}

void LogFixture::SetRound(std::int64_t round) {
  observed_changes.round = observed.round;
  observed.round = round;
}

// The clients' side.

void LogFixture::Assign(OperationId operation, Offset end, std::int64_t count) {
  assignment_ = {operation, end, count, number_, observed.log_state == LogState::FENCED};
  ledger.Assign(*assignment_);
}

void LogFixture::Acknowledge(OperationId operation, Offset end, std::int64_t count) {
  acknowledgement_ = Acknowledgement{operation, end, count};
  ledger.Acknowledge(*acknowledgement_);
}

void LogFixture::AnswerRead(const ReadAnswer& answer) { read_answer_ = answer; }

void LogFixture::AnswerFence(const FenceAnswer& answer) { fence_answer_ = answer; }

std::int64_t LogFixture::StateVersion() const {
  return store.Find(protocol::leaderless_log::kStateKey)->version;
}

// Whole stories.

std::string LogFixture::RecordsOf(OperationId operation, std::int64_t count) {
  std::string bytes;
  for (std::int64_t i = 1; i <= count; ++i) {
    protocol::leaderless_log::AppendRecord(bytes,
                                           protocol::leaderless_log::RecordBytes(operation, i));
  }
  return bytes;
}

std::string LogFixture::RecordsOf(const Range& range) const {
  std::string bytes;
  for (Offset offset = range.start; offset <= range.end; ++offset) {
    protocol::leaderless_log::AppendRecord(
        bytes, protocol::leaderless_log::RecordBytes(ledger.AssignedAt(offset),
                                                     ledger.RecordAssignedAt(offset)));
  }
  return bytes;
}

Offset LogFixture::Append(OperationId operation, std::int64_t count) {
  const std::string object = fmt::format("wal/{}", operation);
  const Offset end = observed.counter + count - 1;
  PutObject(object, RecordsOf(operation, count));
  Assign(operation, end, count);
  PutEntry(end, Wal(count), object);
  SetCounter(end + 1);
  return end;
}

Offset LogFixture::AppendAcknowledged(OperationId operation, std::int64_t count) {
  const Offset end = Append(operation, count);
  Acknowledge(operation, end, count);
  return end;
}

void LogFixture::WriteCompacted(const Range& range) {
  const std::string object = fmt::format("compacted/{}", range.end);
  PutObject(object, RecordsOf(range));
  PutEntry(range.end, Compacted(range.end - range.start + 1), object);
}

void LogFixture::DeleteOld(const Range& range) {
  for (Offset key = range.start; key < range.end; ++key) {
    if (observed.index.At(key) != Entry{}) DeleteEntry(key);
  }
}

void LogFixture::MoveCursor(const Range& range) {
  ledger.CompleteRound(range);
  SetCursor(range.end + 1);
}

void LogFixture::Compact(const Range& range) {
  WriteCompacted(range);
  DeleteOld(range);
  MoveCursor(range);
}

}  // namespace lockstep::invariants
