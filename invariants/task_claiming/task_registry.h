// The only list of task claiming's oracles.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "invariants/log_registry.h"
#include "invariants/violation.h"
#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::invariants::task_claiming {

using TaskStateCheck = std::optional<Violation> (*)(const protocol::task_claiming::Machine&,
                                                    const protocol::task_claiming::State&);

struct TaskProperty {
  std::string_view name;
  PropertyKind kind;
  PropertyForm form;
  std::string_view spec;           ///< "TaskClaiming.tla, MutualExclusion"
  std::string_view what;           ///< one line
  TaskStateCheck state = nullptr;  ///< the whole state: for runs, exhaustive search and tests
};

/// All of them, in the order in which they are checked, which is the module's.
std::span<const TaskProperty> TaskProperties();
/// The property of that name, or nullptr.
const TaskProperty* FindTaskProperty(std::string_view name);

}  // namespace lockstep::invariants::task_claiming
