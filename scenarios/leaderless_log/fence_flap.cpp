// fence_flap: two fencers close and open the log all the time while four writers append.
//
// Every append meets a fence somewhere: before it starts, between its data and its offset, between
// a lost reply and the question what became of it. A refusal that a duplicate of the same request
// might still overturn after the log has been opened again is the hardest case: the writer must
// withdraw the append for good before it says that it failed.
#include "scenarios/leaderless_log/log_run.h"
#include "scenarios/leaderless_log/log_stories.h"

namespace lockstep::scenarios {
namespace {

RunResult Go(const RunSpec& spec) {
  LogSetup setup;
  setup.constants.max_batch = 2;
  setup.constants.dialect.rounds = true;
  setup.writers = {4, 12};
  setup.reads_by_writers = 1;
  setup.fencers = {2, 10};
  setup.fence_ticks_max = 20;
  return RunLog(spec, setup, LogNodesFor(spec));
}

}  // namespace

Scenario FenceFlap() {
  Scenario scenario = LogScenario();
  scenario.name = "fence_flap";
  scenario.story = "Two fencers close and open the log all the time while four writers append.";
  scenario.faults = sim::FaultSet::WithinModel();
  scenario.max_steps = 1500;
  scenario.actions = {"StartAppend",  "WALWriteSuccess",    "WALWriteFail",
                      "AssignOffset", "AssignOffsetFenced", "AppendComplete",
                      "FenceLog",     "UnfenceLog",         "ReadEntry"};
  scenario.must_reach = {"fence_with_append_in_flight", "append_refused_by_fence",
                         "append_in_doubt_found",       "append_withdrawn",
                         "late_request_applied",        "append_by_dead_writer"};
  scenario.run = &Go;
  return scenario;
}

}  // namespace lockstep::scenarios
