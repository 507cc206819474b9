#include "scenarios/exhaust/config_reader.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "traces/json_line.h"

namespace lockstep::scenarios {

using sim::Value;

ConfigReader::ConfigReader(std::string_view text, std::string_view file) : file_(file) {
  std::size_t values_left = traces::kFileValuesMax;
  auto parsed = traces::ParseJsonLine(text, values_left);
  if (auto* problem = std::get_if<traces::Problem>(&parsed)) {
    Fail(std::move(problem->problem), "a JSON object whose keys are the module's constants");
    return;
  }
  auto& line = std::get<traces::JsonLine>(parsed);
  object_ = std::move(line.value);
  if (!line.null_fields.empty()) {
    Fail(Named(line.null_fields.front()) + " is null", "a value, or the key left out");
  }
}

ConfigReader::ConfigReader(const Value& object, std::string_view file, std::string_view where)
    : file_(file), where_(where) {
  if (object.kind() == Value::Kind::kRecord) {
    object_ = object;
  } else {
    Fail(where_ + " is not an object", "an object");
  }
}

std::string ConfigReader::Named(std::string_view key) const {
  return traces::Quoted(key) + (where_.empty() ? "" : " in " + where_);
}

void ConfigReader::Fail(std::string problem, std::string accepted) {
  if (!problem_) problem_ = traces::ReadError{file_, 0, std::move(problem), std::move(accepted)};
}

void ConfigReader::Adopt(const ConfigReader& other) {
  if (!problem_) problem_ = other.problem_;
}

void ConfigReader::AcceptOnly(const std::vector<std::string_view>& keys) {
  for (const auto& [name, value] : object_.AsFields()) {
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
    std::string accepted;
    for (const std::string_view key : keys) {
      accepted.append(accepted.empty() ? "" : ", ").append(key);
    }
    Fail("unknown key " + Named(name), accepted);
  }
}

const Value* ConfigReader::Get(std::string_view key, Value::Kind kind, std::string_view wanted) {
  if (problem_) return nullptr;
  const Value* value = object_.Find(key);
  if (value == nullptr) {
    Fail("missing key " + Named(key), std::string(wanted));
    return nullptr;
  }
  if (value->kind() == kind) return value;
  Fail("wrong type of " + Named(key), std::string(wanted));
  return nullptr;
}

std::int64_t ConfigReader::Int(std::string_view key, std::int64_t least, std::int64_t most) {
  const std::string wanted = "an integer, " + std::to_string(least) + " to " + std::to_string(most);
  const Value* value = Get(key, Value::Kind::kInt, wanted);
  if (value == nullptr) return least;
  if (value->AsInt() >= least && value->AsInt() <= most) return value->AsInt();
  Fail(Named(key) + " is " + std::to_string(value->AsInt()), wanted);
  return least;
}

bool ConfigReader::Bool(std::string_view key) {
  const Value* value = Get(key, Value::Kind::kBool, "true or false");
  return value != nullptr && value->AsBool();
}

std::vector<std::string> ConfigReader::Strings(std::string_view key) {
  std::vector<std::string> strings;
  const Value* value = Get(key, Value::Kind::kSeq, "an array of strings");
  if (value == nullptr) return strings;
  for (const Value& item : value->AsItems()) {
    if (item.kind() != Value::Kind::kString) {
      Fail("wrong type of an item of " + Named(key), "an array of strings");
      return {};
    }
    strings.push_back(item.AsString());
  }
  return strings;
}

std::vector<Value> ConfigReader::Objects(std::string_view key) {
  const Value* value = Get(key, Value::Kind::kSeq, "an array of objects");
  return value == nullptr ? std::vector<Value>{} : value->AsItems();
}

}  // namespace lockstep::scenarios
