#include "invariants/task_claiming/no_orphan_execution.h"

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

std::optional<Violation> NoOrphanExecution(const Machine& machine, const State& state) {
  const auto workers = static_cast<WorkerIndex>(machine.constants().workers.size());
  for (TaskIndex task = 0; task < machine.constants().tasks.size(); ++task) {
    const WorkerIndex holder = state.lock_state[task].worker;
    if (holder >= workers || state.worker_alive[holder]) continue;
    for (WorkerIndex worker = 0; worker < workers; ++worker) {
      if (worker == holder || !Executes(state, worker, task)) continue;
      const std::string name = TaskName(machine, task);
      return SafetyViolation(
          "NoOrphanExecution",
          fmt::format("{} is EXECUTING {}, whose lock the dead {} holds",
                      WorkerName(machine, worker), name, WorkerName(machine, holder)),
          {{fmt::format("workers EXECUTING {}", name),
            Text("none but " + WorkerName(machine, holder)), Text(WorkerName(machine, worker))}});
    }
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants::task_claiming
