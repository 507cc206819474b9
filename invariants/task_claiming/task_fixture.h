// A state of task claiming to be broken by hand: two workers, two tasks, MaxFailures 2.
//
//   TaskFixture task;
//   task.Executing(0, 1);                  // w1 is EXECUTING t2
//   EXPECT_THAT(MutualExclusion(task.machine, task.state), Holds());
//
// Nothing here asks whether a state can be reached.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "invariants/task_claiming/task_registry.h"
#include "invariants/violation.h"
#include "protocol/task_claiming/enumeration_for_tests.h"

namespace lockstep::invariants::task_claiming {

using protocol::task_claiming::TaskIndex;
using protocol::task_claiming::TaskStatus;
using protocol::task_claiming::WorkerIndex;
using protocol::task_claiming::WorkerState;

/// What is missing in a violation that somebody has to understand; empty when nothing is.
[[nodiscard]] inline std::string_view Shortcoming(const Violation& violation) {
  const TaskProperty* property = FindTaskProperty(violation.property);
  if (property == nullptr) return "the property is not registered";
  if (property->kind != violation.kind) return "the kind is not the registered one";
  if (violation.message.empty()) return "no message";
  const auto& expected = violation.expected.AsFields();
  const auto& actual = violation.actual.AsFields();
  const bool same_names =
      std::equal(expected.begin(), expected.end(), actual.begin(), actual.end(),
                 [](const auto& wanted, const auto& found) { return wanted.first == found.first; });
  if (expected.empty() || !same_names) return "expected and actual do not have the same facts";
  if (violation.expected == violation.actual) return "expected and actual are equal";
  return "";
}

MATCHER(Holds, "holds") { return !arg.has_value(); }

MATCHER_P(Breaks, property, "breaks " + std::string(property)) {
  if (!arg) return false;
  const std::string_view shortcoming = Shortcoming(*arg);
  *result_listener << shortcoming;
  return arg->property == property && shortcoming.empty();
}

struct TaskFixture {
  TaskFixture() = default;
  // The machine keeps a reference to the constants beside it.
  TaskFixture(const TaskFixture&) = delete;
  TaskFixture& operator=(const TaskFixture&) = delete;

  void At(WorkerIndex worker, WorkerState worker_state, TaskIndex task) {
    state.worker_state[worker] = worker_state;
    state.worker_task[worker] = task;
  }
  void Executing(WorkerIndex worker, TaskIndex task) { At(worker, WorkerState::EXECUTING, task); }
  void Lock(TaskIndex task, WorkerIndex worker) {
    state.lock_state[task] = {worker, state.lock_version++};
  }

  protocol::task_claiming::Constants constants = protocol::task_claiming::SmallConstants();
  protocol::task_claiming::Machine machine{constants};
  protocol::task_claiming::State state = machine.Init();
};

}  // namespace lockstep::invariants::task_claiming
