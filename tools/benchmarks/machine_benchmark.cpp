// The leaderless log's machine alone: Enabled and Apply along a walk that was drawn beforehand.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "sim/random/rng.h"

namespace lockstep::tools {
namespace {

namespace log = protocol::leaderless_log;

log::Constants SmallConstants() {
  log::Constants constants;
  constants.writers = {"w1", "w2"};
  constants.max_offset = 5;
  constants.ranges = {{1, 3}, {4, 5}};
  constants.max_batch = 2;
  return constants;
}

// As many actions as asked for, from Init on; at a dead end it begins again.
struct Walk {
  std::vector<log::Action> actions;
  std::vector<bool> begins;  // by action: the state before it is Init
};

Walk Draw(const log::Machine& machine, std::size_t length) {
  sim::Rng rng(1);
  Walk walk;
  log::State state = machine.Init();
  log::Changes changes;
  std::vector<log::Action> enabled;
  bool begins = true;
  while (walk.actions.size() < length) {
    machine.EnabledActions(state, enabled);
    if (enabled.empty() || walk.actions.size() % 64 == 0) {
      state = machine.Init();
      begins = true;
      machine.EnabledActions(state, enabled);
    }
    const log::Action action = enabled[rng.Below(static_cast<std::uint32_t>(enabled.size()))];
    machine.Apply(state, action, changes);
    walk.actions.push_back(action);
    walk.begins.push_back(begins);
    begins = false;
  }
  return walk;
}

void MachineStep(benchmark::State& state) {
  const log::Constants constants = SmallConstants();
  const log::Machine machine(constants);
  const Walk walk = Draw(machine, 4096);
  const log::State init = machine.Init();
  log::State now = init;
  log::Changes changes;
  std::size_t next = 0;
  for (auto _ : state) {
    if (walk.begins[next]) now = init;
    const log::Action& action = walk.actions[next];
    if (!machine.Enabled(now, action)) state.SkipWithError("the walk took this action");
    machine.Apply(now, action, changes);
    benchmark::DoNotOptimize(now);
    next = (next + 1) % walk.actions.size();
  }
  state.counters["steps_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void MachineEnabledActions(benchmark::State& state) {
  const log::Constants constants = SmallConstants();
  const log::Machine machine(constants);
  const Walk walk = Draw(machine, 256);
  std::vector<log::State> states;
  log::State now = machine.Init();
  log::Changes changes;
  for (std::size_t i = 0; i < walk.actions.size(); ++i) {
    if (walk.begins[i]) now = machine.Init();
    states.push_back(now);
    machine.Apply(now, walk.actions[i], changes);
  }
  std::vector<log::Action> enabled;
  std::size_t next = 0;
  for (auto _ : state) {
    machine.EnabledActions(states[next], enabled);
    benchmark::DoNotOptimize(enabled.data());
    next = (next + 1) % states.size();
  }
}

BENCHMARK(MachineStep);
BENCHMARK(MachineEnabledActions);

}  // namespace
}  // namespace lockstep::tools
