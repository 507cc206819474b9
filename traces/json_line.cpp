#include "traces/json_line.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "traces/read_error.h"

namespace lockstep::traces {
namespace {

using sim::Value;
using NamedValue = std::pair<std::string, Value>;

constexpr int kNumberOverflow = 406;  ///< nlohmann's number for a number beyond any float

// Builds the Value while nlohmann's parser reads. Every callback returns false to stop.
class ValueBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ValueBuilder(std::size_t& values_left) : values_left_(values_left) {}

  bool null() override {
    if (frames_.size() == 1 && frames_[0].is_object) {
      null_fields_.push_back(std::move(frames_[0].key));
      return true;
    }
    return Fail("null", "true, false, an integer, a string, an array or an object");
  }
  bool boolean(bool b) override { return Add(Value::Bool(b)); }
  bool number_integer(number_integer_t i) override { return Add(Value::Int(i)); }
  bool number_unsigned(number_unsigned_t i) override {
    if (i > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
      return FailRange();
    }
    return Add(Value::Int(static_cast<std::int64_t>(i)));
  }
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    if (text.find_first_of(".eE") == std::string::npos) return FailRange();
    return Fail("the float " + Quoted(text), "integers only");
  }
  bool string(string_t& text) override { return Add(Value::String(std::move(text))); }
  bool binary(binary_t& /*bytes*/) override { return Fail("binary data", "JSON text"); }

  bool start_object(std::size_t /*size*/) override { return Open(true); }
  bool key(string_t& name) override {
    if (name.starts_with('#') && name != "#set") {
      return Fail("the key " + Quoted(name), "\"#set\" is the only key that begins with #");
    }
    frames_.back().key = std::move(name);
    return true;
  }
  bool end_object() override {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (const std::string* twice = FirstDuplicate(frame.fields)) {
      return Fail("the key " + Quoted(*twice) + " stands twice in one object", "each key once");
    }
    const auto is_set = [](const NamedValue& field) { return field.first == "#set"; };
    if (std::none_of(frame.fields.begin(), frame.fields.end(), is_set)) {
      return Add(Value::RecordOf(std::move(frame.fields)));
    }
    if (frame.fields.size() != 1 || frame.fields[0].second.kind() != Value::Kind::kSeq) {
      return Fail("\"#set\" is not alone or not an array", "{\"#set\":[...]}");
    }
    return Add(Value::SetOf(std::move(frame.fields[0].second.MutableItems())));
  }
  bool start_array(std::size_t /*size*/) override { return Open(false); }
  bool end_array() override {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    return Add(Value::SeqOf(std::move(frame.items)));
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    if (error.id == kNumberOverflow) return FailRange();
    // The library's own words, without its number and without the token, which may be huge.
    std::string_view text = error.what();
    if (const std::size_t at = text.find("syntax error"); at != text.npos) text.remove_prefix(at);
    text = text.substr(0, text.find("; last read"));
    return Fail("not JSON at column " + std::to_string(position) + ": " + Quoted(text),
                "one JSON object on the line");
  }

  std::variant<JsonLine, Problem> Take() {
    if (problem_) return std::move(*problem_);
    return JsonLine{std::move(root_), std::move(null_fields_)};
  }

 private:
  struct Frame {
    bool is_object = false;
    std::string key;
    std::vector<Value> items;
    std::vector<NamedValue> fields;
  };

  bool Open(bool is_object) {
    if (frames_.size() == kDepthMax) {
      return Fail("nested too deeply", "at most " + std::to_string(kDepthMax) + " levels");
    }
    frames_.push_back(Frame{is_object, {}, {}, {}});
    return true;
  }

  bool Add(Value value) {
    if (values_left_ == 0) {
      return Fail("too many values",
                  "at most " + std::to_string(kFileValuesMax) + " values in a file");
    }
    --values_left_;
    if (frames_.empty()) {
      root_ = std::move(value);
    } else if (Frame& top = frames_.back(); top.is_object) {
      top.fields.emplace_back(std::move(top.key), std::move(value));
      top.key.clear();
    } else {
      top.items.push_back(std::move(value));
    }
    return true;
  }

  // Sorting, not pairwise comparison: a hostile object may have a million keys.
  static const std::string* FirstDuplicate(const std::vector<NamedValue>& fields) {
    std::vector<const std::string*> names;
    names.reserve(fields.size());
    for (const NamedValue& field : fields) names.push_back(&field.first);
    std::sort(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a < *b; });
    const auto twice = std::adjacent_find(names.begin(), names.end(),
                                          [](const auto* a, const auto* b) { return *a == *b; });
    return twice == names.end() ? nullptr : *twice;
  }

  bool FailRange() { return Fail("an integer out of range", "integers of 64 bits, signed"); }
  bool Fail(std::string problem, std::string accepted) {
    problem_ = Problem{std::move(problem), std::move(accepted)};
    return false;
  }

  std::size_t& values_left_;
  std::vector<Frame> frames_;
  Value root_;
  std::vector<std::string> null_fields_;
  std::optional<Problem> problem_;
};

std::string Joined(std::initializer_list<std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out.append(", ");
    out.append(name);
  }
  return out;
}

}  // namespace

std::variant<JsonLine, Problem> ParseJsonLine(std::string_view line, std::size_t& values_left) {
  // The parser below takes a NUL for the end and a carriage return for white space.
  if (line.find('\0') != line.npos) return Problem{"a NUL byte", "UTF-8 text"};
  if (line.find('\r') != line.npos) {
    return Problem{"a carriage return", "lines that end with a line feed alone"};
  }
  ValueBuilder builder(values_left);
  nlohmann::json::sax_parse(line, &builder);
  std::variant<JsonLine, Problem> result = builder.Take();
  if (const auto* parsed = std::get_if<JsonLine>(&result)) {
    if (parsed->value.kind() != Value::Kind::kRecord) {
      return Problem{"a line that is not an object", "one JSON object on the line"};
    }
  }
  return result;
}

FieldReader::FieldReader(const Value& record, std::string_view where)
    : record_(record), where_(where) {
  if (record_.kind() != Value::Kind::kRecord) Fail(where_ + " is not an object", "an object");
}

void FieldReader::Fail(std::string problem, std::string accepted) {
  if (!problem_) problem_ = Problem{std::move(problem), std::move(accepted)};
}

bool FieldReader::Has(std::string_view name) const {
  return record_.kind() == Value::Kind::kRecord && record_.Find(name) != nullptr;
}

std::string FieldReader::Named(std::string_view name) const {
  return Quoted(name) + " in " + where_;
}

void FieldReader::ExpectKeys(std::initializer_list<std::string_view> keys,
                             std::initializer_list<std::string_view> optional) {
  if (problem_) return;
  const std::string accepted = Joined(keys) + ", in this order";
  for (const auto& [name, value] : record_.AsFields()) {
    if (std::find(keys.begin(), keys.end(), name) == keys.end()) {
      return Fail("unknown key " + Named(name), accepted);
    }
  }
  auto field = record_.AsFields().begin();
  for (const std::string_view key : keys) {
    if (field != record_.AsFields().end() && field->first == key) {
      ++field;
    } else if (Has(key)) {
      return Fail("key " + Named(key) + " out of order", accepted);
    } else if (std::find(optional.begin(), optional.end(), key) == optional.end()) {
      return Fail("missing key " + Named(key), accepted);
    }
  }
}

const Value* FieldReader::Get(std::string_view name, Value::Kind kind, std::string_view kind_name) {
  if (problem_) return nullptr;
  const Value* value = record_.Find(name);
  if (value == nullptr) {
    Fail("missing key " + Named(name), std::string(kind_name));
  } else if (value->kind() != kind) {
    Fail("wrong type of " + Named(name), std::string(kind_name));
  } else {
    return value;
  }
  return nullptr;
}

std::string FieldReader::String(std::string_view name) {
  const Value* value = Get(name, Value::Kind::kString, "a string");
  return value == nullptr ? std::string() : value->AsString();
}

std::int64_t FieldReader::Int(std::string_view name, std::int64_t least, std::int64_t most) {
  const Value* value = Get(name, Value::Kind::kInt, "an integer");
  if (value == nullptr) return least;
  if (value->AsInt() < least || value->AsInt() > most) {
    Fail(Named(name) + " is " + std::to_string(value->AsInt()),
         std::to_string(least) + " to " + std::to_string(most));
    return least;
  }
  return value->AsInt();
}

std::vector<std::string> FieldReader::Strings(std::string_view name) {
  std::vector<std::string> out;
  const Value* value = Get(name, Value::Kind::kSeq, "an array of strings");
  if (value == nullptr) return out;
  for (const Value& item : value->AsItems()) {
    if (item.kind() != Value::Kind::kString) {
      Fail("wrong type of an item of " + Named(name), "an array of strings");
      break;
    }
    out.push_back(item.AsString());
  }
  return out;
}

Value FieldReader::Record(std::string_view name) {
  const Value* value = Get(name, Value::Kind::kRecord, "an object");
  return value == nullptr ? Value::RecordOf({}) : *value;
}

Value FieldReader::Any(std::string_view name) {
  if (problem_) return Value();
  const Value* value = record_.Find(name);
  if (value == nullptr) Fail("missing key " + Named(name), "a value");
  return value == nullptr ? Value() : *value;
}

std::vector<Value> FieldReader::Records(std::string_view name) {
  const Value* value = Get(name, Value::Kind::kSeq, "an array of objects");
  if (value == nullptr) return {};
  for (const Value& item : value->AsItems()) {
    if (item.kind() == Value::Kind::kRecord) continue;
    Fail("wrong type of an item of " + Named(name), "an array of objects");
    return {};
  }
  return value->AsItems();
}

}  // namespace lockstep::traces
