// A configuration of task claiming, as a file or as one of those that ship with the project.
//
//     {"Workers": ["w1", "w2"], "Tasks": ["t1", "t2"], "MaxFailures": 2, "MaxLockVersion": 5,
//      "Dialect": ["live_session_expiry", "recover_markdown"], "Quotient": false}
//
// "Dialect" and "Quotient" may be left out. With `"Quotient": true` states that differ in lock
// versions alone are one (the module's WithoutLockVersions), and there is no constraint;
// MaxLockVersion, which then bounds nothing, may be left out too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/task_claiming/task_claiming_machine.h"
#include "traces/read_error.h"

namespace lockstep::scenarios {

struct TaskExploreConfig {
  /// In a quotient max_lock_version is kUnboundedLockVersion.
  protocol::task_claiming::Constants constants;
  bool quotient = false;
};

/// `file` is what errors call it. A configuration that breaks one of the module's assumptions is
/// refused with that assumption.
[[nodiscard]] std::variant<TaskExploreConfig, traces::ReadError> ParseTaskExploreConfig(
    std::string_view text, std::string_view file);

/// Of the configurations that ship: "small", "small3", "medium", "small_quotient", ...
[[nodiscard]] std::vector<std::string_view> TaskExploreConfigNames();
[[nodiscard]] std::optional<TaskExploreConfig> FindTaskExploreConfig(std::string_view name);

/// The JSON object that ParseTaskExploreConfig gives back as this, on one line.
[[nodiscard]] std::string TaskExploreConfigToJson(const TaskExploreConfig& config);

/// The same configuration without lock versions.
[[nodiscard]] TaskExploreConfig QuotientOf(TaskExploreConfig config);

/// Why a search need not be started, and what to ask for in its place; nothing when it may be
/// tried. Upstream's medium is such a configuration: its lock versions alone make more states than
/// a search can number, and they guard nothing. An estimate; it errs towards trying.
[[nodiscard]] std::optional<std::string> WhyInfeasible(const TaskExploreConfig& config);

}  // namespace lockstep::scenarios
