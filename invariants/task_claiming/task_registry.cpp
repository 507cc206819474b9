#include "invariants/task_claiming/task_registry.h"

#include <algorithm>
#include <array>

#include "invariants/task_claiming/dlq_only_after_max_failures.h"
#include "invariants/task_claiming/lock_consistency.h"
#include "invariants/task_claiming/mutual_exclusion.h"
#include "invariants/task_claiming/no_double_execution.h"
#include "invariants/task_claiming/no_orphan_execution.h"
#include "invariants/task_claiming/type_ok.h"

namespace lockstep::invariants::task_claiming {
namespace {

/// As the module checks it.
constexpr TaskProperty Upstream(std::string_view name, std::string_view spec, std::string_view what,
                                TaskStateCheck state) {
  return {name, PropertyKind::kSafety, PropertyForm::kUpstream, spec, what, state};
}

constexpr std::array kTaskProperties{
    Upstream("TypeOK", "TaskClaiming.tla, TypeOK", "every variable is in its domain", TypeOK),
    Upstream("MutualExclusion", "TaskClaiming.tla, MutualExclusion",
             "at most one worker is EXECUTING each task", MutualExclusion),
    Upstream("NoDoubleExecution", "TaskClaiming.tla, NoDoubleExecution",
             "no worker is EXECUTING a COMMITTED task", NoDoubleExecution),
    Upstream("DLQOnlyAfterMaxFailures", "TaskClaiming.tla, DLQOnlyAfterMaxFailures",
             "a dead letter has failed as often as MaxFailures says", DLQOnlyAfterMaxFailures),
    Upstream("LockConsistency", "TaskClaiming.tla, LockConsistency",
             "a lock that a living worker holds is that of the task it works on", LockConsistency),
    Upstream("NoOrphanExecution", "TaskClaiming.tla, NoOrphanExecution",
             "while a dead worker holds the lock of a task, no other is EXECUTING it",
             NoOrphanExecution),
};

}  // namespace

std::span<const TaskProperty> TaskProperties() { return kTaskProperties; }

const TaskProperty* FindTaskProperty(std::string_view name) {
  const auto* const at =
      std::find_if(kTaskProperties.begin(), kTaskProperties.end(),
                   [&](const TaskProperty& property) { return property.name == name; });
  return at == kTaskProperties.end() ? nullptr : &*at;
}

}  // namespace lockstep::invariants::task_claiming
