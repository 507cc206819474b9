// Stopwatch: the one place where the command line reads a clock. Runs never see it.
#pragma once

#include <chrono>

namespace lockstep::tools {

class Stopwatch {
 public:
  Stopwatch() : start_(Clock::now()) {}
  [[nodiscard]] double Seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
};

}  // namespace lockstep::tools
