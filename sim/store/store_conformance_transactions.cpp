// Conformance of transactions: conditions, order of operations, all or nothing.

#include <string>
#include <vector>

#include "sim/store/store_conformance_suite.h"

namespace lockstep::sim {
namespace {

using Client = ConformanceClient;
using Results = std::vector<OperationResult>;
using Strings = std::vector<std::string>;

void ResultsComeInTheOrderOfTheOperations(StoreBackend& backend) {
  Client client(backend);
  const Results results = client.Commit(
      Txn({}, {Put("a", "1"), Get("a"), AtomicIncrement("n", 4), RangeDelete("a", "b"), Get("a")}));
  EXPECT_GT(results[0].version, 0);
  EXPECT_EQ(results[1].value, "1");
  EXPECT_EQ(results[1].version, results[0].version);
  EXPECT_EQ(results[2].number, 4);
  EXPECT_EQ(results[3].number, 1);
  EXPECT_FALSE(results[4].found);
}

void EmptyTransactionIsApplied(StoreBackend& backend) {
  Client client(backend);
  EXPECT_TRUE(client.Commit(Txn({}, {})).empty());
}

void TransactionOfConditionsAloneIsATest(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("a", "1"));
  client.Commit(Txn({ValueIs("a", "1"), Absent("b")}, {}));
  client.ConditionsFailed({0}, Txn({ValueIs("a", "2"), Absent("b")}, {}));
}

void ConditionsOnARecord(StoreBackend& backend) {
  Client client(backend);
  const Version old = client.Ok(Put("a", "1")).version;
  const Version version = client.Ok(Put("a", "1")).version;
  client.Ok(Put("empty", ""));
  client.Commit(Txn({Exists("a"), ValueIs("a", "1"), VersionIs("a", version), ValueIs("empty", ""),
                     Exists("empty")},
                    {}));
  client.ConditionsFailed({0}, Txn({Absent("a")}, {}));
  client.ConditionsFailed({0}, Txn({ValueIs("a", "11")}, {}));
  client.ConditionsFailed({0}, Txn({ValueIs("a", "")}, {}));
  client.ConditionsFailed({0}, Txn({VersionIs("a", old)}, {}));
  client.ConditionsFailed({0}, Txn({VersionIs("a", 0)}, {}));
  client.ConditionsFailed({0}, Txn({Absent("empty")}, {}));
}

void ConditionsOnAnAbsentRecord(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("ab", "1"));
  client.Commit(Txn({Absent("a"), Absent("")}, {}));
  client.ConditionsFailed({0}, Txn({Exists("a")}, {}));
  client.ConditionsFailed({0}, Txn({ValueIs("a", "")}, {}));
  client.ConditionsFailed({0}, Txn({VersionIs("a", 0)}, {}));
}

void EveryFailedConditionIsReported(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("a", "1"));
  client.ConditionsFailed(
      {0, 2, 4}, Txn({Absent("a"), Exists("a"), Exists("b"), ValueIs("a", "1"), VersionIs("b", 1)},
                     {Put("a", "2")}));
}

void FailedConditionKeepsEveryOperationFromHappening(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("state", "FENCED"));
  client.ConditionsFailed({0}, Txn({ValueIs("state", "OPEN")},
                                   {AtomicIncrement("n", 1), Put("a", "1"), Delete("state")}));
}

void ConditionsAreJudgedBeforeTheFirstOperation(StoreBackend& backend) {
  Client client(backend);
  client.ConditionsFailed({0}, Txn({Exists("a")}, {Put("a", "1")}));
  client.Commit(Txn({Absent("a")}, {Put("a", "1")}));
  client.ConditionsFailed({0}, Txn({Absent("a")}, {Delete("a")}));
}

// The log's append: one step that needs the state, moves the counter and creates the entry.
void AppendIsRejectedAsAWholeWhenTheLogIsFenced(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("log/state", "OPEN"));
  const StoreRequest append = Txn({ValueIs("log/state", "OPEN")},
                                  {SequencedPut("log/index/", {2}, "WAL"), Get("log/state")});
  EXPECT_EQ(client.Commit(append)[0].number, 2);
  client.Ok(CompareAndSet("log/state", "OPEN", "FENCED"));
  client.ConditionsFailed({0}, append);
  client.Ok(CompareAndSet("log/state", "FENCED", "OPEN"));
  EXPECT_EQ(client.Commit(append)[0].number, 4);
}

void OperationsSeeEarlierOnes(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("b", "0"));
  const Results results = client.Commit(Txn({}, {
                                                    AtomicIncrement("n", 1),
                                                    AtomicIncrement("n", 1),
                                                    CompareAndSet("n", "2", "7"),
                                                    Get("n"),
                                                    Put("a", "1"),
                                                    CeilingGet(""),
                                                    Delete("a"),
                                                    CeilingGet(""),
                                                    HigherGet("b"),
                                                    SequencedPut("s", {1}, "v"),
                                                    SequencedPut("s", {1}, "v"),
                                                    RangeDelete("s0", "t"),
                                                }));
  EXPECT_EQ(results[1].number, 2);
  EXPECT_EQ(results[3].value, "7");
  EXPECT_EQ(results[5].key, "a");
  EXPECT_EQ(results[7].key, "b");
  EXPECT_EQ(results[8].key, "n");
  EXPECT_EQ(results[10].number, 2);
  EXPECT_EQ(results[11].number, 2);
  EXPECT_EQ(client.Keys(), (Strings{"b", "n", "s#0"}));
}

// A store that regroups by kind (puts, deletes, range deletes) ends with another content.
void OperationsAreNotRegrouped(StoreBackend& backend) {
  Client client(backend);
  client.Commit(Txn({}, {Put("a", "1"), Delete("a"), Put("a", "2")}));
  EXPECT_EQ(client.Value("a"), "2");
  client.Commit(Txn({}, {RangeDelete("a", "b"), Put("a", "3")}));
  EXPECT_EQ(client.Value("a"), "3");
  client.Commit(Txn({}, {Put("a", "4"), RangeDelete("a", "b")}));
  EXPECT_EQ(client.Value("a"), "(absent)");
  client.Commit(Txn({}, {Delete("a"), ConditionalCreate("a", "5"), Delete("a")}));
  EXPECT_EQ(client.Value("a"), "(absent)");
}

void WritesOfOneTransactionHaveVersionsOfTheirOwn(StoreBackend& backend) {
  Client client(backend);
  const Results results = client.Commit(
      Txn({}, {Put("a", "1"), Put("a", "2"), Delete("a"), Put("a", "3"), Put("b", "4")}));
  EXPECT_GT(results[1].version, results[0].version);
  EXPECT_GT(results[3].version, results[1].version);
  EXPECT_GT(results[4].version, results[3].version);
  EXPECT_EQ(client.Everything(),
            (Content{{"a", "3", results[3].version}, {"b", "4", results[4].version}}));
  client.Rejected(StoreStatus::kVersionMismatch, ConditionalDelete("a", results[1].version));
}

void RejectionJudgesWhatEarlierOperationsLeft(StoreBackend& backend) {
  Client client(backend);
  const Version version = client.Ok(Put("a", "1")).version;
  client.RejectedAt(1, StoreStatus::kNotFound,
                    Txn({}, {Delete("a"), ConditionalDelete("a", version)}));
  client.RejectedAt(1, StoreStatus::kVersionMismatch,
                    Txn({}, {Put("a", "1"), ConditionalDelete("a", version)}));
  client.RejectedAt(1, StoreStatus::kAlreadyExists,
                    Txn({}, {Put("b", "1"), ConditionalCreate("b", "2")}));
  client.RejectedAt(2, StoreStatus::kOverflow,
                    Txn({}, {AtomicIncrement("n", 3, 5), AtomicIncrement("n", 2, 5),
                             AtomicIncrement("n", 1, 5)}));
  client.RejectedAt(1, StoreStatus::kNotACounter,
                    Txn({}, {Put("n", "many"), AtomicIncrement("n", 1)}));
  client.RejectedAt(1, StoreStatus::kConflict,
                    Txn({}, {Put("a", "2"), CompareAndSet("a", "1", "3")}));
  client.Commit(Txn({VersionIs("a", version)}, {Delete("a"), ConditionalCreate("a", "2")}));
}

// Everything that a transaction can have done before its last operation is rejected.
std::vector<Operation> EveryKindOfChange(SessionId session, Version old) {
  return {
      Put("new", "1"),
      Put("old", "changed"),
      Put("ephemeral", "made persistent"),
      Delete("doomed"),
      CompareAndSet("new", "1", "2"),
      AtomicIncrement("counter", 10),
      AtomicIncrement("fresh counter", 1),
      ConditionalCreate("created", "1"),
      EphemeralRecord("another ephemeral", "1", session),
      ConditionalDelete("by version", old),
      RangeDelete("range/", "range0"),
      SequencedPut("s", {1, 2}, "v"),
      SequencedPut("s", {1, 2}, "v"),
      Put("doomed", "again"),
      Delete("old"),
      Put("old", "again"),
      OpenSession(Client::kLong),
      KeepAlive(session),
      CloseSession(session),
      Delete("created"),
  };
}

void RejectedOperationUndoesTheWholeTransaction(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open();
  client.Ok(Put("old", "1"));
  client.Ok(Put("doomed", "1"));
  client.Ok(Put("counter", "5"));
  client.Ok(Put("text", "no decimal"));
  client.Ok(Put("full", "9223372036854775807"));
  client.Ok(EphemeralRecord("ephemeral", "1", session));
  const Version version = client.Ok(Put("by version", "1")).version;
  for (const char* key : {"range/1", "range/2", "range/3"}) client.Ok(Put(key, "v"));

  const struct {
    StoreStatus status;
    Operation operation;
  } rejections[] = {
      {StoreStatus::kConflict, CompareAndSet("old", "1", "2")},
      {StoreStatus::kAlreadyExists, ConditionalCreate("new", "1")},
      {StoreStatus::kNotFound, ConditionalDelete("created", 1)},
      {StoreStatus::kVersionMismatch, ConditionalDelete("old", version)},
      {StoreStatus::kNoSuchSession, EphemeralRecord("late", "1", session)},
      {StoreStatus::kNoSuchSession, KeepAlive(session)},
      {StoreStatus::kNoSuchSession, CloseSession(session)},
      {StoreStatus::kOverflow, AtomicIncrement("full", 1)},
      {StoreStatus::kNotACounter, AtomicIncrement("text", 1)},
      {StoreStatus::kOverflow, SequencedPut("s", {1, kCounterMax}, "v")},
  };
  std::vector<Operation> operations = EveryKindOfChange(session, version);
  const auto last = static_cast<std::uint32_t>(operations.size());
  operations.emplace_back();
  for (const auto& rejection : rejections) {
    operations.back() = rejection.operation;
    client.RejectedAt(last, rejection.status, Txn({}, operations));
  }

  // The session is as alive as before, and owns what it owned: no more, no less.
  client.Ok(KeepAlive(session));
  client.Ok(Put("another ephemeral", "persistent"));
  const Version kept = client.VersionOf("another ephemeral");
  client.Ok(CloseSession(session));
  EXPECT_EQ(client.Value("ephemeral"), "(absent)");
  EXPECT_EQ(client.VersionOf("another ephemeral"), kept);
  // And without the rejected operation everything happens.
  const SessionId next = client.Open();
  client.Ok(Delete("another ephemeral"));
  client.Commit(Txn({}, EveryKindOfChange(next, version)));
  EXPECT_EQ(client.Value("s#0"), "2");
  EXPECT_EQ(client.Value("counter"), "15");
  EXPECT_EQ(client.Value("another ephemeral"), "(absent)");
  EXPECT_EQ(client.Value("ephemeral"), "made persistent");
}

void OperationsAfterTheRejectedOneDoNotHappen(StoreBackend& backend) {
  Client client(backend);
  client.RejectedAt(0, StoreStatus::kNotFound,
                    Txn({}, {ConditionalDelete("a", 1), Put("b", "1"), AtomicIncrement("n", 1)}));
  // The first rejected operation is the one that is named.
  client.RejectedAt(1, StoreStatus::kNotFound,
                    Txn({}, {Put("b", "1"), ConditionalDelete("a", 1), KeepAlive(0)}));
}

void VersionsRiseAfterARejectedTransaction(StoreBackend& backend) {
  Client client(backend);
  const Version before = client.Ok(Put("a", "1")).version;
  client.RejectedAt(2, StoreStatus::kNotFound,
                    Txn({}, {Put("a", "2"), Put("b", "2"), ConditionalDelete("c", 1)}));
  EXPECT_EQ(client.VersionOf("a"), before);
  EXPECT_GT(client.Ok(Put("a", "3")).version, before);
}

}  // namespace

std::vector<ConformanceCase> TransactionConformanceCases() {
  return {
      {"ResultsComeInTheOrderOfTheOperations", Needs::kCalls, ResultsComeInTheOrderOfTheOperations},
      {"EmptyTransactionIsApplied", Needs::kCalls, EmptyTransactionIsApplied},
      {"TransactionOfConditionsAloneIsATest", Needs::kCalls, TransactionOfConditionsAloneIsATest},
      {"ConditionsOnARecord", Needs::kCalls, ConditionsOnARecord},
      {"ConditionsOnAnAbsentRecord", Needs::kCalls, ConditionsOnAnAbsentRecord},
      {"EveryFailedConditionIsReported", Needs::kCalls, EveryFailedConditionIsReported},
      {"FailedConditionKeepsEveryOperationFromHappening", Needs::kCalls,
       FailedConditionKeepsEveryOperationFromHappening},
      {"ConditionsAreJudgedBeforeTheFirstOperation", Needs::kCalls,
       ConditionsAreJudgedBeforeTheFirstOperation},
      {"AppendIsRejectedAsAWholeWhenTheLogIsFenced", Needs::kCalls,
       AppendIsRejectedAsAWholeWhenTheLogIsFenced},
      {"OperationsSeeEarlierOnes", Needs::kCalls, OperationsSeeEarlierOnes},
      {"OperationsAreNotRegrouped", Needs::kCalls, OperationsAreNotRegrouped},
      {"WritesOfOneTransactionHaveVersionsOfTheirOwn", Needs::kCalls,
       WritesOfOneTransactionHaveVersionsOfTheirOwn},
      {"RejectionJudgesWhatEarlierOperationsLeft", Needs::kCalls,
       RejectionJudgesWhatEarlierOperationsLeft},
      {"RejectedOperationUndoesTheWholeTransaction", Needs::kCalls,
       RejectedOperationUndoesTheWholeTransaction},
      {"OperationsAfterTheRejectedOneDoNotHappen", Needs::kCalls,
       OperationsAfterTheRejectedOneDoNotHappen},
      {"VersionsRiseAfterARejectedTransaction", Needs::kCalls,
       VersionsRiseAfterARejectedTransaction},
  };
}

}  // namespace lockstep::sim
