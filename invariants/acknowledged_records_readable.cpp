#include "invariants/acknowledged_records_readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "invariants/index_lookup.h"
#include "invariants/store_lookup.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Acknowledgement;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::OperationId;

/// A record: which one of which append. Operation 0 = none that anybody was promised.
struct Promise {
  OperationId operation = 0;
  std::int64_t record = 0;
};

/// Reads offset after offset, in any order, fastest in ascending order.
class Reading {
 public:
  explicit Reading(const LogStep& step) : step_(step) {}

  /// Every promised record of first..last. `promise_of` says what was promised at an offset.
  template <typename PromiseOf>
  std::optional<Violation> Check(Offset first, Offset last, PromiseOf&& promise_of) {
    for (Offset offset = std::max<Offset>(first, 1); offset <= last; ++offset) {
      const Promise promise = promise_of(offset);
      if (promise.operation == 0) continue;
      if (auto violation = CheckRecord(offset, promise)) return violation;
    }
    return std::nullopt;
  }

 private:
  std::optional<Violation> CheckRecord(Offset offset, const Promise& promise) {
    LookUp(offset);
    if (!found_) return Unreadable(offset, promise, "no index entry is at or above it");
    const Offset begin = BeginOf(found_->key, found_->entry);
    if (IsEmpty(found_->entry)) {
      return Unreadable(offset, promise,
                        fmt::format("the index record at {} is malformed", found_->key));
    }
    if (begin > offset) {
      return Unreadable(
          offset, promise,
          fmt::format("a lookup finds {}", DescribeEntry(found_->key, found_->entry)));
    }
    if (bytes_ == nullptr) {
      return Unreadable(offset, promise, fmt::format("object {} does not exist", found_->object));
    }
    const auto record = walker_.At(*bytes_, offset - begin + 1);
    if (!record) {
      return Unreadable(
          offset, promise,
          fmt::format("object {} has no record {}", found_->object, offset - begin + 1));
    }
    if (*record == protocol::leaderless_log::RecordBytes(promise.operation, promise.record)) {
      return std::nullopt;
    }
    return Unreadable(offset, promise, fmt::format("object {} holds other bytes", found_->object),
                      *record);
  }

  /// The entry with the smallest key at or above `offset`. Nothing lies between the last offset
  /// that was looked up and what it found, so an offset in there finds the same.
  void LookUp(Offset offset) {
    if (found_ && offset >= looked_up_ && offset <= found_->key) return;
    looked_up_ = offset;
    found_ = CeilingRecord(step_.store, offset);
    bytes_ = found_ ? step_.objects.Find(found_->object) : nullptr;
  }

  static Violation Unreadable(Offset offset, const Promise& promise, const std::string& why,
                              std::string_view bytes = {}) {
    const std::string expected =
        protocol::leaderless_log::RecordBytes(promise.operation, promise.record);
    return SafetyViolation(
        "AcknowledgedRecordsReadable",
        fmt::format("record {} of append {} was acknowledged at offset {} and cannot be read: {}",
                    promise.record, promise.operation, offset, why),
        {{fmt::format("read({})", offset), Text(expected), Text(bytes)}});
  }

  const LogStep& step_;
  std::optional<IndexRecord> found_;
  Offset looked_up_ = 0;
  const std::string* bytes_ = nullptr;
  RecordWalker walker_;
};

std::optional<Violation> CheckAcknowledgement(const LogStep& step, Reading& reading) {
  const Acknowledgement& ack = *step.acknowledgement;
  const Offset begin = ack.end - ack.count + 1;
  return reading.Check(begin, ack.end, [&](Offset offset) {
    return Promise{ack.operation, offset - begin + 1};
  });
}

/// What the index entries that refer to an object have to give to their readers.
template <typename PromiseOf>
std::optional<Violation> CheckObject(const LogStep& step, const std::string& key, Reading& reading,
                                     PromiseOf&& promise_of) {
  const auto [first, last] = step.references.equal_range(key);
  for (auto reference = first; reference != last; ++reference) {
    const Offset end = reference->second;
    const Offset below = PreviousEntry(step.observed.index, end, 0);
    if (auto violation = reading.Check(below + 1, end, promise_of)) return violation;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Violation> AcknowledgedRecordsReadable(const LogStep& step) {
  const auto& seen = step.observed_changes;
  const bool touches_records =
      !seen.index.empty() || !seen.objects_deleted.empty() || !seen.objects_written.empty();
  if (!touches_records && step.acknowledgement == nullptr) return std::nullopt;
  Reading reading(step);
  const auto promise_of = [&step](Offset offset) {
    return Promise{step.ledger.AcknowledgedAt(offset), step.ledger.RecordAcknowledgedAt(offset)};
  };
  if (step.acknowledgement != nullptr) {
    if (auto violation = CheckAcknowledgement(step, reading)) return violation;
  }
  auto touched = CheckTouched(step.observed.index, seen.index, [&](Offset first, Offset last) {
    return reading.Check(first, std::min(last, step.ledger.highest_acknowledged()), promise_of);
  });
  if (touched) return touched;
  for (const std::string& key : seen.objects_deleted) {
    if (auto violation = CheckObject(step, key, reading, promise_of)) return violation;
  }
  for (const std::string& key : seen.objects_written) {
    if (auto violation = CheckObject(step, key, reading, promise_of)) return violation;
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants
