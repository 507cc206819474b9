// Progress of a sweep: one line on a terminal, drawn over and over, at most once a second.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/console.h"
#include "tools/stopwatch.h"

namespace lockstep::tools {

struct ProgressFacts {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  double seconds = 0;
  std::uint64_t states_seen = 0;
  std::uint64_t states_total = 0;  ///< 0 = unknown
  std::uint64_t failures = 0;
  std::optional<double> seconds_left{};
};

/// runs 41,200  steps 8.2M  1.31M steps/s  states 79,411/84,498 (93%)  failures 0  ETA 12s
std::string ProgressLine(const ProgressFacts& facts);

class Progress {
 public:
  /// Draws nothing unless the console is live and nobody asked for quiet.
  Progress(Console& console, bool quiet) : console_(console), on_(console.live() && !quiet) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { Clear(); }

  /// True when a line is due.
  [[nodiscard]] bool Due() const;
  void Draw(const ProgressFacts& facts);
  void Clear();

 private:
  Console& console_;
  bool on_;
  bool drawn_ = false;
  double last_ = 0;
  Stopwatch clock_;
};

}  // namespace lockstep::tools
