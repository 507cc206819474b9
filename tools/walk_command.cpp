#include "tools/walk_command.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>

#include "scenarios/exhaust/machine_walk.h"
#include "tools/interrupt.h"
#include "tools/json_output.h"
#include "tools/machine_options.h"
#include "tools/numbers.h"
#include "tools/stopwatch.h"

namespace lockstep::tools {
namespace {

using scenarios::LoadedModel;

constexpr std::uint64_t kRunsDefault = 1000;
constexpr std::uint64_t kStepsDefault = 100;

ExitCode Fail(Console& console, const std::string& line) {
  console.Error("walk: " + line);
  return ExitCode::kError;
}

std::string BrokenName(const LoadedModel& loaded, const scenarios::WalkBroken& broken) {
  return broken.invariant ? std::string(loaded.model->invariants()[*broken.invariant].name)
                          : std::string("Deadlock");
}

struct Walked {
  scenarios::WalkResult result;
  double seconds = 0;
  std::string property;  ///< the broken one
  std::string trace;     ///< where it was saved
  ExitCode code = ExitCode::kHolds;

  [[nodiscard]] double StepsPerSecond() const {
    return seconds > 0 ? static_cast<double>(result.steps) / seconds : 0;
  }
};

std::string Reproduce(const Options& options, const LoadedModel& loaded, const Walked& walked) {
  std::string line =
      fmt::format("lockstep walk {} --config {}", loaded.protocol, ShellWord(options.config));
  if (!options.dialect.empty()) line += " --dialect " + ShellWord(options.dialect);
  if (options.max_steps != 0) line += fmt::format(" --max-steps {}", options.max_steps);
  return line + " --seed " + SeedText(walked.result.broken->seed);
}

std::string Message(const LoadedModel& loaded, const scenarios::WalkBroken& broken) {
  return broken.invariant ? BrokenName(loaded, broken) + " does not hold in the last state"
                          : std::string("no action is enabled in the last state");
}

void Print(const Options& options, const LoadedModel& loaded, const Walked& walked,
           Console& console) {
  if (options.json) {
    Json json;
    json["protocol"] = loaded.protocol;
    json["config"] = options.config;
    json["runs"] = walked.result.runs;
    json["steps"] = walked.result.steps;
    json["seconds"] = walked.seconds;
    json["steps_per_second"] = walked.StepsPerSecond();
    json["verdict"] = std::string(invariants::VerdictName(walked.result.verdict));
    json["property"] = TextOrNull(walked.property);
    json["seed"] = walked.result.broken ? Json(walked.result.broken->seed) : Json(nullptr);
    json["trace"] = TextOrNull(walked.trace);
    console.Out(Document(json));
    return;
  }
  console.Out(fmt::format("walk       {}, {}: {} runs, {} steps in {:.2f} s ({} steps/s)\n",
                          loaded.protocol, options.config, Thousands(walked.result.runs),
                          Thousands(walked.result.steps), walked.seconds,
                          Short(walked.StepsPerSecond())));
  if (walked.result.broken) {
    constexpr std::size_t kLinesMax = 30;
    console.Out(fmt::format("{}  {} / {}   {} steps\n", console.Bad("FAIL"), loaded.protocol,
                            walked.property, walked.result.broken->trace.size() - 1));
    console.Out(TraceLines(loaded, walked.result.broken->trace, kLinesMax));
    console.Out(fmt::format("  replay:     lockstep replay {}\n", walked.trace));
    console.Out(fmt::format("  reproduce:  {}\n", Reproduce(options, loaded, walked)));
  }
  console.Out(fmt::format("verdict    {}\n", Info(walked.code).name));
}

}  // namespace

ExitCode WalkCommand(const Options& options, Console& console) {
  auto model = ModelFor(options);
  if (auto* problem = std::get_if<std::string>(&model)) return Fail(console, *problem);
  const LoadedModel& loaded = std::get<LoadedModel>(model);
  const Interrupts interrupts;
  scenarios::WalkOptions walk;
  // A seed alone is one run, as everywhere; with --runs it is the first of so many.
  walk.seed = options.seed.value_or(1);
  walk.runs = options.runs.value_or(options.seed ? 1 : kRunsDefault);
  walk.max_steps =
      options.max_steps != 0 ? static_cast<std::uint64_t>(options.max_steps) : kStepsDefault;
  walk.progress = [&interrupts](const scenarios::WalkProgress&) { return !interrupts.Asked(); };
  const Stopwatch clock;
  const auto machine = loaded.new_walk_machine();
  Walked walked;
  walked.result = scenarios::Walk(*machine, walk);
  walked.seconds = clock.Seconds();
  if (walked.result.verdict == invariants::Verdict::kInconclusive) {
    walked.code = ExitCode::kInconclusive;
  }
  if (walked.result.broken) {
    walked.code = ExitCode::kSafety;
    walked.property = BrokenName(loaded, *walked.result.broken);
    Options with_seed = options;
    with_seed.seed = walked.result.broken->seed;
    auto saved =
        SaveMachineTrace(with_seed, loaded, scenarios::kWalkScenario, walked.result.broken->trace,
                         {walked.property, "safety", Message(loaded, *walked.result.broken)});
    if (auto* problem = std::get_if<std::string>(&saved)) return Fail(console, *problem);
    walked.trace = std::get<SavedTrace>(saved).path;
  }
  Print(options, loaded, walked, console);
  return walked.code;
}

}  // namespace lockstep::tools
