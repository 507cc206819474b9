#include "invariants/task_claiming/no_double_execution.h"

#include <fmt/format.h>

#include <string>

#include "invariants/task_claiming/task_words.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants::task_claiming {
namespace {

using protocol::task_claiming::Machine;
using protocol::task_claiming::State;
using protocol::task_claiming::TaskIndex;
using protocol::task_claiming::TaskStatus;
using protocol::task_claiming::WorkerIndex;
using protocol::task_claiming::WorkerState;

}  // namespace

std::optional<Violation> NoDoubleExecution(const Machine& machine, const State& state) {
  for (WorkerIndex worker = 0; worker < machine.constants().workers.size(); ++worker) {
    if (state.worker_state[worker] != WorkerState::EXECUTING) continue;
    const TaskIndex task = state.worker_task[worker];
    if (task >= machine.constants().tasks.size()) continue;
    if (state.task_status[task] != TaskStatus::COMMITTED) continue;
    const std::string name = TaskName(machine, task);
    return SafetyViolation(
        "NoDoubleExecution",
        fmt::format("{} is EXECUTING {}, which is COMMITTED", WorkerName(machine, worker), name),
        {{At("taskStatus", name), Text("not COMMITTED"), Text("COMMITTED")}});
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants::task_claiming
