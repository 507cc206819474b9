// Trace to a timeline for people: one line a step, in columns.
//
//   n  time  node   event                   action            changed
//   6    15  store  apply txn log/index w1  AssignOffset(w1)  logIndex[2]={WAL,2} ...
//
// README.md explains the columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "traces/trace.h"

namespace lockstep::traces {

struct TextOptions {
  std::int64_t from = 1;  ///< step numbers, both included
  std::int64_t to = std::numeric_limits<std::int64_t>::max();
  /// Only steps of one of these nodes, event kinds or actions; empty = all.
  std::vector<std::string> only;
  std::size_t width = 120;  ///< longer lines are cut and end in ".."; 0 = no limit
};

/// Printable ASCII and line feeds alone, whatever is in the trace.
std::string ExportText(const Trace& trace, const TextOptions& options);

}  // namespace lockstep::traces
