// The configurations that ship with the project, as the text of their files: configs/*.json.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::scenarios {

struct EmbeddedConfig {
  std::string_view name;  ///< the file's, without ".json": "leaderless_log_small"
  std::string_view text;
};

std::span<const EmbeddedConfig> EmbeddedConfigs();

}  // namespace lockstep::scenarios
