// What a search of task claiming should find at least once: facts about one step.
//
// A configuration in which one is unreachable has said something too; README.md lists which are,
// under which dialect.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::scenarios {

/// A step of the machine, seen from both sides. `after` is what `action` makes of `before`.
struct TaskMachineStep {
  const protocol::task_claiming::Machine& machine;
  const protocol::task_claiming::State& before;
  protocol::task_claiming::Action action;
  const protocol::task_claiming::State& after;
};

struct TaskSometimes {
  std::string_view name;
  std::string_view what;  ///< one line
  /// Only steps of these kinds are looked at; bit k: ActionKind k.
  std::uint32_t actions = 0;
  bool (*holds)(const TaskMachineStep& step);
};

/// In a fixed order; unique names; at most 64.
std::span<const TaskSometimes> TaskSometimesProperties();

/// Bit i of [kind]: property i is about steps of that kind.
std::array<std::uint64_t, protocol::task_claiming::kActionKinds> TaskSometimesByKind();

}  // namespace lockstep::scenarios
