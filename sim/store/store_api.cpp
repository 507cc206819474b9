#include "sim/store/store_api.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sim/base/check.h"

namespace lockstep::sim {
namespace {

Operation Make(OperationKind kind, std::string key) {
  Operation operation;
  operation.kind = kind;
  operation.key = std::move(key);
  return operation;
}

Operation MakeForSession(OperationKind kind, SessionId session) {
  Operation operation;
  operation.kind = kind;
  operation.session = session;
  return operation;
}

}  // namespace

std::string_view OperationName(OperationKind kind) {
  switch (kind) {
    case OperationKind::kGet:
      return "Get";
    case OperationKind::kPut:
      return "Put";
    case OperationKind::kDelete:
      return "Delete";
    case OperationKind::kCompareAndSet:
      return "CompareAndSet";
    case OperationKind::kAtomicIncrement:
      return "AtomicIncrement";
    case OperationKind::kConditionalCreate:
      return "ConditionalCreate";
    case OperationKind::kEphemeralRecord:
      return "EphemeralRecord";
    case OperationKind::kConditionalDelete:
      return "ConditionalDelete";
    case OperationKind::kRangeDelete:
      return "RangeDelete";
    case OperationKind::kCeilingGet:
      return "CeilingGet";
    case OperationKind::kHigherGet:
      return "HigherGet";
    case OperationKind::kSequencedPut:
      return "SequencedPut";
    case OperationKind::kOpenSession:
      return "OpenSession";
    case OperationKind::kKeepAlive:
      return "KeepAlive";
    case OperationKind::kCloseSession:
      return "CloseSession";
  }
  return "?";
}

bool IsMutation(OperationKind kind) {
  switch (kind) {
    case OperationKind::kGet:
    case OperationKind::kCeilingGet:
    case OperationKind::kHigherGet:
      return false;
    case OperationKind::kPut:
    case OperationKind::kDelete:
    case OperationKind::kCompareAndSet:
    case OperationKind::kAtomicIncrement:
    case OperationKind::kConditionalCreate:
    case OperationKind::kEphemeralRecord:
    case OperationKind::kConditionalDelete:
    case OperationKind::kRangeDelete:
    case OperationKind::kSequencedPut:
    case OperationKind::kOpenSession:
    case OperationKind::kKeepAlive:
    case OperationKind::kCloseSession:
      return true;
  }
  return true;
}

bool IsWellFormed(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kSequencedPut: {
      const std::vector<std::int64_t>& deltas = operation.deltas;
      if (deltas.empty() || deltas.front() < 1) return false;
      return std::all_of(deltas.begin(), deltas.end(), [](std::int64_t d) { return d >= 0; });
    }
    case OperationKind::kOpenSession:
      return operation.delta >= 1;
    default:
      return true;
  }
}

Operation Get(std::string key) { return Make(OperationKind::kGet, std::move(key)); }

Operation Put(std::string key, std::string value) {
  Operation operation = Make(OperationKind::kPut, std::move(key));
  operation.value = std::move(value);
  return operation;
}

Operation Delete(std::string key) { return Make(OperationKind::kDelete, std::move(key)); }

Operation CompareAndSet(std::string key, std::optional<std::string> expected, std::string value) {
  Operation operation = Make(OperationKind::kCompareAndSet, std::move(key));
  operation.expected = std::move(expected);
  operation.value = std::move(value);
  return operation;
}

Operation AtomicIncrement(std::string key, std::int64_t delta, std::int64_t limit) {
  Operation operation = Make(OperationKind::kAtomicIncrement, std::move(key));
  operation.delta = delta;
  operation.limit = limit;
  return operation;
}

Operation ConditionalCreate(std::string key, std::string value) {
  Operation operation = Make(OperationKind::kConditionalCreate, std::move(key));
  operation.value = std::move(value);
  return operation;
}

Operation EphemeralRecord(std::string key, std::string value, SessionId session) {
  Operation operation = Make(OperationKind::kEphemeralRecord, std::move(key));
  operation.value = std::move(value);
  operation.session = session;
  return operation;
}

Operation ConditionalDelete(std::string key, Version version) {
  Operation operation = Make(OperationKind::kConditionalDelete, std::move(key));
  operation.version = version;
  return operation;
}

Operation RangeDelete(std::string start, std::string end) {
  Operation operation = Make(OperationKind::kRangeDelete, std::move(start));
  operation.end = std::move(end);
  return operation;
}

Operation CeilingGet(std::string key) { return Make(OperationKind::kCeilingGet, std::move(key)); }

Operation HigherGet(std::string key) { return Make(OperationKind::kHigherGet, std::move(key)); }

Operation SequencedPut(std::string prefix, std::vector<std::int64_t> deltas, std::string value,
                       std::int64_t limit) {
  Operation operation = Make(OperationKind::kSequencedPut, std::move(prefix));
  operation.deltas = std::move(deltas);
  operation.value = std::move(value);
  operation.limit = limit;
  LOCKSTEP_CHECK(IsWellFormed(operation));
  return operation;
}

Operation OpenSession(Tick timeout) {
  Operation operation;
  operation.kind = OperationKind::kOpenSession;
  operation.delta = timeout;
  LOCKSTEP_CHECK(IsWellFormed(operation));
  return operation;
}

Operation KeepAlive(SessionId session) {
  return MakeForSession(OperationKind::kKeepAlive, session);
}

Operation CloseSession(SessionId session) {
  return MakeForSession(OperationKind::kCloseSession, session);
}

std::string SequenceCounterKey(std::string_view prefix, std::size_t i) {
  std::string key;
  key.reserve(prefix.size() + 4);
  key.append(prefix);
  key.push_back('#');
  key.append(std::to_string(i));
  return key;
}

std::string SequencedKey(std::string_view prefix, const std::vector<std::int64_t>& totals) {
  std::string key;
  key.reserve(prefix.size() + 21 * totals.size());
  key.append(prefix);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (i > 0) key.push_back('-');
    AppendPadded(key, totals[i]);
  }
  return key;
}

void AppendPadded(std::string& out, std::int64_t number) {
  LOCKSTEP_CHECK(number >= 0);
  constexpr std::size_t kDigits = 20;
  std::array<char, kDigits> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + kDigits, number);
  LOCKSTEP_CHECK(error == std::errc{});
  const auto length = static_cast<std::size_t>(end - digits.data());
  out.append(kDigits - length, '0');
  out.append(digits.data(), length);
}

Condition ValueIs(std::string key, std::string value) {
  return {Condition::Kind::kValueIs, std::move(key), std::move(value), 0};
}

Condition VersionIs(std::string key, Version version) {
  return {Condition::Kind::kVersionIs, std::move(key), {}, version};
}

Condition Absent(std::string key) { return {Condition::Kind::kAbsent, std::move(key), {}, 0}; }

Condition Exists(std::string key) { return {Condition::Kind::kExists, std::move(key), {}, 0}; }

StoreRequest Single(Operation operation) {
  StoreRequest request;
  request.operations.push_back(std::move(operation));
  return request;
}

StoreRequest Txn(std::vector<Condition> conditions, std::vector<Operation> operations) {
  return {std::move(conditions), std::move(operations)};
}

std::string_view StoreStatusName(StoreStatus status) {
  switch (status) {
    case StoreStatus::kOk:
      return "ok";
    case StoreStatus::kConditionFailed:
      return "condition failed";
    case StoreStatus::kConflict:
      return "conflict";
    case StoreStatus::kAlreadyExists:
      return "already exists";
    case StoreStatus::kNotFound:
      return "not found";
    case StoreStatus::kVersionMismatch:
      return "version mismatch";
    case StoreStatus::kNoSuchSession:
      return "no such session";
    case StoreStatus::kOverflow:
      return "overflow";
    case StoreStatus::kNotACounter:
      return "not a counter";
    case StoreStatus::kUnavailable:
      return "unavailable";
    case StoreStatus::kUnknown:
      return "unknown";
  }
  return "?";
}

bool IsDefinite(StoreStatus status) { return status != StoreStatus::kUnknown; }

}  // namespace lockstep::sim
