// log_medium: upstream's medium configuration, as real code.
//
// Three clients append up to three records at a time to a log of eight offsets; the ranges are
// [1,5] and [6,8]. Batches often straddle the end of a range: the module's guard would let such a
// compaction start, the reference compactor does not take it.
#include "scenarios/leaderless_log/log_run.h"
#include "scenarios/leaderless_log/log_stories.h"

namespace lockstep::scenarios {
namespace {

RunResult Go(const RunSpec& spec) {
  LogSetup setup;
  setup.constants.max_offset = 8;
  setup.constants.ranges = {{1, 5}, {6, 8}};
  setup.constants.max_batch = 3;
  setup.compaction.ranges = setup.constants.ranges;
  setup.writers = {3, 4};
  setup.reads_by_writers = 3;
  setup.compactors = {1, 2};
  setup.fencers = {1, 2};
  setup.fresh_identities = false;
  setup.collect_states = true;
  return RunLog(spec, setup, LogNodesFor(spec));
}

}  // namespace

Scenario LogMedium() {
  Scenario scenario = LogScenario();
  scenario.name = "log_medium";
  scenario.story =
      "Upstream's medium configuration: three clients, eight offsets, batches that straddle "
      "ranges.";
  scenario.faults = sim::FaultSet::WithinModel();
  scenario.max_steps = 600;
  scenario.actions = LogActionsWithout({"CompactResume"});
  scenario.must_reach = {"fence_with_append_in_flight", "append_refused_by_fence",
                         "append_in_doubt_found",       "append_withdrawn",
                         "append_by_dead_writer",       "append_during_compaction",
                         "second_round_completed"};
  scenario.states_total = 39771296;
  scenario.config = "medium";
  scenario.run = &Go;
  return scenario;
}

}  // namespace lockstep::scenarios
