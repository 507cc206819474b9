// Makes violations: a name, a sentence, and facts side by side.
//
// Only called once a property is known to be broken, so it may allocate as it likes; the path on
// which a property holds builds none of this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "invariants/violation.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "sim/base/value.h"

namespace lockstep::invariants {

/// One variable or fact: what the property wants it to be, and what it is.
struct Fact {
  std::string name;
  sim::Value expected;
  sim::Value actual;
};

[[nodiscard]] Violation SafetyViolation(std::string_view property, std::string message,
                                        std::vector<Fact> facts);
[[nodiscard]] Violation LivenessViolation(std::string_view property, std::string message,
                                          std::vector<Fact> facts);
[[nodiscard]] Violation ConformanceViolation(std::string_view property, std::string message,
                                             std::vector<Fact> facts);

[[nodiscard]] sim::Value Text(std::string_view text);
[[nodiscard]] sim::Value Number(std::int64_t number);
/// A bound as text: "<= 5".
[[nodiscard]] sim::Value Bound(std::string_view relation, std::int64_t number);
/// The type's name, or "UNKNOWN": an oracle must be able to speak of any state.
[[nodiscard]] std::string_view TypeName(protocol::leaderless_log::EntryType type);
/// [type |-> "WAL", msgCount |-> 2]
[[nodiscard]] sim::Value EntryValue(const protocol::leaderless_log::Entry& entry);
/// "WAL 4..7", or "nothing at 7" for an EMPTY one.
[[nodiscard]] std::string DescribeEntry(protocol::leaderless_log::Offset key,
                                        const protocol::leaderless_log::Entry& entry);
/// "logIndex[7]"
[[nodiscard]] std::string IndexName(protocol::leaderless_log::Offset key);

}  // namespace lockstep::invariants
