// The caller's environment: the one place that reads it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::tools {

/// A variable's value. One that is set to nothing counts as not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

/// That of this process.
Environment ProcessEnvironment();

}  // namespace lockstep::tools
