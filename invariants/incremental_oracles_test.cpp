// Goal: the stronger oracles look only at what a step changed, and miss nothing by it.
//
// Method: random histories of a log, good steps and bad ones. After each step an oracle's verdict
// is compared with a slow check of the whole log that is plainly the property, as long as that held
// before the step. Counts at the end show that each was broken on the way.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "invariants/acknowledged_records_readable.h"
#include "invariants/completed_rounds_persist.h"
#include "invariants/cursor_behind_compaction.h"
#include "invariants/entries_nest_whole.h"
#include "invariants/entries_point_to_data.h"
#include "invariants/log_fixture.h"
#include "invariants/log_registry.h"
#include "invariants/one_effective_entry.h"
#include "protocol/leaderless_log/log_layout.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Assignment;
using protocol::leaderless_log::DecodeIndexValue;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::IndexKey;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::OperationId;
using protocol::leaderless_log::Range;
using protocol::leaderless_log::RecordAt;
using protocol::leaderless_log::RecordBytes;

constexpr Offset kHigh = 24;

bool Covers(Offset key, const Entry& entry, Offset offset) {
  return entry.type != EntryType::EMPTY && key - entry.msg_count < offset && offset <= key;
}

Offset Ceiling(const LogFixture& log, Offset offset) {
  for (Offset key = offset; key <= kHigh; ++key) {
    if (log.observed.index.At(key).type != EntryType::EMPTY) return key;
  }
  return 0;
}

bool IsRead(const LogFixture& log, Offset offset, OperationId operation, std::int64_t i) {
  const Offset key = Ceiling(log, offset);
  if (key == 0 || !Covers(key, log.observed.index.At(key), offset)) return false;
  const auto value = DecodeIndexValue(log.store.Find(IndexKey(key))->value);
  const std::string* object = log.objects.Find(value->object);
  if (object == nullptr) return false;
  return RecordAt(*object, offset - (key - value->entry.msg_count)) == RecordBytes(operation, i);
}

/// The first promise about each offset, and the one that was made just now.
bool EveryAcknowledgedRecordIsRead(const LogFixture& log) {
  for (Offset offset = 1; offset <= kHigh; ++offset) {
    const OperationId operation = log.ledger.AcknowledgedAt(offset);
    if (operation == 0) continue;
    if (!IsRead(log, offset, operation, log.ledger.RecordAcknowledgedAt(offset))) return false;
  }
  const auto* ack = log.Step().acknowledgement;
  if (ack == nullptr) return true;
  for (std::int64_t i = 1; i <= ack->count; ++i) {
    if (!IsRead(log, ack->end - ack->count + i, ack->operation, i)) return false;
  }
  return true;
}

bool EveryCommittedOffsetIsCovered(const LogFixture& log) {
  for (Offset offset = 1; offset < log.observed.counter; ++offset) {
    const Offset key = Ceiling(log, offset);
    if (key == 0 || !Covers(key, log.observed.index.At(key), offset)) return false;
  }
  return true;
}

bool EveryOffsetBelowTheCursorIsCompacted(const LogFixture& log) {
  for (Offset offset = 1; offset < log.observed.cursor; ++offset) {
    const Offset key = Ceiling(log, offset);
    if (key == 0 || !Covers(key, log.observed.index.At(key), offset)) return false;
    if (log.observed.index.At(key).type != EntryType::COMPACTED) return false;
  }
  const auto& before = log.observed_changes.cursor;
  return !before || *before <= log.observed.cursor;
}

bool EveryObjectExists(const LogFixture& log) {
  for (Offset key = 1; key <= kHigh; ++key) {
    const sim::Record* record = log.store.Find(IndexKey(key));
    if (record == nullptr) continue;
    if (log.objects.Find(DecodeIndexValue(record->value)->object) == nullptr) return false;
  }
  return true;
}

bool EveryEntryNests(const LogFixture& log) {
  for (Offset outer = 1; outer <= kHigh; ++outer) {
    const Entry compacted = log.observed.index.At(outer);
    if (compacted.type != EntryType::COMPACTED) continue;
    for (Offset key = 1; key <= kHigh; ++key) {
      const Entry entry = log.observed.index.At(key);
      if (key == outer || entry.type == EntryType::EMPTY) continue;
      const Offset begin = key - entry.msg_count + 1;
      const Offset outer_begin = outer - compacted.msg_count + 1;
      if (key < outer_begin || begin > outer) continue;
      const bool inside = outer_begin <= begin && key <= outer;
      const bool allowed = entry.type == EntryType::WAL && log.observed.cursor <= outer;
      if (!inside || !allowed) return false;
    }
  }
  return true;
}

bool EveryCompletedRoundIsThere(const LogFixture& log) {
  for (const Range& range : log.ledger.completed()) {
    if (log.observed.index.At(range.end) != Compacted(range.end - range.start + 1)) return false;
  }
  return true;
}

struct Pair {
  std::string_view name;
  LogStepCheck oracle;
  bool (*whole)(const LogFixture&);
};

/// CompletedRoundsPersist is the last one.
constexpr std::array kPairs{
    Pair{"AcknowledgedRecordsReadable", AcknowledgedRecordsReadable, EveryAcknowledgedRecordIsRead},
    Pair{"OneEffectiveEntry", OneEffectiveEntry, EveryCommittedOffsetIsCovered},
    Pair{"CursorBehindCompaction", CursorBehindCompaction, EveryOffsetBelowTheCursorIsCompacted},
    Pair{"EntriesPointToData", EntriesPointToData, EveryObjectExists},
    Pair{"EntriesNestWhole", EntriesNestWhole, EveryEntryNests},
    Pair{"CompletedRoundsPersist", CompletedRoundsPersist, EveryCompletedRoundIsThere},
};

/// A log that lives as the protocol says, most of the time.
class History {
 public:
  LogFixture log;

  void Step(std::uint32_t number) {
    log.BeginStep();
    const auto argument = static_cast<std::int64_t>(number / 16);
    switch (number % 16) {
      case 0:
        return Corrupt(argument);
      case 1:
      case 2:
      case 3:
      case 4:
        return Append(1 + argument % 3);
      case 5:
      case 6:
      case 7:
        return Acknowledge(argument);
      default:
        return Compact(argument);
    }
  }

 private:
  void Append(std::int64_t count) {
    if (log.observed.counter + count > kHigh) return;
    log.Append(++operations_, count);
  }

  void Acknowledge(std::int64_t argument) {
    if (operations_ == 0) return;
    const auto operation = 1 + static_cast<OperationId>(argument) % operations_;
    const Assignment& assignment = *log.ledger.AssignmentOf(operation);
    log.Acknowledge(operation, assignment.end, assignment.count);
  }

  /// The next step of the compaction under way; begins one that ends with an entry.
  void Compact(std::int64_t argument) {
    if (phase_ == 0) {
      const Offset end = Ceiling(log, log.observed.cursor + argument % 6);
      if (end == 0 || end >= log.observed.counter) return;
      range_ = {log.observed.cursor, end};
      log.WriteCompacted(range_);
    } else if (phase_ == 1) {
      log.DeleteOld(range_);
    } else {
      log.MoveCursor(range_);
    }
    phase_ = (phase_ + 1) % 3;
  }

  void Corrupt(std::int64_t argument) {
    const Offset key = 1 + argument / 8 % (kHigh - 1);
    const std::int64_t count = 1 + argument / 256 % 5;
    const std::string object = fmt::format("wal/{}", 1 + argument / 8 % 6);
    switch (argument % 8) {
      case 0:
        return log.DeleteEntry(key);
      case 1:
        return log.PutEntry(key, Wal(count), object);
      case 2:
        return log.PutEntry(key, Compacted(count), object);
      case 3:
        return log.DeleteObject(object);
      case 4:
        return log.PutObject(object, LogFixture::RecordsOf(operations_ + 1, count));
      case 5:
        return log.SetCursor(key);
      case 6:
        return log.SetCounter(key);
      default:
        return log.DeleteOld({key, key + count});
    }
  }

  OperationId operations_ = 0;
  Range range_;
  int phase_ = 0;
};

TEST(IncrementalOracles, RejectWhatTheWholeLogShows) {
  std::map<std::string_view, int> broken;
  const bool agree = rc::check("an oracle and the whole log agree", [&] {
    const auto numbers = *rc::gen::scale(
        4.0, rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 1U << 16U)));
    History history;
    std::array<bool, kPairs.size()> held{};
    held.fill(true);
    for (const std::uint32_t number : numbers) {
      history.Step(number);
      // Completed ranges ascend only as long as the cursor never goes back.
      const auto& cursor = history.log.observed_changes.cursor;
      if (cursor && *cursor > history.log.observed.cursor) held.back() = false;
      for (std::size_t i = 0; i < kPairs.size(); ++i) {
        if (!held.at(i)) continue;
        held.at(i) = kPairs.at(i).whole(history.log);
        if (!held.at(i)) ++broken[kPairs.at(i).name];
        RC_LOG() << kPairs.at(i).name << ", the whole log: " << held.at(i) << '\n';
        RC_ASSERT(kPairs.at(i).oracle(history.log.Step()).has_value() == !held.at(i));
      }
    }
  });
  EXPECT_TRUE(agree);
  for (const Pair& pair : kPairs) EXPECT_GT(broken[pair.name], 0) << pair.name;
}

}  // namespace
}  // namespace lockstep::invariants
