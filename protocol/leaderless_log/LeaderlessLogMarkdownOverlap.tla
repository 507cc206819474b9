--------------------- MODULE LeaderlessLogMarkdownOverlap ---------------------
(****************************************************************************)
(* LeaderlessLog with NoOverlappingRanges as the Markdown specification     *)
(* words it: no two entries overlap, whatever their types.  The behaviours  *)
(* are LeaderlessLog's own.  An ordinary compaction breaks it: between the  *)
(* write of the COMPACTED entry and the deletion of what it replaces, both  *)
(* cover the same offsets.                                                  *)
(****************************************************************************)
EXTENDS LeaderlessLog

\* The offsets that the entry at o covers.
CoveredBy(o) == (o - logIndex[o].msgCount + 1)..o

NoOverlappingRangesMarkdown ==
    \A a, b \in 1..MaxOffset :
        (/\ a # b
         /\ logIndex[a].type # "EMPTY"
         /\ logIndex[b].type # "EMPTY")
            => CoveredBy(a) \cap CoveredBy(b) = {}

==============================================================================
