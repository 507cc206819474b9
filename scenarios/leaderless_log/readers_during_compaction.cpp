// readers_during_compaction: four readers go over the log while its entries are replaced under
// them.
//
// Between the write of the COMPACTED entry and the deletion of what it replaces both cover the same
// offsets; afterwards the objects go too, perhaps between a reader's look into the index and its
// look at the data. Every offset must stay readable, with its bytes, at every moment.
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
  setup.compaction.chosen_offsets_min = 2;
  setup.compaction.chosen_offsets_max = 8;
  setup.writers = {2, 10};
  setup.readers = {4, 25};
  setup.compactors = {1, 8};
  return RunLog(spec, setup, LogNodesFor(spec));
}

}  // namespace

Scenario ReadersDuringCompaction() {
  Scenario scenario = LogScenario();
  scenario.name = "readers_during_compaction";
  scenario.story = "Four readers go over the log while its entries are replaced under them.";
  scenario.faults = sim::FaultSet()
                        .Add(sim::FaultKind::kDelay)
                        .Add(sim::FaultKind::kReplyLost)
                        .Add(sim::FaultKind::kPauseShort)
                        .Add(sim::FaultKind::kPauseLong)
                        .Add(sim::FaultKind::kStoreUnavailable)
                        .Add(sim::FaultKind::kObjectOutcomeUnknown);
  scenario.max_steps = 2000;
  scenario.actions =
      LogActionsWithout({"WALWriteFail", "AssignOffsetFenced", "AssignOffsetExhausted", "FenceLog",
                         "UnfenceLog", "CompactorCrash", "CompactResume"});
  scenario.must_reach = {"read_between_write_and_delete", "read_between_delete_and_cursor",
                         "append_during_compaction", "second_round_completed",
                         "read_again_after_compaction"};
  scenario.run = &Go;
  return scenario;
}

}  // namespace lockstep::scenarios
