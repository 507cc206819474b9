// The only list of the leaderless log's oracles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "invariants/violation.h"
#include "protocol/leaderless_log/log_step.h"

namespace lockstep::invariants {

/// Where a property comes from.
enum class PropertyForm : std::uint8_t {
  kUpstream,     ///< as the TLA+ module checks it, on the spec's state
  kStronger,     ///< lockstep's own, on what the store and the clients show
  kConformance,  ///< the step is a step of the spec
};

using LogStepCheck = std::optional<Violation> (*)(const protocol::leaderless_log::LogStep&);
using LogStateCheck = std::optional<Violation> (*)(const protocol::leaderless_log::Machine&,
                                                   const protocol::leaderless_log::State&);
using LogEndCheck = std::optional<Violation> (*)(const protocol::leaderless_log::LogEnd&);

struct LogProperty {
  std::string_view name;
  PropertyKind kind;
  PropertyForm form;
  std::string_view spec;  ///< "LeaderlessLog.tla, NoPhantomEntries"; the oracle's code for own ones
  std::string_view what;  ///< one line
  LogStepCheck step = nullptr;  ///< checked after every step; looks only at what changed
  LogStateCheck state =
      nullptr;                ///< upstream form: the whole state, for exhaustive search and tests
  LogEndCheck end = nullptr;  ///< liveness: checked once, after the heal phase
};

/// All of them, in the order in which they are checked: upstream safety, stronger safety, liveness.
/// Conformance is checked by the runner through conformance.h and listed here for `list
/// properties`.
std::span<const LogProperty> LogProperties();
/// The property of that name, or nullptr.
const LogProperty* FindLogProperty(std::string_view name);

}  // namespace lockstep::invariants
