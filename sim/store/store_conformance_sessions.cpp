// Conformance of sessions and ephemeral records: a record of a session exists only while the
// session lives (both directions: no orphan, and no record taken away from another owner), and of
// the times at which the store refuses.

#include <limits>
#include <string>
#include <vector>

#include "sim/store/store_conformance_suite.h"

namespace lockstep::sim {
namespace {

using Client = ConformanceClient;
using Strings = std::vector<std::string>;

constexpr Tick kTimeout = 1000;

// No session answers to these, whatever has been opened so far.
std::vector<SessionId> Strangers(SessionId newest) {
  return {0, -1, newest + 1, std::numeric_limits<SessionId>::max(),
          std::numeric_limits<SessionId>::min()};
}

void ExpectEnded(Client& client, SessionId session) {
  client.Rejected(StoreStatus::kNoSuchSession, KeepAlive(session));
  client.Rejected(StoreStatus::kNoSuchSession, CloseSession(session));
  client.Rejected(StoreStatus::kNoSuchSession, EphemeralRecord("by the dead", "1", session));
}

void SessionsHaveIdsOfTheirOwn(StoreBackend& backend) {
  Client client(backend);
  std::vector<SessionId> ids;
  for (int i = 0; i < 5; ++i) {
    const SessionId session = client.Open();
    EXPECT_NE(session, 0);
    for (const SessionId id : ids) EXPECT_NE(session, id);
    ids.push_back(session);
    if (i % 2 == 0) client.Ok(CloseSession(session));  // an ended session's id is not given again
  }
}

void UnknownSessionIsRejected(StoreBackend& backend) {
  Client client(backend);
  ExpectEnded(client, 1'000'000);
  const SessionId session = client.Open();
  for (const SessionId stranger : Strangers(session)) ExpectEnded(client, stranger);
  client.Ok(KeepAlive(session));
}

void EphemeralRecordReadsLikeAnyOther(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open();
  const Version version = client.Ok(EphemeralRecord("lock", "w1", session)).version;
  EXPECT_GT(version, 0);
  EXPECT_EQ(client.Everything(), (Content{{"lock", "w1", version}}));
  client.Commit(Txn({ValueIs("lock", "w1"), VersionIs("lock", version), Exists("lock")}, {}));
  client.Ok(ConditionalDelete("lock", version));
  EXPECT_EQ(client.Everything(), Content{});
}

void EphemeralRecordIsCreatedOnly(StoreBackend& backend) {
  Client client(backend);
  const SessionId mine = client.Open();
  const SessionId other = client.Open();
  client.Ok(Put("persistent", "1"));
  client.Rejected(StoreStatus::kAlreadyExists, EphemeralRecord("persistent", "2", mine));
  client.Ok(EphemeralRecord("lock", "1", other));
  client.Rejected(StoreStatus::kAlreadyExists, EphemeralRecord("lock", "1", mine));
  client.Rejected(StoreStatus::kAlreadyExists, EphemeralRecord("lock", "1", other));
  client.Rejected(StoreStatus::kAlreadyExists, ConditionalCreate("lock", "1"));
  // The attempts have not made the records anybody else's.
  client.Ok(CloseSession(mine));
  EXPECT_EQ(client.Keys(), (Strings{"lock", "persistent"}));
  client.Ok(CloseSession(other));
  EXPECT_EQ(client.Keys(), (Strings{"persistent"}));
}

void EndedSessionHearsOfItsEndEvenWhereTheKeyIsTaken(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open();
  client.Ok(CloseSession(session));
  client.Ok(Put("lock", "1"));
  client.Rejected(StoreStatus::kNoSuchSession, EphemeralRecord("lock", "2", session));
}

// A store that drops the owner's index entry before it looks at the writer's session leaves a lock
// that outlives its session.
void RejectedAttemptOfADeadSessionLeavesTheOwnerItsRecord(StoreBackend& backend) {
  Client client(backend);
  const SessionId dead = client.Open();
  const SessionId holder = client.Open();
  client.Ok(CloseSession(dead));
  client.Ok(EphemeralRecord("lock", "holder", holder));
  client.Rejected(StoreStatus::kNoSuchSession, EphemeralRecord("lock", "dead", dead));
  client.RejectedAt(1, StoreStatus::kNoSuchSession,
                    Txn({}, {Delete("lock"), EphemeralRecord("lock", "dead", dead)}));
  EXPECT_EQ(client.Value("lock"), "holder");
  client.Ok(CloseSession(holder));
  EXPECT_EQ(client.Value("lock"), "(absent)");
}

void ClosingASessionDeletesItsRecordsAndNoOthers(StoreBackend& backend) {
  Client client(backend);
  const SessionId first = client.Open();
  const SessionId second = client.Open();
  client.Ok(EphemeralRecord("a", "1", first));
  client.Ok(EphemeralRecord("b", "2", second));
  client.Ok(Put("c", "3"));
  client.Ok(EphemeralRecord("d", "4", first));
  client.Ok(EphemeralRecord("\x80", "5", first));
  client.Ok(CloseSession(first));
  EXPECT_EQ(client.Keys(), (Strings{"b", "c"}));
  ExpectEnded(client, first);
  client.Ok(KeepAlive(second));
  client.Ok(CloseSession(second));
  EXPECT_EQ(client.Keys(), (Strings{"c"}));
}

// An index whose entries for session 1 begin like those of sessions 10 to 19 fails here.
void SessionsWithSimilarIdsDoNotShareRecords(StoreBackend& backend) {
  Client client(backend);
  constexpr int kSessions = 24;
  std::vector<SessionId> sessions;
  for (int i = 0; i < kSessions; ++i) {
    sessions.push_back(client.Open());
    client.Ok(EphemeralRecord("lock/" + std::to_string(i), "1", sessions.back()));
  }
  for (int i = 0; i < kSessions; ++i) {
    client.Ok(CloseSession(sessions[static_cast<std::size_t>(i)]));
    EXPECT_EQ(client.Value("lock/" + std::to_string(i)), "(absent)");
    EXPECT_EQ(client.Everything().size(), static_cast<std::size_t>(kSessions - i - 1));
  }
}

// A plain write has no session, so what it leaves has none.
void EveryPlainWriteMakesAnEphemeralRecordPersistent(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open();
  for (const char* key : {"put", "set", "n", "s#0", "kept"}) {
    client.Ok(EphemeralRecord(key, "1", session));
  }
  client.Ok(Put("put", "2"));
  client.Ok(CompareAndSet("set", "1", "2"));
  client.Ok(AtomicIncrement("n", 1));
  client.Ok(SequencedPut("s", {1}, "v"));
  client.Ok(CloseSession(session));
  EXPECT_EQ(client.Keys(), (Strings{"n", "put", "s#0", SequencedKey("s", {2}), "set"}));
}

void RecordRecreatedByAnotherSurvivesItsFormerOwner(StoreBackend& backend) {
  Client client(backend);
  const SessionId former = client.Open();
  const SessionId next = client.Open();
  for (const char* key : {"deleted", "by version", "by range", "in one step"}) {
    client.Ok(EphemeralRecord(key, "former", former));
  }
  client.Ok(Delete("deleted"));
  client.Ok(EphemeralRecord("deleted", "next", next));
  client.Ok(ConditionalDelete("by version", client.VersionOf("by version")));
  client.Ok(ConditionalCreate("by version", "persistent"));
  client.Ok(RangeDelete("by range", "by rangf"));
  client.Ok(EphemeralRecord("by range", "next", next));
  client.Commit(Txn({}, {Delete("in one step"), EphemeralRecord("in one step", "next", next)}));
  client.Ok(CloseSession(former));
  EXPECT_EQ(client.Keys(), (Strings{"by range", "by version", "deleted", "in one step"}));
  client.Ok(CloseSession(next));
  EXPECT_EQ(client.Keys(), (Strings{"by version"}));
}

void RecordRecreatedByItsOwnerIsStillEphemeral(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open();
  const Version first = client.Ok(EphemeralRecord("lock", "1", session)).version;
  client.Ok(Delete("lock"));
  EXPECT_GT(client.Ok(EphemeralRecord("lock", "1", session)).version, first);
  client.Commit(Txn({}, {Put("lock", "2"), Delete("lock"), EphemeralRecord("lock", "3", session)}));
  client.Ok(CloseSession(session));
  EXPECT_EQ(client.Everything(), Content{});
}

void KeepAliveTellsTheTimeThatIsLeft(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open();
  const OperationResult result = client.Ok(KeepAlive(session));
  EXPECT_GT(result.number, 0);
  EXPECT_LE(result.number, Client::kLong);
}

void SessionsLiveAndEndWithinTransactions(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open();
  client.Ok(EphemeralRecord("lock", "1", session));
  // A guard: nothing is written for a session that has ended.
  client.Commit(Txn({}, {KeepAlive(session), Put("progress", "1")}));
  // The end of a session and what follows from it, in one step.
  client.Commit(Txn(
      {}, {CloseSession(session), ConditionalCreate("lock", "handed over"), Put("progress", "2")}));
  client.RejectedAt(0, StoreStatus::kNoSuchSession,
                    Txn({}, {KeepAlive(session), Put("progress", "3")}));
  EXPECT_EQ(client.Value("lock"), "handed over");
  EXPECT_EQ(client.Value("progress"), "2");
}

void RejectedTransactionNeitherOpensNorClosesSessions(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open();
  const Version version = client.Ok(EphemeralRecord("lock", "1", session)).version;
  client.RejectedAt(3, StoreStatus::kNotFound,
                    Txn({}, {OpenSession(kTimeout), CloseSession(session), Put("lock", "2"),
                             ConditionalDelete("none", 1)}));
  EXPECT_EQ(client.VersionOf("lock"), version);
  client.Ok(KeepAlive(session));
  const SessionId next = client.Open();
  EXPECT_NE(next, session);
  client.Ok(CloseSession(session));
  EXPECT_EQ(client.Everything(), Content{});
  client.Ok(KeepAlive(next));
}

// Not by its client's wish: expiry, or the test's own power.
void EndOfASessionDeletesAllItsRecordsAtOnce(StoreBackend& backend) {
  Client client(backend);
  const SessionId ending = client.Open(kTimeout);
  const SessionId living = client.Open();
  for (const char* key : {"a", "b", "c"}) client.Ok(EphemeralRecord(key, "1", ending));
  client.Ok(EphemeralRecord("d", "1", living));
  client.Ok(Put("b", "persistent now"));
  const Version last = client.Ok(Put("e", "1")).version;
  client.EndSession(ending, kTimeout);
  EXPECT_EQ(client.Keys(), (Strings{"b", "d", "e"}));
  ExpectEnded(client, ending);
  client.Ok(KeepAlive(living));
  EXPECT_GT(client.Ok(ConditionalCreate("a", "1")).version, last);
}

void SessionExpiresAfterItsTimeoutUnlessKeptAlive(StoreBackend& backend) {
  Client client(backend);
  const SessionId silent = client.Open(kTimeout);
  const SessionId kept = client.Open(kTimeout);
  client.Ok(EphemeralRecord("silent", "1", silent));
  client.Ok(EphemeralRecord("kept", "1", kept));
  backend.AdvanceTo(kTimeout / 2);
  EXPECT_EQ(client.Keys(), (Strings{"kept", "silent"}));
  client.Ok(KeepAlive(kept));
  backend.AdvanceTo(kTimeout + kTimeout / 4);
  EXPECT_EQ(client.Keys(), (Strings{"kept"}));
  ExpectEnded(client, silent);
  EXPECT_GT(client.Ok(KeepAlive(kept)).number, 0);
  backend.AdvanceTo(4 * kTimeout);
  EXPECT_EQ(client.Keys(), Strings{});
  ExpectEnded(client, kept);
}

void WritesOfASessionDoNotKeepItAlive(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open(kTimeout);
  backend.AdvanceTo(kTimeout / 2);
  client.Ok(EphemeralRecord("lock", "1", session));
  backend.AdvanceTo(kTimeout + kTimeout / 4);
  EXPECT_EQ(client.Value("lock"), "(absent)");
  ExpectEnded(client, session);
}

void SessionsOfDifferentTimeoutsEndInTheirOwnTime(StoreBackend& backend) {
  Client client(backend);
  const SessionId slow = client.Open(4 * kTimeout);
  const SessionId quick = client.Open(kTimeout);
  client.Ok(EphemeralRecord("quick", "1", quick));
  client.Ok(EphemeralRecord("slow", "1", slow));
  backend.AdvanceTo(2 * kTimeout);
  EXPECT_EQ(client.Keys(), (Strings{"slow"}));
  backend.AdvanceTo(8 * kTimeout);
  EXPECT_EQ(client.Keys(), Strings{});
}

void RefusedRequestDoesNothing(StoreBackend& backend) {
  Client client(backend);
  const Version version = client.Ok(Put("a", "1")).version;
  backend.RefuseUntil(100);
  for (const StoreRequest& request :
       {Single(Put("a", "2")), Single(Get("a")), Single(OpenSession(kTimeout)),
        Single(ConditionalDelete("a", version)), Txn({Absent("a")}, {AtomicIncrement("n", 1)})}) {
    const StoreResponse response = backend.Call(request);
    EXPECT_EQ(StoreStatusName(response.status), StoreStatusName(StoreStatus::kUnavailable));
    EXPECT_TRUE(response.results.empty());
    EXPECT_TRUE(response.failed_conditions.empty());
  }
  backend.AdvanceTo(100);
  EXPECT_EQ(client.Everything(), (Content{{"a", "1", version}}));
  client.Ok(Put("a", "2"));
}

}  // namespace

std::vector<ConformanceCase> SessionConformanceCases() {
  return {
      {"SessionsHaveIdsOfTheirOwn", Needs::kCalls, SessionsHaveIdsOfTheirOwn},
      {"UnknownSessionIsRejected", Needs::kCalls, UnknownSessionIsRejected},
      {"EphemeralRecordReadsLikeAnyOther", Needs::kCalls, EphemeralRecordReadsLikeAnyOther},
      {"EphemeralRecordIsCreatedOnly", Needs::kCalls, EphemeralRecordIsCreatedOnly},
      {"EndedSessionHearsOfItsEndEvenWhereTheKeyIsTaken", Needs::kCalls,
       EndedSessionHearsOfItsEndEvenWhereTheKeyIsTaken},
      {"RejectedAttemptOfADeadSessionLeavesTheOwnerItsRecord", Needs::kCalls,
       RejectedAttemptOfADeadSessionLeavesTheOwnerItsRecord},
      {"ClosingASessionDeletesItsRecordsAndNoOthers", Needs::kCalls,
       ClosingASessionDeletesItsRecordsAndNoOthers},
      {"SessionsWithSimilarIdsDoNotShareRecords", Needs::kCalls,
       SessionsWithSimilarIdsDoNotShareRecords},
      {"EveryPlainWriteMakesAnEphemeralRecordPersistent", Needs::kCalls,
       EveryPlainWriteMakesAnEphemeralRecordPersistent},
      {"RecordRecreatedByAnotherSurvivesItsFormerOwner", Needs::kCalls,
       RecordRecreatedByAnotherSurvivesItsFormerOwner},
      {"RecordRecreatedByItsOwnerIsStillEphemeral", Needs::kCalls,
       RecordRecreatedByItsOwnerIsStillEphemeral},
      {"KeepAliveTellsTheTimeThatIsLeft", Needs::kCalls, KeepAliveTellsTheTimeThatIsLeft},
      {"SessionsLiveAndEndWithinTransactions", Needs::kCalls, SessionsLiveAndEndWithinTransactions},
      {"RejectedTransactionNeitherOpensNorClosesSessions", Needs::kCalls,
       RejectedTransactionNeitherOpensNorClosesSessions},
      {"EndOfASessionDeletesAllItsRecordsAtOnce", Needs::kSessionEnd,
       EndOfASessionDeletesAllItsRecordsAtOnce},
      {"SessionExpiresAfterItsTimeoutUnlessKeptAlive", Needs::kClock,
       SessionExpiresAfterItsTimeoutUnlessKeptAlive},
      {"WritesOfASessionDoNotKeepItAlive", Needs::kClock, WritesOfASessionDoNotKeepItAlive},
      {"SessionsOfDifferentTimeoutsEndInTheirOwnTime", Needs::kClock,
       SessionsOfDifferentTimeoutsEndInTheirOwnTime},
      {"RefusedRequestDoesNothing", Needs::kRefusal, RefusedRequestDoesNothing},
  };
}

}  // namespace lockstep::sim
