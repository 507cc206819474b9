// SimulatedStore: the store model plus what a real server adds: sessions that expire by the clock,
// and times at which it answers nothing but "unavailable". Loss, delay and duplication of messages
// belong to the network, not here.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/store/store_model.h"

namespace lockstep::sim {

class SimulatedStore {
 public:
  /// The server handles a request at time `now`: kUnavailable while unavailable, else the model's
  /// answer. Opening a session and keeping it alive set its deadline to now + its timeout.
  StoreResponse Handle(const StoreRequest& request, Tick now, std::vector<Mutation>& mutations);

  /// The earliest session deadline, or nothing.
  [[nodiscard]] std::optional<Tick> NextExpiry() const;

  /// Ends the session with the earliest deadline <= now (ties: lowest id) and returns it; nothing
  /// when none is due.
  std::optional<SessionId> ExpireOne(Tick now, std::vector<Mutation>& mutations);

  /// Ends a session although its deadline has not come (a fault).
  void ExpireNow(SessionId session, std::vector<Mutation>& mutations);

  /// Answers kUnavailable to every request handled before `until`. The latest call counts: one with
  /// the present time makes the store available again. Sessions expire meanwhile.
  void MakeUnavailable(Tick until);
  [[nodiscard]] bool IsUnavailable(Tick now) const { return now < unavailable_until_; }

  [[nodiscard]] const StoreModel& model() const { return model_; }

 private:
  /// Sets a live session's deadline to now + its timeout; forgets that of an ended one.
  void UpdateDeadline(SessionId session, Tick now);
  void ForgetDeadline(SessionId session);

  StoreModel model_;
  std::map<SessionId, Tick> deadlines_;
  std::set<std::pair<Tick, SessionId>> by_deadline_;  // the same, so that the next is at hand
  Tick unavailable_until_ = 0;
};

}  // namespace lockstep::sim
