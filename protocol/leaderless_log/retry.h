// How the log's nodes deal with a store that is silent or unwilling: they ask again.
#pragma once

#include <cstdint>

#include "sim/store/node_api.h"

namespace lockstep::protocol::leaderless_log {

/// How long to wait before asking a silent or unwilling service again, in ticks.
inline constexpr std::uint32_t kRetryTicks = 12;

/// Sends until an answer other than "unavailable" or "unknown" comes. REQUIRES: idempotent.
inline sim::StoreResponse Insist(sim::NodeApi& api, const sim::StoreRequest& request) {
  while (true) {
    sim::StoreResponse response = api.Store(request);
    const bool answered = response.status != sim::StoreStatus::kUnavailable &&
                          response.status != sim::StoreStatus::kUnknown;
    if (answered) return response;
    api.Backoff(kRetryTicks);
  }
}

}  // namespace lockstep::protocol::leaderless_log
