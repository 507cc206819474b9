#include "invariants/append_progress.h"

#include <fmt/format.h>

#include "invariants/liveness_report.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants {

using protocol::leaderless_log::LogEnd;
using protocol::leaderless_log::Name;
using protocol::leaderless_log::Writer;
using protocol::leaderless_log::WriterIndex;

std::optional<Violation> AppendProgress(const LogEnd& end) {
  if (end.appends_pending.empty()) return std::nullopt;
  const WriterIndex index = end.appends_pending.front();
  const Writer writer = index < end.state.writers.size() ? end.state.writers[index] : Writer{};
  return LivenessViolation(
      "AppendProgress",
      fmt::format("the append of writer {} is not answered, although {}; {} are unanswered",
                  WriterName(end, index), HowItEnded(end), end.appends_pending.size()),
      {{fmt::format("writerState[{}]", WriterName(end, index)), Text("IDLE, answered"),
        Text(Name(writer.state))}});
}

}  // namespace lockstep::invariants
