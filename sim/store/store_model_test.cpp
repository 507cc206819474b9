// What only the model promises: its mutation lists, its counters of versions and sessions, its
// queries. What every store promises is in the conformance suite.
#include "sim/store/store_model.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lockstep::sim {
namespace {

using ::testing::ExitedWithCode;

bool operator==(const Mutation& a, const Mutation& b) {
  return a.key == b.key && a.before == b.before && a.after == b.after;
}

class StoreModelTest : public testing::Test {
 protected:
  OperationResult Do(const Operation& operation) {
    const StoreResponse response = Apply(Single(operation));
    EXPECT_TRUE(response.ok()) << StoreStatusName(response.status);
    return response.ok() ? response.results[0] : OperationResult{};
  }
  StoreResponse Apply(const StoreRequest& request) {
    mutations_.clear();
    return store_.Apply(request, mutations_);
  }
  void ExpectMutations(const std::vector<Mutation>& expected) {
    ASSERT_EQ(mutations_.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(mutations_[i] == expected[i]) << "mutation " << i << " of " << mutations_[i].key;
    }
  }

  StoreModel store_;
  std::vector<Mutation> mutations_;
};

TEST_F(StoreModelTest, VersionsAreConsecutiveFromOne) {
  EXPECT_EQ(Do(Put("a", "1")).version, 1);
  EXPECT_EQ(Do(Put("b", "1")).version, 2);
  Do(Delete("a"));
  EXPECT_EQ(Do(Put("a", "1")).version, 3);
}

TEST_F(StoreModelTest, RejectedRequestConsumesNoVersion) {
  Do(Put("a", "1"));
  EXPECT_FALSE(Apply(Single(ConditionalCreate("a", "2"))).ok());
  EXPECT_FALSE(Apply(Txn({Absent("a")}, {Put("a", "2")})).ok());
  EXPECT_FALSE(Apply(Txn({}, {Put("a", "2"), Put("b", "2"), ConditionalDelete("c", 1)})).ok());
  EXPECT_EQ(Do(Put("a", "2")).version, 2);
}

TEST_F(StoreModelTest, RejectedRequestConsumesNoSessionId) {
  EXPECT_EQ(Do(OpenSession(10)).number, 1);
  EXPECT_FALSE(Apply(Txn({}, {OpenSession(10), KeepAlive(7)})).ok());
  EXPECT_EQ(Do(OpenSession(10)).number, 2);
}

TEST_F(StoreModelTest, CountersOfASequencedPutConsumeVersionsBeforeItsRecord) {
  EXPECT_EQ(Do(SequencedPut("s", {1, 2}, "v")).version, 3);
  EXPECT_EQ(store_.Find("s#0")->version, 1);
  EXPECT_EQ(store_.Find("s#1")->version, 2);
}

TEST_F(StoreModelTest, MutationsHoldTheRecordBeforeAndAfter) {
  Do(Put("a", "1"));
  ExpectMutations({{"a", std::nullopt, Record{"1", 1, 0}}});
  Do(Put("a", "2"));
  ExpectMutations({{"a", Record{"1", 1, 0}, Record{"2", 2, 0}}});
  Do(Delete("a"));
  ExpectMutations({{"a", Record{"2", 2, 0}, std::nullopt}});
  Do(Delete("a"));
  ExpectMutations({});
}

TEST_F(StoreModelTest, MutationsTellTheSession) {
  const SessionId session = Do(OpenSession(10)).number;
  ExpectMutations({});
  Do(EphemeralRecord("a", "1", session));
  ExpectMutations({{"a", std::nullopt, Record{"1", 1, session}}});
  Do(Put("a", "2"));
  ExpectMutations({{"a", Record{"1", 1, session}, Record{"2", 2, 0}}});
}

TEST_F(StoreModelTest, MutationsComeInTheOrderOfTheChangesOneEntryAChange) {
  Do(Put("b", "0"));
  EXPECT_TRUE(Apply(Txn({}, {Put("b", "1"), Get("b"), Put("a", "1"), Delete("b"), Put("b", "2"),
                             RangeDelete("a", "c")}))
                  .ok());
  ExpectMutations({{"b", Record{"0", 1, 0}, Record{"1", 2, 0}},
                   {"a", std::nullopt, Record{"1", 3, 0}},
                   {"b", Record{"1", 2, 0}, std::nullopt},
                   {"b", std::nullopt, Record{"2", 4, 0}},
                   {"a", Record{"1", 3, 0}, std::nullopt},
                   {"b", Record{"2", 4, 0}, std::nullopt}});
}

TEST_F(StoreModelTest, MutationsAreAppendedAndOnlyThoseOfTheRequestAreTakenBack) {
  std::vector<Mutation> mutations;
  store_.Apply(Single(Put("a", "1")), mutations);
  store_.Apply(Single(Put("a", "2")), mutations);
  EXPECT_EQ(mutations.size(), 2U);
  EXPECT_FALSE(store_.Apply(Txn({}, {Put("a", "3"), KeepAlive(9)}), mutations).ok());
  ASSERT_EQ(mutations.size(), 2U);
  EXPECT_EQ(mutations[1].after->value, "2");
  EXPECT_EQ(store_.Find("a")->value, "2");
}

TEST_F(StoreModelTest, EndOfASessionDeletesItsRecordsInKeyOrder) {
  const SessionId session = Do(OpenSession(10)).number;
  const SessionId other = Do(OpenSession(10)).number;
  Do(EphemeralRecord("b", "1", session));
  Do(EphemeralRecord("\x80", "2", session));
  Do(EphemeralRecord("a", "3", session));
  Do(EphemeralRecord("c", "4", other));
  Do(EphemeralRecord("d", "5", session));
  Do(Put("d", "6"));
  mutations_.clear();
  store_.EndSession(session, mutations_);
  ExpectMutations({{"a", Record{"3", 3, session}, std::nullopt},
                   {"b", Record{"1", 1, session}, std::nullopt},
                   {"\x80", Record{"2", 2, session}, std::nullopt}});
  EXPECT_FALSE(store_.HasSession(session));
  EXPECT_TRUE(store_.HasSession(other));
  EXPECT_EQ(store_.records(),
            (StoreModel::Records{{"c", Record{"4", 4, other}}, {"d", Record{"6", 6, 0}}}));
}

TEST_F(StoreModelTest, EndOfAnUnknownSessionHasNoEffect) {
  const SessionId session = Do(OpenSession(10)).number;
  Do(EphemeralRecord("a", "1", session));
  mutations_.clear();
  for (const SessionId stranger : {SessionId{0}, SessionId{-1}, session + 1}) {
    store_.EndSession(stranger, mutations_);
  }
  ExpectMutations({});
  store_.EndSession(session, mutations_);
  store_.EndSession(session, mutations_);
  EXPECT_EQ(mutations_.size(), 1U);
}

TEST_F(StoreModelTest, SessionsAreListedWithTheirTimeouts) {
  Do(OpenSession(10));
  Do(OpenSession(20));
  EXPECT_EQ(store_.sessions(), (std::map<SessionId, Tick>{{1, 10}, {2, 20}}));
  EXPECT_EQ(Do(KeepAlive(2)).number, 20);
  Do(CloseSession(1));
  EXPECT_EQ(store_.sessions(), (std::map<SessionId, Tick>{{2, 20}}));
  EXPECT_TRUE(store_.HasSession(2));
  EXPECT_FALSE(store_.HasSession(1));
}

TEST_F(StoreModelTest, RejectedTransactionRestoresSessionsAndTheirRecords) {
  const SessionId session = Do(OpenSession(10)).number;
  Do(EphemeralRecord("a", "1", session));
  const StoreModel::Records records = store_.records();
  EXPECT_FALSE(Apply(Txn({}, {OpenSession(20), EphemeralRecord("b", "1", session),
                              EphemeralRecord("c", "1", session + 1), Delete("a"),
                              CloseSession(session), CloseSession(session + 1), KeepAlive(9)}))
                   .ok());
  ExpectMutations({});
  EXPECT_EQ(store_.records(), records);
  EXPECT_EQ(store_.sessions(), (std::map<SessionId, Tick>{{session, 10}}));
  store_.EndSession(session, mutations_);
  ExpectMutations({{"a", Record{"1", 1, session}, std::nullopt}});
}

TEST_F(StoreModelTest, FindsRecordsAndCeilings) {
  Do(Put("b", "1"));
  EXPECT_EQ(store_.Find("a"), nullptr);
  ASSERT_NE(store_.Find("b"), nullptr);
  EXPECT_EQ(*store_.Find("b"), (Record{"1", 1, 0}));
  EXPECT_EQ(store_.Ceiling("a")->first, "b");
  EXPECT_EQ(store_.Ceiling("b")->first, "b");
  EXPECT_EQ(store_.Ceiling("c"), store_.records().end());
}

TEST_F(StoreModelTest, CopyIsIndependent) {
  const SessionId session = Do(OpenSession(10)).number;
  Do(EphemeralRecord("a", "1", session));
  StoreModel copy = store_;
  Do(CloseSession(session));
  EXPECT_TRUE(copy.HasSession(session));
  EXPECT_NE(copy.Find("a"), nullptr);
  mutations_.clear();
  copy.EndSession(session, mutations_);
  EXPECT_EQ(mutations_.size(), 1U);
}

TEST(StoreModelDeathTest, IllFormedOperationIsABug) {
  StoreModel store;
  std::vector<Mutation> mutations;
  StoreRequest request = Single(SequencedPut("s", {1}, "v"));
  request.operations[0].deltas = {0};
  EXPECT_EXIT(store.Apply(request, mutations), ExitedWithCode(1), "IsWellFormed");
  request = Single(OpenSession(1));
  request.operations[0].delta = 0;
  EXPECT_EXIT(store.Apply(request, mutations), ExitedWithCode(1), "IsWellFormed");
}

}  // namespace
}  // namespace lockstep::sim
