// Options: everything the flags can say, and the table of the flags.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/exhaust/leads_to.h"
#include "sim/fault/fault.h"

namespace lockstep::tools {

/// Both ends included.
struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t last = 1;
  friend bool operator==(const SeedRange&, const SeedRange&) = default;
};

/// Every count-th seed, beginning with the index-th (from 1).
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

struct Options {
  std::vector<std::string> names;  ///< what stands without a flag: kinds, scenarios, files
  std::optional<std::uint64_t> seed;
  std::optional<SeedRange> seeds;
  std::optional<std::uint64_t> runs;
  std::optional<double> budget_seconds;
  std::int64_t max_steps = 0;  ///< 0 = the scenario's own
  unsigned jobs = 0;           ///< 0 = one for each processor
  Shard shard;
  std::string strategy = "random";
  std::string mutant;
  std::optional<sim::FaultSet> faults;  ///< nothing = the scenario's
  std::string out = "lockstep-out";
  bool out_given = false;
  std::uint64_t max_failures = 10;
  bool keep_going = false;
  double hang_seconds = 60;
  std::string unseen;  ///< a file for the states a sweep has not seen; empty = none
  std::string format;
  std::string mode = "conform";
  std::string module_dir;
  std::string config = "small";  ///< of a machine: a name that ships, or a file
  std::string dialect;           ///< names with commas between
  bool liveness = false;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30U;
  std::vector<scenarios::FairnessOverride> fairness;
  std::string dump;     ///< a file for the state graph; empty = none
  std::string witness;  ///< a "sometimes" property whose trace is wanted; empty = none
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

enum class Command : std::uint8_t { kList, kRun, kSweep, kReplay, kExhaust, kWalk, kExport };

struct Flag {
  std::string_view names;        ///< "-j,--jobs"; the last is the one in messages
  std::string_view environment;  ///< its mirror: "LOCKSTEP_JOBS"
  std::string_view value;        ///< "N"; empty = a switch
  std::string_view help;
  std::string_view accepted;   ///< what a value may be, for messages
  std::uint32_t commands = 0;  ///< bits, by Command
  int group = 0;               ///< flags of one group exclude each other; 0 = none
  /// False if the value is none that is accepted. A switch gets "1" or "0".
  bool (*set)(Options& options, std::string_view value) = nullptr;

  [[nodiscard]] bool BelongsTo(Command command) const {
    return (commands >> static_cast<unsigned>(command) & 1U) != 0;
  }
  [[nodiscard]] std::string_view LongName() const;
};

/// In the order of --help.
std::span<const Flag> AllFlags();

/// The fault list of --faults, LOCKSTEP_FAULTS and trace headers: names with commas between,
/// "all" or "none".
std::optional<sim::FaultSet> ParseFaults(std::string_view text);
/// The same set as ParseFaults reads it.
std::string FaultsText(sim::FaultSet faults);

}  // namespace lockstep::tools
