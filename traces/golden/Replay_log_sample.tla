---- MODULE Replay_log_sample ----
\* Generated from a trace by lockstep; mode conform.
\* scenario log_sample, seed 0x2a
EXTENDS LeaderlessLog, Integers

ReplayJson == INSTANCE Json
ReplayTlc == INSTANCE TLC
ReplaySequences == INSTANCE Sequences

VARIABLE replayCursor  \* the record that the state is that of

ReplayTrace == ReplayJson!ndJsonDeserialize("Replay_log_sample.ndjson")

ReplayIs(replayRecord) ==
  /\ logIndex = replayRecord.state.logIndex
  /\ sequenceCounter = replayRecord.state.sequenceCounter
  /\ logState = replayRecord.state.logState
  /\ compactionCursor = replayRecord.state.compactionCursor
  /\ writerState = replayRecord.state.writerState
  /\ writerOffset = replayRecord.state.writerOffset
  /\ writerBatchSize = replayRecord.state.writerBatchSize
  /\ compactorState = replayRecord.state.compactorState
  /\ readerResult = replayRecord.state.readerResult
  /\ compactRound = replayRecord.state.compactRound

ReplayBecomes(replayRecord) ==
  /\ logIndex' = replayRecord.state.logIndex
  /\ sequenceCounter' = replayRecord.state.sequenceCounter
  /\ logState' = replayRecord.state.logState
  /\ compactionCursor' = replayRecord.state.compactionCursor
  /\ writerState' = replayRecord.state.writerState
  /\ writerOffset' = replayRecord.state.writerOffset
  /\ writerBatchSize' = replayRecord.state.writerBatchSize
  /\ compactorState' = replayRecord.state.compactorState
  /\ readerResult' = replayRecord.state.readerResult
  /\ compactRound' = replayRecord.state.compactRound

ReplayTakes(replayRecord) ==
  \/ replayRecord.action = "" /\ ReplayTrace[replayCursor].state # replayRecord.state
  \/ replayRecord.action = "StartAppend" /\ StartAppend(replayRecord.args.w)
  \/ replayRecord.action = "WALWriteSuccess" /\ WALWriteSuccess(replayRecord.args.w)
  \/ replayRecord.action = "WALWriteFail" /\ WALWriteFail(replayRecord.args.w)
  \/ replayRecord.action = "AssignOffset" /\ AssignOffset(replayRecord.args.w)
  \/ replayRecord.action = "AssignOffsetFenced" /\ AssignOffsetFenced(replayRecord.args.w)
  \/ replayRecord.action = "AppendComplete" /\ AppendComplete(replayRecord.args.w)
  \/ replayRecord.action = "FenceLog" /\ FenceLog
  \/ replayRecord.action = "UnfenceLog" /\ UnfenceLog
  \/ replayRecord.action = "ReadEntry" /\ ReadEntry(replayRecord.args.w, replayRecord.args.off)

ReplayInit ==
  /\ replayCursor = 1
  /\ Init
  /\ ReplayIs(ReplayTrace[1])

ReplayNext ==
  /\ replayCursor < ReplaySequences!Len(ReplayTrace)
  /\ replayCursor' = replayCursor + 1
  /\ ReplayBecomes(ReplayTrace[replayCursor + 1])
  /\ ReplayTakes(ReplayTrace[replayCursor + 1])
  /\ Next

ReplayActionOf(replayRecord) ==
  IF replayRecord.action = "" THEN "a change that no action explains" ELSE replayRecord.action

ReplayStarted == ReplayTlc!TLCGet("stats").distinct > 0
ReplayReached == IF ReplayStarted THEN ReplayTlc!TLCGet("stats").diameter ELSE 0
ReplayLength == ReplaySequences!Len(ReplayTrace)

ReplayAccepted ==
  \/ ReplayReached = ReplayLength
  \/ /\ ~ReplayStarted
     /\ ReplayTlc!PrintT("replay: the initial state is refused")
     /\ FALSE
  \/ /\ ReplayStarted
     /\ ReplayReached < ReplayLength
     /\ ReplayTlc!PrintT(<<"replay: longest accepted prefix", ReplayReached - 1,
                           "of", ReplayLength - 1>>)
     /\ ReplayTlc!PrintT(<<"replay: refused at step", ReplayTrace[ReplayReached + 1].n,
                           ReplayActionOf(ReplayTrace[ReplayReached + 1])>>)
     /\ FALSE
====
