// One line of JSON as a Value, strictly: what every reader of this layer is made of.
//
// Refused with a place and a reason, never with a crash: anything that is not JSON, a duplicate
// key, a float, an integer beyond 64 bits, null where nobody said it could be, invalid UTF-8, a NUL
// or a carriage return, nesting or a number of values beyond the limits below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/value.h"

namespace lockstep::traces {

inline constexpr std::size_t kDepthMax = 32;
/// Values in one file, counted by the caller's budget. About two gigabytes at the worst.
inline constexpr std::size_t kFileValuesMax = std::size_t{1} << 24U;

struct JsonLine {
  sim::Value value;
  /// The names of the top-level fields that were null; they are left out of `value`.
  std::vector<std::string> null_fields;
};

struct Problem {
  std::string problem;
  std::string accepted;
};

/// `values_left` is lowered by the number of values built.
std::variant<JsonLine, Problem> ParseJsonLine(std::string_view line, std::size_t& values_left);

/// Takes the fields of a record by name and type. The first thing wrong is kept; after it every
/// getter returns a default, so that a caller checks once, at the end.
class FieldReader {
 public:
  /// `where` names the record in messages: "a step". Keeps a reference to `record`.
  FieldReader(const sim::Value& record, std::string_view where);

  /// All keys must be among `keys`, in this order. Every key not in `optional` must be there.
  void ExpectKeys(std::initializer_list<std::string_view> keys,
                  std::initializer_list<std::string_view> optional = {});
  [[nodiscard]] bool Has(std::string_view name) const;
  std::string String(std::string_view name);
  std::int64_t Int(std::string_view name, std::int64_t least, std::int64_t most);
  std::vector<std::string> Strings(std::string_view name);
  sim::Value Record(std::string_view name);
  sim::Value Any(std::string_view name);
  /// Items of an array of records.
  std::vector<sim::Value> Records(std::string_view name);

  void Fail(std::string problem, std::string accepted);
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }

 private:
  const sim::Value* Get(std::string_view name, sim::Value::Kind kind, std::string_view kind_name);
  [[nodiscard]] std::string Named(std::string_view name) const;

  const sim::Value& record_;
  std::string where_;
  std::optional<Problem> problem_;
};

}  // namespace lockstep::traces
