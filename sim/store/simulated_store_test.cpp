// What the simulated store adds to the model: deadlines and outages, to the tick.
#include "sim/store/simulated_store.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace lockstep::sim {
namespace {

class SimulatedStoreTest : public testing::Test {
 protected:
  StoreResponse Handle(const StoreRequest& request, Tick now) {
    mutations_.clear();
    return store_.Handle(request, now, mutations_);
  }
  OperationResult Do(const Operation& operation, Tick now) {
    const StoreResponse response = Handle(Single(operation), now);
    EXPECT_TRUE(response.ok()) << StoreStatusName(response.status);
    return response.ok() ? response.results[0] : OperationResult{};
  }
  StoreStatus StatusOf(const Operation& operation, Tick now) {
    return Handle(Single(operation), now).status;
  }
  std::optional<SessionId> ExpireOne(Tick now) {
    mutations_.clear();
    return store_.ExpireOne(now, mutations_);
  }

  SimulatedStore store_;
  std::vector<Mutation> mutations_;
};

TEST_F(SimulatedStoreTest, AnswersLikeTheModel) {
  StoreModel model;
  std::vector<Mutation> mutations;
  for (const StoreRequest& request :
       {Single(Put("a", "1")), Single(ConditionalCreate("a", "2")), Txn({Absent("a")}, {Get("a")}),
        Txn({Exists("a")}, {SequencedPut("s", {1}, "v")})}) {
    const StoreResponse expected = model.Apply(request, mutations);
    const StoreResponse actual = Handle(request, 5);
    EXPECT_EQ(actual.status, expected.status);
    EXPECT_EQ(actual.results.size(), expected.results.size());
    EXPECT_EQ(actual.failed_conditions, expected.failed_conditions);
  }
  EXPECT_EQ(store_.model().records(), model.records());
  EXPECT_EQ(mutations_.size(), 2U);
}

TEST_F(SimulatedStoreTest, NothingExpiresWithoutSessions) {
  EXPECT_EQ(store_.NextExpiry(), std::nullopt);
  EXPECT_EQ(ExpireOne(std::numeric_limits<Tick>::max()), std::nullopt);
}

TEST_F(SimulatedStoreTest, SessionIsDueAtItsDeadlineAndNotBefore) {
  const SessionId session = Do(OpenSession(10), 5).number;
  Do(EphemeralRecord("a", "1", session), 6);
  EXPECT_EQ(store_.NextExpiry(), 15);
  EXPECT_EQ(ExpireOne(14), std::nullopt);
  EXPECT_TRUE(store_.model().HasSession(session));
  EXPECT_EQ(ExpireOne(15), session);
  EXPECT_EQ(mutations_.size(), 1U);
  EXPECT_FALSE(store_.model().HasSession(session));
  EXPECT_EQ(store_.model().Find("a"), nullptr);
  EXPECT_EQ(store_.NextExpiry(), std::nullopt);
}

TEST_F(SimulatedStoreTest, KeepAliveSetsTheDeadlineAnew) {
  const SessionId session = Do(OpenSession(10), 0).number;
  EXPECT_EQ(Do(KeepAlive(session), 7).number, 10);
  EXPECT_EQ(store_.NextExpiry(), 17);
  EXPECT_EQ(ExpireOne(16), std::nullopt);
  EXPECT_EQ(ExpireOne(17), session);
}

// Being due is not yet having ended: the end is one step of its own, and whatever is handled before
// it finds the session alive. A keep-alive that was answered is thus good for a whole timeout.
TEST_F(SimulatedStoreTest, KeepAliveSavesASessionThatIsDueButHasNotEnded) {
  const SessionId session = Do(OpenSession(10), 0).number;
  EXPECT_EQ(Do(KeepAlive(session), 12).number, 10);
  EXPECT_EQ(ExpireOne(21), std::nullopt);
  EXPECT_EQ(ExpireOne(22), session);
  EXPECT_EQ(StatusOf(KeepAlive(session), 22), StoreStatus::kNoSuchSession);
  EXPECT_EQ(store_.NextExpiry(), std::nullopt);
}

TEST_F(SimulatedStoreTest, EarliestDeadlineExpiresFirstTiesByLowestId) {
  const SessionId late = Do(OpenSession(30), 0).number;
  const SessionId tied_first = Do(OpenSession(20), 0).number;
  const SessionId tied_second = Do(OpenSession(15), 5).number;
  const SessionId early = Do(OpenSession(5), 5).number;
  EXPECT_EQ(store_.NextExpiry(), 10);
  EXPECT_EQ(ExpireOne(100), early);
  EXPECT_EQ(ExpireOne(100), tied_first);
  EXPECT_EQ(ExpireOne(100), tied_second);
  EXPECT_EQ(store_.NextExpiry(), 30);
  EXPECT_EQ(ExpireOne(100), late);
  EXPECT_EQ(ExpireOne(100), std::nullopt);
}

TEST_F(SimulatedStoreTest, ClosedSessionHasNoDeadline) {
  const SessionId session = Do(OpenSession(10), 0).number;
  Do(CloseSession(session), 1);
  EXPECT_EQ(store_.NextExpiry(), std::nullopt);
}

TEST_F(SimulatedStoreTest, TransactionSetsTheDeadlinesOfAllItsSessions) {
  const SessionId kept = Do(OpenSession(10), 0).number;
  const SessionId closed = Do(OpenSession(10), 0).number;
  const StoreResponse response = Handle(
      Txn({}, {KeepAlive(closed), OpenSession(20), KeepAlive(kept), CloseSession(closed)}), 4);
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(ExpireOne(100), kept);
  EXPECT_EQ(store_.NextExpiry(), 24);
  EXPECT_EQ(ExpireOne(100), response.results[1].number);
  EXPECT_EQ(ExpireOne(100), std::nullopt);
}

TEST_F(SimulatedStoreTest, SessionOpenedAndClosedInOneTransactionLeavesNoDeadline) {
  EXPECT_TRUE(Handle(Txn({}, {OpenSession(10), CloseSession(1)}), 0).ok());
  EXPECT_EQ(store_.NextExpiry(), std::nullopt);
}

TEST_F(SimulatedStoreTest, RejectedTransactionMovesNoDeadline) {
  const SessionId session = Do(OpenSession(10), 0).number;
  EXPECT_FALSE(
      Handle(Txn({}, {KeepAlive(session), OpenSession(1), ConditionalDelete("a", 1)}), 5).ok());
  EXPECT_FALSE(Handle(Txn({Exists("a")}, {KeepAlive(session)}), 5).ok());
  EXPECT_FALSE(Handle(Txn({}, {CloseSession(session), CloseSession(session)}), 5).ok());
  EXPECT_EQ(store_.NextExpiry(), 10);
  EXPECT_EQ(ExpireOne(10), session);
  EXPECT_EQ(store_.NextExpiry(), std::nullopt);
}

TEST_F(SimulatedStoreTest, TimeoutBeyondTheEndOfTimeIsNoOverflow) {
  const SessionId session = Do(OpenSession(std::numeric_limits<Tick>::max()), 5).number;
  EXPECT_EQ(store_.NextExpiry(), std::numeric_limits<Tick>::max());
  EXPECT_EQ(ExpireOne(std::numeric_limits<Tick>::max() - 1), std::nullopt);
  EXPECT_TRUE(store_.model().HasSession(session));
}

TEST_F(SimulatedStoreTest, ExpireNowEndsASessionBeforeItsDeadline) {
  const SessionId session = Do(OpenSession(10), 0).number;
  const SessionId other = Do(OpenSession(20), 0).number;
  Do(EphemeralRecord("a", "1", session), 0);
  mutations_.clear();
  store_.ExpireNow(session, mutations_);
  EXPECT_EQ(mutations_.size(), 1U);
  EXPECT_FALSE(store_.model().HasSession(session));
  EXPECT_EQ(store_.NextExpiry(), 20);
  store_.ExpireNow(session, mutations_);
  EXPECT_EQ(mutations_.size(), 1U);
  EXPECT_EQ(ExpireOne(20), other);
}

TEST_F(SimulatedStoreTest, RefusesWhileUnavailable) {
  store_.MakeUnavailable(10);
  EXPECT_TRUE(store_.IsUnavailable(9));
  EXPECT_FALSE(store_.IsUnavailable(10));
  const StoreResponse response = Handle(Single(Put("a", "1")), 9);
  EXPECT_EQ(response.status, StoreStatus::kUnavailable);
  EXPECT_TRUE(response.results.empty());
  EXPECT_TRUE(mutations_.empty());
  EXPECT_EQ(StatusOf(OpenSession(10), 9), StoreStatus::kUnavailable);
  EXPECT_EQ(store_.NextExpiry(), std::nullopt);
  EXPECT_EQ(Do(Put("a", "1"), 10).version, 1);
}

TEST_F(SimulatedStoreTest, LatestOutageCounts) {
  store_.MakeUnavailable(10);
  store_.MakeUnavailable(20);
  EXPECT_TRUE(store_.IsUnavailable(19));
  store_.MakeUnavailable(15);
  EXPECT_TRUE(store_.IsUnavailable(14));
  EXPECT_FALSE(store_.IsUnavailable(15));
  store_.MakeUnavailable(12);
  EXPECT_FALSE(store_.IsUnavailable(12));
}

TEST_F(SimulatedStoreTest, SessionsExpireDuringAnOutage) {
  const SessionId session = Do(OpenSession(10), 0).number;
  store_.MakeUnavailable(50);
  EXPECT_EQ(StatusOf(KeepAlive(session), 5), StoreStatus::kUnavailable);
  EXPECT_EQ(store_.NextExpiry(), 10);
  EXPECT_EQ(ExpireOne(10), session);
}

}  // namespace
}  // namespace lockstep::sim
