// What a search of the leaderless log should find at least once: facts about one step.
//
// A configuration in which one is unreachable has said something too; README.md lists which are,
// under which dialect.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::scenarios {

/// A step of the machine, seen from both sides. `after` is what `action` makes of `before`.
struct LogMachineStep {
  const protocol::leaderless_log::Machine& machine;
  const protocol::leaderless_log::State& before;
  protocol::leaderless_log::Action action;
  const protocol::leaderless_log::State& after;
};

struct LogSometimes {
  std::string_view name;
  std::string_view what;                        ///< one line
  protocol::leaderless_log::ActionKind action;  ///< only its steps are looked at
  bool (*holds)(const LogMachineStep& step);
};

/// In a fixed order; unique names; at most 64.
std::span<const LogSometimes> LogSometimesProperties();

/// Bit i of [kind]: property i is about steps of that kind.
std::array<std::uint64_t, protocol::leaderless_log::kActionKinds> LogSometimesByKind();

}  // namespace lockstep::scenarios
