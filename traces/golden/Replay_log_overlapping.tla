---- MODULE Replay_log_overlapping ----
\* Generated from a trace by lockstep; mode observe.
\* scenario log_sample, seed 0x2a, mutant moves_an_entry
EXTENDS LeaderlessLog, Integers

ReplayJson == INSTANCE Json
ReplayTlc == INSTANCE TLC
ReplaySequences == INSTANCE Sequences

VARIABLE replayCursor  \* the record that the state is that of

ReplayTrace == ReplayJson!ndJsonDeserialize("Replay_log_overlapping.ndjson")

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

ReplayInit ==
  /\ replayCursor = 1
  /\ ReplayIs(ReplayTrace[1])

ReplayNext ==
  /\ replayCursor < ReplaySequences!Len(ReplayTrace)
  /\ replayCursor' = replayCursor + 1
  /\ ReplayBecomes(ReplayTrace[replayCursor + 1])

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
