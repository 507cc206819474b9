// SweepPlan: which seeds of which scenarios, in which order, until when.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/options.h"
#include "tools/selection.h"
#include "tools/sweep_worker.h"

namespace lockstep::tools {

/// Seeds of a scenario when nothing else is said: enough for every must-reach, a few seconds.
inline constexpr SeedRange kDefaultSeeds{.first = 1, .last = 2000};

class SweepPlan {
 public:
  SweepPlan(const Options& options, const Selection& selection);

  /// The next seeds to be given out, or nothing at the end. Scenarios take turns, so that a sweep
  /// that is cut short has seen all of them. Depends on nothing but the options.
  std::optional<Chunk> Next();

  /// Runs in all; nothing when only time ends the sweep.
  [[nodiscard]] std::optional<std::uint64_t> total_runs() const;
  /// One of them was named by --seed.
  [[nodiscard]] bool single_seed() const { return single_seed_; }
  /// "1..2000", or "1.." when only time ends the sweep.
  [[nodiscard]] std::string SeedsText() const;
  /// The line that makes the sweep again, up to and including `last_seed` when time ended it.
  [[nodiscard]] std::string Reproduce(const Options& options, const Selection& selection,
                                      std::uint64_t last_seed) const;

 private:
  [[nodiscard]] std::uint64_t SeedAt(std::uint64_t index) const;

  std::uint64_t scenarios_;
  SeedRange seeds_;
  Shard shard_;
  bool endless_ = false;
  bool single_seed_ = false;
  std::uint64_t count_ = 0;  ///< seeds a scenario, in this shard
  std::uint64_t chunk_ = 1;
  std::uint64_t given_ = 0;  ///< chunks
};

}  // namespace lockstep::tools
