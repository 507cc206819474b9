#include "sim/store/simulated_store.h"

#include <limits>

#include "sim/base/check.h"

namespace lockstep::sim {
namespace {

// A timeout so long that it passes the end of time means "never".
Tick DeadlineAfter(Tick now, Tick timeout) {
  Tick deadline = 0;
  if (__builtin_add_overflow(now, timeout, &deadline)) return std::numeric_limits<Tick>::max();
  return deadline;
}

}  // namespace

StoreResponse SimulatedStore::Handle(const StoreRequest& request, Tick now,
                                     std::vector<Mutation>& mutations) {
  if (IsUnavailable(now)) {
    StoreResponse refused;
    refused.status = StoreStatus::kUnavailable;
    return refused;
  }
  StoreResponse response = model_.Apply(request, mutations);
  if (!response.ok()) return response;
  for (std::size_t i = 0; i < request.operations.size(); ++i) {
    const Operation& operation = request.operations[i];
    if (operation.kind == OperationKind::kOpenSession) {
      UpdateDeadline(response.results[i].number, now);
    } else if (operation.kind == OperationKind::kKeepAlive ||
               operation.kind == OperationKind::kCloseSession) {
      UpdateDeadline(operation.session, now);
    }
  }
  return response;
}

std::optional<Tick> SimulatedStore::NextExpiry() const {
  if (by_deadline_.empty()) return std::nullopt;
  return by_deadline_.begin()->first;
}

std::optional<SessionId> SimulatedStore::ExpireOne(Tick now, std::vector<Mutation>& mutations) {
  if (by_deadline_.empty() || by_deadline_.begin()->first > now) return std::nullopt;
  const SessionId session = by_deadline_.begin()->second;
  ExpireNow(session, mutations);
  return session;
}

void SimulatedStore::ExpireNow(SessionId session, std::vector<Mutation>& mutations) {
  model_.EndSession(session, mutations);
  ForgetDeadline(session);
}

void SimulatedStore::MakeUnavailable(Tick until) { unavailable_until_ = until; }

void SimulatedStore::UpdateDeadline(SessionId session, Tick now) {
  ForgetDeadline(session);
  const auto live = model_.sessions().find(session);
  if (live == model_.sessions().end()) return;
  const Tick deadline = DeadlineAfter(now, live->second);
  deadlines_.emplace(session, deadline);
  by_deadline_.emplace(deadline, session);
}

void SimulatedStore::ForgetDeadline(SessionId session) {
  const auto at = deadlines_.find(session);
  if (at == deadlines_.end()) return;
  const std::size_t erased = by_deadline_.erase({at->second, session});
  LOCKSTEP_CHECK(erased == 1);
  deadlines_.erase(at);
}

}  // namespace lockstep::sim
