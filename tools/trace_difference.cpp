#include "tools/trace_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "traces/trace_writer.h"

namespace lockstep::tools {
namespace {

// What stands around the first differing byte, so that it can be seen in long lines.
std::string Around(std::string_view line, std::size_t at) {
  constexpr std::size_t kBefore = 60;
  constexpr std::size_t kColumns = 200;
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.size() <= kColumns) return std::string(line);
  const std::size_t first = std::min(at > kBefore ? at - kBefore : 0, line.size());
  const std::string_view part = line.substr(first, kColumns);
  return fmt::format("{}{}{}", first > 0 ? ".." : "", part,
                     first + part.size() < line.size() ? ".." : "");
}

std::optional<TraceDifference> Compare(std::string_view where, std::string_view recorded,
                                       std::string_view now) {
  if (recorded == now) return std::nullopt;
  const auto at =
      static_cast<std::size_t>(std::ranges::mismatch(recorded, now).in1 - recorded.begin());
  TraceDifference difference;
  difference.where = where;
  difference.recorded = Around(recorded, at);
  difference.now = Around(now, at);
  return difference;
}

std::string StepLine(const traces::Trace& trace, std::size_t index) {
  std::string line;
  if (index < trace.steps.size()) traces::AppendStepLine(line, trace.steps[index]);
  return line;
}

}  // namespace

std::optional<TraceDifference> FirstDifference(const traces::Trace& recorded,
                                               const traces::Trace& now) {
  std::string recorded_line;
  std::string now_line;
  traces::AppendHeaderLine(recorded_line, recorded.header);
  traces::AppendHeaderLine(now_line, now.header);
  if (auto difference = Compare("the header", recorded_line, now_line)) return difference;
  for (std::size_t i = 0; i < std::max(recorded.steps.size(), now.steps.size()); ++i) {
    auto difference =
        Compare(fmt::format("step {}", i + 1), StepLine(recorded, i), StepLine(now, i));
    if (!difference) continue;
    difference->step = static_cast<std::int64_t>(i + 1);
    if (i < recorded.steps.size()) difference->action = recorded.steps[i].action.value_or("");
    return difference;
  }
  recorded_line.clear();
  now_line.clear();
  traces::AppendScheduleLine(recorded_line, recorded.schedule);
  traces::AppendScheduleLine(now_line, now.schedule);
  if (auto difference = Compare("the decisions", recorded_line, now_line)) return difference;
  recorded_line.clear();
  now_line.clear();
  traces::AppendFooterUpToDigest(recorded_line, recorded.footer,
                                 static_cast<std::int64_t>(recorded.steps.size()));
  traces::AppendFooterUpToDigest(now_line, now.footer, static_cast<std::int64_t>(now.steps.size()));
  return Compare("the footer", recorded_line, now_line);
}

}  // namespace lockstep::tools
