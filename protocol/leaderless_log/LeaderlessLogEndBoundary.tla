----------------------- MODULE LeaderlessLogEndBoundary -----------------------
(****************************************************************************)
(* Dialect end_boundary_guard: LeaderlessLog in which a range is compacted  *)
(* only when it is made of whole entries.                                   *)
(*                                                                          *)
(* CompactStart alone looks at the start of the range.  With entries 1..2   *)
(* and 3..4 and the range 1..3 it is enabled: the COMPACTED entry 1..3 then *)
(* overlaps the entry 3..4 for good.  Here no entry beyond the range may    *)
(* begin at or before the range's end, wherever it begins.                  *)
(*                                                                          *)
(* Resume = TRUE adds the dialect compaction_resume.                        *)
(*                                                                          *)
(* Of LeaderlessLog this module uses only names that upstream's text has    *)
(* too, so it can stand on either.                                          *)
(****************************************************************************)
EXTENDS LeaderlessLogResume

CONSTANT Resume
ASSUME Resume \in BOOLEAN

CompactStartEndBoundary ==
    /\ CompactStart
    /\ \A o \in (CurRangeEnd + 1)..MaxOffset :
         logIndex[o].type # "EMPTY" => o - logIndex[o].msgCount + 1 > CurRangeEnd

NextEndBoundary ==
    \/ \E w \in Writers : StartAppend(w)
    \/ \E w \in Writers : WALWriteSuccess(w)
    \/ \E w \in Writers : WALWriteFail(w)
    \/ \E w \in Writers : AssignOffset(w)
    \/ \E w \in Writers : AssignOffsetFenced(w)
    \/ \E w \in Writers : AssignOffsetExhausted(w)
    \/ \E w \in Writers : AppendComplete(w)
    \/ CompactStartEndBoundary
    \/ CompactWriteCompactedIndex
    \/ CompactDeleteOldEntries
    \/ CompactUpdateCursor
    \/ CompactReset
    \/ CompactorCrash
    \/ FenceLog
    \/ UnfenceLog
    \/ \E w \in Writers : \E off \in 1..MaxOffset : ReadEntry(w, off)
    \/ Resume /\ CompactResume

SpecEndBoundary ==
    /\ Init
    /\ [][NextEndBoundary]_vars
    /\ \A w \in Writers :
         /\ WF_vars(StartAppend(w))
         /\ WF_vars(WALWriteSuccess(w))
         /\ SF_vars(AssignOffset(w))
         /\ SF_vars(AssignOffsetFenced(w))
         /\ SF_vars(AssignOffsetExhausted(w))
         /\ WF_vars(AppendComplete(w))
         /\ \A off \in 1..MaxOffset : WF_vars(ReadEntry(w, off))
    /\ WF_vars(CompactStartEndBoundary)
    /\ WF_vars(CompactWriteCompactedIndex)
    /\ WF_vars(CompactDeleteOldEntries)
    /\ WF_vars(CompactUpdateCursor)
    /\ WF_vars(CompactReset)
    /\ WF_vars(Resume /\ CompactResume)

==============================================================================
