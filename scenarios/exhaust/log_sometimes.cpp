#include "scenarios/exhaust/log_sometimes.h"

#include <algorithm>

#include "protocol/leaderless_log/leaderless_log_guards.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Action;
using protocol::leaderless_log::ActionKind;
using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::Constants;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::FirstReachingBack;
using protocol::leaderless_log::HasRange;
using protocol::leaderless_log::kActionKinds;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::Range;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::State;
using protocol::leaderless_log::WriterState;
using Kind = ActionKind;
using Step = LogMachineStep;

bool Any(const Step& /*step*/) { return true; }

/// The current range's COMPACTED entry is there and the cursor has not passed it. With an idle
/// compactor, or one that has yet to write: somebody crashed behind the write.
bool HalfDone(const Step& step) {
  const Range range = step.machine.CurrentRange(step.before);
  return step.before.log_index.At(range.end).type == EntryType::COMPACTED &&
         step.before.compaction_cursor <= range.end;
}

bool EntryAcrossTheEnd(const Step& step) {
  const Range range = step.machine.CurrentRange(step.before);
  return FirstReachingBack(step.before.log_index, range) != 0;
}

bool NoKeyInTheRange(const Step& step) {
  const Range range = step.machine.CurrentRange(step.before);
  const Offset key = step.before.log_index.NextNonEmpty(range.start);
  return key == 0 || key > range.end;
}

bool CanGoOn(const Step& step) {
  return step.machine.Enabled(step.after, Action{Kind::CompactStart, 0, 0}) ||
         step.machine.Enabled(step.after, Action{Kind::CompactResume, 0, 0});
}

bool CrashedBehindTheWrite(const Step& step) {
  return step.before.compactor_state != CompactorState::WRITING_COMPACTED_INDEX;
}

bool LastRange(const Step& step) {
  const Constants& constants = step.machine.constants();
  return HasRange(constants, step.before) &&
         step.machine.CurrentRange(step.before) == constants.ranges.back();
}

bool SomebodyHasWritten(const Step& step) {
  return std::any_of(step.before.writers.begin(), step.before.writers.end(),
                     [](const auto& w) { return w.state == WriterState::ASSIGNING_OFFSET; });
}

bool SomebodyIsCompacting(const Step& step) {
  return step.before.compactor_state != CompactorState::IDLE;
}

bool ReadsError(const Step& step) {
  return step.after.writers[step.action.writer].reader_result == ReaderResult::ERROR;
}

/// A COMPACTED entry covers what is read.
bool ReadsCompacted(const Step& step) {
  const auto& index = step.before.log_index;
  for (Offset key = step.action.number; key <= index.high(); ++key) {
    const Entry entry = index.At(key);
    if (entry.type != EntryType::COMPACTED) continue;
    if (protocol::leaderless_log::FirstCovered(key, entry) <= step.action.number) return true;
  }
  return false;
}

constexpr std::array kProperties{
    LogSometimes{"append_fails_in_storage", "storage does not take a batch", Kind::WALWriteFail,
                 Any},
    LogSometimes{"append_rejected_by_fence", "a fence stops an append whose batch is written",
                 Kind::AssignOffsetFenced, Any},
    LogSometimes{"append_exhausted", "a batch no longer fits into the log",
                 Kind::AssignOffsetExhausted, Any},
    LogSometimes{"append_during_compaction", "offsets are assigned while a compaction is under way",
                 Kind::AssignOffset, SomebodyIsCompacting},
    LogSometimes{"fence_between_write_and_offset",
                 "a fence comes when a batch is written and has no offsets yet", Kind::FenceLog,
                 [](const Step& step) { return SomebodyHasWritten(step); }},
    LogSometimes{"fence_during_compaction", "a fence comes while a compaction is under way",
                 Kind::FenceLog, SomebodyIsCompacting},
    LogSometimes{"compaction_starts_across_an_entry",
                 "an entry ends beyond the range that a compaction starts on", Kind::CompactStart,
                 EntryAcrossTheEnd},
    LogSometimes{"compaction_starts_inside_an_entry",
                 "no key lies in the range that a compaction starts on", Kind::CompactStart,
                 NoKeyInTheRange},
    LogSometimes{"compaction_ends_across_an_entry",
                 "the cursor passes a range while an entry reaches into it from beyond",
                 Kind::CompactUpdateCursor, EntryAcrossTheEnd},
    LogSometimes{"last_range_compacted", "every round completes", Kind::CompactUpdateCursor,
                 LastRange},
    LogSometimes{"crash_before_write", "the compactor crashes before it has written",
                 Kind::CompactorCrash,
                 [](const Step& step) { return !CrashedBehindTheWrite(step); }},
    LogSometimes{"crash_behind_write", "the compactor crashes behind its write",
                 Kind::CompactorCrash, CrashedBehindTheWrite},
    LogSometimes{"crash_before_write_goes_on",
                 "after a crash before the write a compaction can start again",
                 Kind::CompactorCrash,
                 [](const Step& step) { return !CrashedBehindTheWrite(step) && CanGoOn(step); }},
    LogSometimes{"crash_behind_write_goes_on",
                 "after a crash behind the write the round can start again or be resumed",
                 Kind::CompactorCrash,
                 [](const Step& step) { return CrashedBehindTheWrite(step) && CanGoOn(step); }},
    LogSometimes{"crash_behind_write_gets_stuck",
                 "after a crash behind the write the round can neither start again nor be resumed",
                 Kind::CompactorCrash,
                 [](const Step& step) { return CrashedBehindTheWrite(step) && !CanGoOn(step); }},
    LogSometimes{"compaction_starts_after_crash",
                 "CompactStart on a range whose COMPACTED entry is there, the cursor before it",
                 Kind::CompactStart, HalfDone},
    LogSometimes{"compaction_written_twice",
                 "the COMPACTED entry of a half-done range is written once more",
                 Kind::CompactWriteCompactedIndex, HalfDone},
    LogSometimes{"compaction_resumed", "a compactor goes on behind another's write",
                 Kind::CompactResume, Any},
    LogSometimes{"reader_finds_compacted", "a COMPACTED entry covers what a reader reads",
                 Kind::ReadEntry, ReadsCompacted},
    LogSometimes{"reader_error", "a reader finds no entry for a committed offset", Kind::ReadEntry,
                 ReadsError},
};

}  // namespace

std::span<const LogSometimes> LogSometimesProperties() { return kProperties; }

std::array<std::uint64_t, kActionKinds> LogSometimesByKind() {
  std::array<std::uint64_t, kActionKinds> by_kind{};
  for (std::size_t i = 0; i < kProperties.size(); ++i) {
    by_kind.at(static_cast<std::size_t>(kProperties.at(i).action)) |= std::uint64_t{1} << i;
  }
  return by_kind;
}

}  // namespace lockstep::scenarios
