#include "scenarios/exhaust/task_sometimes.h"

namespace lockstep::scenarios {
namespace {

using protocol::task_claiming::ActionKind;
using protocol::task_claiming::kActionKinds;
using protocol::task_claiming::State;
using protocol::task_claiming::TaskIndex;
using protocol::task_claiming::TaskStatus;
using protocol::task_claiming::WorkerIndex;
using protocol::task_claiming::WorkerState;
using Kind = ActionKind;
using Step = TaskMachineStep;

constexpr std::uint32_t Only(Kind kind) { return 1U << static_cast<unsigned>(kind); }
constexpr std::uint32_t kEveryKind = (1U << kActionKinds) - 1;

/// The task that the action's worker works on.
TaskIndex TaskOf(const Step& step) { return step.before.worker_task[step.action.worker]; }
TaskStatus StatusOf(const Step& step) { return step.before.task_status[TaskOf(step)]; }

/// Some worker but the step's for which `holds(state before, worker)`.
template <typename Holds>
bool SomeOther(const Step& step, Holds holds) {
  for (WorkerIndex w = 0; w < step.machine.constants().workers.size(); ++w) {
    if (w != step.action.worker && holds(step.before, w)) return true;
  }
  return false;
}

template <typename Holds>
bool SomeTask(const Step& step, Holds holds) {
  for (TaskIndex t = 0; t < step.machine.constants().tasks.size(); ++t) {
    if (holds(t)) return true;
  }
  return false;
}

bool EveryTaskIs(const Step& step, TaskStatus status) {
  return !SomeTask(step, [&](TaskIndex t) { return step.after.task_status[t] != status; });
}

bool LockedByOther(const Step& step) {
  const WorkerIndex holder = step.before.lock_state[TaskOf(step)].worker;
  return holder != protocol::task_claiming::kNoWorker && holder != step.action.worker;
}

bool HoldsLock(const Step& step) { return step.machine.HoldsLock(step.before, step.action.worker); }

bool HasFailedBefore(const Step& step) { return step.before.task_fail_count[TaskOf(step)] != 0; }

bool BecomesADeadLetter(const Step& step) {
  return StatusOf(step) != TaskStatus::DLQ &&
         step.after.task_status[TaskOf(step)] == TaskStatus::DLQ;
}

bool SomeOtherIsDead(const Step& step) {
  return SomeOther(step, [](const State& s, WorkerIndex w) { return !s.worker_alive[w]; });
}

bool OtherScansTheSame(const Step& step) {
  return SomeOther(step, [&](const State& s, WorkerIndex w) {
    return s.worker_alive[w] && s.worker_state[w] == WorkerState::SCANNING &&
           s.worker_task[w] == step.action.task;
  });
}

bool OtherExecutesTheSame(const Step& step) {
  return SomeOther(step, [&](const State& s, WorkerIndex w) {
    return s.worker_state[w] == WorkerState::EXECUTING && s.worker_task[w] == TaskOf(step);
  });
}

bool IsExecuting(const Step& step) {
  return step.before.worker_state[step.action.worker] == WorkerState::EXECUTING;
}

bool FreesADoneTask(const Step& step) {
  return SomeTask(step, [&](TaskIndex t) {
    return step.before.lock_state[t].worker == step.action.worker &&
           step.before.task_status[t] != TaskStatus::INIT;
  });
}

bool EveryWorkerIsDead(const Step& step) {
  return !SomeOther(step, [](const State& s, WorkerIndex w) { return s.worker_alive[w]; });
}

bool SomeTaskIsPrepared(const Step& step) {
  return SomeTask(step,
                  [&](TaskIndex t) { return step.after.task_status[t] == TaskStatus::PREPARED; });
}

constexpr std::array kProperties{
    TaskSometimes{"workers_scan_the_same_task", "a worker scans a task that another scans",
                  Only(Kind::ScanTasks), OtherScansTheSame},
    TaskSometimes{"lock_lost_to_another", "a scanned task is locked by another",
                  Only(Kind::TryLockFail), LockedByOther},
    TaskSometimes{"scanned_task_is_done", "a scanned task is done before it is locked",
                  Only(Kind::TryLockFail),
                  [](const Step& step) { return StatusOf(step) != TaskStatus::INIT; }},
    TaskSometimes{
        "scanned_task_is_done_and_locked",
        "both reasons for TryLockFail at once, so that TLC counts it twice",
        Only(Kind::TryLockFail),
        [](const Step& step) { return StatusOf(step) != TaskStatus::INIT && LockedByOther(step); }},
    TaskSometimes{"failed_task_is_locked_again", "a task that has failed is locked once more",
                  Only(Kind::TryLockSuccess), HasFailedBefore},
    TaskSometimes{"failed_task_is_committed", "a task that has failed is committed at last",
                  Only(Kind::ExecuteTaskSuccess), HasFailedBefore},
    TaskSometimes{"every_task_is_committed", "the last task is committed, after all the others",
                  Only(Kind::ExecuteTaskSuccess),
                  [](const Step& step) { return EveryTaskIs(step, TaskStatus::COMMITTED); }},
    TaskSometimes{"task_is_dead_lettered", "a task fails as often as MaxFailures says",
                  Only(Kind::ExecuteTaskFailure), BecomesADeadLetter},
    TaskSometimes{
        "task_is_dead_lettered_after_crash",
        "a task becomes a dead letter while a worker that has crashed is still dead",
        Only(Kind::ExecuteTaskFailure),
        [](const Step& step) { return BecomesADeadLetter(step) && SomeOtherIsDead(step); }},
    TaskSometimes{"every_task_is_dead_lettered", "the last task becomes a dead letter too",
                  Only(Kind::ExecuteTaskFailure),
                  [](const Step& step) { return EveryTaskIs(step, TaskStatus::DLQ); }},
    TaskSometimes{"crash_while_executing", "a worker dies in an execution, and keeps its lock",
                  Only(Kind::WorkerCrash),
                  [](const Step& step) { return IsExecuting(step) && HoldsLock(step); }},
    TaskSometimes{"crash_before_unlock", "a worker dies behind an execution, and keeps its lock",
                  Only(Kind::WorkerCrash),
                  [](const Step& step) { return !IsExecuting(step) && HoldsLock(step); }},
    TaskSometimes{"every_worker_is_dead", "the last worker dies", Only(Kind::WorkerCrash),
                  EveryWorkerIsDead},
    TaskSometimes{"expiry_frees_a_done_task",
                  "a session ends that held the lock of a task already done",
                  Only(Kind::SessionExpiry), FreesADoneTask},
    TaskSometimes{"task_is_prepared", "a task is PREPARED", kEveryKind, SomeTaskIsPrepared},
    TaskSometimes{"living_session_expires", "the session of a living worker ends",
                  Only(Kind::SessionExpiry),
                  [](const Step& step) { return step.before.worker_alive[step.action.worker]; }},
    TaskSometimes{"lock_taken_during_execution",
                  "a worker locks a task that another still executes", Only(Kind::TryLockSuccess),
                  OtherExecutesTheSame},
    TaskSometimes{"task_done_twice", "an execution fails after another has committed the task",
                  Only(Kind::ExecuteTaskFailure),
                  [](const Step& step) { return StatusOf(step) == TaskStatus::COMMITTED; }},
    TaskSometimes{"unlock_without_lock", "a worker unlocks a task whose lock it no longer holds",
                  Only(Kind::UnlockTask), [](const Step& step) { return !HoldsLock(step); }},
    TaskSometimes{"recovery_with_lock", "a worker comes back with a lock of its former life",
                  Only(Kind::WorkerRecover), HoldsLock},
    TaskSometimes{"worker_holds_two_locks", "a worker locks a task and holds another's lock",
                  Only(Kind::TryLockSuccess), HoldsLock},
};
static_assert(kProperties.size() <= 64);

}  // namespace

std::span<const TaskSometimes> TaskSometimesProperties() { return kProperties; }

std::array<std::uint64_t, kActionKinds> TaskSometimesByKind() {
  std::array<std::uint64_t, kActionKinds> by_kind{};
  for (std::size_t i = 0; i < kProperties.size(); ++i) {
    for (std::size_t kind = 0; kind < kActionKinds; ++kind) {
      if (((kProperties.at(i).actions >> kind) & 1U) != 0) {
        by_kind.at(kind) |= std::uint64_t{1} << i;
      }
    }
  }
  return by_kind;
}

}  // namespace lockstep::scenarios
