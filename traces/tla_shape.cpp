#include "traces/tla_shape.h"

#include <algorithm>
#include <cstddef>

#include "traces/tla_text.h"

namespace lockstep::traces {
namespace {

using sim::Value;

std::string_view KindName(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::kBool:
      return "a boolean";
    case Value::Kind::kInt:
      return "an integer";
    case Value::Kind::kString:
      return "a string";
    case Value::Kind::kSeq:
      return "a sequence";
    case Value::Kind::kSet:
      return "a set";
    case Value::Kind::kRecord:
      return "a record";
  }
  return "?";
}

std::optional<std::string> UnifyFields(Shape& shape, const Shape& other) {
  shape.same_fields = shape.same_fields && other.same_fields && shape.names == other.names;
  for (std::size_t i = 0; i < other.names.size(); ++i) {
    std::size_t mine = i;  // nearly always
    if (i >= shape.names.size() || shape.names[i] != other.names[i]) {
      const auto found = std::find(shape.names.begin(), shape.names.end(), other.names[i]);
      mine = static_cast<std::size_t>(found - shape.names.begin());
    }
    if (mine == shape.names.size()) {
      shape.names.push_back(other.names[i]);
      shape.parts.push_back(other.parts[i]);
    } else if (auto why = Unify(shape.parts[mine], other.parts[i])) {
      return why;
    }
  }
  return std::nullopt;
}

// The bound variable of the generated function or set at a nesting level.
std::string BoundName(int level) { return "replayIndex" + std::to_string(level); }

std::optional<std::string> Decode(const std::string& expression, const Shape& shape, int level) {
  if (!HasSets(shape)) return expression;
  if (shape.kind == Value::Kind::kRecord) {
    if (!shape.same_fields) return std::nullopt;
    std::string out = "[";
    for (std::size_t i = 0; i < shape.names.size(); ++i) {
      const std::string& name = shape.names[i];
      if (!IsTlaName(name)) return std::nullopt;
      const auto inner = Decode(expression + "." + name, shape.parts[i], level);
      if (!inner) return std::nullopt;
      if (out.size() > 1) out.append(", ");
      out.append(name).append(" |-> ").append(*inner);
    }
    return out + "]";
  }
  const std::string bound = BoundName(level);
  std::string at = expression;
  at.append("[").append(bound).append("]");
  std::optional<std::string> inner = at;
  if (!shape.parts.empty()) inner = Decode(at, shape.parts.front(), level + 1);
  if (!inner) return std::nullopt;
  const std::string domain = bound + " \\in DOMAIN " + expression;
  if (shape.kind == Value::Kind::kSet) return "{" + *inner + " : " + domain + "}";
  return "[" + domain + " |-> " + *inner + "]";
}

}  // namespace

std::variant<Shape, std::string> ShapeOf(const Value& value) {
  Shape shape;
  shape.kind = value.kind();
  if (shape.kind == Value::Kind::kSeq || shape.kind == Value::Kind::kSet) {
    for (const Value& item : value.AsItems()) {
      std::variant<Shape, std::string> inner = ShapeOf(item);
      if (auto* why = std::get_if<std::string>(&inner)) return std::move(*why);
      if (shape.parts.empty()) {
        shape.parts.push_back(std::get<Shape>(std::move(inner)));
      } else if (auto why = Unify(shape.parts.front(), std::get<Shape>(inner))) {
        return std::move(*why);
      }
    }
  } else if (shape.kind == Value::Kind::kRecord) {
    for (const auto& [name, field] : value.AsFields()) {
      std::variant<Shape, std::string> inner = ShapeOf(field);
      if (auto* why = std::get_if<std::string>(&inner)) return std::move(*why);
      shape.names.push_back(name);
      shape.parts.push_back(std::get<Shape>(std::move(inner)));
    }
  }
  return shape;
}

std::optional<std::string> Unify(Shape& shape, const Shape& other) {
  if (shape.kind != other.kind) {
    return "it holds " + std::string(KindName(shape.kind)) + " and " +
           std::string(KindName(other.kind)) + ", which TLC cannot compare";
  }
  if (shape.kind == Value::Kind::kRecord) return UnifyFields(shape, other);
  if (other.parts.empty()) return std::nullopt;
  if (!shape.parts.empty()) return Unify(shape.parts.front(), other.parts.front());
  shape.parts = other.parts;
  return std::nullopt;
}

bool HasSets(const Shape& shape) {
  if (shape.kind == Value::Kind::kSet) return true;
  return std::any_of(shape.parts.begin(), shape.parts.end(), HasSets);
}

std::optional<std::string> DecodeExpression(const std::string& expression, const Shape& shape) {
  return Decode(expression, shape, 1);
}

}  // namespace lockstep::traces
