// canary: violates on purpose, in about one run in a hundred.
//
// A writer that sends an append again after a lost reply, without a token that would tell that the
// first one was applied. Few replies are lost, so it rarely matters. A sweep that finds no
// violation here has a broken oracle, a broken report, or no faults.
#include "scenarios/leaderless_log/log_run.h"
#include "scenarios/leaderless_log/log_stories.h"
#include "scenarios/mutants/log_mutants.h"

namespace lockstep::scenarios {
namespace {

RunResult Go(const RunSpec& spec) {
  LogSetup setup;
  setup.constants.max_batch = 2;
  setup.constants.dialect.rounds = true;
  setup.writers = {1, 1};
  setup.readers = {1, 3};
  LogNodes nodes = LogNodesFor(spec);
  if (spec.mutant == nullptr) MutateLogNodes("retried_append", nodes);
  return RunLog(spec, setup, nodes);
}

}  // namespace

Scenario Canary() {
  Scenario scenario = LogScenario();
  scenario.name = "canary";
  scenario.story =
      "Violates on purpose, in about one run in a hundred: an append sent again blindly.";
  scenario.faults = sim::FaultSet().Add(sim::FaultKind::kReplyLost);
  scenario.max_steps = 400;
  scenario.expectation = invariants::Verdict::kViolated;
  scenario.actions = {"StartAppend", "WALWriteSuccess", "AssignOffset", "AppendComplete",
                      "ReadEntry"};
  scenario.in_default_sweep = false;
  scenario.run = &Go;
  return scenario;
}

}  // namespace lockstep::scenarios
