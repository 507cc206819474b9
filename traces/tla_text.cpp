#include "traces/tla_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "traces/read_error.h"

namespace lockstep::traces {
namespace {

using sim::Value;

constexpr std::array<std::string_view, 59> kReserved = {
    "ACTION", "ASSUME",    "ASSUMPTION",  "AXIOM",     "BOOLEAN",  "BY",        "CASE",
    "CHOOSE", "CONSTANT",  "CONSTANTS",   "COROLLARY", "DEF",      "DEFINE",    "DEFS",
    "DOMAIN", "ELSE",      "ENABLED",     "EXCEPT",    "EXTENDS",  "FALSE",     "HAVE",
    "HIDE",   "IF",        "IN",          "INSTANCE",  "LAMBDA",   "LEMMA",     "LET",
    "LOCAL",  "MODULE",    "NEW",         "OBVIOUS",   "OMITTED",  "ONLY",      "OTHER",
    "PICK",   "PROOF",     "PROPOSITION", "PROVE",     "QED",      "RECURSIVE", "STATE",
    "STRING", "SUBSET",    "SUFFICES",    "TAKE",      "TEMPORAL", "THEN",      "THEOREM",
    "TRUE",   "UNCHANGED", "UNION",       "USE",       "VARIABLE", "VARIABLES", "WF_",
    "WITH",   "WITNESS",   "SF_"};

constexpr std::size_t kNameBytesMax = 200;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsNamePart(char c) { return IsLetter(c) || (c >= '0' && c <= '9') || c == '_'; }
bool IsPrintable(char c) { return c >= 0x20 && c < 0x7f; }

bool StartsWithReplay(std::string_view name) {
  constexpr std::string_view kOwn = "replay";
  if (name.size() < kOwn.size()) return false;
  return std::equal(kOwn.begin(), kOwn.end(), name.begin(), [](char own, char c) {
    return own == c || own == static_cast<char>(c + ('a' - 'A'));
  });
}

// Some of the .cfg's strings: those that no tokenizer can take for anything else.
bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsNamePart(c) || c == '-' || c == '.' || c == ':'; });
}

}  // namespace

bool IsTlaName(std::string_view name) {
  if (name.empty() || name.size() > kNameBytesMax || !IsLetter(name.front())) return false;
  if (!std::all_of(name.begin(), name.end(), IsNamePart)) return false;
  if (name.starts_with("WF_") || name.starts_with("SF_") || StartsWithReplay(name)) return false;
  return std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end();
}

std::optional<std::string> WhyNotForTlc(const Value& value) {
  const auto check_string = [](const std::string& text) -> std::optional<std::string> {
    if (std::all_of(text.begin(), text.end(), IsPrintable)) return std::nullopt;
    return "the string " + Quoted(text) + " is not printable ASCII";
  };
  switch (value.kind()) {
    case Value::Kind::kBool:
      return std::nullopt;
    case Value::Kind::kInt:
      if (value.AsInt() < std::numeric_limits<std::int32_t>::min() ||
          value.AsInt() > std::numeric_limits<std::int32_t>::max()) {
        return "the integer " + std::to_string(value.AsInt()) + " does not fit TLC's 32 bits";
      }
      return std::nullopt;
    case Value::Kind::kString:
      return check_string(value.AsString());
    case Value::Kind::kSeq:
    case Value::Kind::kSet:
      for (const Value& item : value.AsItems()) {
        if (auto why = WhyNotForTlc(item)) return why;
      }
      return std::nullopt;
    case Value::Kind::kRecord:
      for (const auto& [name, field] : value.AsFields()) {
        if (auto why = check_string(name)) return why;
        if (auto why = WhyNotForTlc(field)) return why;
      }
      return std::nullopt;
  }
  return std::nullopt;
}

void AppendTlcJson(std::string& out, const Value& value) {
  const Value::Kind kind = value.kind();
  if (kind == Value::Kind::kSeq || kind == Value::Kind::kSet) {
    const std::vector<Value>& items = value.AsItems();
    out.push_back('[');
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out.push_back(',');
      AppendTlcJson(out, items[i]);
    }
    out.push_back(']');
  } else if (kind == Value::Kind::kRecord) {
    out.push_back('{');
    for (const auto& [name, field] : value.AsFields()) {
      if (out.back() != '{') out.push_back(',');
      sim::AppendJsonString(out, name);
      out.push_back(':');
      AppendTlcJson(out, field);
    }
    out.push_back('}');
  } else {
    value.AppendJson(out);
  }
}

std::optional<std::string> AsCfgText(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kBool:
      return value.ToTla();
    case Value::Kind::kInt:
      if (value.AsInt() < 0) return std::nullopt;
      return value.ToTla();
    case Value::Kind::kString:
      if (!IsPlain(value.AsString())) return std::nullopt;
      return value.ToTla();
    case Value::Kind::kSet:
      for (const Value& item : value.AsItems()) {
        if (!AsCfgText(item)) return std::nullopt;
      }
      return value.ToTla();
    case Value::Kind::kSeq:
    case Value::Kind::kRecord:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> WhyNotInModule(const Value& value) {
  if (value.kind() == Value::Kind::kRecord) {
    for (const auto& [name, field] : value.AsFields()) {
      if (!IsTlaName(name)) return "the field name " + Quoted(name) + " is no TLA+ name";
      if (auto why = WhyNotInModule(field)) return why;
    }
  } else if (value.kind() == Value::Kind::kSeq || value.kind() == Value::Kind::kSet) {
    for (const Value& item : value.AsItems()) {
      if (auto why = WhyNotInModule(item)) return why;
    }
  }
  return std::nullopt;
}

std::string CommentText(std::string_view text) {
  std::string out(text.substr(0, kNameBytesMax));
  for (char& c : out) {
    if (!IsNamePart(c) && c != ' ' && c != '.' && c != ',' && c != ':') c = '?';
  }
  return out;
}

}  // namespace lockstep::traces
