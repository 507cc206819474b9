// Words that the liveness oracles share.
#pragma once

#include <string>
#include <string_view>

#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// "not yet" and "never" told apart: by the budget.
[[nodiscard]] std::string_view HowItEnded(const protocol::leaderless_log::LogEnd& end);

/// The identity's name; "#7" for one that the constants do not know.
[[nodiscard]] std::string WriterName(const protocol::leaderless_log::LogEnd& end,
                                     protocol::leaderless_log::WriterIndex index);

}  // namespace lockstep::invariants
