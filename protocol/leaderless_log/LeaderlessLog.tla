---------------------------- MODULE LeaderlessLog ----------------------------
(****************************************************************************)
(* A log without a leader.                                                  *)
(*                                                                          *)
(* Writers put their batches into object storage (the WAL) and then ask a   *)
(* coordination store, in one atomic step, for offsets and for an entry of  *)
(* the index that leads to the batch.  A fence on the log, kept in the same *)
(* store, stops all of them at that step.  A compactor rewrites ranges of   *)
(* the log: it writes one entry that covers the range, removes the entries  *)
(* it replaces, and moves a cursor.  It can crash between any two of these. *)
(* Readers find an offset through the index.                                *)
(*                                                                          *)
(* Names of constants, variables, actions and properties are those of the   *)
(* upstream module (openlakestream/leaderless-log-protocol); the text is    *)
(* our own.  leaderless_log_machine.h mirrors this module in C++, and a     *)
(* test compares the names of the two.                                      *)
(****************************************************************************)
EXTENDS Integers

CONSTANTS
    Writers,             \* ids of the writers, each of which also reads
    MaxOffset,           \* the log is bounded: offsets are 1..MaxOffset
    CompactRangeStart,   \* the range that compaction round 1 rewrites,
    CompactRangeEnd,     \*   its end included
    CompactRange2Start,  \* the range of round 2
    CompactRange2End,
    MaxBatch             \* an append has 1..MaxBatch records

ASSUME /\ 1 <= CompactRangeStart
       /\ CompactRangeStart <= CompactRangeEnd
       /\ CompactRangeEnd < MaxOffset
       /\ CompactRangeEnd < CompactRange2Start
       /\ CompactRange2Start <= CompactRange2End
       /\ CompactRange2End <= MaxOffset
       /\ MaxBatch >= 1

VARIABLES
    logIndex,          \* offset -> entry, under the last offset that the entry covers
    sequenceCounter,   \* the next offset to assign
    logState,          \* is the log open for appends?
    compactionCursor,  \* the first offset that is not yet compacted
    writerState,       \* where each writer is in its append
    writerOffset,      \* the last offset of its batch, once assigned; 0 = none
    writerBatchSize,   \* how many records it appends; 0 = it does not
    compactorState,    \* where the compactor is in its round
    readerResult,      \* the outcome of each reader's latest read
    compactRound       \* 1 or 2

vars == <<logIndex, sequenceCounter, logState, compactionCursor, writerState,
          writerOffset, writerBatchSize, compactorState, readerResult,
          compactRound>>

writerVars == <<writerState, writerOffset, writerBatchSize>>
compactionVars == <<compactionCursor, compactorState, compactRound>>

------------------------------------------------------------------------------
(* The index. *)

EmptyEntry == [type |-> "EMPTY", msgCount |-> 0]

\* An entry with n records, found under offset o, covers o-n+1 .. o.
Covers(o, off) == o - logIndex[o].msgCount + 1 <= off /\ off <= o

\* A reader that asks for `off` finds an entry that covers it.
Covered(off) ==
    \E o \in off..MaxOffset : logIndex[o].type # "EMPTY" /\ Covers(o, off)

\* The same among the writers' entries alone.
WalCovered(off) ==
    \E o \in off..MaxOffset : logIndex[o].type = "WAL" /\ Covers(o, off)

\* The range of the current round.
CurRangeStart == IF compactRound = 1 THEN CompactRangeStart ELSE CompactRange2Start
CurRangeEnd == IF compactRound = 1 THEN CompactRangeEnd ELSE CompactRange2End

\* The last offset of w's batch, were it assigned now.
EndOffset(w) == sequenceCounter + writerBatchSize[w] - 1

------------------------------------------------------------------------------
Init ==
    /\ logIndex = [o \in 1..MaxOffset |-> EmptyEntry]
    /\ sequenceCounter = 1
    /\ logState = "OPEN"
    /\ compactionCursor = 1
    /\ writerState = [w \in Writers |-> "IDLE"]
    /\ writerOffset = [w \in Writers |-> 0]
    /\ writerBatchSize = [w \in Writers |-> 0]
    /\ compactorState = "IDLE"
    /\ readerResult = [w \in Writers |-> "NONE"]
    /\ compactRound = 1

------------------------------------------------------------------------------
(* Appending: write the batch, get its offsets, answer the caller. *)

\* 1. A writer that found the log open begins to write a batch to storage.
StartAppend(w) ==
    /\ writerState[w] = "IDLE"
    /\ logState = "OPEN"
    /\ \E count \in 1..MaxBatch :
         writerBatchSize' = [writerBatchSize EXCEPT ![w] = count]
    /\ writerState' = [writerState EXCEPT ![w] = "WRITING_WAL"]
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, writerOffset,
                   compactionVars, readerResult>>

\* What every step does that moves w on and touches nothing else.
WriterMoves(w, next) ==
    /\ writerState' = [writerState EXCEPT ![w] = next]
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, writerOffset,
                   writerBatchSize, compactionVars, readerResult>>

\* 2. Storage has the batch, or has failed to take it.
WALWriteSuccess(w) ==
    /\ writerState[w] = "WRITING_WAL"
    /\ WriterMoves(w, "ASSIGNING_OFFSET")

WALWriteFail(w) ==
    /\ writerState[w] = "WRITING_WAL"
    /\ WriterMoves(w, "FAILED")

\* 3. The commit point of an append.  The log is found open, the counter is
\* advanced and the entry is created in one transaction of the store: no crash
\* and no fence can come between.
AssignOffset(w) ==
    /\ writerState[w] = "ASSIGNING_OFFSET"
    /\ logState = "OPEN"
    /\ EndOffset(w) <= MaxOffset
    /\ sequenceCounter' = EndOffset(w) + 1
    /\ logIndex' = [logIndex EXCEPT ![EndOffset(w)] =
                      [type |-> "WAL", msgCount |-> writerBatchSize[w]]]
    /\ writerOffset' = [writerOffset EXCEPT ![w] = EndOffset(w)]
    /\ writerState' = [writerState EXCEPT ![w] = "DONE"]
    /\ UNCHANGED <<logState, writerBatchSize, compactionVars, readerResult>>

\* 3b. The same transaction, refused because the log is fenced.
AssignOffsetFenced(w) ==
    /\ writerState[w] = "ASSIGNING_OFFSET"
    /\ logState = "FENCED"
    /\ WriterMoves(w, "FAILED")

\* 3c. Only because the model is bounded: the batch no longer fits.
AssignOffsetExhausted(w) ==
    /\ writerState[w] = "ASSIGNING_OFFSET"
    /\ logState = "OPEN"
    /\ EndOffset(w) > MaxOffset
    /\ WriterMoves(w, "FAILED")

\* 4. The caller has its answer.
AppendComplete(w) ==
    /\ writerState[w] \in {"DONE", "FAILED"}
    /\ writerState' = [writerState EXCEPT ![w] = "IDLE"]
    /\ writerOffset' = [writerOffset EXCEPT ![w] = 0]
    /\ writerBatchSize' = [writerBatchSize EXCEPT ![w] = 0]
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, compactionVars, readerResult>>

------------------------------------------------------------------------------
(* Compacting: write the new entry, delete what it replaces, move the       *)
(* cursor.  In this order a reader always finds one entry or the other.     *)

\* 5. The whole range is there, and nothing in it reaches back before it.
\* Only the start is looked at: an entry that begins in the range, or before
\* it, and ends beyond it does not block the round (LeaderlessLogEndBoundary
\* is the variation in which it does).
CompactStart ==
    /\ compactorState = "IDLE"
    /\ \A off \in CurRangeStart..CurRangeEnd : WalCovered(off)
    /\ \A o \in CurRangeStart..CurRangeEnd :
         logIndex[o].type # "EMPTY" => o - logIndex[o].msgCount + 1 >= CurRangeStart
    /\ compactorState' = "WRITING_COMPACTED_INDEX"
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, compactionCursor,
                   writerVars, readerResult, compactRound>>

\* 6. The entry for the whole range, under its last offset.
CompactWriteCompactedIndex ==
    /\ compactorState = "WRITING_COMPACTED_INDEX"
    /\ logIndex' = [logIndex EXCEPT ![CurRangeEnd] =
                      [type |-> "COMPACTED", msgCount |-> CurRangeEnd - CurRangeStart + 1]]
    /\ compactorState' = "DELETING_OLD"
    /\ UNCHANGED <<sequenceCounter, logState, compactionCursor, writerVars,
                   readerResult, compactRound>>

\* 7. All other entries of the range, in one step.
CompactDeleteOldEntries ==
    /\ compactorState = "DELETING_OLD"
    /\ logIndex' = [o \in 1..MaxOffset |->
                      IF CurRangeStart <= o /\ o < CurRangeEnd THEN EmptyEntry
                                                               ELSE logIndex[o]]
    /\ compactorState' = "UPDATING_CURSOR"
    /\ UNCHANGED <<sequenceCounter, logState, compactionCursor, writerVars,
                   readerResult, compactRound>>

\* 8.
CompactUpdateCursor ==
    /\ compactorState = "UPDATING_CURSOR"
    /\ compactionCursor' = CurRangeEnd + 1
    /\ compactorState' = "DONE"
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, writerVars,
                   readerResult, compactRound>>

\* 9. On to round 2, and round 2 stays the current one after it is done.
CompactReset ==
    /\ compactorState = "DONE"
    /\ compactorState' = "IDLE"
    /\ compactRound' = 2
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, compactionCursor,
                   writerVars, readerResult>>

\* 9b. The compactor forgets what it was doing.  What it wrote stays, and this
\* module has no step that takes it up again (LeaderlessLogResume has).
CompactorCrash ==
    /\ compactorState \in {"WRITING_COMPACTED_INDEX", "DELETING_OLD", "UPDATING_CURSOR"}
    /\ compactorState' = "IDLE"
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, compactionCursor,
                   writerVars, readerResult, compactRound>>

------------------------------------------------------------------------------
(* Fencing and reading. *)

\* 10.
FenceLog ==
    /\ logState = "OPEN"
    /\ logState' = "FENCED"
    /\ UNCHANGED <<logIndex, sequenceCounter, writerVars, compactionVars, readerResult>>

\* 11.
UnfenceLog ==
    /\ logState = "FENCED"
    /\ logState' = "OPEN"
    /\ UNCHANGED <<logIndex, sequenceCounter, writerVars, compactionVars, readerResult>>

\* 12. A reader is a writer that has nothing else to do.
ReadEntry(w, off) ==
    /\ writerState[w] = "IDLE"
    /\ off >= 1
    /\ off < sequenceCounter
    /\ readerResult' = [readerResult EXCEPT ![w] = IF Covered(off) THEN "OK" ELSE "ERROR"]
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, writerVars, compactionVars>>

------------------------------------------------------------------------------
Next ==
    \/ \E w \in Writers : StartAppend(w)
    \/ \E w \in Writers : WALWriteSuccess(w)
    \/ \E w \in Writers : WALWriteFail(w)
    \/ \E w \in Writers : AssignOffset(w)
    \/ \E w \in Writers : AssignOffsetFenced(w)
    \/ \E w \in Writers : AssignOffsetExhausted(w)
    \/ \E w \in Writers : AppendComplete(w)
    \/ CompactStart
    \/ CompactWriteCompactedIndex
    \/ CompactDeleteOldEntries
    \/ CompactUpdateCursor
    \/ CompactReset
    \/ CompactorCrash
    \/ FenceLog
    \/ UnfenceLog
    \/ \E w \in Writers : \E off \in 1..MaxOffset : ReadEntry(w, off)

\* Writers and readers get on with it.  Assigning is fair in the strong sense,
\* since a fence that comes and goes may disable it again and again.  Nothing
\* has to fail, crash, fence or unfence.
FairWriters ==
    \A w \in Writers :
      /\ WF_vars(StartAppend(w))
      /\ WF_vars(WALWriteSuccess(w))
      /\ SF_vars(AssignOffset(w))
      /\ SF_vars(AssignOffsetFenced(w))
      /\ SF_vars(AssignOffsetExhausted(w))
      /\ WF_vars(AppendComplete(w))
      /\ \A off \in 1..MaxOffset : WF_vars(ReadEntry(w, off))

FairCompactor ==
    /\ WF_vars(CompactStart)
    /\ WF_vars(CompactWriteCompactedIndex)
    /\ WF_vars(CompactDeleteOldEntries)
    /\ WF_vars(CompactUpdateCursor)
    /\ WF_vars(CompactReset)

Spec == Init /\ [][Next]_vars /\ FairWriters /\ FairCompactor

------------------------------------------------------------------------------
(* Invariants.  Each is what upstream checks; the stronger forms that these *)
(* names promise are oracles of lockstep (see README.md).                   *)

TypeOK ==
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
    /\ compactRound \in {1, 2}

\* True by the shape of logIndex: there is one entry an offset, of a known type.
NoOffsetDuplicates ==
    \A o \in 1..MaxOffset : logIndex[o].type \in {"EMPTY", "WAL", "COMPACTED"}

MonotonicOffsets == sequenceCounter >= 1

\* Asked of the action itself, so that a change of its guard cannot go unnoticed.
FencedRejectsAppends ==
    logState = "FENCED" => \A w \in Writers : ~ ENABLED AssignOffset(w)

CompactionPreservesData ==
    compactorState \in {"DELETING_OLD", "UPDATING_CURSOR", "DONE"} =>
      logIndex[CurRangeEnd].type = "COMPACTED"

NoPhantomEntries ==
    compactorState \in {"UPDATING_CURSOR", "DONE"} =>
      \A o \in CurRangeStart..(CurRangeEnd - 1) : logIndex[o].type = "EMPTY"

CursorConsistency == compactionCursor <= sequenceCounter

\* Of two WAL entries the one with the greater key begins after the other ends.
\* COMPACTED entries overlap those they replace, until these are deleted.
NoOverlappingRanges ==
    \A o1, o2 \in 1..MaxOffset :
      (o1 < o2 /\ logIndex[o1].type = "WAL" /\ logIndex[o2].type = "WAL") =>
        o1 < o2 - logIndex[o2].msgCount + 1

NoReaderError == \A w \in Writers : readerResult[w] # "ERROR"

SequentialCompactionSafety ==
    compactRound = 2 => logIndex[CompactRangeEnd].type = "COMPACTED"

------------------------------------------------------------------------------
(* Leads-to properties, under the fairness of Spec. *)

AppendProgress ==
    \A w \in Writers :
      writerState[w] = "WRITING_WAL" ~> writerState[w] \in {"DONE", "FAILED"}

CompactionCompletes ==
    compactorState = "WRITING_COMPACTED_INDEX" ~> compactorState \in {"DONE", "IDLE"}

ReaderEventuallySucceeds ==
    \A w \in Writers : readerResult[w] = "ERROR" ~> readerResult[w] = "OK"

==============================================================================
