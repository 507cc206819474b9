#include "invariants/no_reader_error.h"

#include <fmt/format.h>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::State;

std::optional<Violation> CheckReader(const Machine& machine, const State& state,
                                     std::size_t reader) {
  if (state.writers[reader].reader_result != ReaderResult::ERROR) return std::nullopt;
  const auto& names = machine.constants().writers;
  const std::string name = reader < names.size() ? names[reader] : fmt::format("#{}", reader);
  return SafetyViolation("NoReaderError",
                         fmt::format("reader {} found no entry for a committed offset", name),
                         {{fmt::format("readerResult[{}]", name), Text("NONE or OK"),
                           Text(Name(ReaderResult::ERROR))}});
}

}  // namespace

std::optional<Violation> NoReaderError(const Machine& machine, const State& state) {
  for (std::size_t i = 0; i < state.writers.size(); ++i) {
    if (auto violation = CheckReader(machine, state, i)) return violation;
  }
  return std::nullopt;
}

std::optional<Violation> NoReaderError(const LogStep& step) {
  if (!step.changes.writer) return std::nullopt;
  return CheckReader(step.machine, step.state, step.changes.writer->first);
}

}  // namespace lockstep::invariants
