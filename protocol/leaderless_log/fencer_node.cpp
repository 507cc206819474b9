#include "protocol/leaderless_log/fencer_node.h"

#include "protocol/leaderless_log/retry.h"

namespace lockstep::protocol::leaderless_log {

void FencerNode::Move(LogState from, LogState to) {
  while (true) {
    const sim::StoreResponse response = api_.Store(sim::Single(sim::CompareAndSet(
        std::string(kStateKey), std::string(Name(from)), std::string(Name(to)))));
    // A conflict after a lost reply may well be our own success: either way `from` is past.
    if (response.ok() || response.status == sim::StoreStatus::kConflict) return;
    api_.Backoff(kRetryTicks);
  }
}

FenceResult FencerNode::Fence() {
  Move(LogState::OPEN, LogState::FENCED);
  // Both in one read: an end read beside the state could belong to a log that was open again.
  const sim::StoreResponse response = Insist(
      api_, sim::Txn({}, {sim::Get(std::string(kStateKey)), sim::Get(std::string(kCounterKey))}));
  if (response.results[0].value != Name(LogState::FENCED)) return {};
  return {true, ParseDecimal(response.results[1].value).value_or(1) - 1,
          response.results[0].version};
}

void FencerNode::Unfence() { Move(LogState::FENCED, LogState::OPEN); }

}  // namespace lockstep::protocol::leaderless_log
