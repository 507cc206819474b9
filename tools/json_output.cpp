#include "tools/json_output.h"

#include "sim/fault/fault.h"

namespace lockstep::tools {

Json ToJson(const sim::Value& value) {
  Json json = Json::parse(value.ToJson(), nullptr, false);
  // A string of the implementation may hold any bytes.
  return json.is_discarded() ? Json(value.ToJson()) : json;
}

Json TextOrNull(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(std::string(text));
}

Json Counts(std::span<const std::string_view> names, std::span<const std::uint64_t> counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    json[std::string(names[i])] = i < counts.size() ? counts[i] : 0;
  }
  return json;
}

Json FaultCounts(const scenarios::Coverage& coverage) {
  Json json = Json::object();
  for (const sim::FaultInfo& info : sim::FaultTable()) {
    json[std::string(info.name)] = coverage.faults[static_cast<std::size_t>(info.kind)];
  }
  return json;
}

std::string Document(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::tools
