// Value: the canonical tree in which spec states, action parameters and constants travel.
//
// It is the common ground of machines (ToValue), traces (JSON), exporters (TLA+) and violations
// (expected against actual). Equal values have equal bytes in every rendering.
// A TLA+ function over 1..n is a Seq; one over strings is a Record; any other is not needed here.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::sim {

class Value {
 public:
  struct Seq;
  struct Set;
  struct Record;
  enum class Kind : std::uint8_t { kBool, kInt, kString, kSeq, kSet, kRecord };

  Value() : Value(false) {}
  static Value Bool(bool b);
  static Value Int(std::int64_t i);
  static Value String(std::string s);
  static Value SeqOf(std::vector<Value> items);
  /// Sorts and removes duplicates.
  static Value SetOf(std::vector<Value> items);
  /// Keeps the given field order (it is part of the rendering). REQUIRES: unique field names.
  static Value RecordOf(std::vector<std::pair<std::string, Value>> fields);

  [[nodiscard]] Kind kind() const;
  /// REQUIRES: the matching kind.
  [[nodiscard]] bool AsBool() const;
  [[nodiscard]] std::int64_t AsInt() const;
  [[nodiscard]] const std::string& AsString() const;
  /// Items of a Seq or a Set.
  [[nodiscard]] const std::vector<Value>& AsItems() const;
  [[nodiscard]] std::vector<Value>& MutableItems();
  [[nodiscard]] const std::vector<std::pair<std::string, Value>>& AsFields() const;
  [[nodiscard]] std::vector<std::pair<std::string, Value>>& MutableFields();
  /// The field of a record, or nullptr.
  [[nodiscard]] const Value* Find(std::string_view field) const;

  /// JSON: bool, integer, string, array for Seq, {"#set":[...]} for Set, object for Record.
  void AppendJson(std::string& out) const;
  [[nodiscard]] std::string ToJson() const;
  /// TLA+ expression: TRUE, 3, "w1", <<...>>, {...}, [a |-> 1].
  [[nodiscard]] std::string ToTla() const;

  friend bool operator==(const Value& a, const Value& b);
  friend bool operator<(const Value& a, const Value& b);

 private:
  struct Items {
    bool is_set = false;
    std::vector<Value> items;
  };
  using Fields = std::vector<std::pair<std::string, Value>>;
  explicit Value(bool b) : data_(b) {}

  std::variant<bool, std::int64_t, std::string, Items, Fields> data_;
};

/// Appends the JSON string literal of `text` (quotes, backslashes and control characters escaped;
/// other bytes as they are).
void AppendJsonString(std::string& out, std::string_view text);

}  // namespace lockstep::sim
