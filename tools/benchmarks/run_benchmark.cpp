// Implementation runs: nodes, network, faults, refinement and all oracles. Events a second a core.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "scenarios/scenario.h"

namespace lockstep::tools {
namespace {

// One run an iteration, each of another seed.
void ImplementationRun(benchmark::State& state, const std::string& name, bool record_trace) {
  scenarios::RunSpec spec;
  spec.scenario = scenarios::FindScenario(name);
  spec.seed = 0;
  spec.record_trace = record_trace;
  std::int64_t events = 0;
  for (auto _ : state) {
    ++spec.seed;
    const scenarios::RunResult result = scenarios::Run(spec);
    if (result.failure) state.SkipWithError("a correct implementation failed");
    events += result.steps;
  }
  state.counters["events_per_second"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(ImplementationRun, log_small, "log_small", false);
BENCHMARK_CAPTURE(ImplementationRun, log_faults, "log_faults", false);
BENCHMARK_CAPTURE(ImplementationRun, readers_during_compaction, "readers_during_compaction", false);
BENCHMARK_CAPTURE(ImplementationRun, log_faults_with_trace, "log_faults", true);

}  // namespace
}  // namespace lockstep::tools
