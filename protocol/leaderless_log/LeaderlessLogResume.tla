------------------------- MODULE LeaderlessLogResume -------------------------
(****************************************************************************)
(* Dialect compaction_resume: LeaderlessLog with a compactor that goes on   *)
(* where a crashed one stopped.                                             *)
(*                                                                          *)
(* A COMPACTED entry of exactly this round's range says that the range was  *)
(* written, and the cursor says that the round was not ended.  What is left *)
(* is to delete (again, which does no harm) and to move the cursor.         *)
(*                                                                          *)
(* Of the module it extends, this one uses only names that upstream's text  *)
(* has too, so it can stand on either.                                      *)
(****************************************************************************)
EXTENDS LeaderlessLog

CompactResume ==
    /\ compactorState = "IDLE"
    /\ logIndex[CurRangeEnd] =
         [type |-> "COMPACTED", msgCount |-> CurRangeEnd - CurRangeStart + 1]
    /\ compactionCursor <= CurRangeEnd
    /\ compactorState' = "DELETING_OLD"
    /\ UNCHANGED <<logIndex, sequenceCounter, logState, compactionCursor,
                   writerState, writerOffset, writerBatchSize, readerResult,
                   compactRound>>

NextResume == Next \/ CompactResume

SpecResume ==
    /\ Init
    /\ [][NextResume]_vars
    /\ \A w \in Writers :
         /\ WF_vars(StartAppend(w))
         /\ WF_vars(WALWriteSuccess(w))
         /\ SF_vars(AssignOffset(w))
         /\ SF_vars(AssignOffsetFenced(w))
         /\ SF_vars(AssignOffsetExhausted(w))
         /\ WF_vars(AppendComplete(w))
         /\ \A off \in 1..MaxOffset : WF_vars(ReadEntry(w, off))
    /\ WF_vars(CompactStart)
    /\ WF_vars(CompactWriteCompactedIndex)
    /\ WF_vars(CompactDeleteOldEntries)
    /\ WF_vars(CompactUpdateCursor)
    /\ WF_vars(CompactReset)
    /\ WF_vars(CompactResume)

==============================================================================
