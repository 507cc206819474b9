// log_small: upstream's small configuration, as real code.
//
// Two clients append one or two records at a time to a log of five offsets, and read it; a
// compactor replaces [1,3] and then [4,5]; somebody fences the log and opens it again. Names and
// ranges are exactly the configuration's, so every spec state that a run passes is one of the
// 84,498 that exhaustive search finds, and a name that has reached a dead end stays there: with so
// little room every odd combination comes up sooner or later.
#include "scenarios/leaderless_log/log_run.h"
#include "scenarios/leaderless_log/log_stories.h"

namespace lockstep::scenarios {
namespace {

RunResult Go(const RunSpec& spec) {
  LogSetup setup;
  setup.constants.max_offset = 5;
  setup.constants.ranges = {{1, 3}, {4, 5}};
  setup.constants.max_batch = 2;
  setup.compaction.ranges = setup.constants.ranges;
  setup.writers = {2, 4};
  setup.reads_by_writers = 3;
  setup.compactors = {1, 2};
  setup.fencers = {1, 2};
  setup.fresh_identities = false;
  setup.collect_states = true;
  return RunLog(spec, setup, LogNodesFor(spec));
}

}  // namespace

Scenario LogSmall() {
  Scenario scenario = LogScenario();
  scenario.name = "log_small";
  scenario.story =
      "Upstream's small configuration: two clients, five offsets, two compactions, fences.";
  scenario.faults = sim::FaultSet::WithinModel();
  scenario.max_steps = 400;
  scenario.actions = LogActionsWithout({"CompactResume"});
  scenario.must_reach = {"fence_with_append_in_flight",
                         "append_refused_by_fence",
                         "append_in_doubt_found",
                         "append_withdrawn",
                         "append_by_dead_writer",
                         "read_between_write_and_delete",
                         "read_between_delete_and_cursor",
                         "append_during_compaction",
                         "crash_while_writing",
                         "crash_while_deleting",
                         "crash_before_cursor",
                         "second_round_completed"};
  scenario.states_total = 84498;
  scenario.transitions_total = 395234;
  scenario.config = "small";
  scenario.run = &Go;
  return scenario;
}

}  // namespace lockstep::scenarios
