------------------------ MODULE TaskClaimingLiveExpiry ------------------------
(****************************************************************************)
(* Dialect live_session_expiry: TaskClaiming in which a session can also    *)
(* end while its worker lives, as it does when the worker is paused, or cut *)
(* off from the store, for longer than the session timeout.                 *)
(*                                                                          *)
(* The worker loses its locks and does not notice: it goes on with its task *)
(* while another may claim it.  Mutual exclusion is lost, and with it all   *)
(* that rests on it.                                                        *)
(*                                                                          *)
(* MarkdownRecover = TRUE adds the dialect recover_markdown.                *)
(*                                                                          *)
(* Of the modules it extends, this one uses only names that upstream's text *)
(* or TaskClaimingMarkdownRecover has, so it can stand on either.           *)
(****************************************************************************)
EXTENDS TaskClaimingMarkdownRecover

CONSTANT MarkdownRecover
ASSUME MarkdownRecover \in BOOLEAN

\* The store ends a session, whether or not its worker lives.  Only a dead
\* worker's belief ends with it.
SessionExpiryLiveExpiry(w) ==
    \/ SessionExpiry(w)
    \/ /\ workerAlive[w]
       /\ w \in {lockState[t].worker : t \in Tasks}
       /\ lockState' = [t \in Tasks |->
                          IF lockState[t].worker = w
                          THEN [worker |-> "NONE", version |-> 0]
                          ELSE lockState[t]]
       /\ UNCHANGED <<taskStatus, workerAlive, workerState, workerTask,
                      taskFailCount, lockVersion>>

WorkerRecoverLiveExpiry(w) ==
    IF MarkdownRecover THEN WorkerRecoverMarkdownRecover(w) ELSE WorkerRecover(w)

NextLiveExpiry ==
    \/ \E w \in Workers : \E t \in Tasks : ScanTasks(w, t)
    \/ \E w \in Workers : TryLockSuccess(w)
    \/ \E w \in Workers : TryLockFail(w)
    \/ \E w \in Workers : ExecuteTaskSuccess(w)
    \/ \E w \in Workers : ExecuteTaskFailure(w)
    \/ \E w \in Workers : UnlockTask(w)
    \/ \E w \in Workers : WorkerCrash(w)
    \/ \E w \in Workers : SessionExpiryLiveExpiry(w)
    \/ \E w \in Workers : WorkerRecoverLiveExpiry(w)

\* A session has to end only when its worker is dead.
SpecLiveExpiry ==
    /\ Init
    /\ [][NextLiveExpiry]_vars
    /\ \A w \in Workers :
         /\ \A t \in Tasks : SF_vars(ScanTasks(w, t))
         /\ SF_vars(TryLockSuccess(w))
         /\ WF_vars(TryLockFail(w))
         /\ SF_vars(ExecuteTaskSuccess(w))
         /\ SF_vars(ExecuteTaskFailure(w))
         /\ WF_vars(UnlockTask(w))
         /\ WF_vars(SessionExpiry(w))
         /\ WF_vars(WorkerRecoverLiveExpiry(w))

==============================================================================
