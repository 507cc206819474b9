// compactor_crashes: two compactors compete for the plan, and both die all the time.
//
// A round changes hands in every phase, while requests of the dead and of the merely slow are still
// in flight. Only the holder of the plan's version may take the next step; whoever takes over goes
// on where the predecessor stopped, and what was half done is finished exactly once.
#include "scenarios/leaderless_log/log_run.h"
#include "scenarios/leaderless_log/log_stories.h"

namespace lockstep::scenarios {
namespace {

RunResult Go(const RunSpec& spec) {
  LogSetup setup;
  setup.constants.max_batch = 2;
  setup.constants.dialect.rounds = true;
  setup.constants.dialect.compaction_resume = true;
  setup.compaction.resume = true;
  setup.compaction.chosen_offsets_min = 2;
  setup.compaction.chosen_offsets_max = 6;
  setup.writers = {2, 12};
  setup.readers = {1, 10};
  setup.compactors = {2, 5};
  return RunLog(spec, setup, LogNodesFor(spec));
}

}  // namespace

Scenario CompactorCrashes() {
  Scenario scenario = LogScenario();
  scenario.name = "compactor_crashes";
  scenario.story = "Two compactors compete for the plan and die in every phase of it.";
  scenario.faults = sim::FaultSet()
                        .Add(sim::FaultKind::kCrash)
                        .Add(sim::FaultKind::kDelay)
                        .Add(sim::FaultKind::kReplyLost)
                        .Add(sim::FaultKind::kRequestDuplicated)
                        .Add(sim::FaultKind::kPauseShort)
                        .Add(sim::FaultKind::kObjectOutcomeUnknown);
  scenario.max_steps = 1500;
  scenario.actions = LogActionsWithout(
      {"AssignOffsetFenced", "AssignOffsetExhausted", "FenceLog", "UnfenceLog", "WALWriteFail"});
  scenario.must_reach = {"crash_while_writing", "crash_while_deleting", "crash_before_cursor",
                         "compaction_resumed",  "late_request_applied", "second_round_completed"};
  scenario.run = &Go;
  return scenario;
}

}  // namespace lockstep::scenarios
