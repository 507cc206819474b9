#include "tools/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tools/numbers.h"

namespace lockstep::tools {
namespace {

constexpr std::uint64_t kChunkMax = 16;
constexpr std::uint64_t kChunksWanted = 64;
constexpr std::uint64_t kEndless = std::uint64_t{1} << 62U;

}  // namespace

SweepPlan::SweepPlan(const Options& options, const Selection& selection)
    : scenarios_(selection.scenarios.size()), seeds_(kDefaultSeeds), shard_(options.shard) {
  if (options.seed) {
    seeds_ = {.first = *options.seed, .last = *options.seed};
    single_seed_ = true;
  } else if (options.seeds) {
    seeds_ = *options.seeds;
  } else if (options.runs) {
    seeds_ = {.first = 1, .last = *options.runs};
  } else if (options.budget_seconds) {
    seeds_ = {.first = 1, .last = kEndless};
    endless_ = true;
  }
  const std::uint64_t all = seeds_.last - seeds_.first + 1;
  const std::uint64_t before = shard_.index - 1;
  count_ = all > before ? (all - before - 1) / shard_.count + 1 : 0;
  // Small enough that every worker has something to do; the same for any number of workers.
  chunk_ = std::clamp<std::uint64_t>(count_ / kChunksWanted, 1, kChunkMax);
}

std::uint64_t SweepPlan::SeedAt(std::uint64_t index) const {
  return seeds_.first + shard_.index - 1 + index * shard_.count;
}

std::optional<Chunk> SweepPlan::Next() {
  const std::uint64_t first = given_ / scenarios_ * chunk_;
  if (first >= count_) return std::nullopt;
  const std::uint64_t scenario = given_ % scenarios_;
  ++given_;
  return Chunk{.scenario = static_cast<std::size_t>(scenario),
               .first_seed = SeedAt(first),
               .stride = shard_.count,
               .count = std::min(chunk_, count_ - first)};
}

std::optional<std::uint64_t> SweepPlan::total_runs() const {
  if (endless_) return std::nullopt;
  if (count_ > std::numeric_limits<std::uint64_t>::max() / scenarios_) return std::nullopt;
  return count_ * scenarios_;
}

std::string SweepPlan::SeedsText() const {
  if (endless_) return fmt::format("{}..", seeds_.first);
  if (single_seed_) return SeedText(seeds_.first);
  return fmt::format("{}..{}", seeds_.first, seeds_.last);
}

std::string SweepPlan::Reproduce(const Options& options, const Selection& selection,
                                 std::uint64_t last_seed) const {
  std::string line = "lockstep sweep";
  for (const std::string& name : options.names) line += " " + name;
  if (single_seed_) {
    line += " --seed " + SeedText(seeds_.first);
  } else {
    line += fmt::format(" --seeds {}..{}", seeds_.first,
                        endless_ ? std::max(seeds_.first, last_seed) : seeds_.last);
  }
  if (shard_.count > 1) line += fmt::format(" --shard {}/{}", shard_.index, shard_.count);
  line += selection.Flags();
  if (options.keep_going) line += " --keep-going";
  if (options.max_failures != Options().max_failures) {
    line += fmt::format(" --max-failures {}", options.max_failures);
  }
  return line;
}

}  // namespace lockstep::tools
