// Machines with one defect each: a guard or an effect that is not the module's.
//
// Each is seen in a pinned figure (task_claiming_mutants_test.cpp), and, where a property is what
// the guard or the effect is for, in that property's verdict (invariants/task_claiming).
// Some defects show only in a dialect: without it no reachable state tells them from the module. A
// few have the module's figures in every dialect, since another step leads where they do (an
// UnlockTask of another's lock, a SessionExpiry of one lock of two, a WorkerRecover that goes on
// where it was): the tests of single effects are there for these.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "protocol/task_claiming/enumeration_for_tests.h"

namespace lockstep::protocol::task_claiming {

struct MutantOfMachine {
  std::string_view what;
  Deviation deviation;
  Dialect dialect;
};

/// What a guard or an effect looks at.
struct Seen {
  const Constants& constants;
  const State& before;
  const Action& action;

  [[nodiscard]] bool Is(WorkerState wanted) const {
    return before.worker_alive[action.worker] && before.worker_state[action.worker] == wanted;
  }
  /// REQUIRES: the worker has a task.
  [[nodiscard]] TaskIndex task() const { return before.worker_task[action.worker]; }
  [[nodiscard]] Lock lock() const { return before.lock_state[task()]; }
  [[nodiscard]] TaskStatus status() const { return before.task_status[task()]; }
};

/// Another guard for one kind of action.
template <typename Guard>
Deviation Guarded(ActionKind kind, Guard guard) {
  return {
      [kind, guard](const Constants& constants, const State& state, std::vector<Action>& actions) {
        std::erase_if(actions, [&](const Action& action) { return action.kind == kind; });
        for (const Action& action : ActionsOfNext(constants)) {
          if (action.kind == kind && guard(Seen{constants, state, action})) {
            actions.push_back(action);
          }
        }
      },
      {}};
}

/// Another effect of one kind of action.
template <typename Effect>
Deviation Affected(ActionKind kind, Effect effect) {
  return {{},
          [kind, effect](const Constants& constants, const State& before, const Action& action,
                         State& after) {
            if (action.kind == kind) effect(Seen{constants, before, action}, after);
          }};
}

inline constexpr Dialect kUpstreamDialect{};
inline constexpr Dialect kMarkdownDialect{.recover_markdown = true, .live_session_expiry = false};
inline constexpr Dialect kLiveExpiryDialect{.recover_markdown = false, .live_session_expiry = true};

inline std::vector<MutantOfMachine> GuardMutants() {
  using Kind = ActionKind;
  return {
      {"ScanTasks of a task that is done",
       Guarded(Kind::ScanTasks, [](const Seen& s) { return s.Is(WorkerState::IDLE); }),
       kUpstreamDialect},
      {"ScanTasks of unlocked tasks only",
       Guarded(Kind::ScanTasks,
               [](const Seen& s) {
                 return s.Is(WorkerState::IDLE) &&
                        s.before.task_status[s.action.task] == TaskStatus::INIT &&
                        s.before.lock_state[s.action.task] == Lock{};
               }),
       kUpstreamDialect},
      {"TryLockSuccess on a locked task",
       Guarded(Kind::TryLockSuccess,
               [](const Seen& s) {
                 return s.Is(WorkerState::SCANNING) && s.status() == TaskStatus::INIT;
               }),
       kUpstreamDialect},
      {"TryLockSuccess on a task that is done",
       Guarded(Kind::TryLockSuccess,
               [](const Seen& s) { return s.Is(WorkerState::SCANNING) && s.lock() == Lock{}; }),
       kUpstreamDialect},
      {"TryLockFail for a lock only",
       Guarded(Kind::TryLockFail,
               [](const Seen& s) {
                 return s.Is(WorkerState::SCANNING) && s.lock().worker != kNoWorker &&
                        s.lock().worker != s.action.worker;
               }),
       kUpstreamDialect},
      {"TryLockFail for one's own lock",
       Guarded(Kind::TryLockFail,
               [](const Seen& s) {
                 return s.Is(WorkerState::SCANNING) &&
                        (s.lock().worker != kNoWorker || s.status() != TaskStatus::INIT);
               }),
       kMarkdownDialect},
      {"ExecuteTaskSuccess of a task that is done",
       Guarded(Kind::ExecuteTaskSuccess,
               [](const Seen& s) { return s.Is(WorkerState::EXECUTING); }),
       kLiveExpiryDialect},
      {"ExecuteTaskFailure of a task in INIT only",
       Guarded(Kind::ExecuteTaskFailure,
               [](const Seen& s) {
                 return s.Is(WorkerState::EXECUTING) && s.status() == TaskStatus::INIT;
               }),
       kLiveExpiryDialect},
      {"UnlockTask by the holder only",
       Guarded(Kind::UnlockTask,
               [](const Seen& s) {
                 return s.Is(WorkerState::UNLOCKING) && s.lock().worker == s.action.worker;
               }),
       kLiveExpiryDialect},
      {"WorkerCrash of a busy worker only",
       Guarded(Kind::WorkerCrash,
               [](const Seen& s) {
                 return s.before.worker_alive[s.action.worker] && !s.Is(WorkerState::IDLE);
               }),
       kUpstreamDialect},
      {"SessionExpiry without a lock",
       Guarded(Kind::SessionExpiry,
               [](const Seen& s) { return !s.before.worker_alive[s.action.worker]; }),
       kUpstreamDialect},
      {"WorkerRecover with locks",
       Guarded(Kind::WorkerRecover,
               [](const Seen& s) { return !s.before.worker_alive[s.action.worker]; }),
       kUpstreamDialect},
  };
}

inline std::vector<MutantOfMachine> EffectMutants() {
  using Kind = ActionKind;
  const auto keep_locks = [](const Seen& s, State& after) {
    after.lock_state = s.before.lock_state;
  };
  return {
      {"TryLockSuccess without a record", Affected(Kind::TryLockSuccess, keep_locks),
       kUpstreamDialect},
      {"TryLockSuccess that uses versions twice",
       Affected(Kind::TryLockSuccess,
                [](const Seen& s, State& after) { after.lock_version = s.before.lock_version; }),
       kUpstreamDialect},
      {"TryLockFail that keeps its task",
       Affected(Kind::TryLockFail,
                [](const Seen& s, State& after) { after.worker_task = s.before.worker_task; }),
       kUpstreamDialect},
      {"ExecuteTaskFailure that is not counted",
       Affected(
           Kind::ExecuteTaskFailure,
           [](const Seen& s, State& after) { after.task_fail_count = s.before.task_fail_count; }),
       kUpstreamDialect},
      {"ExecuteTaskFailure that gives up at once",
       Affected(Kind::ExecuteTaskFailure,
                [](const Seen& s, State& after) { after.task_status[s.task()] = TaskStatus::DLQ; }),
       kUpstreamDialect},
      {"ExecuteTaskFailure that gives up one late",
       Affected(Kind::ExecuteTaskFailure,
                [](const Seen& s, State& after) {
                  if (after.task_fail_count[s.task()] > s.constants.max_failures) return;
                  after.task_status = s.before.task_status;
                }),
       kUpstreamDialect},
      {"UnlockTask that leaves the lock", Affected(Kind::UnlockTask, keep_locks), kUpstreamDialect},
      {"UnlockTask that keeps its task",
       Affected(Kind::UnlockTask,
                [](const Seen& s, State& after) { after.worker_task = s.before.worker_task; }),
       kUpstreamDialect},
      {"WorkerCrash that forgets the task",
       Affected(Kind::WorkerCrash,
                [](const Seen& s, State& after) {
                  after.worker_state[s.action.worker] = WorkerState::IDLE;
                  after.worker_task[s.action.worker] = kNoTask;
                }),
       kUpstreamDialect},
      {"SessionExpiry that leaves the belief",
       Affected(Kind::SessionExpiry,
                [](const Seen& s, State& after) {
                  after.worker_state = s.before.worker_state;
                  after.worker_task = s.before.worker_task;
                }),
       kUpstreamDialect},
      {"SessionExpiry that leaves the locks", Affected(Kind::SessionExpiry, keep_locks),
       kUpstreamDialect},
      {"WorkerRecover that keeps its task",
       Affected(Kind::WorkerRecover,
                [](const Seen& s, State& after) { after.worker_task = s.before.worker_task; }),
       kUpstreamDialect},
  };
}

/// All of them.
inline std::vector<MutantOfMachine> MutantsOfMachine() {
  std::vector<MutantOfMachine> mutants = GuardMutants();
  for (MutantOfMachine& mutant : EffectMutants()) mutants.push_back(std::move(mutant));
  return mutants;
}

}  // namespace lockstep::protocol::task_claiming
