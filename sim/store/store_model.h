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
  Records records_;
  std::map<SessionId, Tick> sessions_;
  std::map<SessionId, std::set<std::string, std::less<>>> owned_;  // ephemeral keys by session
  Version next_version_ = 1;
  SessionId next_session_ = 1;
};

}  // namespace lockstep::sim
