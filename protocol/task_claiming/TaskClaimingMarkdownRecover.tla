--------------------- MODULE TaskClaimingMarkdownRecover ---------------------
(****************************************************************************)
(* Dialect recover_markdown: TaskClaiming with the guard that upstream's    *)
(* Markdown has for WorkerRecover.                                          *)
(*                                                                          *)
(* A crashed worker may come back while its old session still holds locks.  *)
(* It does not know of them: LockConsistency fails, and a worker that finds *)
(* its own old lock on the task it wants is stuck, since the lock is        *)
(* neither free nor another's, and the session of a living worker does not  *)
(* end.                                                                     *)
(*                                                                          *)
(* Of the module it extends, this one uses only names that upstream's text  *)
(* has too, so it can stand on either.                                      *)
(****************************************************************************)
EXTENDS TaskClaiming

WorkerRecoverMarkdownRecover(w) ==
    /\ ~ workerAlive[w]
    /\ workerAlive' = [workerAlive EXCEPT ![w] = TRUE]
    /\ workerState' = [workerState EXCEPT ![w] = "IDLE"]
    /\ workerTask' = [workerTask EXCEPT ![w] = "NONE"]
    /\ UNCHANGED <<taskStatus, lockState, taskFailCount, lockVersion>>

NextMarkdownRecover ==
    \/ \E w \in Workers : \E t \in Tasks : ScanTasks(w, t)
    \/ \E w \in Workers : TryLockSuccess(w)
    \/ \E w \in Workers : TryLockFail(w)
    \/ \E w \in Workers : ExecuteTaskSuccess(w)
    \/ \E w \in Workers : ExecuteTaskFailure(w)
    \/ \E w \in Workers : UnlockTask(w)
    \/ \E w \in Workers : WorkerCrash(w)
    \/ \E w \in Workers : SessionExpiry(w)
    \/ \E w \in Workers : WorkerRecoverMarkdownRecover(w)

SpecMarkdownRecover ==
    /\ Init
    /\ [][NextMarkdownRecover]_vars
    /\ \A w \in Workers :
         /\ \A t \in Tasks : SF_vars(ScanTasks(w, t))
         /\ SF_vars(TryLockSuccess(w))
         /\ WF_vars(TryLockFail(w))
         /\ SF_vars(ExecuteTaskSuccess(w))
         /\ SF_vars(ExecuteTaskFailure(w))
         /\ WF_vars(UnlockTask(w))
         /\ WF_vars(SessionExpiry(w))
         /\ WF_vars(WorkerRecoverMarkdownRecover(w))

==============================================================================
