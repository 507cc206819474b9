// The shortest way to a state in which a property fails, for the tests of this folder.
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

#include "invariants/task_claiming/task_registry.h"
#include "protocol/task_claiming/mutants_for_tests.h"

namespace lockstep::invariants::task_claiming {

/// Which property, in how many steps from Init; an empty name when all hold everywhere.
struct Finding {
  std::string_view property;
  std::size_t steps = 0;
  friend bool operator==(const Finding&, const Finding&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Finding& finding) {
  return out << (finding.property.empty() ? "nothing" : finding.property) << " in " << finding.steps
             << " steps";
}

/// Breadth first, so no state in fewer steps breaks any of `properties`. Of several that the first
/// such state breaks, the first counts.
inline Finding FirstBroken(const protocol::task_claiming::Constants& constants,
                           const protocol::task_claiming::Deviation& deviation,
                           std::span<const TaskProperty> properties) {
  const protocol::task_claiming::Machine machine(constants);
  Finding finding;
  const auto visit = [&](const protocol::task_claiming::State& state, std::size_t level) {
    for (const TaskProperty& property : properties) {
      if (!property.state(machine, state)) continue;
      finding = {property.name, level - 1};
      return false;
    }
    return true;
  };
  Enumerate(machine, {protocol::task_claiming::View::kEverything, deviation, visit});
  return finding;
}

}  // namespace lockstep::invariants::task_claiming
