// Sample traces, golden files and a way to run TLC, for the tests of this layer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/exported_file.h"
#include "traces/trace.h"

namespace lockstep::traces {

/// Twelve steps of two writers, a reader and a fencer on the leaderless log; everything holds.
Trace SampleTrace();

/// The same up to step 6, then a store that shows an entry across another one: NoOverlappingRanges
/// breaks, and no action explains it.
Trace OverlappingTrace();

/// The same up to step 6, then a compaction of offsets 1 to 2, in the dialect rounds.
Trace CompactingTrace();

/// Two steps of a module Toy, whose variables are sets.
Trace ToyTrace();

/// A record from names and values, shortly.
sim::Value Record(std::vector<std::pair<std::string, sim::Value>> fields);
sim::Value Text(std::string text);

/// Compares with traces/golden/<name>, or writes it if LOCKSTEP_UPDATE_GOLDEN is 1. Returns what
/// differs, or nothing.
std::optional<std::string> CompareWithGolden(const ExportedFile& file);

/// The folder of the leaderless log's module.
std::string LogSpecFolder();

/// Why TLC cannot be run here (no jar, no java, no module), or nothing.
std::optional<std::string> WhyNoTlc();

/// A new folder for a test's files, removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct CommandResult {
  int exit_code = -1;
  std::string output;  ///< standard output and standard error
};
CommandResult RunCommand(const std::string& command);

}  // namespace lockstep::traces
