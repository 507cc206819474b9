#include "scenarios/leaderless_log/log_situation.h"

namespace lockstep::scenarios {

std::string_view LogSituationName(LogSituation situation) {
  switch (situation) {
    case LogSituation::kFenceWithAppendInFlight:
      return "fence_with_append_in_flight";
    case LogSituation::kAppendRefusedByFence:
      return "append_refused_by_fence";
    case LogSituation::kAppendInDoubtFound:
      return "append_in_doubt_found";
    case LogSituation::kAppendWithdrawn:
      return "append_withdrawn";
    case LogSituation::kLateRequestApplied:
      return "late_request_applied";
    case LogSituation::kAppendByDeadWriter:
      return "append_by_dead_writer";
    case LogSituation::kReadBetweenWriteAndDelete:
      return "read_between_write_and_delete";
    case LogSituation::kReadBetweenDeleteAndCursor:
      return "read_between_delete_and_cursor";
    case LogSituation::kAppendDuringCompaction:
      return "append_during_compaction";
    case LogSituation::kCrashWhileWriting:
      return "crash_while_writing";
    case LogSituation::kCrashWhileDeleting:
      return "crash_while_deleting";
    case LogSituation::kCrashBeforeCursor:
      return "crash_before_cursor";
    case LogSituation::kCompactionResumed:
      return "compaction_resumed";
    case LogSituation::kSecondRoundCompleted:
      return "second_round_completed";
    case LogSituation::kReadAgainAfterCompaction:
      return "read_again_after_compaction";
  }
  return "?";
}

}  // namespace lockstep::scenarios
