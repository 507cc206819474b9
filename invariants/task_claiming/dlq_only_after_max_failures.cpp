#include "invariants/task_claiming/dlq_only_after_max_failures.h"

#include <fmt/format.h>

#include <string>

#include "invariants/task_claiming/task_words.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants::task_claiming {
namespace {

using protocol::task_claiming::FailCount;
using protocol::task_claiming::Machine;
using protocol::task_claiming::State;
using protocol::task_claiming::TaskIndex;
using protocol::task_claiming::TaskStatus;

}  // namespace

std::optional<Violation> DLQOnlyAfterMaxFailures(const Machine& machine, const State& state) {
  const FailCount max_failures = machine.constants().max_failures;
  for (TaskIndex task = 0; task < machine.constants().tasks.size(); ++task) {
    if (state.task_status[task] != TaskStatus::DLQ) continue;
    const FailCount failures = state.task_fail_count[task];
    if (failures >= max_failures) continue;
    const std::string name = TaskName(machine, task);
    return SafetyViolation(
        "DLQOnlyAfterMaxFailures",
        fmt::format("{} is DLQ with {} of {} failures", name, failures, max_failures),
        {{At("taskFailCount", name), Bound(">=", max_failures), Number(failures)}});
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants::task_claiming
