// StoreModel: the coordination store as a sequential specification. No faults, no clock: the end of
// a session by expiry is an explicit transition.
//
// INVARIANT 1: versions strictly increase over all writes of all keys.
// INVARIANT 2: a record with session s exists only while s is live.
// INVARIANT 3: a rejected request changes nothing (no version is consumed by it either).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/store/store_api.h"

namespace lockstep::sim {

class StoreModel {
 public:
  using Records = std::map<std::string, Record, std::less<>>;

  /// Applies one request. Appends the records it changed to `mutations`, in order, one entry a
  /// change; nothing is appended for a rejected request.
  StoreResponse Apply(const StoreRequest& request, std::vector<Mutation>& mutations);

  /// Ends a session: it and all its ephemeral records go in one step, in key order. No effect on
  /// an unknown session.
  void EndSession(SessionId session, std::vector<Mutation>& mutations);

  [[nodiscard]] bool HasSession(SessionId session) const;
  /// Live sessions with their timeouts in ticks, by id.
  [[nodiscard]] const std::map<SessionId, Tick>& sessions() const { return sessions_; }
  [[nodiscard]] const Records& records() const { return records_; }
  /// The record at `key`, or nullptr.
  [[nodiscard]] const Record* Find(std::string_view key) const;
  /// The smallest key >= `key`, or end().
  [[nodiscard]] Records::const_iterator Ceiling(std::string_view key) const;

 private:
  /// Where a key is, or the place before which it would be inserted.
  struct Slot {
    Records::iterator at;
    bool exists = false;
  };
  struct Changes;

  [[nodiscard]] Changes Begin(std::vector<Mutation>& mutations) const;
  void RollBack(Changes& changes);

  [[nodiscard]] bool Holds(const Condition& condition) const;
  StoreStatus Run(const Operation& operation, OperationResult& result, Changes& changes);
  void Read(const Operation& operation, OperationResult& result) const;
  StoreStatus RunCompareAndSet(const Operation& operation, OperationResult& result,
                               Changes& changes);
  StoreStatus RunAtomicIncrement(const Operation& operation, OperationResult& result,
                                 Changes& changes);
  StoreStatus RunCreate(const Operation& operation, SessionId session, OperationResult& result,
                        Changes& changes);
  StoreStatus RunConditionalDelete(const Operation& operation, Changes& changes);
  StoreStatus RunSequencedPut(const Operation& operation, OperationResult& result,
                              Changes& changes);
  StoreStatus RunSession(const Operation& operation, OperationResult& result, Changes& changes);

  [[nodiscard]] Slot Locate(std::string_view key);
  Version Write(Slot slot, const std::string& key, std::string value, SessionId session,
                Changes& changes);
  void Remove(Records::iterator at, Changes& changes);
  std::int64_t RemoveRange(std::string_view start, std::string_view end, Changes& changes);
  void RemoveSession(SessionId session, Changes& changes);
  void Own(SessionId session, const std::string& key);
  void Disown(SessionId session, const std::string& key);

  Records records_;
  std::map<SessionId, Tick> sessions_;
  std::map<SessionId, std::set<std::string, std::less<>>> owned_;  // ephemeral keys by session
  Version next_version_ = 1;
  SessionId next_session_ = 1;
};

}  // namespace lockstep::sim
