// What the guards ask of the lock records, each answered by its first witness.
//
// Both forms of a guard (Machine::Enabled and Machine::Refusal) ask these, so they cannot differ.
#pragma once

#include "protocol/task_claiming/task_claiming_machine.h"
#include "sim/base/check.h"

namespace lockstep::protocol::task_claiming {

/// Constants that grew beyond what a State has room for would be read beyond its arrays.
inline void CheckRoom(const Constants& constants) {
  LOCKSTEP_CHECK_MSG(constants.workers.size() <= kMaxWorkers, "more than kMaxWorkers workers");
  LOCKSTEP_CHECK_MSG(constants.tasks.size() <= kMaxTasks, "more than kMaxTasks tasks");
}

/// The first task whose lock `worker` holds, or kNoTask.
[[nodiscard]] inline TaskIndex LockHeldBy(const Constants& constants, const State& state,
                                          WorkerIndex worker) {
  for (TaskIndex task = 0; task < constants.tasks.size(); ++task) {
    if (state.lock_state[task].worker == worker) return task;
  }
  return kNoTask;
}

/// Somebody else has the lock of `task`. REQUIRES: task < kMaxTasks.
[[nodiscard]] inline bool LockedByOther(const State& state, WorkerIndex worker, TaskIndex task) {
  const WorkerIndex holder = state.lock_state[task].worker;
  return holder != kNoWorker && holder != worker;
}

}  // namespace lockstep::protocol::task_claiming
