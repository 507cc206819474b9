// log_faults: the main job. A log without end, and every fault that the model allows.
//
// Three writers, two readers, a compactor that takes what has come since its last round, and a
// fencer that closes the log now and then. Messages are lost, delayed past everybody's patience,
// and come twice; nodes die with requests in flight, stand still, and are cut off; object writes
// fail or leave their writers in doubt. A compactor that finds a half-done round finishes it.
#include "scenarios/leaderless_log/log_run.h"
#include "scenarios/leaderless_log/log_stories.h"

namespace lockstep::scenarios {
namespace {

RunResult Go(const RunSpec& spec) {
  LogSetup setup;
  setup.constants.max_batch = 3;
  setup.constants.dialect.rounds = true;
  setup.constants.dialect.compaction_resume = true;
  setup.compaction.resume = true;
  setup.compaction.chosen_offsets_min = 3;
  setup.compaction.chosen_offsets_max = 12;
  setup.writers = {3, 12};
  setup.reads_by_writers = 3;
  setup.readers = {2, 12};
  setup.compactors = {1, 6};
  setup.fencers = {1, 2};
  setup.fence_ticks_max = 100;
  return RunLog(spec, setup, LogNodesFor(spec));
}

}  // namespace

Scenario LogFaults() {
  Scenario scenario = LogScenario();
  scenario.name = "log_faults";
  scenario.story = "A log without end, many compaction rounds, every fault that the model allows.";
  scenario.faults = sim::FaultSet::WithinModel();
  scenario.max_steps = 2000;
  scenario.actions = LogActionsWithout({"AssignOffsetExhausted"});
  scenario.must_reach = {"fence_with_append_in_flight",
                         "append_refused_by_fence",
                         "append_in_doubt_found",
                         "append_withdrawn",
                         "late_request_applied",
                         "append_by_dead_writer",
                         "read_between_write_and_delete",
                         "read_between_delete_and_cursor",
                         "append_during_compaction",
                         "crash_while_writing",
                         "crash_while_deleting",
                         "crash_before_cursor",
                         "compaction_resumed",
                         "second_round_completed",
                         "read_again_after_compaction"};
  scenario.run = &Go;
  return scenario;
}

}  // namespace lockstep::scenarios
