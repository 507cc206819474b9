// Situations of the leaderless log that a sweep should meet: the antidote to vacuous success.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep::scenarios {

enum class LogSituation : std::uint8_t {
  kFenceWithAppendInFlight,     ///< FenceLog while a writer is ASSIGNING_OFFSET
  kAppendRefusedByFence,        ///< AssignOffsetFenced
  kAppendInDoubtFound,          ///< an append whose outcome was unknown turned out to be in the log
  kAppendWithdrawn,             ///< an append whose outcome was unknown was withdrawn for good
  kLateRequestApplied,          ///< a request changed the store after its sender had crashed
  kAppendByDeadWriter,          ///< AssignOffset of a writer that had crashed
  kReadBetweenWriteAndDelete,   ///< ReadEntry OK in the range while the compactor is DELETING_OLD
  kReadBetweenDeleteAndCursor,  ///< ReadEntry OK in the range while it is UPDATING_CURSOR
  kAppendDuringCompaction,      ///< AssignOffset while the compactor is between its steps
  kCrashWhileWriting,           ///< CompactorCrash in WRITING_COMPACTED_INDEX
  kCrashWhileDeleting,          ///< CompactorCrash in DELETING_OLD
  kCrashBeforeCursor,           ///< CompactorCrash in UPDATING_CURSOR
  kCompactionResumed,           ///< CompactResume
  kSecondRoundCompleted,        ///< CompactReset of round 2
  kReadAgainAfterCompaction,    ///< a reader found its object gone and looked the offset up again
};
inline constexpr std::size_t kLogSituations = 15;

/// "fence_with_append_in_flight", ...
std::string_view LogSituationName(LogSituation situation);

}  // namespace lockstep::scenarios
