#include "scenarios/golden_digests.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>

#include "scenarios/scenario.h"
#include "traces/trace_writer.h"

namespace lockstep::scenarios {
namespace {

/// Cuts the text up to the next `separator` off `rest`.
std::string_view Cut(std::string_view& rest, char separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view piece = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return piece;
}

std::string RecomputeLine(std::string_view line) {
  std::string_view rest = line;
  const std::string_view name = Cut(rest, ' ');
  const std::string_view seed = Cut(rest, ' ');
  const std::string_view mutant = Cut(rest, ' ');
  RunSpec spec;
  spec.record_trace = true;
  spec.scenario = FindScenario(name);
  if (spec.scenario == nullptr) return fmt::format("{}: no such scenario", line);
  const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), spec.seed);
  if (error != std::errc{} || end != seed.data() + seed.size()) {
    return fmt::format("{}: the seed is no decimal number", line);
  }
  if (mutant != "-") {
    spec.mutant = FindMutant(mutant);
    if (spec.mutant == nullptr) return fmt::format("{}: no such mutant", line);
  }
  return fmt::format("{} {} {} {}", name, seed, mutant, traces::TraceDigest(*Run(spec).trace));
}

}  // namespace

std::string RecomputeDigests(std::string_view list) {
  std::string answer;
  while (!list.empty()) {
    const std::string_view line = Cut(list, '\n');
    if (line.empty() || line.front() == '#') {
      answer += line;
    } else {
      answer += RecomputeLine(line);
    }
    answer += '\n';
  }
  return answer;
}

}  // namespace lockstep::scenarios
