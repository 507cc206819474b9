----------------------------- MODULE TaskClaiming -----------------------------
(****************************************************************************)
(* Workers that share out tasks without a leader.                           *)
(*                                                                          *)
(* A coordination store has a record for each task.  A worker looks for a   *)
(* task that nobody has finished, and creates a lock record beside it that  *)
(* lives as long as the worker's session with the store.  Whoever creates   *)
(* the lock executes the task, writes down the outcome, and removes the     *)
(* lock.  A task that fails too often becomes a dead letter (DLQ).          *)
(*                                                                          *)
(* A worker can crash at any time.  Its lock stays until the store ends its *)
(* session; only after that can it come back.  Sessions of living workers   *)
(* do not end here (TaskClaimingLiveExpiry is the variation in which they   *)
(* do).                                                                     *)
(*                                                                          *)
(* Names of constants, variables, actions and properties are those of the   *)
(* upstream module (openlakestream/leaderless-log-protocol); the text is    *)
(* our own.  task_claiming_machine.h mirrors this module in C++, and a test *)
(* compares the names of the two.                                           *)
(****************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Workers,        \* ids of the workers
    Tasks,          \* ids of the tasks, all submitted before the first step
    MaxFailures,    \* that many failures make a task a dead letter
    MaxLockVersion  \* for StateConstraint alone: no action looks at it

ASSUME /\ "NONE" \notin Workers
       /\ "NONE" \notin Tasks
       /\ MaxFailures >= 1
       /\ MaxLockVersion >= 1

VARIABLES
    taskStatus,     \* what has become of each task
    lockState,      \* the lock of each task: who holds it, with which version
    workerAlive,    \* is the worker running?
    workerState,    \* where each worker is, by its own belief
    workerTask,     \* the task that it works on, or "NONE"
    taskFailCount,  \* how many executions of each task have failed
    lockVersion     \* the version that the next lock gets

vars == <<taskStatus, lockState, workerAlive, workerState, workerTask,
          taskFailCount, lockVersion>>

taskVars == <<taskStatus, taskFailCount>>
lockVars == <<lockState, lockVersion>>

Unlocked == [worker |-> "NONE", version |-> 0]

\* The task that w works on is taken by somebody else.
LockedByOther(w) == lockState[workerTask[w]].worker \notin {"NONE", w}

------------------------------------------------------------------------------
Init ==
    /\ taskStatus = [t \in Tasks |-> "INIT"]
    /\ lockState = [t \in Tasks |-> Unlocked]
    /\ workerAlive = [w \in Workers |-> TRUE]
    /\ workerState = [w \in Workers |-> "IDLE"]
    /\ workerTask = [w \in Workers |-> "NONE"]
    /\ taskFailCount = [t \in Tasks |-> 0]
    /\ lockVersion = 1

------------------------------------------------------------------------------
(* What the workers do. *)

\* 1. An idle worker sees a task that is still to be done.  It does not look
\* for a lock: whether it may execute the task is decided by the next step.
ScanTasks(w, t) ==
    /\ workerAlive[w]
    /\ workerState[w] = "IDLE"
    /\ taskStatus[t] = "INIT"
    /\ workerState' = [workerState EXCEPT ![w] = "SCANNING"]
    /\ workerTask' = [workerTask EXCEPT ![w] = t]
    /\ UNCHANGED <<taskVars, lockVars, workerAlive>>

\* 2. The lock record is created, in one transaction with the proof that there
\* was none and that the task is still to be done.
TryLockSuccess(w) ==
    /\ workerAlive[w]
    /\ workerState[w] = "SCANNING"
    /\ lockState[workerTask[w]] = Unlocked
    /\ taskStatus[workerTask[w]] = "INIT"
    /\ lockState' = [lockState EXCEPT ![workerTask[w]] =
                       [worker |-> w, version |-> lockVersion]]
    /\ lockVersion' = lockVersion + 1
    /\ workerState' = [workerState EXCEPT ![w] = "EXECUTING"]
    /\ UNCHANGED <<taskVars, workerAlive, workerTask>>

\* 2b. Too late: somebody else has the lock, or the task is done.  A lock of
\* the worker's own is neither, so in the dialect in which it can find one
\* it stays where it is.
TryLockFail(w) ==
    /\ workerAlive[w]
    /\ workerState[w] = "SCANNING"
    /\ \/ LockedByOther(w)
       \/ taskStatus[workerTask[w]] # "INIT"
    /\ workerState' = [workerState EXCEPT ![w] = "IDLE"]
    /\ workerTask' = [workerTask EXCEPT ![w] = "NONE"]
    /\ UNCHANGED <<taskVars, lockVars, workerAlive>>

\* 3. The task is done, and says so.  An implementation that first marks it
\* PREPARED does that within INIT.
ExecuteTaskSuccess(w) ==
    /\ workerAlive[w]
    /\ workerState[w] = "EXECUTING"
    /\ taskStatus[workerTask[w]] = "INIT"
    /\ taskStatus' = [taskStatus EXCEPT ![workerTask[w]] = "COMMITTED"]
    /\ workerState' = [workerState EXCEPT ![w] = "UNLOCKING"]
    /\ UNCHANGED <<taskFailCount, lockVars, workerAlive, workerTask>>

\* 3b. The execution failed.  This step does not look at what has become of
\* the task meanwhile.
ExecuteTaskFailure(w) ==
    /\ workerAlive[w]
    /\ workerState[w] = "EXECUTING"
    /\ taskFailCount' = [taskFailCount EXCEPT ![workerTask[w]] = @ + 1]
    /\ taskStatus' = [taskStatus EXCEPT ![workerTask[w]] =
                        IF taskFailCount'[workerTask[w]] >= MaxFailures THEN "DLQ" ELSE @]
    /\ workerState' = [workerState EXCEPT ![w] = "UNLOCKING"]
    /\ UNCHANGED <<lockVars, workerAlive, workerTask>>

\* 4. The lock record is removed if it is still the worker's.
UnlockTask(w) ==
    /\ workerAlive[w]
    /\ workerState[w] = "UNLOCKING"
    /\ lockState' = [lockState EXCEPT ![workerTask[w]] =
                       IF @.worker = w THEN Unlocked ELSE @]
    /\ workerState' = [workerState EXCEPT ![w] = "IDLE"]
    /\ workerTask' = [workerTask EXCEPT ![w] = "NONE"]
    /\ UNCHANGED <<taskVars, lockVersion, workerAlive>>

------------------------------------------------------------------------------
(* What befalls the workers. *)

\* 5. The worker stops where it is.  The store does not know yet.
WorkerCrash(w) ==
    /\ workerAlive[w]
    /\ workerAlive' = [workerAlive EXCEPT ![w] = FALSE]
    /\ UNCHANGED <<taskVars, lockVars, workerState, workerTask>>

\* 6. The store ends the session of a crashed worker, and with it its locks.
\* (A set, not a quantifier: TLC would count the step once for each lock.)
SessionExpiry(w) ==
    /\ ~ workerAlive[w]
    /\ w \in {lockState[t].worker : t \in Tasks}
    /\ lockState' = [t \in Tasks |->
                       IF lockState[t].worker = w THEN Unlocked ELSE lockState[t]]
    /\ workerState' = [workerState EXCEPT ![w] = "IDLE"]
    /\ workerTask' = [workerTask EXCEPT ![w] = "NONE"]
    /\ UNCHANGED <<taskVars, lockVersion, workerAlive>>

\* 7. The worker starts afresh, once nothing is left of its old session.
WorkerRecover(w) ==
    /\ ~ workerAlive[w]
    /\ w \notin {lockState[t].worker : t \in Tasks}
    /\ workerAlive' = [workerAlive EXCEPT ![w] = TRUE]
    /\ workerState' = [workerState EXCEPT ![w] = "IDLE"]
    /\ workerTask' = [workerTask EXCEPT ![w] = "NONE"]
    /\ UNCHANGED <<taskVars, lockVars>>

------------------------------------------------------------------------------
Next ==
    \/ \E w \in Workers : \E t \in Tasks : ScanTasks(w, t)
    \/ \E w \in Workers : TryLockSuccess(w)
    \/ \E w \in Workers : TryLockFail(w)
    \/ \E w \in Workers : ExecuteTaskSuccess(w)
    \/ \E w \in Workers : ExecuteTaskFailure(w)
    \/ \E w \in Workers : UnlockTask(w)
    \/ \E w \in Workers : WorkerCrash(w)
    \/ \E w \in Workers : SessionExpiry(w)
    \/ \E w \in Workers : WorkerRecover(w)

\* Workers get on with it.  What another worker can disable again and again
\* is fair in the strong sense, and so is each outcome of an execution: a
\* task does not crash its worker for ever.  Nothing has to crash.
Fairness ==
    \A w \in Workers :
      /\ \A t \in Tasks : SF_vars(ScanTasks(w, t))
      /\ SF_vars(TryLockSuccess(w))
      /\ WF_vars(TryLockFail(w))
      /\ SF_vars(ExecuteTaskSuccess(w))
      /\ SF_vars(ExecuteTaskFailure(w))
      /\ WF_vars(UnlockTask(w))
      /\ WF_vars(SessionExpiry(w))
      /\ WF_vars(WorkerRecover(w))

Spec == Init /\ [][Next]_vars /\ Fairness

------------------------------------------------------------------------------
(* For the model checker. *)

\* lockVersion grows for ever.  TLC neither counts nor expands a state in
\* which this does not hold, and does check it.
StateConstraint == lockVersion <= MaxLockVersion

\* As a VIEW: states that differ in lock versions alone are one.  No action
\* and no property looks at a version, so the quotient has the same behaviours
\* and is finite without any constraint.
WithoutLockVersions ==
    <<taskStatus, [t \in Tasks |-> lockState[t].worker], workerAlive, workerState,
      workerTask, taskFailCount>>

------------------------------------------------------------------------------
(* Invariants.  Each is what upstream checks; the stronger forms that these *)
(* names promise are oracles of lockstep (see README.md).                   *)

TypeOK ==
    /\ taskStatus \in [Tasks -> {"INIT", "PREPARED", "COMMITTED", "DLQ"}]
    /\ DOMAIN lockState = Tasks
    /\ \A t \in Tasks :
         /\ lockState[t].worker \in Workers \union {"NONE"}
         /\ lockState[t].version \in Nat
    /\ workerAlive \in [Workers -> BOOLEAN]
    /\ workerState \in [Workers -> {"IDLE", "SCANNING", "EXECUTING", "UNLOCKING"}]
    /\ workerTask \in [Workers -> Tasks \union {"NONE"}]
    /\ taskFailCount \in [Tasks -> 0..MaxFailures]
    /\ lockVersion \in Nat

\* By what the workers believe, not by the lock records.
MutualExclusion ==
    \A t \in Tasks :
      Cardinality({w \in Workers : workerState[w] = "EXECUTING" /\ workerTask[w] = t}) <= 1

NoDoubleExecution ==
    \A t \in Tasks : taskStatus[t] = "COMMITTED" =>
      \A w \in Workers : ~ (workerState[w] = "EXECUTING" /\ workerTask[w] = t)

DLQOnlyAfterMaxFailures ==
    \A t \in Tasks : taskStatus[t] = "DLQ" => taskFailCount[t] >= MaxFailures

LockConsistency ==
    \A t \in Tasks : \A w \in Workers :
      (lockState[t].worker = w /\ workerAlive[w]) => workerTask[w] = t

NoOrphanExecution ==
    \A t \in Tasks : \A w \in Workers :
      (lockState[t].worker = w /\ ~ workerAlive[w]) =>
        \A v \in Workers \ {w} : ~ (workerState[v] = "EXECUTING" /\ workerTask[v] = t)

------------------------------------------------------------------------------
(* Leads-to properties, under the fairness of Spec. *)

TaskCompletion ==
    \A t \in Tasks : taskStatus[t] = "INIT" ~> taskStatus[t] \in {"COMMITTED", "DLQ"}

CrashRecovery ==
    \A t \in Tasks : \A w \in Workers :
      (lockState[t].worker = w /\ ~ workerAlive[w]) ~> lockState[t].worker # w

NoStarvation ==
    \A t \in Tasks :
      taskStatus[t] = "INIT" ~>
        \E w \in Workers : workerState[w] = "EXECUTING" /\ workerTask[w] = t

==============================================================================
