#include "sim/base/value.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"

namespace lockstep::sim {
namespace {

using NamedValue = std::pair<std::string, Value>;

bool HasUniqueNames(const std::vector<NamedValue>& fields) {
  std::vector<std::string_view> names;
  names.reserve(fields.size());
  for (const NamedValue& field : fields) names.push_back(field.first);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Words that TLA+ reserves; a record field cannot be spelled so.
constexpr std::array<std::string_view, 38> kTlaReserved = {
    "ASSUME",    "ASSUMPTION", "AXIOM",   "CASE",      "CHOOSE",  "CONSTANT", "CONSTANTS",
    "DOMAIN",    "ELSE",       "ENABLED", "EXCEPT",    "EXTENDS", "IF",       "IN",
    "INSTANCE",  "LAMBDA",     "LET",     "LOCAL",     "MODULE",  "NEW",      "OBVIOUS",
    "OTHER",     "PROOF",      "PROVE",   "RECURSIVE", "STATE",   "SUBSET",   "SUFFICES",
    "TAKE",      "THEN",       "THEOREM", "UNCHANGED", "UNION",   "USE",      "VARIABLE",
    "VARIABLES", "WITH",       "WITNESS"};

bool IsTlaFieldName(std::string_view name) {
  if (name.starts_with("WF_") || name.starts_with("SF_")) return false;
  if (std::find(kTlaReserved.begin(), kTlaReserved.end(), name) != kTlaReserved.end()) return false;
  const auto in_name = [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; };
  return std::all_of(name.begin(), name.end(), in_name) &&
         std::any_of(name.begin(), name.end(), IsLetter);
}

// The letter of the two-character escape for `c`, or 0. The same in JSON and in TLA+, save that
// TLA+ has no \b.
char EscapeLetter(char c) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  const std::size_t at = kEscaped.find(c);
  return at == std::string_view::npos ? '\0' : kLetters[at];
}

void AppendTlaString(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) {
    const char letter = EscapeLetter(c);
    if (letter != '\0' && letter != 'b') {
      out.append({'\\', letter});
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

void AppendTla(std::string& out, const Value& value);

void AppendTlaItems(std::string& out, const std::vector<Value>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out.append(", ");
    AppendTla(out, items[i]);
  }
}

// [a |-> 1] needs identifiers as names. Other names are strings only, for which the function is
// spelled out with TLC's operators; a function with an empty domain is the empty sequence.
void AppendTlaRecord(std::string& out, const std::vector<NamedValue>& fields) {
  if (fields.empty()) {
    out.append("<<>>");
    return;
  }
  const bool is_record = std::all_of(fields.begin(), fields.end(), [](const NamedValue& field) {
    return IsTlaFieldName(field.first);
  });
  out.push_back(is_record ? '[' : '(');
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out.append(is_record ? ", " : " @@ ");
    if (is_record) {
      out.append(fields[i].first).append(" |-> ");
    } else {
      AppendTlaString(out, fields[i].first);
      out.append(" :> ");
    }
    AppendTla(out, fields[i].second);
  }
  out.push_back(is_record ? ']' : ')');
}

void AppendTla(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kBool:
      out.append(value.AsBool() ? "TRUE" : "FALSE");
      return;
    case Value::Kind::kInt:
      out.append(std::to_string(value.AsInt()));
      return;
    case Value::Kind::kString:
      AppendTlaString(out, value.AsString());
      return;
    case Value::Kind::kSeq:
      out.append("<<");
      AppendTlaItems(out, value.AsItems());
      out.append(">>");
      return;
    case Value::Kind::kSet:
      out.push_back('{');
      AppendTlaItems(out, value.AsItems());
      out.push_back('}');
      return;
    case Value::Kind::kRecord:
      AppendTlaRecord(out, value.AsFields());
      return;
  }
}

void AppendJsonItems(std::string& out, const std::vector<Value>& items) {
  out.push_back('[');
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out.push_back(',');
    items[i].AppendJson(out);
  }
  out.push_back(']');
}

}  // namespace

Value Value::Bool(bool b) { return Value(b); }

Value Value::Int(std::int64_t i) {
  Value value;
  value.data_ = i;
  return value;
}

Value Value::String(std::string s) {
  Value value;
  value.data_ = std::move(s);
  return value;
}

Value Value::SeqOf(std::vector<Value> items) {
  Value value;
  value.data_ = Items{false, std::move(items)};
  return value;
}

Value Value::SetOf(std::vector<Value> items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  Value value;
  value.data_ = Items{true, std::move(items)};
  return value;
}

Value Value::RecordOf(std::vector<std::pair<std::string, Value>> fields) {
  LOCKSTEP_CHECK(HasUniqueNames(fields));
  Value value;
  value.data_ = std::move(fields);
  return value;
}

Value::Kind Value::kind() const {
  switch (data_.index()) {
    case 0:
      return Kind::kBool;
    case 1:
      return Kind::kInt;
    case 2:
      return Kind::kString;
    case 3:
      return std::get<Items>(data_).is_set ? Kind::kSet : Kind::kSeq;
    default:
      return Kind::kRecord;
  }
}

bool Value::AsBool() const {
  const bool* b = std::get_if<bool>(&data_);
  LOCKSTEP_CHECK(b != nullptr);
  return *b;
}

std::int64_t Value::AsInt() const {
  const std::int64_t* i = std::get_if<std::int64_t>(&data_);
  LOCKSTEP_CHECK(i != nullptr);
  return *i;
}

const std::string& Value::AsString() const {
  const std::string* s = std::get_if<std::string>(&data_);
  LOCKSTEP_CHECK(s != nullptr);
  return *s;
}

const std::vector<Value>& Value::AsItems() const {
  const Items* items = std::get_if<Items>(&data_);
  LOCKSTEP_CHECK(items != nullptr);
  return items->items;
}

std::vector<Value>& Value::MutableItems() {
  Items* items = std::get_if<Items>(&data_);
  LOCKSTEP_CHECK(items != nullptr);
  LOCKSTEP_CHECK_MSG(!items->is_set, "a set's items are kept sorted: make a new set");
  return items->items;
}

const std::vector<std::pair<std::string, Value>>& Value::AsFields() const {
  const Fields* fields = std::get_if<Fields>(&data_);
  LOCKSTEP_CHECK(fields != nullptr);
  return *fields;
}

std::vector<std::pair<std::string, Value>>& Value::MutableFields() {
  Fields* fields = std::get_if<Fields>(&data_);
  LOCKSTEP_CHECK(fields != nullptr);
  return *fields;
}

const Value* Value::Find(std::string_view field) const {
  for (const NamedValue& candidate : AsFields()) {
    if (candidate.first == field) return &candidate.second;
  }
  return nullptr;
}

void Value::AppendJson(std::string& out) const {
  switch (kind()) {
    case Kind::kBool:
      out.append(AsBool() ? "true" : "false");
      return;
    case Kind::kInt:
      out.append(std::to_string(AsInt()));
      return;
    case Kind::kString:
      AppendJsonString(out, AsString());
      return;
    case Kind::kSeq:
      AppendJsonItems(out, AsItems());
      return;
    case Kind::kSet:
      out.append("{\"#set\":");
      AppendJsonItems(out, AsItems());
      out.push_back('}');
      return;
    case Kind::kRecord: {
      const Fields& fields = AsFields();
      out.push_back('{');
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) out.push_back(',');
        AppendJsonString(out, fields[i].first);
        out.push_back(':');
        fields[i].second.AppendJson(out);
      }
      out.push_back('}');
      return;
    }
  }
}

std::string Value::ToJson() const {
  std::string out;
  AppendJson(out);
  return out;
}

std::string Value::ToTla() const {
  std::string out;
  AppendTla(out, *this);
  return out;
}

bool operator==(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Value::Kind::kBool:
      return a.AsBool() == b.AsBool();
    case Value::Kind::kInt:
      return a.AsInt() == b.AsInt();
    case Value::Kind::kString:
      return a.AsString() == b.AsString();
    case Value::Kind::kSeq:
    case Value::Kind::kSet:
      return a.AsItems() == b.AsItems();
    case Value::Kind::kRecord:
      return a.AsFields() == b.AsFields();
  }
  return false;
}

bool operator<(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return a.kind() < b.kind();
  switch (a.kind()) {
    case Value::Kind::kBool:
      return !a.AsBool() && b.AsBool();
    case Value::Kind::kInt:
      return a.AsInt() < b.AsInt();
    case Value::Kind::kString:
      return a.AsString() < b.AsString();
    case Value::Kind::kSeq:
    case Value::Kind::kSet:
      return a.AsItems() < b.AsItems();
    case Value::Kind::kRecord:
      return a.AsFields() < b.AsFields();
  }
  return false;
}

void AppendJsonString(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (const char letter = EscapeLetter(c); letter != '\0') {
      out.append({'\\', letter});
    } else if (byte < 0x20) {
      out.append({'\\', 'u', '0', '0', kHex[byte >> 4U], kHex[byte & 0xfU]});
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

}  // namespace lockstep::sim
