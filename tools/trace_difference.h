// The first place where two traces differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "traces/trace.h"

namespace lockstep::tools {

struct TraceDifference {
  std::string where;      ///< "step 12", "the header", "the decisions", "the footer"
  std::int64_t step = 0;  ///< 0 = not a step
  std::string action;     ///< of the recorded step
  std::string recorded;   ///< the line of the file around the difference; empty = no such step
  std::string now;        ///< the same of the run
};

std::optional<TraceDifference> FirstDifference(const traces::Trace& recorded,
                                               const traces::Trace& now);

}  // namespace lockstep::tools
