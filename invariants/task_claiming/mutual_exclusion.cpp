#include "invariants/task_claiming/mutual_exclusion.h"

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
using protocol::task_claiming::WorkerState;

}  // namespace

std::optional<Violation> MutualExclusion(const Machine& machine, const State& state) {
  for (WorkerIndex worker = 0; worker < machine.constants().workers.size(); ++worker) {
    if (state.worker_state[worker] != WorkerState::EXECUTING) continue;
    const TaskIndex task = state.worker_task[worker];
    for (WorkerIndex other = 0; other < worker; ++other) {
      if (!Executes(state, other, task)) continue;
      const std::string first = WorkerName(machine, other);
      const std::string second = WorkerName(machine, worker);
      const std::string name = TaskName(machine, task);
      return SafetyViolation("MutualExclusion",
                             fmt::format("{} and {} are both EXECUTING {}", first, second, name),
                             {{fmt::format("workers EXECUTING {}", name), Text("at most one"),
                               sim::Value::SetOf({Text(first), Text(second)})}});
    }
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants::task_claiming
