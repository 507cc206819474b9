// Scenarios without a protocol, for the commands' tests: what a run does follows from its seed.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "tools/catalog.h"
#include "tools/console.h"

namespace lockstep::tools {

/// Scenarios of the protocol "fake":
///
///   steady    holds; its situation "mark" comes at every third seed
///   lazy      holds; never takes its action Rest and never meets its situation "far"
///   breaks    not in the default sweep; breaks NoTens (safety) at every tenth seed
///   stalls    not in the default sweep; breaks Progress (liveness) at seed 4, Conform at seed 6
///   unsure    not in the default sweep; inconclusive at seed 3
///   flaky     not in the default sweep; breaks NoTens at seed 2, but not when it is recorded
///   deadly    not in the default sweep; seed 5 aborts, 7 fails a CHECK, 9 hangs, 12 throws
///
/// Mutant "tens" makes steady break NoTens at every tenth seed; "lost" belongs to no scenario.
Catalog FakeCatalog();

/// What a command printed.
class CapturedConsole {
 public:
  CapturedConsole();
  CapturedConsole(const CapturedConsole&) = delete;
  CapturedConsole& operator=(const CapturedConsole&) = delete;
  ~CapturedConsole();

  Console& console() { return console_; }
  std::string out();
  std::string err();

 private:
  std::FILE* out_;
  std::FILE* err_;
  Console console_;
};

/// A folder of its own for one test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string File(std::string_view name) const;
  /// Writes a file and returns its path.
  [[nodiscard]] std::string Write(std::string_view name, std::string_view bytes) const;
  [[nodiscard]] std::string Read(std::string_view name) const;
  [[nodiscard]] bool Has(std::string_view name) const;

 private:
  std::string path_;
};

}  // namespace lockstep::tools
