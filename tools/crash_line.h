// CrashLine: a process that dies of a signal still says of which run, and ends with exit code 1.
#pragma once

#include <string>

namespace lockstep::tools {

/// While it lives, a crash prints "lockstep: <what> crashed: signal N" on stderr. Signals that
/// somebody else handles already (a sanitizer, say) are left alone. One at a time.
class CrashLine {
 public:
  explicit CrashLine(const std::string& what);
  CrashLine(const CrashLine&) = delete;
  CrashLine& operator=(const CrashLine&) = delete;
  ~CrashLine();
};

}  // namespace lockstep::tools
