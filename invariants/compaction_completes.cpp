#include "invariants/compaction_completes.h"

#include <fmt/format.h>

#include "invariants/liveness_report.h"
#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogEnd;
using protocol::leaderless_log::PlanPhase;
using protocol::leaderless_log::Range;

bool UnderWay(CompactorState state) {
  return state == CompactorState::WRITING_COMPACTED_INDEX ||
         state == CompactorState::DELETING_OLD || state == CompactorState::UPDATING_CURSOR;
}

bool UnderWay(PlanPhase phase) {
  return phase == PlanPhase::kWriting || phase == PlanPhase::kDeleting ||
         phase == PlanPhase::kCursor;
}

bool WrittenButNotPassed(const LogEnd& end, const Range& range) {
  return range.end >= 1 && end.observed.cursor <= range.end &&
         end.observed.index.At(range.end).type == EntryType::COMPACTED;
}

}  // namespace

std::optional<Violation> CompactionCompletes(const LogEnd& end) {
  if (!end.compactor_lives) return std::nullopt;
  const Range range = end.machine.CurrentRange(end.state);
  if (!UnderWay(end.state.compactor_state) && !UnderWay(end.observed.plan_phase) &&
      !WrittenButNotPassed(end, range)) {
    return std::nullopt;
  }
  return LivenessViolation(
      "CompactionCompletes",
      fmt::format(
          "the compaction of {}..{} (round {}) has not reached its cursor step, although {}",
          range.start, range.end, end.state.compact_round, HowItEnded(end)),
      {{"compactorState", Text("IDLE or DONE"), Text(Name(end.state.compactor_state))},
       {"plan", Text("not under way"), Text(PlanPhaseName(end.observed.plan_phase))},
       {"compactionCursor", Number(range.end + 1), Number(end.observed.cursor)}});
}

}  // namespace lockstep::invariants
