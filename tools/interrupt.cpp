#include "tools/interrupt.h"

#include <unistd.h>

#include "tools/exit_code.h"

namespace lockstep::tools {
namespace {

volatile std::sig_atomic_t g_asked = 0;

extern "C" void OnInterrupt(int) {
  if (g_asked != 0) ::_exit(static_cast<int>(ExitCode::kError));
  g_asked = 1;
}

}  // namespace

Interrupts::Interrupts() {
  g_asked = 0;
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  ::sigaction(SIGINT, &action, &old_int_);
  ::sigaction(SIGTERM, &action, &old_term_);
}

Interrupts::~Interrupts() {
  ::sigaction(SIGINT, &old_int_, nullptr);
  ::sigaction(SIGTERM, &old_term_, nullptr);
}

bool Interrupts::Asked() const { return g_asked != 0; }

}  // namespace lockstep::tools
