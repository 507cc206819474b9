#include "tools/options.h"

#include <array>
#include <limits>

#include "tools/numbers.h"

namespace lockstep::tools {
namespace {

constexpr std::uint32_t Bit(Command command) { return 1U << static_cast<unsigned>(command); }
constexpr std::uint32_t kList = Bit(Command::kList);
constexpr std::uint32_t kRun = Bit(Command::kRun);
constexpr std::uint32_t kSweep = Bit(Command::kSweep);
constexpr std::uint32_t kReplay = Bit(Command::kReplay);
constexpr std::uint32_t kExhaust = Bit(Command::kExhaust);
constexpr std::uint32_t kWalk = Bit(Command::kWalk);
constexpr std::uint32_t kExport = Bit(Command::kExport);

constexpr int kWhichSeeds = 1;
constexpr int kWhenToStop = 2;
constexpr int kHowMuchToSay = 3;

constexpr std::uint64_t kSeedsMax = std::uint64_t{1} << 62U;

bool SetNumber(std::string_view text, std::uint64_t least, std::uint64_t most,
               std::uint64_t& number) {
  const std::optional<std::uint64_t> parsed = ParseNumber(text);
  if (!parsed || *parsed < least || *parsed > most) return false;
  number = *parsed;
  return true;
}

bool SetSeed(Options& options, std::string_view text) {
  options.seed = ParseNumber(text);
  return options.seed.has_value();
}

bool SetSeeds(Options& options, std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return false;
  const std::optional<std::uint64_t> first = ParseNumber(text.substr(0, dots));
  const std::optional<std::uint64_t> last = ParseNumber(text.substr(dots + 2));
  if (!first || !last || *first > *last || *last - *first >= kSeedsMax) return false;
  options.seeds = SeedRange{.first = *first, .last = *last};
  return true;
}

bool SetRuns(Options& options, std::string_view text) {
  std::uint64_t runs = 0;
  if (!SetNumber(text, 1, kSeedsMax, runs)) return false;
  options.runs = runs;
  return true;
}

// 90, 90s, 60m, 2h: seconds.
bool ParseDuration(std::string_view text, double& seconds) {
  std::uint64_t unit = 1;
  if (text.ends_with('s'))
    text.remove_suffix(1);
  else if (text.ends_with('m'))
    unit = 60;
  else if (text.ends_with('h'))
    unit = 3600;
  if (unit != 1) text.remove_suffix(1);
  constexpr std::uint64_t kYear = std::uint64_t{366} * 24 * 3600;
  std::uint64_t number = 0;
  if (!SetNumber(text, 1, kYear, number)) return false;
  seconds = static_cast<double>(number * unit);
  return true;
}

bool SetBudget(Options& options, std::string_view text) {
  double seconds = 0;
  if (!ParseDuration(text, seconds)) return false;
  options.budget_seconds = seconds;
  return true;
}

bool SetHang(Options& options, std::string_view text) {
  return ParseDuration(text, options.hang_seconds);
}

bool SetMaxSteps(Options& options, std::string_view text) {
  std::uint64_t steps = 0;
  if (!SetNumber(text, 1, std::uint64_t{1} << 40U, steps)) return false;
  options.max_steps = static_cast<std::int64_t>(steps);
  return true;
}

bool SetJobs(Options& options, std::string_view text) {
  std::uint64_t jobs = 0;
  if (!SetNumber(text, 1, 256, jobs)) return false;
  options.jobs = static_cast<unsigned>(jobs);
  return true;
}

bool SetShard(Options& options, std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  Shard shard;
  if (!SetNumber(text.substr(slash + 1), 1, 1'000'000, shard.count) ||
      !SetNumber(text.substr(0, slash), 1, shard.count, shard.index)) {
    return false;
  }
  options.shard = shard;
  return true;
}

bool SetFaults(Options& options, std::string_view text) {
  options.faults = ParseFaults(text);
  return options.faults.has_value();
}

bool SetMaxFailures(Options& options, std::string_view text) {
  return SetNumber(text, 1, kSeedsMax, options.max_failures);
}

bool SetOut(Options& options, std::string_view text) {
  options.out = text;
  options.out_given = true;
  return !text.empty() && text.find('\0') == std::string_view::npos;
}

template <std::string Options::*kField>
bool SetText(Options& options, std::string_view text) {
  options.*kField = text;
  return !text.empty();
}

// 4G, 512M, or bytes.
bool SetMemory(Options& options, std::string_view text) {
  unsigned shift = 0;
  if (text.ends_with('G')) shift = 30;
  if (text.ends_with('M')) shift = 20;
  if (shift != 0) text.remove_suffix(1);
  std::uint64_t number = 0;
  if (!SetNumber(text, 1, (std::uint64_t{1} << 44U) >> shift, number)) return false;
  options.memory_bytes = number << shift;
  return options.memory_bytes >= std::uint64_t{1} << 20U;
}

// AssignOffset=weak,ReadEntry=none
bool SetFairness(Options& options, std::string_view text) {
  options.fairness.clear();
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0) return false;
    const std::string_view kind = item.substr(equals + 1);
    scenarios::FairnessOverride change{std::string(item.substr(0, equals)),
                                       scenarios::FairnessKind::kNone};
    if (kind == "weak") {
      change.kind = scenarios::FairnessKind::kWeak;
    } else if (kind == "strong") {
      change.kind = scenarios::FairnessKind::kStrong;
    } else if (kind != "none") {
      return false;
    }
    options.fairness.push_back(std::move(change));
  }
  return !options.fairness.empty();
}

bool SetFormat(Options& options, std::string_view text) {
  options.format = text;
  return text == "tlc" || text == "text";
}

bool SetMode(Options& options, std::string_view text) {
  options.mode = text;
  return text == "conform" || text == "observe";
}

template <bool Options::*kField>
bool SetSwitch(Options& options, std::string_view text) {
  const bool on = text == "1" || text == "true" || text == "yes";
  options.*kField = on;
  return on || text == "0" || text == "false" || text == "no";
}

constexpr std::string_view kSwitch = "1 or 0";
constexpr std::string_view kDuration = "seconds, or a whole number with s, m or h behind it";

constexpr std::array kFlags{
    Flag{"--config", "LOCKSTEP_CONFIG", "NAME",
         "the machine's constants: small, medium, ... or a JSON file (small if not given)",
         "a configuration that ships, or a file", kExhaust | kWalk, 0, SetText<&Options::config>},
    Flag{"--dialect", "LOCKSTEP_DIALECT", "LIST",
         "variations of the module's meaning, besides those of the configuration",
         "names of dialects with commas between", kExhaust | kWalk, 0, SetText<&Options::dialect>},
    Flag{"--liveness", "LOCKSTEP_LIVENESS", "",
         "also check the leads-to properties, under the module's fairness", kSwitch, kExhaust, 0,
         SetSwitch<&Options::liveness>},
    Flag{"--fairness", "LOCKSTEP_FAIRNESS", "LIST",
         "--liveness with the fairness of actions changed, to see what then breaks: "
         "AssignOffset=weak,ReadEntry=none",
         "ACTION=none, ACTION=weak or ACTION=strong, with commas between", kExhaust, 0,
         SetFairness},
    Flag{"--memory", "LOCKSTEP_MEMORY", "SIZE",
         "take at most this much: 512M, 4G (4G if not given); a search that would not fit ends",
         "a number of bytes from 1M, or one with M or G behind it", kExhaust, 0, SetMemory},
    Flag{"--witness", "LOCKSTEP_WITNESS", "NAME",
         "the shortest trace to this one of what the report lists under sometimes",
         "a name of the report's sometimes", kExhaust, 0, SetText<&Options::witness>},
    Flag{"--dump", "LOCKSTEP_DUMP", "FILE", "write the state graph there, in a canonical form",
         "a file", kExhaust, 0, SetText<&Options::dump>},
    Flag{"--seed", "LOCKSTEP_SEED", "S", "exactly the run with this seed (run: 1 if not given)",
         "a number of 64 bits, decimal or 0x...", kRun | kSweep | kWalk, kWhichSeeds, SetSeed},
    Flag{"--seeds", "LOCKSTEP_SEEDS", "A..B",
         "the seeds from A to B, both included (1..2000 if nothing else is said)",
         "A..B with A <= B, decimal or 0x..., at most 2^62 seeds", kSweep, kWhichSeeds, SetSeeds},
    Flag{"--runs", "LOCKSTEP_RUNS", "N", "the seeds from 1 to N; of walks, so many (1000)",
         "a number from 1 to 2^62", kSweep | kWalk, kWhichSeeds, SetRuns},
    Flag{"--budget", "LOCKSTEP_BUDGET", "TIME",
         "stop after this time: 90s, 60m, 2h; alone, it also decides how many seeds", kDuration,
         kSweep, 0, SetBudget},
    Flag{"--max-steps", "LOCKSTEP_MAX_STEPS", "N",
         "events of a run's hurt phase (the scenario's own number if not given); steps of a walk "
         "(100)",
         "a number from 1 to 2^40", kRun | kSweep | kWalk, 0, SetMaxSteps},
    Flag{"-j,--jobs", "LOCKSTEP_JOBS", "N",
         "worker processes, or threads of exhaust (one for each processor if not given); the "
         "result is "
         "the same",
         "a number from 1 to 256", kSweep | kExhaust, 0, SetJobs},
    Flag{"--shard", "LOCKSTEP_SHARD", "I/N",
         "every N-th seed, beginning with the I-th: N machines with I = 1..N do it all",
         "I/N with 1 <= I <= N", kSweep, 0, SetShard},
    Flag{"--strategy", "LOCKSTEP_STRATEGY", "NAME",
         "how decisions are drawn (see list strategies; random if not given)",
         "a name of `lockstep list strategies`", kRun | kSweep, 0, SetText<&Options::strategy>},
    Flag{"--mutant", "LOCKSTEP_MUTANT", "NAME",
         "run this defective implementation (see list mutants)",
         "a name of `lockstep list mutants`", kRun | kSweep, 0, SetText<&Options::mutant>},
    Flag{"--faults", "LOCKSTEP_FAULTS", "LIST",
         "only these of the scenario's faults: names with commas between, all or none",
         "names of `lockstep list faults` with commas between, all, or none", kRun | kSweep, 0,
         SetFaults},
    Flag{"--out", "LOCKSTEP_OUT", "DIR", "where files are written (lockstep-out if not given)",
         "a folder", kRun | kSweep | kReplay | kExhaust | kWalk | kExport, 0, SetOut},
    Flag{"--max-failures", "LOCKSTEP_MAX_FAILURES", "N",
         "end the sweep at the N-th failing run (10 if not given)", "a number from 1 to 2^62",
         kSweep, kWhenToStop, SetMaxFailures},
    Flag{"--keep-going", "LOCKSTEP_KEEP_GOING", "",
         "run every seed, however many fail; of exhaust, see every state", kSwitch,
         kSweep | kExhaust, kWhenToStop, SetSwitch<&Options::keep_going>},
    Flag{"--unseen", "LOCKSTEP_UNSEEN", "FILE",
         "write the known states of the spec that no run has passed, a line each", "a file", kSweep,
         0, SetText<&Options::unseen>},
    Flag{"--hang", "LOCKSTEP_HANG", "TIME",
         "a run that makes no progress for this long has hung (60s if not given)", kDuration,
         kSweep, 0, SetHang},
    Flag{"--format", "LOCKSTEP_FORMAT", "NAME",
         "tlc: files that TLC replays on the spec; text: a line for each step", "tlc or text",
         kExport, 0, SetFormat},
    Flag{"--mode", "LOCKSTEP_MODE", "NAME",
         "for tlc: conform (every step must be one of the spec; the default) or observe (states "
         "alone)",
         "conform or observe", kExport, 0, SetMode},
    Flag{"--module-dir", "LOCKSTEP_MODULE_DIR", "DIR", "for tlc: the folder of the spec's module",
         "a folder", kExport, 0, SetText<&Options::module_dir>},
    Flag{"--json", "LOCKSTEP_JSON", "", "one JSON document on stdout and nothing else there",
         kSwitch, kList | kRun | kSweep | kReplay | kExhaust | kWalk, 0, SetSwitch<&Options::json>},
    Flag{"-q,--quiet", "LOCKSTEP_QUIET", "", "no progress, and only what matters of the report",
         kSwitch, kRun | kSweep | kReplay | kExhaust | kWalk, kHowMuchToSay,
         SetSwitch<&Options::quiet>},
    Flag{"-v,--verbose", "LOCKSTEP_VERBOSE", "", "every table of the report", kSwitch,
         kRun | kSweep | kReplay, kHowMuchToSay, SetSwitch<&Options::verbose>},
};

}  // namespace

std::string_view Flag::LongName() const {
  const std::size_t comma = names.rfind(',');
  return comma == std::string_view::npos ? names : names.substr(comma + 1);
}

std::span<const Flag> AllFlags() { return kFlags; }

std::optional<sim::FaultSet> ParseFaults(std::string_view text) {
  if (text == "all") return sim::FaultSet::All();
  if (text == "none") return sim::FaultSet();
  sim::FaultSet faults;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::optional<sim::FaultKind> kind = sim::FaultFromName(text.substr(0, comma));
    if (!kind) return std::nullopt;
    faults.Add(*kind);
    if (comma == std::string_view::npos) return faults;
    text.remove_prefix(comma + 1);
  }
}

std::string FaultsText(sim::FaultSet faults) {
  if (faults == sim::FaultSet::All()) return "all";
  if (faults.empty()) return "none";
  std::string text;
  for (const sim::FaultInfo& info : sim::FaultTable()) {
    if (!faults.Has(info.kind)) continue;
    if (!text.empty()) text.push_back(',');
    text.append(info.name);
  }
  return text;
}

}  // namespace lockstep::tools
