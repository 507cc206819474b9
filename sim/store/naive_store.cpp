#include "sim/store/naive_store.h"

#include <algorithm>
#include <limits>

namespace lockstep::sim {

StoreResponse NaiveStore::Call(const StoreRequest& request) {
  StoreResponse response;
  if (Refuses() && !Is(NaiveDefect::kRefusedRequestIsApplied)) {
    response.status = StoreStatus::kUnavailable;
    return response;
  }
  for (std::uint32_t i = 0; i < request.conditions.size(); ++i) {
    if (!Holds(request.conditions[i])) response.failed_conditions.push_back(i);
  }
  if (!response.failed_conditions.empty()) {
    response.status = StoreStatus::kConditionFailed;
    if (Is(NaiveDefect::kOnlyFirstFailedConditionReported)) response.failed_conditions.resize(1);
    return response;
  }
  NaiveStore copy = *this;
  for (std::uint32_t i = 0; i < request.operations.size(); ++i) {
    OperationResult result;
    response.status = copy.Perform(request.operations[i], result);
    if (!response.ok()) {
      response.results.clear();
      response.failed_operation = i;
      if (Is(NaiveDefect::kRejectionKeepsEarlierOperations)) *this = copy;
      if (Is(NaiveDefect::kRejectionConsumesVersions)) next_version_ = copy.next_version_;
      return response;
    }
    response.results.push_back(result);
  }
  *this = copy;
  return response;
}

std::optional<SessionId> NaiveStore::ExpireOne() {
  const Session* due = nullptr;
  for (const Session& session : sessions_) {
    if (session.deadline > now_) continue;
    const bool tie_wins = due != nullptr && session.deadline == due->deadline &&
                          (session.id < due->id) != Is(NaiveDefect::kTiesExpireByHighestId);
    if (due == nullptr || session.deadline < due->deadline || tie_wins) due = &session;
  }
  if (due == nullptr) return std::nullopt;
  const SessionId id = due->id;
  EndSession(id);
  return id;
}

void NaiveStore::EndSession(SessionId id) {
  if (FindSession(id) == nullptr) return;
  std::vector<Session> other_sessions;
  for (const Session& session : sessions_) {
    if (session.id != id) other_sessions.push_back(session);
  }
  sessions_ = other_sessions;
  std::vector<Row> other_rows;
  bool may_leave = Is(NaiveDefect::kEndOfSessionLeavesARecord);
  for (const Row& row : rows_) {
    const bool owned = row.record.session == id;
    if (!owned || may_leave) other_rows.push_back(row);
    if (owned) may_leave = false;
  }
  rows_ = other_rows;
}

std::optional<Tick> NaiveStore::NextExpiry() const {
  std::optional<Tick> next;
  for (const Session& session : sessions_) {
    if (!next || session.deadline < *next) next = session.deadline;
  }
  return next;
}

const Record* NaiveStore::Find(std::string_view key) const {
  for (const Row& row : rows_) {
    if (row.key == key) return &row.record;
  }
  return nullptr;
}

bool NaiveStore::Before(std::string_view a, std::string_view b) const {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (Is(NaiveDefect::kSignedKeyOrder)) {
      return static_cast<signed char>(a[i]) < static_cast<signed char>(b[i]);
    }
    return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]);
  }
  return a.size() < b.size();
}

bool NaiveStore::Holds(const Condition& condition) const {
  const Record* record = Find(condition.key);
  if (condition.kind == Condition::Kind::kAbsent) return record == nullptr;
  if (record == nullptr) return false;
  if (condition.kind == Condition::Kind::kValueIs) return record->value == condition.value;
  if (condition.kind == Condition::Kind::kVersionIs) return record->version == condition.version;
  return true;
}

StoreStatus NaiveStore::Perform(const Operation& operation, OperationResult& result) {
  const Record* found = Find(operation.key);
  const std::optional<Record> record = found == nullptr ? std::nullopt : std::optional(*found);
  switch (operation.kind) {
    case OperationKind::kGet:
    case OperationKind::kCeilingGet:
    case OperationKind::kHigherGet:
      Read(operation, result);
      return StoreStatus::kOk;
    case OperationKind::kPut: {
      const bool keeps = record && Is(NaiveDefect::kPutKeepsTheSession);
      result.version = Write(operation.key, operation.value, keeps ? record->session : 0);
      return StoreStatus::kOk;
    }
    case OperationKind::kDelete:
      Erase(operation.key);
      return StoreStatus::kOk;
    case OperationKind::kCompareAndSet: {
      std::optional<std::string> actual;
      if (record) actual = record->value;
      if (!actual && Is(NaiveDefect::kAbsentIsTheEmptyValue)) actual = "";
      if (actual != operation.expected) return StoreStatus::kConflict;
      result.version = Write(operation.key, operation.value, 0);
      return StoreStatus::kOk;
    }
    case OperationKind::kAtomicIncrement:
      return Increment(operation.key, operation.delta, operation.limit, result);
    case OperationKind::kConditionalCreate:
      return Create(operation.key, operation.value, 0, result);
    case OperationKind::kEphemeralRecord:
      if (record && Is(NaiveDefect::kKeyIsLookedAtBeforeTheSession)) {
        return StoreStatus::kAlreadyExists;
      }
      if (FindSession(operation.session) == nullptr) return StoreStatus::kNoSuchSession;
      return Create(operation.key, operation.value, operation.session, result);
    case OperationKind::kConditionalDelete:
      if (!record) return StoreStatus::kNotFound;
      if (record->version != operation.version) return StoreStatus::kVersionMismatch;
      Erase(operation.key);
      return StoreStatus::kOk;
    case OperationKind::kRangeDelete:
      result.number = EraseRange(operation.key, operation.end);
      return StoreStatus::kOk;
    case OperationKind::kSequencedPut:
      return PutInSequence(operation, result);
    case OperationKind::kOpenSession:
    case OperationKind::kKeepAlive:
    case OperationKind::kCloseSession:
      return PerformOnSession(operation, result);
  }
  return StoreStatus::kOk;
}

StoreStatus NaiveStore::PerformOnSession(const Operation& operation, OperationResult& result) {
  constexpr Tick kNever = std::numeric_limits<Tick>::max();
  if (operation.kind == OperationKind::kOpenSession) {
    const Tick timeout = operation.delta;
    const Tick deadline = timeout > kNever - now_ ? kNever : now_ + timeout;
    sessions_.push_back({next_session_, timeout, deadline});
    result.number = next_session_++;
    return StoreStatus::kOk;
  }
  Session* session = FindSession(operation.session);
  if (session == nullptr) return StoreStatus::kNoSuchSession;
  if (operation.kind == OperationKind::kCloseSession) {
    EndSession(operation.session);
    return StoreStatus::kOk;
  }
  result.number = session->timeout;
  if (Is(NaiveDefect::kKeepAliveDoesNotExtend)) return StoreStatus::kOk;
  session->deadline = session->timeout > kNever - now_ ? kNever : now_ + session->timeout;
  return StoreStatus::kOk;
}

void NaiveStore::Read(const Operation& operation, OperationResult& result) const {
  const Row* best = nullptr;
  for (const Row& row : rows_) {
    const bool above = Before(operation.key, row.key);
    const bool matches = operation.kind == OperationKind::kGet ? row.key == operation.key
                         : operation.kind == OperationKind::kHigherGet
                             ? above
                             : above || row.key == operation.key;
    if (matches && (best == nullptr || Before(row.key, best->key))) best = &row;
  }
  if (best == nullptr) return;
  result.found = true;
  if (operation.kind != OperationKind::kGet) result.key = best->key;
  result.value = best->record.value;
  result.version = best->record.version;
}

StoreStatus NaiveStore::Create(const std::string& key, const std::string& value, SessionId session,
                               OperationResult& result) {
  if (Find(key) != nullptr) return StoreStatus::kAlreadyExists;
  result.version = Write(key, value, session);
  return StoreStatus::kOk;
}

StoreStatus NaiveStore::Increment(const std::string& key, std::int64_t delta, std::int64_t limit,
                                  OperationResult& result) {
  std::int64_t number = 0;
  SessionId session = 0;
  if (const Record* record = Find(key)) {
    const std::optional<std::int64_t> parsed = ParseDecimal(record->value);
    if (!parsed) return StoreStatus::kNotACounter;
    number = *parsed;
    if (Is(NaiveDefect::kIncrementKeepsTheSession)) session = record->session;
  }
  if (delta > 0 && number > kCounterMax - delta) {
    if (!Is(NaiveDefect::kCounterWraps)) return StoreStatus::kOverflow;
    number -= kCounterMax;
  }
  const std::int64_t total = number + delta;
  if (total < 0) return StoreStatus::kOverflow;
  if (total > limit && !Is(NaiveDefect::kLimitIsIgnored)) return StoreStatus::kOverflow;
  result.number = total;
  result.version = Write(key, std::to_string(total), session);
  return StoreStatus::kOk;
}

StoreStatus NaiveStore::PutInSequence(const Operation& operation, OperationResult& result) {
  std::vector<std::int64_t> totals;
  for (std::size_t i = 0; i < operation.deltas.size(); ++i) {
    OperationResult counter;
    const std::int64_t limit = i == 0 ? operation.limit : kCounterMax;
    const StoreStatus status =
        Increment(SequenceCounterKey(operation.key, i), operation.deltas[i], limit, counter);
    if (status != StoreStatus::kOk) return status;
    totals.push_back(counter.number);
  }
  result.key = SequencedKey(operation.key, totals);
  result.number = totals[0];
  if (Is(NaiveDefect::kSequencedPutOverwrites)) Erase(result.key);
  return Create(result.key, operation.value, 0, result);
}

std::optional<std::int64_t> NaiveStore::ParseDecimal(const std::string& text) const {
  const std::string digits = "0123456789";
  const std::string greatest = "9223372036854775807";
  if (text.empty() || text.size() > greatest.size()) return std::nullopt;
  if (text.find_first_not_of(digits) != std::string::npos) return std::nullopt;
  if (text[0] == '0' && text.size() > 1 && !Is(NaiveDefect::kLeadingZeroIsADecimal)) {
    return std::nullopt;
  }
  if (text.size() == greatest.size() && text > greatest) return std::nullopt;
  return std::stoll(text);
}

Version NaiveStore::Write(const std::string& key, const std::string& value, SessionId session) {
  Version version = next_version_++;
  if (Is(NaiveDefect::kVersionIsOneAboveTheHighestLeft)) {
    version = 1;
    for (const Row& row : rows_) version = std::max(version, row.record.version + 1);
  }
  Erase(key);
  rows_.push_back({key, {value, version, session}});
  return version;
}

void NaiveStore::Erase(const std::string& key) {
  std::vector<Row> others;
  for (const Row& row : rows_) {
    if (row.key != key) others.push_back(row);
  }
  rows_ = others;
}

std::int64_t NaiveStore::EraseRange(const std::string& start, const std::string& end) {
  std::vector<Row> others;
  for (const Row& row : rows_) {
    const bool at_end = row.key == end && Is(NaiveDefect::kRangeIncludesItsEnd);
    const bool inside = !Before(row.key, start) && (Before(row.key, end) || at_end);
    if (!inside) others.push_back(row);
  }
  const auto erased = static_cast<std::int64_t>(rows_.size() - others.size());
  rows_ = others;
  return erased;
}

NaiveStore::Session* NaiveStore::FindSession(SessionId id) {
  for (Session& session : sessions_) {
    if (session.id == id) return &session;
  }
  return nullptr;
}

}  // namespace lockstep::sim
