#include "protocol/task_claiming/task_claiming_module.h"

#include <string>
#include <utility>

namespace lockstep::protocol::task_claiming {
namespace {

using sim::Value;

constexpr std::string_view kLiveSessionExpiry = "live_session_expiry";
constexpr std::string_view kRecoverMarkdown = "recover_markdown";

Value SetOfNames(const std::vector<std::string>& names) {
  std::vector<Value> items;
  for (const std::string& name : names) items.push_back(Value::String(name));
  return Value::SetOf(std::move(items));
}

}  // namespace

std::vector<std::string_view> DialectNames(const Dialect& dialect) {
  std::vector<std::string_view> names;
  if (dialect.live_session_expiry) names.push_back(kLiveSessionExpiry);
  if (dialect.recover_markdown) names.push_back(kRecoverMarkdown);
  return names;
}

std::optional<Dialect> DialectFromNames(const std::vector<std::string_view>& names) {
  Dialect dialect;
  for (const std::string_view name : names) {
    if (name == kLiveSessionExpiry) {
      dialect.live_session_expiry = true;
    } else if (name == kRecoverMarkdown) {
      dialect.recover_markdown = true;
    } else {
      return std::nullopt;
    }
  }
  return dialect;
}

std::string_view ModuleName(const Dialect& dialect) {
  if (dialect.live_session_expiry) return "TaskClaimingLiveExpiry";
  if (dialect.recover_markdown) return "TaskClaimingMarkdownRecover";
  return "TaskClaiming";
}

std::string_view NextName(const Dialect& dialect) {
  if (dialect.live_session_expiry) return "NextLiveExpiry";
  if (dialect.recover_markdown) return "NextMarkdownRecover";
  return "Next";
}

std::string_view SpecName(const Dialect& dialect) {
  if (dialect.live_session_expiry) return "SpecLiveExpiry";
  if (dialect.recover_markdown) return "SpecMarkdownRecover";
  return "Spec";
}

std::string_view OperatorName(const Dialect& dialect, ActionKind kind) {
  if (dialect.live_session_expiry) {
    if (kind == ActionKind::SessionExpiry) return "SessionExpiryLiveExpiry";
    if (kind == ActionKind::WorkerRecover) return "WorkerRecoverLiveExpiry";
  } else if (dialect.recover_markdown && kind == ActionKind::WorkerRecover) {
    return "WorkerRecoverMarkdownRecover";
  }
  return Name(kind);
}

std::vector<std::string_view> OperatorParameters(ActionKind kind) {
  if (kind == ActionKind::ScanTasks) return {"w", "t"};
  return {"w"};
}

std::vector<ActionKind> ActionKinds() {
  std::vector<ActionKind> kinds;
  for (std::size_t k = 0; k < kActionKinds; ++k) kinds.push_back(static_cast<ActionKind>(k));
  return kinds;
}

Fairness FairnessOf(ActionKind kind) {
  switch (kind) {
    case ActionKind::ScanTasks:
    case ActionKind::TryLockSuccess:
    case ActionKind::ExecuteTaskSuccess:
    case ActionKind::ExecuteTaskFailure:
      return Fairness::kStrong;
    case ActionKind::TryLockFail:
    case ActionKind::UnlockTask:
    case ActionKind::SessionExpiry:
    case ActionKind::WorkerRecover:
      return Fairness::kWeak;
    case ActionKind::WorkerCrash:
      return Fairness::kNone;
  }
  return Fairness::kNone;
}

std::vector<std::string_view> ConstantNames(const Dialect& dialect) {
  std::vector<std::string_view> names = {"Workers", "Tasks", "MaxFailures", "MaxLockVersion"};
  if (dialect.live_session_expiry) names.emplace_back("MarkdownRecover");
  return names;
}

std::vector<std::string_view> VariableNames() {
  return {"taskStatus", "lockState",     "workerAlive", "workerState",
          "workerTask", "taskFailCount", "lockVersion"};
}

std::string_view ConstraintName() { return "StateConstraint"; }
std::string_view ViewName() { return "WithoutLockVersions"; }

std::vector<std::string_view> InvariantNames() {
  return {"TypeOK",          "MutualExclusion",  "NoDoubleExecution", "DLQOnlyAfterMaxFailures",
          "LockConsistency", "NoOrphanExecution"};
}

std::vector<std::string_view> LeadsToNames() {
  return {"TaskCompletion", "CrashRecovery", "NoStarvation"};
}

Value ConstantsToValue(const Constants& constants, LockVersion max_lock_version) {
  std::vector<std::pair<std::string, Value>> fields = {
      {"Workers", SetOfNames(constants.workers)},
      {"Tasks", SetOfNames(constants.tasks)},
      {"MaxFailures", Value::Int(static_cast<std::int64_t>(constants.max_failures))},
      {"MaxLockVersion", Value::Int(static_cast<std::int64_t>(max_lock_version))},
  };
  if (constants.dialect.live_session_expiry) {
    fields.emplace_back("MarkdownRecover", Value::Bool(constants.dialect.recover_markdown));
  }
  return Value::RecordOf(std::move(fields));
}

}  // namespace lockstep::protocol::task_claiming
