#include "invariants/entries_point_to_data.h"

#include <fmt/format.h>

#include <string>

#include "invariants/index_lookup.h"
#include "invariants/store_lookup.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Offset;

Violation Missing(Offset key, std::string_view object, std::string_view how) {
  return SafetyViolation(
      "EntriesPointToData",
      fmt::format("the index entry at {} refers to object {}, which {}", key, object, how),
      {{fmt::format("exists({})", object), sim::Value::Bool(true), sim::Value::Bool(false)}});
}

}  // namespace

std::optional<Violation> EntriesPointToData(const LogStep& step) {
  for (const auto& change : step.observed_changes.index) {
    if (IsEmpty(step.observed.index.At(change.offset))) continue;
    const auto record = RecordOf(step.store, change.offset);
    if (!record || IsEmpty(record->entry)) continue;
    if (step.objects.Find(record->object) != nullptr) continue;
    return Missing(record->key, record->object, "does not exist");
  }
  for (const std::string& key : step.observed_changes.objects_deleted) {
    const auto reference = step.references.lower_bound(key);
    if (reference == step.references.end() || reference->first != key) continue;
    if (step.objects.Find(key) != nullptr) continue;
    return Missing(reference->second, key, "has been deleted");
  }
  return std::nullopt;
}

}  // namespace lockstep::invariants
