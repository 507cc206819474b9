#include "tools/crash_line.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <string_view>

#include "tools/exit_code.h"

namespace lockstep::tools {
namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// A handler may use neither the heap nor the stack that has just overflowed.
std::array<char, 512> g_line = {};
std::size_t g_size = 0;
std::array<char, 65536> g_stack = {};

extern "C" void OnCrash(int number) {
  std::array<char, 3> end = {static_cast<char>('0' + number / 10 % 10),
                             static_cast<char>('0' + number % 10), '\n'};
  const auto text =
      number < 10 ? std::string_view(end.data() + 1, 2) : std::string_view(end.data(), end.size());
  (void)!::write(STDERR_FILENO, g_line.data(), g_size);
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(static_cast<int>(ExitCode::kError));
}

// Sets `handler` where there is `instead_of`.
void Exchange(void (*instead_of)(int), void (*handler)(int)) {
  for (const int number : kSignals) {
    struct sigaction now = {};
    ::sigaction(number, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != instead_of) continue;
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    ::sigaction(number, &action, nullptr);
  }
}

}  // namespace

CrashLine::CrashLine(const std::string& what) {
  const std::string line = "lockstep: " + what + " crashed: signal ";
  g_size = std::min(line.size(), g_line.size());
  std::copy_n(line.begin(), g_size, g_line.begin());
  ::stack_t stack = {};
  ::sigaltstack(nullptr, &stack);
  if ((stack.ss_flags & SS_DISABLE) != 0) {
    stack = {};
    stack.ss_sp = g_stack.data();
    stack.ss_size = g_stack.size();
    ::sigaltstack(&stack, nullptr);
  }
  Exchange(SIG_DFL, OnCrash);
}

CrashLine::~CrashLine() { Exchange(OnCrash, SIG_DFL); }

}  // namespace lockstep::tools
