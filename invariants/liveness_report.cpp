#include "invariants/liveness_report.h"

#include <fmt/format.h>

namespace lockstep::invariants {

using protocol::leaderless_log::LogEnd;
using protocol::leaderless_log::WriterIndex;

std::string_view HowItEnded(const LogEnd& end) {
  return end.budget_spent ? "the heal phase has spent its steps" : "nothing is left to do";
}

std::string WriterName(const LogEnd& end, WriterIndex index) {
  const auto& names = end.machine.constants().writers;
  return index < names.size() ? names[index] : fmt::format("#{}", index);
}

}  // namespace lockstep::invariants
