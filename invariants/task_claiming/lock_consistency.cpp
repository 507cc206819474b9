#include "invariants/task_claiming/lock_consistency.h"

#include <fmt/format.h>

#include <string>

#include "invariants/task_claiming/task_words.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants::task_claiming {
namespace {

using protocol::task_claiming::Machine;
using protocol::task_claiming::State;
using protocol::task_claiming::TaskIndex;
using protocol::task_claiming::WorkerIndex;

}  // namespace

std::optional<Violation> LockConsistency(const Machine& machine, const State& state) {
  for (TaskIndex task = 0; task < machine.constants().tasks.size(); ++task) {
    const WorkerIndex holder = state.lock_state[task].worker;
    if (holder >= machine.constants().workers.size() || !state.worker_alive[holder]) continue;
    if (state.worker_task[holder] == task) continue;
    const std::string worker = WorkerName(machine, holder);
    const std::string actual = TaskName(machine, state.worker_task[holder]);
    const std::string locked = TaskName(machine, task);
    return SafetyViolation("LockConsistency",
                           fmt::format("{} is alive and holds the lock of {}, but its task is {}",
                                       worker, locked, actual),
                           {{At("workerTask", worker), Text(locked), Text(actual)}});
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants::task_claiming
