// The coordination store as a client sees it: requests, responses, statuses.
//
// Every request is a transaction: conditions, then operations, all or nothing; a plain operation is
// a transaction with no condition and one operation. Keys are byte strings in byte order. Versions
// come from one counter of the store, so a re-created key never gets an old version again.
// Meaning of each primitive: sim/store/README.md (reference: the Layer 0 primitives and sessions).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::sim {

using Version = std::int64_t;    ///< 1, 2, ...; 0 = none
using SessionId = std::int64_t;  ///< 1, 2, ...; 0 = none (a persistent record)
using Tick = std::int64_t;       ///< virtual time

enum class OperationKind : std::uint8_t {
  kGet,
  kPut,
  kDelete,
  kCompareAndSet,
  kAtomicIncrement,
  kConditionalCreate,
  kEphemeralRecord,
  kConditionalDelete,
  kRangeDelete,
  kCeilingGet,
  kHigherGet,
  kSequencedPut,
  kOpenSession,
  kKeepAlive,
  kCloseSession,
};
/// The primitive's name as the specification spells it: "Get", "CompareAndSet", ...
std::string_view OperationName(OperationKind kind);
/// True for an operation that can change a record or a session.
bool IsMutation(OperationKind kind);

inline constexpr std::int64_t kCounterMax = std::numeric_limits<std::int64_t>::max();

/// One operation. Which fields are read depends on the kind; make one with the functions below.
struct Operation {
  OperationKind kind = OperationKind::kGet;
  std::string key;                      ///< prefix for SequencedPut, start for RangeDelete
  std::string end;                      ///< RangeDelete: exclusive end
  std::string value;                    ///< what is written
  std::optional<std::string> expected;  ///< CompareAndSet: expected value; nothing = absent
  Version version = 0;                  ///< ConditionalDelete
  SessionId session = 0;                ///< EphemeralRecord, KeepAlive, CloseSession
  std::int64_t delta = 0;               ///< AtomicIncrement; OpenSession: timeout in ticks
  std::vector<std::int64_t> deltas;     ///< SequencedPut
  std::int64_t limit = kCounterMax;     ///< greatest total a counter may reach (overflow above it)
};

Operation Get(std::string key);
Operation Put(std::string key, std::string value);
Operation Delete(std::string key);
Operation CompareAndSet(std::string key, std::optional<std::string> expected, std::string value);
Operation AtomicIncrement(std::string key, std::int64_t delta, std::int64_t limit = kCounterMax);
Operation ConditionalCreate(std::string key, std::string value);
Operation EphemeralRecord(std::string key, std::string value, SessionId session);
Operation ConditionalDelete(std::string key, Version version);
/// Keys in [start, end).
Operation RangeDelete(std::string start, std::string end);
/// Smallest key >= key. The caller checks prefix and coverage.
Operation CeilingGet(std::string key);
/// Smallest key > key.
Operation HigherGet(std::string key);
/// Adds each delta to its counter (counter i is the record SequenceCounterKey(prefix, i)) and
/// creates the record SequencedKey(prefix, totals) with `value`, in one step. `limit` bounds the
/// first total. REQUIRES: at least one delta; the first one positive, the others not negative.
Operation SequencedPut(std::string prefix, std::vector<std::int64_t> deltas, std::string value,
                       std::int64_t limit = kCounterMax);
/// REQUIRES: timeout >= 1.
Operation OpenSession(Tick timeout);
Operation KeepAlive(SessionId session);
Operation CloseSession(SessionId session);

/// Whether the operation keeps the REQUIRES of its function above: what an adapter must ask before
/// it passes on a request made elsewhere, since the store treats a breach as a bug.
bool IsWellFormed(const Operation& operation);

/// prefix + "#" + i: a counter sorts before every key that SequencedKey generates.
std::string SequenceCounterKey(std::string_view prefix, std::size_t i);
/// prefix + 20 zero-padded digits a total, joined by "-".
std::string SequencedKey(std::string_view prefix, const std::vector<std::int64_t>& totals);
/// Appends `number` as 20 zero-padded decimal digits. REQUIRES: number >= 0.
void AppendPadded(std::string& out, std::int64_t number);

/// A condition of a transaction.
struct Condition {
  enum class Kind : std::uint8_t { kValueIs, kVersionIs, kAbsent, kExists };
  Kind kind = Kind::kAbsent;
  std::string key;
  std::string value;    ///< kValueIs
  Version version = 0;  ///< kVersionIs
};
Condition ValueIs(std::string key, std::string value);
Condition VersionIs(std::string key, Version version);
Condition Absent(std::string key);
Condition Exists(std::string key);

struct StoreRequest {
  std::vector<Condition> conditions;
  std::vector<Operation> operations;
};
StoreRequest Single(Operation operation);
StoreRequest Txn(std::vector<Condition> conditions, std::vector<Operation> operations);

enum class StoreStatus : std::uint8_t {
  kOk,               ///< applied
  kConditionFailed,  ///< a transaction's condition; see failed_conditions
  kConflict,         ///< CompareAndSet: the value is not the expected one
  kAlreadyExists,    ///< ConditionalCreate, EphemeralRecord, SequencedPut's record
  kNotFound,         ///< ConditionalDelete: no such record
  kVersionMismatch,  ///< ConditionalDelete
  kNoSuchSession,    ///< the session has ended or never was
  kOverflow,         ///< a counter would pass its limit; nothing changed
  kNotACounter,      ///< the record does not hold a decimal
  kUnavailable,      ///< the store refused the request without looking at it
  kUnknown,  ///< indefinite: the request or its reply was lost or is late; it may still apply
};
/// "ok", "condition failed", ...
std::string_view StoreStatusName(StoreStatus status);
/// False only for kUnknown: every other status says for certain whether the request was applied.
bool IsDefinite(StoreStatus status);

struct OperationResult {
  bool found = false;       ///< Get, CeilingGet, HigherGet: a record was found
  std::string key;          ///< CeilingGet, HigherGet: its key; SequencedPut: the generated key
  std::string value;        ///< reads: its value
  Version version = 0;      ///< reads: its version; writes: the version written
  std::int64_t number = 0;  ///< AtomicIncrement: new value; RangeDelete: number deleted;
                            ///< OpenSession: the session's id; SequencedPut: the first total;
                            ///< KeepAlive: ticks left from now, which is the session's timeout
};

struct StoreResponse {
  StoreStatus status = StoreStatus::kOk;
  std::vector<OperationResult> results;          ///< one an operation, when applied
  std::vector<std::uint32_t> failed_conditions;  ///< indices, ascending
  std::uint32_t failed_operation = 0;            ///< index, when an operation was rejected
  [[nodiscard]] bool ok() const { return status == StoreStatus::kOk; }
};

struct Record {
  std::string value;
  Version version = 0;
  SessionId session = 0;  ///< 0 = persistent
  friend bool operator==(const Record&, const Record&) = default;
};

/// One record's change by an applied request or by the end of a session.
struct Mutation {
  std::string key;
  std::optional<Record> before;
  std::optional<Record> after;
};

}  // namespace lockstep::sim
