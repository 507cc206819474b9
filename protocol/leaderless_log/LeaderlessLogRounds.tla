------------------------- MODULE LeaderlessLogRounds -------------------------
(****************************************************************************)
(* Dialect rounds: LeaderlessLog with any number of compaction ranges.      *)
(*                                                                          *)
(* Ranges takes the place of the two ranges.  CompactReset goes on to the   *)
(* next round; past the last range there is no range to start on, and no    *)
(* compaction step is enabled.  (It does not stop at Len(Ranges): whoever   *)
(* replays a run in which ranges were appended on the way gives the final   *)
(* sequence, and a round must not depend on ranges that come later.)        *)
(*                                                                          *)
(* What names the current range has the suffix Rounds here; everything else *)
(* is LeaderlessLog's own.  Resume = TRUE adds the dialect                  *)
(* compaction_resume, EndBoundary = TRUE the dialect end_boundary_guard.    *)
(* The four range constants of LeaderlessLog must have values, but only     *)
(* TwoRanges looks at them.                                                 *)
(*                                                                          *)
(* Of LeaderlessLog this module uses only names that upstream's text has    *)
(* too, so it can stand on either.                                          *)
(****************************************************************************)
EXTENDS LeaderlessLog, Sequences

CONSTANTS
    Ranges,      \* sequence of [start |-> first offset, end |-> last offset]
    Resume,
    EndBoundary

ASSUME /\ \A r \in 1..Len(Ranges) :
            /\ 1 <= Ranges[r].start
            /\ Ranges[r].start <= Ranges[r].end
            /\ Ranges[r].end <= MaxOffset
            /\ r > 1 => Ranges[r - 1].end < Ranges[r].start
       /\ Resume \in BOOLEAN
       /\ EndBoundary \in BOOLEAN

\* LeaderlessLog's own ranges, for a .cfg that says `Ranges <- TwoRanges`
\* (a .cfg cannot write a sequence).
TwoRanges == <<[start |-> CompactRangeStart, end |-> CompactRangeEnd],
               [start |-> CompactRange2Start, end |-> CompactRange2End]>>

RoundStart == Ranges[compactRound].start
RoundEnd == Ranges[compactRound].end

\* What the range's end leads to once it is compacted.
RoundEntry == [type |-> "COMPACTED", msgCount |-> RoundEnd - RoundStart + 1]

------------------------------------------------------------------------------
CompactStartRounds ==
    /\ compactorState = "IDLE"
    /\ compactRound <= Len(Ranges)
    /\ \A off \in RoundStart..RoundEnd :
         \E o \in off..MaxOffset :
           logIndex[o].type = "WAL" /\ o - logIndex[o].msgCount + 1 <= off
    /\ \A o \in RoundStart..RoundEnd :
         logIndex[o].type # "EMPTY" => o - logIndex[o].msgCount + 1 >= RoundStart
    /\ EndBoundary =>
         \A o \in (RoundEnd + 1)..MaxOffset :
           logIndex[o].type # "EMPTY" => o - logIndex[o].msgCount + 1 > RoundEnd
    /\ compactorState' = "WRITING_COMPACTED_INDEX"
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, compactionCursor,
                   writerState, writerOffset, writerBatchSize, readerResult,
                   compactRound>>

CompactWriteCompactedIndexRounds ==
    /\ compactorState = "WRITING_COMPACTED_INDEX"
    /\ logIndex' = [logIndex EXCEPT ![RoundEnd] = RoundEntry]
    /\ compactorState' = "DELETING_OLD"
    /\ UNCHANGED <<sequenceCounter, logState, compactionCursor, writerState,
                   writerOffset, writerBatchSize, readerResult, compactRound>>

CompactDeleteOldEntriesRounds ==
    /\ compactorState = "DELETING_OLD"
    /\ logIndex' = [o \in 1..MaxOffset |->
                      IF RoundStart <= o /\ o < RoundEnd
                        THEN [type |-> "EMPTY", msgCount |-> 0]
                        ELSE logIndex[o]]
    /\ compactorState' = "UPDATING_CURSOR"
    /\ UNCHANGED <<sequenceCounter, logState, compactionCursor, writerState,
                   writerOffset, writerBatchSize, readerResult, compactRound>>

CompactUpdateCursorRounds ==
    /\ compactorState = "UPDATING_CURSOR"
    /\ compactionCursor' = RoundEnd + 1
    /\ compactorState' = "DONE"
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, writerState, writerOffset,
                   writerBatchSize, readerResult, compactRound>>

CompactResetRounds ==
    /\ compactorState = "DONE"
    /\ compactorState' = "IDLE"
    /\ compactRound' = compactRound + 1
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, compactionCursor,
                   writerState, writerOffset, writerBatchSize, readerResult>>

CompactResumeRounds ==
    /\ Resume
    /\ compactorState = "IDLE"
    /\ compactRound <= Len(Ranges)
    /\ logIndex[RoundEnd] = RoundEntry
    /\ compactionCursor <= RoundEnd
    /\ compactorState' = "DELETING_OLD"
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, compactionCursor,
                   writerState, writerOffset, writerBatchSize, readerResult,
                   compactRound>>

------------------------------------------------------------------------------
NextRounds ==
    \/ \E w \in Writers : StartAppend(w)
    \/ \E w \in Writers : WALWriteSuccess(w)
    \/ \E w \in Writers : WALWriteFail(w)
    \/ \E w \in Writers : AssignOffset(w)
    \/ \E w \in Writers : AssignOffsetFenced(w)
    \/ \E w \in Writers : AssignOffsetExhausted(w)
    \/ \E w \in Writers : AppendComplete(w)
    \/ CompactStartRounds
    \/ CompactWriteCompactedIndexRounds
    \/ CompactDeleteOldEntriesRounds
    \/ CompactUpdateCursorRounds
    \/ CompactResetRounds
    \/ CompactorCrash
    \/ FenceLog
    \/ UnfenceLog
    \/ \E w \in Writers : \E off \in 1..MaxOffset : ReadEntry(w, off)
    \/ CompactResumeRounds

SpecRounds ==
    /\ Init
    /\ [][NextRounds]_vars
    /\ \A w \in Writers :
         /\ WF_vars(StartAppend(w))
         /\ WF_vars(WALWriteSuccess(w))
         /\ SF_vars(AssignOffset(w))
         /\ SF_vars(AssignOffsetFenced(w))
         /\ SF_vars(AssignOffsetExhausted(w))
         /\ WF_vars(AppendComplete(w))
         /\ \A off \in 1..MaxOffset : WF_vars(ReadEntry(w, off))
    /\ WF_vars(CompactStartRounds)
    /\ WF_vars(CompactWriteCompactedIndexRounds)
    /\ WF_vars(CompactDeleteOldEntriesRounds)
    /\ WF_vars(CompactUpdateCursorRounds)
    /\ WF_vars(CompactResetRounds)
    /\ WF_vars(CompactResumeRounds)

------------------------------------------------------------------------------
(* The properties that name a round; the others hold as LeaderlessLog has them. *)

TypeOKRounds ==
    /\ DOMAIN logIndex = 1..MaxOffset
    /\ \A o \in 1..MaxOffset :
         /\ logIndex[o].type \in {"EMPTY", "WAL", "COMPACTED"}
         /\ logIndex[o].msgCount \in 0..MaxOffset
    /\ sequenceCounter \in 1..(MaxOffset + 1)
    /\ logState \in {"OPEN", "FENCED"}
    /\ compactionCursor \in 1..(MaxOffset + 1)
    /\ writerState \in
         [Writers -> {"IDLE", "WRITING_WAL", "ASSIGNING_OFFSET", "DONE", "FAILED"}]
    /\ writerOffset \in [Writers -> 0..MaxOffset]
    /\ writerBatchSize \in [Writers -> 0..MaxBatch]
    /\ compactorState \in
         {"IDLE", "WRITING_COMPACTED_INDEX", "DELETING_OLD", "UPDATING_CURSOR", "DONE"}
    /\ readerResult \in [Writers -> {"NONE", "OK", "ERROR"}]
    /\ compactRound \in 1..(Len(Ranges) + 1)

CompactionPreservesDataRounds ==
    compactorState \in {"DELETING_OLD", "UPDATING_CURSOR", "DONE"} =>
      logIndex[RoundEnd].type = "COMPACTED"

NoPhantomEntriesRounds ==
    compactorState \in {"UPDATING_CURSOR", "DONE"} =>
      \A o \in RoundStart..(RoundEnd - 1) : logIndex[o].type = "EMPTY"

\* Every round that is over has left its entry.
SequentialCompactionSafetyRounds ==
    \A r \in 1..(compactRound - 1) : logIndex[Ranges[r].end].type = "COMPACTED"

==============================================================================
