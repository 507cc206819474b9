#include "traces/state_rebuilder.h"

#include <charconv>
#include <cstddef>
#include <utility>

#include "sim/base/check.h"
#include "traces/read_error.h"

namespace lockstep::traces {
namespace {

using sim::Value;

Value* FindMutable(Value& record, std::string_view name) {
  for (auto& [field, value] : record.MutableFields()) {
    if (field == name) return &value;
  }
  return nullptr;
}

// "3" -> the third item, or nullptr.
Value* FindItem(Value& seq, std::string_view key) {
  std::size_t position = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), position);
  std::vector<Value>& items = seq.MutableItems();
  const bool canonical = error == std::errc() && std::to_string(position) == key;
  if (!canonical || position == 0 || position > items.size()) return nullptr;
  return &items[position - 1];
}

std::optional<std::string> ApplyToVariable(const std::string& name, Value& variable,
                                           const Value& change) {
  const bool is_seq = variable.kind() == Value::Kind::kSeq;
  const bool is_function = is_seq || variable.kind() == Value::Kind::kRecord;
  if (!is_function || (is_seq && change.kind() == Value::Kind::kSeq)) {
    variable = change;
    return std::nullopt;
  }
  if (change.kind() != Value::Kind::kRecord) {
    return "variable " + Quoted(name) + " is a function, but its change is not an object of points";
  }
  for (const auto& [key, value] : change.AsFields()) {
    Value* point = is_seq ? FindItem(variable, key) : FindMutable(variable, key);
    if (point == nullptr) {
      return "variable " + Quoted(name) + " has no point " + Quoted(key);
    }
    *point = value;
  }
  return std::nullopt;
}

}  // namespace

StateRebuilder::StateRebuilder(Value initial) : state_(std::move(initial)) {
  LOCKSTEP_CHECK(state_.kind() == Value::Kind::kRecord);
}

std::optional<std::string> StateRebuilder::Apply(const Value& changed) {
  if (changed == Value()) return std::nullopt;
  if (changed.kind() != Value::Kind::kRecord) return "a change that is not an object";
  for (const auto& [name, change] : changed.AsFields()) {
    Value* variable = FindMutable(state_, name);
    if (variable == nullptr) return "no variable " + Quoted(name) + " in the initial state";
    if (auto problem = ApplyToVariable(name, *variable, change)) return problem;
  }
  return std::nullopt;
}

}  // namespace lockstep::traces
