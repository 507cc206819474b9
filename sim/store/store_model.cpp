#include "sim/store/store_model.h"

#include <charconv>
#include <utility>

#include "sim/base/check.h"

namespace lockstep::sim {
namespace {

// A counter's value is the canonical decimal of 0..kCounterMax. Signs, spaces and leading zeros are
// no counter: with one spelling a number, ValueIs and CompareAndSet on a counter mean its number.
std::optional<std::int64_t> ParseCounter(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  if (text.front() == '0' && text.size() > 1) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Total {
  StoreStatus status = StoreStatus::kOk;
  std::int64_t number = 0;
};

// The counter's total after adding `delta`, which must lie in 0..limit. `record` is nullptr when
// there is none: an absent counter is 0.
Total AddToCounter(const Record* record, std::int64_t delta, std::int64_t limit) {
  std::int64_t current = 0;
  if (record != nullptr) {
    const std::optional<std::int64_t> parsed = ParseCounter(record->value);
    if (!parsed) return {StoreStatus::kNotACounter, 0};
    current = *parsed;
  }
  std::int64_t total = 0;
  if (__builtin_add_overflow(current, delta, &total)) return {StoreStatus::kOverflow, 0};
  if (total < 0 || total > limit) return {StoreStatus::kOverflow, 0};
  return {StoreStatus::kOk, total};
}

}  // namespace

// What a request has changed so far, so that it can be taken back.
struct StoreModel::Changes {
  std::vector<Mutation>& mutations;
  std::size_t first;  // mutations before this index belong to earlier requests
  Version next_version;
  SessionId next_session;
  std::vector<std::pair<SessionId, std::optional<Tick>>> sessions;  // timeout before the change
};

StoreModel::Changes StoreModel::Begin(std::vector<Mutation>& mutations) const {
  return {mutations, mutations.size(), next_version_, next_session_, {}};
}

StoreResponse StoreModel::Apply(const StoreRequest& request, std::vector<Mutation>& mutations) {
  StoreResponse response;
  for (std::size_t i = 0; i < request.conditions.size(); ++i) {
    if (!Holds(request.conditions[i])) {
      response.failed_conditions.push_back(static_cast<std::uint32_t>(i));
    }
  }
  if (!response.failed_conditions.empty()) {
    response.status = StoreStatus::kConditionFailed;
    return response;
  }
  Changes changes = Begin(mutations);
  response.results.resize(request.operations.size());
  for (std::size_t i = 0; i < request.operations.size(); ++i) {
    response.status = Run(request.operations[i], response.results[i], changes);
    if (response.ok()) continue;
    RollBack(changes);
    response.results.clear();
    response.failed_operation = static_cast<std::uint32_t>(i);
    break;
  }
  return response;
}

void StoreModel::EndSession(SessionId session, std::vector<Mutation>& mutations) {
  if (!HasSession(session)) return;
  Changes changes = Begin(mutations);
  RemoveSession(session, changes);
}

bool StoreModel::HasSession(SessionId session) const { return sessions_.count(session) != 0; }

const Record* StoreModel::Find(std::string_view key) const {
  const auto at = records_.find(key);
  return at == records_.end() ? nullptr : &at->second;
}

StoreModel::Records::const_iterator StoreModel::Ceiling(std::string_view key) const {
  return records_.lower_bound(key);
}

bool StoreModel::Holds(const Condition& condition) const {
  const Record* record = Find(condition.key);
  switch (condition.kind) {
    case Condition::Kind::kValueIs:
      return record != nullptr && record->value == condition.value;
    case Condition::Kind::kVersionIs:
      return record != nullptr && record->version == condition.version;
    case Condition::Kind::kAbsent:
      return record == nullptr;
    case Condition::Kind::kExists:
      return record != nullptr;
  }
  return false;
}

// INVARIANT: an operation checks everything before it changes anything, so that a rejected one has
// nothing of its own to take back.
StoreStatus StoreModel::Run(const Operation& operation, OperationResult& result, Changes& changes) {
  switch (operation.kind) {
    case OperationKind::kGet:
    case OperationKind::kCeilingGet:
    case OperationKind::kHigherGet:
      Read(operation, result);
      return StoreStatus::kOk;
    case OperationKind::kPut:
      result.version = Write(Locate(operation.key), operation.key, operation.value, 0, changes);
      return StoreStatus::kOk;
    case OperationKind::kDelete:
      if (const Slot slot = Locate(operation.key); slot.exists) Remove(slot.at, changes);
      return StoreStatus::kOk;
    case OperationKind::kCompareAndSet:
      return RunCompareAndSet(operation, result, changes);
    case OperationKind::kAtomicIncrement:
      return RunAtomicIncrement(operation, result, changes);
    case OperationKind::kConditionalCreate:
      return RunCreate(operation, 0, result, changes);
    case OperationKind::kEphemeralRecord:
      // The session is looked at first: an ended one learns of its end, whatever the key holds.
      if (!HasSession(operation.session)) return StoreStatus::kNoSuchSession;
      return RunCreate(operation, operation.session, result, changes);
    case OperationKind::kConditionalDelete:
      return RunConditionalDelete(operation, changes);
    case OperationKind::kRangeDelete:
      result.number = RemoveRange(operation.key, operation.end, changes);
      return StoreStatus::kOk;
    case OperationKind::kSequencedPut:
      return RunSequencedPut(operation, result, changes);
    case OperationKind::kOpenSession:
    case OperationKind::kKeepAlive:
    case OperationKind::kCloseSession:
      return RunSession(operation, result, changes);
  }
  LOCKSTEP_CHECK_MSG(false, "unknown operation kind");
  return StoreStatus::kOk;
}

void StoreModel::Read(const Operation& operation, OperationResult& result) const {
  Records::const_iterator at;
  switch (operation.kind) {
    case OperationKind::kCeilingGet:
      at = records_.lower_bound(operation.key);
      break;
    case OperationKind::kHigherGet:
      at = records_.upper_bound(operation.key);
      break;
    default:
      at = records_.find(operation.key);
      break;
  }
  if (at == records_.end()) return;
  result.found = true;
  if (operation.kind != OperationKind::kGet) result.key = at->first;
  result.value = at->second.value;
  result.version = at->second.version;
}

StoreStatus StoreModel::RunCompareAndSet(const Operation& operation, OperationResult& result,
                                         Changes& changes) {
  const Slot slot = Locate(operation.key);
  const bool matches = operation.expected
                           ? slot.exists && slot.at->second.value == *operation.expected
                           : !slot.exists;
  if (!matches) return StoreStatus::kConflict;
  result.version = Write(slot, operation.key, operation.value, 0, changes);
  return StoreStatus::kOk;
}

StoreStatus StoreModel::RunAtomicIncrement(const Operation& operation, OperationResult& result,
                                           Changes& changes) {
  const Slot slot = Locate(operation.key);
  const Record* record = slot.exists ? &slot.at->second : nullptr;
  const Total total = AddToCounter(record, operation.delta, operation.limit);
  if (total.status != StoreStatus::kOk) return total.status;
  result.number = total.number;
  result.version = Write(slot, operation.key, std::to_string(total.number), 0, changes);
  return StoreStatus::kOk;
}

StoreStatus StoreModel::RunCreate(const Operation& operation, SessionId session,
                                  OperationResult& result, Changes& changes) {
  const Slot slot = Locate(operation.key);
  if (slot.exists) return StoreStatus::kAlreadyExists;
  result.version = Write(slot, operation.key, operation.value, session, changes);
  return StoreStatus::kOk;
}

StoreStatus StoreModel::RunConditionalDelete(const Operation& operation, Changes& changes) {
  const Slot slot = Locate(operation.key);
  if (!slot.exists) return StoreStatus::kNotFound;
  if (slot.at->second.version != operation.version) return StoreStatus::kVersionMismatch;
  Remove(slot.at, changes);
  return StoreStatus::kOk;
}

StoreStatus StoreModel::RunSequencedPut(const Operation& operation, OperationResult& result,
                                        Changes& changes) {
  LOCKSTEP_CHECK(IsWellFormed(operation));
  const std::size_t counters = operation.deltas.size();
  std::vector<std::int64_t> totals(counters);
  std::vector<std::string> keys(counters);
  std::vector<Slot> slots(counters);
  for (std::size_t i = 0; i < counters; ++i) {
    keys[i] = SequenceCounterKey(operation.key, i);
    slots[i] = Locate(keys[i]);
    const Record* record = slots[i].exists ? &slots[i].at->second : nullptr;
    const std::int64_t limit = i == 0 ? operation.limit : kCounterMax;
    const Total total = AddToCounter(record, operation.deltas[i], limit);
    if (total.status != StoreStatus::kOk) return total.status;
    totals[i] = total.number;
  }
  result.key = SequencedKey(operation.key, totals);
  const Slot created = Locate(result.key);
  if (created.exists) return StoreStatus::kAlreadyExists;
  // The slots stay right while the counters are written: counters differ from one another and sort
  // before the created key, and map iterators survive insertions.
  for (std::size_t i = 0; i < counters; ++i) {
    Write(slots[i], keys[i], std::to_string(totals[i]), 0, changes);
  }
  result.version = Write(created, result.key, operation.value, 0, changes);
  result.number = totals.front();
  return StoreStatus::kOk;
}

StoreStatus StoreModel::RunSession(const Operation& operation, OperationResult& result,
                                   Changes& changes) {
  if (operation.kind == OperationKind::kOpenSession) {
    LOCKSTEP_CHECK(IsWellFormed(operation));
    result.number = next_session_++;
    changes.sessions.emplace_back(result.number, std::nullopt);
    sessions_.emplace_hint(sessions_.end(), result.number, operation.delta);
    return StoreStatus::kOk;
  }
  const auto session = sessions_.find(operation.session);
  if (session == sessions_.end()) return StoreStatus::kNoSuchSession;
  if (operation.kind == OperationKind::kKeepAlive) {
    result.number = session->second;
  } else {
    RemoveSession(operation.session, changes);
  }
  return StoreStatus::kOk;
}

StoreModel::Slot StoreModel::Locate(std::string_view key) {
  const auto at = records_.lower_bound(key);
  return {at, at != records_.end() && at->first == key};
}

Version StoreModel::Write(Slot slot, const std::string& key, std::string value, SessionId session,
                          Changes& changes) {
  Mutation& mutation = changes.mutations.emplace_back();
  mutation.key = key;
  const Version version = next_version_++;
  if (slot.exists) {
    mutation.before = std::move(slot.at->second);
    slot.at->second = Record{std::move(value), version, session};
  } else {
    slot.at = records_.emplace_hint(slot.at, key, Record{std::move(value), version, session});
  }
  mutation.after = slot.at->second;
  if (mutation.before) Disown(mutation.before->session, key);
  Own(session, key);
  return version;
}

void StoreModel::Remove(Records::iterator at, Changes& changes) {
  Mutation& mutation = changes.mutations.emplace_back();
  auto node = records_.extract(at);
  mutation.key = std::move(node.key());
  mutation.before = std::move(node.mapped());
  Disown(mutation.before->session, mutation.key);
}

std::int64_t StoreModel::RemoveRange(std::string_view start, std::string_view end,
                                     Changes& changes) {
  std::int64_t removed = 0;
  auto at = records_.lower_bound(start);
  while (at != records_.end() && at->first < end) {
    Remove(at++, changes);
    ++removed;
  }
  return removed;
}

void StoreModel::RemoveSession(SessionId session, Changes& changes) {
  for (auto owned = owned_.find(session); owned != owned_.end(); owned = owned_.find(session)) {
    const auto at = records_.find(*owned->second.begin());
    LOCKSTEP_CHECK(at != records_.end());
    Remove(at, changes);
  }
  const auto at = sessions_.find(session);
  changes.sessions.emplace_back(session, at->second);
  sessions_.erase(at);
}

void StoreModel::Own(SessionId session, const std::string& key) {
  if (session == 0) return;
  const bool inserted = owned_[session].insert(key).second;
  LOCKSTEP_CHECK(inserted);
}

void StoreModel::Disown(SessionId session, const std::string& key) {
  if (session == 0) return;
  const auto owned = owned_.find(session);
  LOCKSTEP_CHECK(owned != owned_.end());
  const std::size_t erased = owned->second.erase(key);
  LOCKSTEP_CHECK(erased == 1);
  if (owned->second.empty()) owned_.erase(owned);
}

void StoreModel::RollBack(Changes& changes) {
  while (changes.mutations.size() > changes.first) {
    Mutation& mutation = changes.mutations.back();
    if (mutation.after) Disown(mutation.after->session, mutation.key);
    if (mutation.before) {
      Own(mutation.before->session, mutation.key);
      records_.insert_or_assign(mutation.key, std::move(*mutation.before));
    } else {
      records_.erase(mutation.key);
    }
    changes.mutations.pop_back();
  }
  while (!changes.sessions.empty()) {
    const auto& [session, timeout] = changes.sessions.back();
    if (timeout) {
      sessions_.emplace(session, *timeout);
    } else {
      sessions_.erase(session);
    }
    changes.sessions.pop_back();
  }
  next_version_ = changes.next_version;
  next_session_ = changes.next_session;
}

}  // namespace lockstep::sim
