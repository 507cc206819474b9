// How the oracles of task claiming call things in their messages.
//
// An oracle must be able to speak of any state, so an index that has no name is "#7".
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::invariants::task_claiming {

[[nodiscard]] inline std::string WorkerName(const protocol::task_claiming::Machine& machine,
                                            protocol::task_claiming::WorkerIndex worker) {
  if (worker == protocol::task_claiming::kNoWorker) return "NONE";
  const auto& names = machine.constants().workers;
  return worker < names.size() ? names[worker] : fmt::format("#{}", worker);
}

[[nodiscard]] inline std::string TaskName(const protocol::task_claiming::Machine& machine,
                                          protocol::task_claiming::TaskIndex task) {
  if (task == protocol::task_claiming::kNoTask) return "NONE";
  const auto& names = machine.constants().tasks;
  return task < names.size() ? names[task] : fmt::format("#{}", task);
}

/// "workerTask[w1]"
[[nodiscard]] inline std::string At(std::string_view variable, std::string_view name) {
  return fmt::format("{}[{}]", variable, name);
}

/// By its own belief, `worker` is EXECUTING `task`.
[[nodiscard]] inline bool Executes(const protocol::task_claiming::State& state,
                                   protocol::task_claiming::WorkerIndex worker,
                                   protocol::task_claiming::TaskIndex task) {
  return state.worker_state[worker] == protocol::task_claiming::WorkerState::EXECUTING &&
         state.worker_task[worker] == task;
}

}  // namespace lockstep::invariants::task_claiming
