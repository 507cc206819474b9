// The full state after each step, from the header's initial state and what each step changed.
//
// The merge rule: a variable that is a Seq or a Record is a function, and `changed` gives its new
// points, keyed by position (decimal, from 1) or by name; a Seq that is given as a Seq, and any
// other variable, is replaced. A function keeps its domain.
#pragma once

#include <optional>
#include <string>

#include "sim/base/value.h"

namespace lockstep::traces {

class StateRebuilder {
 public:
  /// REQUIRES: `initial` is a record.
  explicit StateRebuilder(sim::Value initial);

  /// Applies one step's `changed` (or a violation's `observed`). A default Value changes nothing.
  /// Returns what does not fit, and then leaves the state half changed; or nothing.
  std::optional<std::string> Apply(const sim::Value& changed);

  /// Valid until the next Apply.
  [[nodiscard]] const sim::Value& state() const { return state_; }

 private:
  sim::Value state_;
};

}  // namespace lockstep::traces
