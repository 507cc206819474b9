// A configuration of the leaderless log, as a file or as one of those that ship with the project.
//
//     {"Writers": ["w1", "w2"], "MaxOffset": 5, "CompactRangeStart": 1, "CompactRangeEnd": 3,
//      "CompactRange2Start": 4, "CompactRange2End": 5, "MaxBatch": 2, "Dialect": [...]}
//
// "Dialect" may be left out; its names are the module's dialects, and overlap_markdown. With
// `rounds` the four range constants make way for "Ranges": [{"start": 1, "end": 3}, ...].
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "traces/read_error.h"

namespace lockstep::scenarios {

struct LogExploreConfig {
  protocol::leaderless_log::Constants constants;
  /// Also checks NoOverlappingRanges as the Markdown specification words it: no two non-EMPTY
  /// entries overlap. An ordinary compaction breaks it.
  bool overlap_markdown = false;
};

/// `file` is what errors call it. A configuration that breaks one of the module's assumptions is
/// refused with that assumption.
[[nodiscard]] std::variant<LogExploreConfig, traces::ReadError> ParseLogExploreConfig(
    std::string_view text, std::string_view file);

/// Of the configurations that ship: "small", "medium".
[[nodiscard]] std::vector<std::string_view> LogExploreConfigNames();
[[nodiscard]] std::optional<LogExploreConfig> FindLogExploreConfig(std::string_view name);

/// The JSON object that ParseLogExploreConfig gives back as this, on one line.
[[nodiscard]] std::string LogExploreConfigToJson(const LogExploreConfig& config);

}  // namespace lockstep::scenarios
