#include "invariants/task_claiming/type_ok.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "invariants/task_claiming/task_words.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants::task_claiming {
namespace {

using protocol::task_claiming::FailCount;
using protocol::task_claiming::Lock;
using protocol::task_claiming::Machine;
using protocol::task_claiming::State;
using protocol::task_claiming::TaskIndex;
using protocol::task_claiming::TaskStatus;
using protocol::task_claiming::WorkerIndex;
using protocol::task_claiming::WorkerState;

Violation OutOfDomain(const std::string& variable, sim::Value expected, sim::Value actual) {
  return SafetyViolation("TypeOK", fmt::format("{} is outside its domain", variable),
                         {{variable, std::move(expected), std::move(actual)}});
}

std::optional<Violation> CheckTask(const Machine& machine, const State& state, TaskIndex task) {
  const auto& constants = machine.constants();
  const TaskStatus status = state.task_status[task];
  if (status > TaskStatus::DLQ) {
    return OutOfDomain(At("taskStatus", TaskName(machine, task)),
                       Text("INIT, PREPARED, COMMITTED or DLQ"), Text("UNKNOWN"));
  }
  const Lock& lock = state.lock_state[task];
  if (lock.worker != protocol::task_claiming::kNoWorker &&
      lock.worker >= constants.workers.size()) {
    return OutOfDomain(At("lockState", TaskName(machine, task)) + ".worker",
                       Text("a worker or NONE"), Text(WorkerName(machine, lock.worker)));
  }
  const FailCount failures = state.task_fail_count[task];
  if (failures > constants.max_failures) {
    return OutOfDomain(At("taskFailCount", TaskName(machine, task)),
                       Bound("<=", constants.max_failures), Number(failures));
  }
  return std::nullopt;
}

std::optional<Violation> CheckWorker(const Machine& machine, const State& state,
                                     WorkerIndex worker) {
  if (state.worker_state[worker] > WorkerState::UNLOCKING) {
    return OutOfDomain(At("workerState", WorkerName(machine, worker)),
                       Text("IDLE, SCANNING, EXECUTING or UNLOCKING"), Text("UNKNOWN"));
  }
  const TaskIndex task = state.worker_task[worker];
  if (task != protocol::task_claiming::kNoTask && task >= machine.constants().tasks.size()) {
    return OutOfDomain(At("workerTask", WorkerName(machine, worker)), Text("a task or NONE"),
                       Text(TaskName(machine, task)));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Violation> TypeOK(const Machine& machine, const State& state) {
  for (TaskIndex task = 0; task < machine.constants().tasks.size(); ++task) {
    if (auto violation = CheckTask(machine, state, task)) return violation;
  }
  for (WorkerIndex worker = 0; worker < machine.constants().workers.size(); ++worker) {
    if (auto violation = CheckWorker(machine, state, worker)) return violation;
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants::task_claiming
