#include "invariants/one_effective_entry.h"

#include <fmt/format.h>

#include <algorithm>

#include "invariants/index_lookup.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::ObservedLog;
using protocol::leaderless_log::Offset;

/// Every committed offset of first..last.
std::optional<Violation> CheckCommitted(const ObservedLog& log, Offset first, Offset last) {
  last = std::min(last, log.counter - 1);
  for (Offset offset = std::max<Offset>(first, 1); offset <= last;) {
    const EffectiveEntry effective = CeilingLookup(log.index, offset);
    if (effective.Covers(offset)) {
      offset = effective.key + 1;
      continue;
    }
    const std::string found =
        effective.key == 0 ? std::string("nothing") : DescribeEntry(effective.key, effective.entry);
    return SafetyViolation(
        "OneEffectiveEntry",
        fmt::format("the counter is {}, but no entry covers offset {}: a lookup finds {}",
                    log.counter, offset, found),
        {{fmt::format("lookup({})", offset), Text("an entry that covers it"), Text(found)}});
  }
  return std::nullopt;
}

}  // namespace

std::optional<Violation> OneEffectiveEntry(const LogStep& step) {
  const ObservedLog& log = step.observed;
  if (const auto& before = step.observed_changes.counter) {
    if (auto violation = CheckCommitted(log, *before, log.counter - 1)) return violation;
  }
  return CheckTouched(log.index, step.observed_changes.index,
                      [&](Offset first, Offset last) { return CheckCommitted(log, first, last); });
}

}  // namespace lockstep::invariants
