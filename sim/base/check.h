// CHECK: assertions about lockstep's own code, on in every build type.
//
// A failed CHECK is a bug of the harness, never of the system under test (that is a Violation) and
// never of the user's input (that is an error value). It prints the condition, the place and the
// context that the runner has set (scenario, seed), then ends the process with exit code 1.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::sim {

/// Text printed by a failing CHECK after the condition, for instance "scenario log_small seed 7".
/// One context a thread; an empty string clears it.
void SetCheckContext(std::string context);

/// Prints and ends the process with exit code 1.
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line,
                              std::string_view detail);

}  // namespace lockstep::sim

#define LOCKSTEP_CHECK(condition) \
  (static_cast<bool>(condition)   \
       ? static_cast<void>(0)     \
       : ::lockstep::sim::CheckFailed(#condition, __FILE__, __LINE__, std::string_view{}))

#define LOCKSTEP_CHECK_MSG(condition, detail) \
  (static_cast<bool>(condition)               \
       ? static_cast<void>(0)                 \
       : ::lockstep::sim::CheckFailed(#condition, __FILE__, __LINE__, (detail)))
