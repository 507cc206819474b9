#include "tools/progress.h"

#include <fmt/format.h>

#include "tools/numbers.h"

namespace lockstep::tools {

std::string ProgressLine(const ProgressFacts& facts) {
  const double rate = facts.seconds > 0 ? static_cast<double>(facts.steps) / facts.seconds : 0;
  std::string line = fmt::format("runs {}  steps {}  {} steps/s", Thousands(facts.runs),
                                 Short(static_cast<double>(facts.steps)), Short(rate));
  if (facts.states_total > 0) {
    line += fmt::format(
        "  states {}/{} ({:.0f}%)", Thousands(facts.states_seen), Thousands(facts.states_total),
        100.0 * static_cast<double>(facts.states_seen) / static_cast<double>(facts.states_total));
  } else if (facts.states_seen > 0) {
    line += fmt::format("  states {}", Thousands(facts.states_seen));
  }
  line += fmt::format("  failures {}", Thousands(facts.failures));
  if (facts.seconds_left) line += fmt::format("  ETA {}", DurationText(*facts.seconds_left));
  return line;
}

bool Progress::Due() const { return on_ && clock_.Seconds() - last_ >= 1.0; }

void Progress::Draw(const ProgressFacts& facts) {
  if (!on_) return;
  last_ = clock_.Seconds();
  drawn_ = true;
  console_.Err("\r\x1b[K" + ProgressLine(facts));
}

void Progress::Clear() {
  if (drawn_) console_.Err("\r\x1b[K");
  drawn_ = false;
}

}  // namespace lockstep::tools
