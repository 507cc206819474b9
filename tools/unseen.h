// The spec states that a sweep has not seen, out of all that exhaustive search knows.
#pragma once

#include <optional>
#include <string>

#include "tools/sweep_result.h"

namespace lockstep::tools {

/// Writes `path`: a line a state, {"scenario": .., "level": .., "state": {..}}, in the order of
/// levels. Covers the scenarios whose configuration has at most a million states. Returns one line
/// if that cannot be done.
std::optional<std::string> WriteUnseen(const SweepResult& result, const std::string& path);

}  // namespace lockstep::tools
