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
  const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
  shape.same_fields = shape.same_fields && other.same_fields &&
                      std::equal(shape.fields.begin(), shape.fields.end(), other.fields.begin(),
                                 other.fields.end(), same_name);
  for (std::size_t i = 0; i < other.fields.size(); ++i) {
    const auto& [name, field] = other.fields[i];
    // Nearly always the same place.
    auto mine =
        shape.fields.begin() + static_cast<std::ptrdiff_t>(std::min(i, shape.fields.size()));
    if (mine == shape.fields.end() || mine->first != name) {
      mine = std::find_if(shape.fields.begin(), shape.fields.end(),
                          [&](const auto& candidate) { return candidate.first == name; });
    }
    if (mine == shape.fields.end()) {
      shape.fields.emplace_back(name, field);
    } else if (auto why = Unify(mine->second, field)) {
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
    for (const auto& [name, field] : shape.fields) {
      if (!IsTlaName(name)) return std::nullopt;
      const std::optional<std::string> inner = Decode(expression + "." + name, field, level);
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
  if (!shape.items.empty()) inner = Decode(at, shape.items.front(), level + 1);
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
      if (shape.items.empty()) {
        shape.items.push_back(std::get<Shape>(std::move(inner)));
      } else if (auto why = Unify(shape.items.front(), std::get<Shape>(inner))) {
        return std::move(*why);
      }
    }
  } else if (shape.kind == Value::Kind::kRecord) {
    for (const auto& [name, field] : value.AsFields()) {
      std::variant<Shape, std::string> inner = ShapeOf(field);
      if (auto* why = std::get_if<std::string>(&inner)) return std::move(*why);
      shape.fields.emplace_back(name, std::get<Shape>(std::move(inner)));
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
  if (other.items.empty()) return std::nullopt;
  if (!shape.items.empty()) return Unify(shape.items.front(), other.items.front());
  shape.items = other.items;
  return std::nullopt;
}

bool HasSets(const Shape& shape) {
  if (shape.kind == Value::Kind::kSet) return true;
  return std::any_of(shape.items.begin(), shape.items.end(), HasSets) ||
         std::any_of(shape.fields.begin(), shape.fields.end(),
                     [](const auto& field) { return HasSets(field.second); });
}

std::optional<std::string> DecodeExpression(const std::string& expression, const Shape& shape) {
  return Decode(expression, shape, 1);
}

}  // namespace lockstep::traces
