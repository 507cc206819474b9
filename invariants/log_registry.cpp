#include "invariants/log_registry.h"

#include <algorithm>
#include <array>

#include "invariants/acknowledged_before_fence.h"
#include "invariants/acknowledged_offsets_unique.h"
#include "invariants/acknowledged_records_readable.h"
#include "invariants/append_progress.h"
#include "invariants/compaction_completes.h"
#include "invariants/compaction_preserves_data.h"
#include "invariants/completed_rounds_persist.h"
#include "invariants/cursor_behind_compaction.h"
#include "invariants/cursor_consistency.h"
#include "invariants/entries_nest_whole.h"
#include "invariants/entries_point_to_data.h"
#include "invariants/fenced_rejects_appends.h"
#include "invariants/monotonic_offsets.h"
#include "invariants/no_offset_duplicates.h"
#include "invariants/no_overlapping_ranges.h"
#include "invariants/no_phantom_entries.h"
#include "invariants/no_reader_error.h"
#include "invariants/offsets_assigned_once.h"
#include "invariants/one_effective_entry.h"
#include "invariants/one_sealed_end.h"
#include "invariants/reader_eventually_succeeds.h"
#include "invariants/readers_never_move_back.h"
#include "invariants/reads_return_appended_bytes.h"
#include "invariants/records_at_one_offset.h"
#include "invariants/sequential_compaction_safety.h"
#include "invariants/type_ok.h"

namespace lockstep::invariants {
namespace {

/// As the module checks it.
constexpr LogProperty Upstream(std::string_view name, std::string_view spec, std::string_view what,
                               LogStepCheck step, LogStateCheck state) {
  return {name, PropertyKind::kSafety, PropertyForm::kUpstream, spec, what, step, state, nullptr};
}

/// Checked beside it, on what the store and the clients show.
constexpr LogProperty Stronger(std::string_view name, std::string_view spec, std::string_view what,
                               LogStepCheck step) {
  return {name, PropertyKind::kSafety, PropertyForm::kStronger, spec, what, step, nullptr, nullptr};
}

constexpr LogProperty Liveness(std::string_view name, std::string_view spec, std::string_view what,
                               LogEndCheck end) {
  return {name, PropertyKind::kLiveness, PropertyForm::kUpstream, spec, what, nullptr, nullptr,
          end};
}

/// Checked by the runner, through conformance.h.
constexpr LogProperty Conformance(std::string_view name, std::string_view what) {
  return {name,
          PropertyKind::kConformance,
          PropertyForm::kConformance,
          "LeaderlessLog.tla, Next",
          what,
          nullptr,
          nullptr,
          nullptr};
}

constexpr std::array kLogProperties{
    Upstream("TypeOK", "LeaderlessLog.tla, TypeOK", "every variable is in its domain", TypeOK,
             TypeOK),
    Upstream("NoOffsetDuplicates", "LeaderlessLog.tla, NoOffsetDuplicates",
             "every offset has one entry, of a known type", NoOffsetDuplicates, NoOffsetDuplicates),
    Upstream("MonotonicOffsets", "LeaderlessLog.tla, MonotonicOffsets",
             "the sequence counter is at least 1", MonotonicOffsets, MonotonicOffsets),
    Upstream("FencedRejectsAppends", "LeaderlessLog.tla, FencedRejectsAppends",
             "while FENCED, AssignOffset is enabled for no writer", FencedRejectsAppends,
             FencedRejectsAppends),
    Upstream("CompactionPreservesData", "LeaderlessLog.tla, CompactionPreservesData",
             "once written, the current range has its COMPACTED entry", CompactionPreservesData,
             CompactionPreservesData),
    Upstream("NoPhantomEntries", "LeaderlessLog.tla, NoPhantomEntries",
             "once deleted, no entry is left below the current range's end", NoPhantomEntries,
             NoPhantomEntries),
    Upstream("CursorConsistency", "LeaderlessLog.tla, CursorConsistency",
             "the cursor is not beyond the next offset to assign", CursorConsistency,
             CursorConsistency),
    Upstream("NoOverlappingRanges", "LeaderlessLog.tla, NoOverlappingRanges",
             "no two WAL entries cover the same offset", NoOverlappingRanges, NoOverlappingRanges),
    Upstream("NoReaderError", "LeaderlessLog.tla, NoReaderError",
             "no reader's latest result is ERROR", NoReaderError, NoReaderError),
    Upstream("SequentialCompactionSafety", "LeaderlessLog.tla, SequentialCompactionSafety",
             "every earlier round has COMPACTED at its range's end", SequentialCompactionSafety,
             SequentialCompactionSafety),

    Stronger("AcknowledgedOffsetsUnique", "stronger than NoOffsetDuplicates",
             "no two acknowledged appends share an offset", AcknowledgedOffsetsUnique),
    Stronger("OffsetsAssignedOnce", "stronger than MonotonicOffsets",
             "the counter never decreases and no offset is assigned twice", OffsetsAssignedOnce),
    Stronger("AcknowledgedBeforeFence", "stronger than FencedRejectsAppends",
             "an acknowledged append was assigned where it says, while OPEN",
             AcknowledgedBeforeFence),
    Stronger("AcknowledgedRecordsReadable", "O-ACK, O-CONTENT",
             "every acknowledged record is readable at its offset with its bytes",
             AcknowledgedRecordsReadable),
    Stronger("EntriesPointToData", "stronger than NoPhantomEntries",
             "every index entry's object exists", EntriesPointToData),
    Stronger("CursorBehindCompaction", "stronger than CursorConsistency",
             "every offset below the cursor is compacted, and the cursor never goes back",
             CursorBehindCompaction),
    Stronger(
        "EntriesNestWhole", "stronger than NoOverlappingRanges",
        "an entry is disjoint from a COMPACTED one or wholly inside it, until the cursor passes",
        EntriesNestWhole),
    Stronger("OneEffectiveEntry", "stronger than NoReaderError",
             "a ceiling lookup of every committed offset finds an entry that covers it",
             OneEffectiveEntry),
    Stronger("CompletedRoundsPersist", "stronger than SequentialCompactionSafety",
             "the COMPACTED entry of every completed round is still there", CompletedRoundsPersist),
    Stronger("RecordsAtOneOffset", "O-DUP", "an append's records are assigned at one place only",
             RecordsAtOneOffset),
    Stronger("ReadersNeverMoveBack", "O-MONO",
             "a reader finds every offset up to the highest it has found before",
             ReadersNeverMoveBack),
    Stronger("ReadsReturnAppendedBytes", "O-ACK, O-CONTENT",
             "a read returns what was appended there, and finds what was acknowledged before it",
             ReadsReturnAppendedBytes),
    Stronger("OneSealedEnd", "O-SEAL",
             "all answers about a fence agree on its end, and the fenced log does not grow",
             OneSealedEnd),

    Liveness("AppendProgress", "LeaderlessLog.tla, AppendProgress",
             "after faults stop, every append is answered in bounded steps", AppendProgress),
    Liveness("CompactionCompletes", "LeaderlessLog.tla, CompactionCompletes",
             "after faults stop, a started range reaches its cursor step in bounded steps",
             CompactionCompletes),
    Liveness("ReaderEventuallySucceeds", "LeaderlessLog.tla, ReaderEventuallySucceeds",
             "after faults stop, every reader's latest read succeeds in bounded steps",
             ReaderEventuallySucceeds),

    Conformance("ConformanceGuard", "every action that the run shows is enabled in the spec"),
    Conformance("ConformanceEffect", "after an action the store shows what the spec says"),
    Conformance("UndeclaredChange", "the store changes only by actions of the spec"),
};

}  // namespace

std::span<const LogProperty> LogProperties() { return kLogProperties; }

const LogProperty* FindLogProperty(std::string_view name) {
  const auto at =
      std::find_if(kLogProperties.begin(), kLogProperties.end(),
                   [name](const LogProperty& property) { return property.name == name; });
  return at == kLogProperties.end() ? nullptr : &*at;
}

}  // namespace lockstep::invariants
