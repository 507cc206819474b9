// JSON for stdout: keys in the order in which they are set.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/base/value.h"

namespace lockstep::tools {

using Json = nlohmann::ordered_json;

/// As Value::ToJson: a set is {"#set": [...]}.
Json ToJson(const sim::Value& value);
/// A string, or null when it is empty.
Json TextOrNull(std::string_view text);
/// {name: count}, in the order of the names. Missing counts are 0.
Json Counts(std::span<const std::string_view> names, std::span<const std::uint64_t> counts);
/// {fault: strikes} of all kinds.
Json FaultCounts(const scenarios::Coverage& coverage);
/// The document and a line feed. Bytes that are not UTF-8 are replaced.
std::string Document(const Json& json);

}  // namespace lockstep::tools
