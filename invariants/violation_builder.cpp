#include "invariants/violation_builder.h"

#include <fmt/format.h>

#include <utility>

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::Offset;

Violation Make(PropertyKind kind, std::string_view property, std::string message,
               std::vector<Fact> facts) {
  std::vector<std::pair<std::string, sim::Value>> expected;
  std::vector<std::pair<std::string, sim::Value>> actual;
  for (Fact& fact : facts) {
    expected.emplace_back(fact.name, std::move(fact.expected));
    actual.emplace_back(std::move(fact.name), std::move(fact.actual));
  }
  return {std::string(property), kind, std::move(message),
          sim::Value::RecordOf(std::move(expected)), sim::Value::RecordOf(std::move(actual))};
}

}  // namespace

Violation SafetyViolation(std::string_view property, std::string message, std::vector<Fact> facts) {
  return Make(PropertyKind::kSafety, property, std::move(message), std::move(facts));
}

Violation LivenessViolation(std::string_view property, std::string message,
                            std::vector<Fact> facts) {
  return Make(PropertyKind::kLiveness, property, std::move(message), std::move(facts));
}

Violation ConformanceViolation(std::string_view property, std::string message,
                               std::vector<Fact> facts) {
  return Make(PropertyKind::kConformance, property, std::move(message), std::move(facts));
}

sim::Value Text(std::string_view text) { return sim::Value::String(std::string(text)); }

sim::Value Number(std::int64_t number) { return sim::Value::Int(number); }

sim::Value Bound(std::string_view relation, std::int64_t number) {
  return Text(fmt::format("{} {}", relation, number));
}

std::string_view TypeName(EntryType type) {
  return type <= EntryType::COMPACTED ? Name(type) : std::string_view("UNKNOWN");
}

sim::Value EntryValue(const Entry& entry) {
  return sim::Value::RecordOf(
      {{"type", Text(TypeName(entry.type))}, {"msgCount", Number(entry.msg_count)}});
}

std::string DescribeEntry(Offset key, const Entry& entry) {
  if (entry.type == EntryType::EMPTY) return fmt::format("nothing at {}", key);
  return fmt::format("{} {}..{}", TypeName(entry.type), key - entry.msg_count + 1, key);
}

std::string IndexName(Offset key) { return fmt::format("logIndex[{}]", key); }

}  // namespace lockstep::invariants
