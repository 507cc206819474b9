#include "invariants/reader_eventually_succeeds.h"

#include <fmt/format.h>

#include "invariants/liveness_report.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants {

using protocol::leaderless_log::LogEnd;
using protocol::leaderless_log::Name;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::Writer;
using protocol::leaderless_log::WriterIndex;

std::optional<Violation> ReaderEventuallySucceeds(const LogEnd& end) {
  if (end.reads_unsuccessful.empty()) return std::nullopt;
  const WriterIndex index = end.reads_unsuccessful.front();
  const Writer reader = index < end.state.writers.size() ? end.state.writers[index] : Writer{};
  return LivenessViolation(
      "ReaderEventuallySucceeds",
      fmt::format("the latest read of reader {} has not succeeded, although {}; {} have not",
                  WriterName(end, index), HowItEnded(end), end.reads_unsuccessful.size()),
      {{fmt::format("readerResult[{}]", WriterName(end, index)), Text(Name(ReaderResult::OK)),
        Text(Name(reader.reader_result))}});
}

}  // namespace lockstep::invariants
