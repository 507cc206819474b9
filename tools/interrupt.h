// Interrupts: Ctrl-C and SIGTERM as a question that a loop asks, so that it can end in order.
#pragma once

#include <csignal>

namespace lockstep::tools {

/// While it lives, the first SIGINT or SIGTERM only makes Asked() true, and interrupts a wait; the
/// second ends the process. One at a time.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  [[nodiscard]] bool Asked() const;

 private:
  struct sigaction old_int_ = {};
  struct sigaction old_term_ = {};
};

}  // namespace lockstep::tools
