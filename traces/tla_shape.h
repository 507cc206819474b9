// Shape: what kind of values a variable holds over a whole trace, as far as TLC must know.
//
// TLC's Json module has no sets: they travel as arrays. The shape says where sets stand, so that an
// expression can be generated that turns the arrays back. It also finds the variable that holds a
// string here and a number there, which TLC cannot compare.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/value.h"

namespace lockstep::traces {

struct Shape {
  sim::Value::Kind kind = sim::Value::Kind::kBool;
  /// Of a Seq or Set: the common shape of all items, or nothing yet. Of a Record: one a field.
  std::vector<Shape> parts;
  std::vector<std::string> names;  ///< of a Record's fields
  bool same_fields = true;         ///< every record seen here had the same names, in this order
};

/// The shape of one value, or why its items have none in common.
std::variant<Shape, std::string> ShapeOf(const sim::Value& value);

/// Makes `shape` that of both; returns why there is none.
std::optional<std::string> Unify(Shape& shape, const Shape& other);

bool HasSets(const Shape& shape);

/// The TLA+ expression of the value that was written by AppendTlcJson and read as `expression`.
/// `expression` itself where the shape has no sets. Nothing if no expression can be written: a
/// record with sets inside whose field names differ from state to state.
std::optional<std::string> DecodeExpression(const std::string& expression, const Shape& shape);

}  // namespace lockstep::traces
