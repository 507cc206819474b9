// Exhaustive search, leads-to properties and random walks over the machines of both protocols,
// every invariant in every state. What takes longer than a second is done once for each number of
// workers; four_quotient with liveness takes about 2 GB.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "invariants/violation.h"
#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/leads_to.h"
#include "scenarios/exhaust/log_explore_model.h"
#include "scenarios/exhaust/machine_walk.h"
#include "scenarios/exhaust/model_catalog.h"
#include "tools/thread_executor.h"

namespace lockstep::tools {
namespace {

using scenarios::LogExploreModel;

std::unique_ptr<LogExploreModel> ModelOf(std::string_view config) {
  auto made = LogExploreModel::For(*scenarios::FindLogExploreConfig(config));
  return std::get<std::unique_ptr<LogExploreModel>>(std::move(made));
}

void Search(benchmark::State& state, std::string_view config, std::uint64_t distinct) {
  const auto model = ModelOf(config);
  ThreadExecutor executor(static_cast<std::uint32_t>(state.range(0)));
  std::uint64_t generated = 0;
  std::uint64_t memory_bytes = 0;
  for (auto _ : state) {
    const scenarios::ExploreResult result = Explore(*model, {}, executor);
    if (result.distinct != distinct) state.SkipWithError("not the states that TLC counts");
    generated += result.generated;
    memory_bytes = result.memory_bytes;
  }
  state.counters["generated_per_second"] =
      benchmark::Counter(static_cast<double>(generated), benchmark::Counter::kIsRate);
  state.counters["memory_bytes"] = benchmark::Counter(static_cast<double>(memory_bytes));
}

void Liveness(benchmark::State& state, std::string_view protocol, std::string_view config) {
  const auto made = scenarios::LoadModel({.protocol = std::string(protocol),
                                          .config = std::string(config),
                                          .text = std::nullopt,
                                          .dialects = {}});
  const scenarios::ExploreModel& model = *std::get<scenarios::LoadedModel>(made).model;
  ThreadExecutor executor(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    const scenarios::ExploreResult explored = Explore(model, {}, executor);
    for (const scenarios::LeadsToResult& result : CheckLeadsTo(model, explored, {}, executor)) {
      if (result.verdict != invariants::Verdict::kHolds) state.SkipWithError("does not hold");
    }
  }
}

void LivenessLogSmall(benchmark::State& state) { Liveness(state, "leaderless_log", "small"); }
void LivenessTaskSmall(benchmark::State& state) { Liveness(state, "task_claiming", "small"); }
void LivenessTaskFourQuotient(benchmark::State& state) {
  Liveness(state, "task_claiming", "four_quotient");
}

void ExhaustLogSmall(benchmark::State& state) { Search(state, "small", 84'498); }
void ExhaustLogMedium(benchmark::State& state) { Search(state, "medium", 39'771'296); }

void WalkLog(benchmark::State& state, std::string_view config) {
  const auto model = ModelOf(config);
  const auto machine = NewWalkMachine(*model);
  scenarios::WalkOptions options;
  options.runs = 1000;
  std::uint64_t steps = 0;
  for (auto _ : state) {
    const scenarios::WalkResult result = Walk(*machine, options);
    if (result.broken) state.SkipWithError("an invariant is broken");
    steps += result.steps;
    options.seed += options.runs;
  }
  state.counters["steps_per_second"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

void WalkLogSmall(benchmark::State& state) { WalkLog(state, "small"); }
void WalkLogMedium(benchmark::State& state) { WalkLog(state, "medium"); }

BENCHMARK(ExhaustLogSmall)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(ExhaustLogMedium)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(LivenessLogSmall)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(LivenessTaskSmall)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(LivenessTaskFourQuotient)
    ->Arg(2)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(WalkLogSmall)->Unit(benchmark::kMillisecond);
BENCHMARK(WalkLogMedium)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep::tools
