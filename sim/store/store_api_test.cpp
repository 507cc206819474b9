#include "sim/store/store_api.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::sim {
namespace {

using ::testing::ExitedWithCode;

constexpr int kOperationKinds = 15;
constexpr int kStatuses = 11;

TEST(OperationName, IsThePrimitivesNameAndUnique) {
  EXPECT_EQ(OperationName(OperationKind::kGet), "Get");
  EXPECT_EQ(OperationName(OperationKind::kCompareAndSet), "CompareAndSet");
  EXPECT_EQ(OperationName(OperationKind::kEphemeralRecord), "EphemeralRecord");
  EXPECT_EQ(OperationName(OperationKind::kCloseSession), "CloseSession");
  std::set<std::string_view> names;
  for (int i = 0; i < kOperationKinds; ++i) {
    names.insert(OperationName(static_cast<OperationKind>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kOperationKinds));
  EXPECT_EQ(names.count("?"), 0U);
}

TEST(OperationKind, OnlyReadsAreNoMutations) {
  std::set<std::string_view> reads;
  for (int i = 0; i < kOperationKinds; ++i) {
    const auto kind = static_cast<OperationKind>(i);
    if (!IsMutation(kind)) reads.insert(OperationName(kind));
  }
  EXPECT_EQ(reads, (std::set<std::string_view>{"Get", "CeilingGet", "HigherGet"}));
}

TEST(StoreStatus, NamesAreUniqueAndOnlyUnknownIsIndefinite) {
  std::set<std::string_view> names;
  for (int i = 0; i < kStatuses; ++i) {
    const auto status = static_cast<StoreStatus>(i);
    names.insert(StoreStatusName(status));
    EXPECT_EQ(IsDefinite(status), status != StoreStatus::kUnknown) << StoreStatusName(status);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kStatuses));
  EXPECT_EQ(names.count("?"), 0U);
  EXPECT_EQ(names.count("no such session"), 1U);
}

TEST(StoreApi, OperationsCarryTheirArguments) {
  const Operation set = CompareAndSet("k", "old", "new");
  EXPECT_EQ(set.kind, OperationKind::kCompareAndSet);
  EXPECT_EQ(set.key, "k");
  EXPECT_EQ(set.expected, "old");
  EXPECT_EQ(set.value, "new");
  EXPECT_FALSE(CompareAndSet("k", std::nullopt, "new").expected.has_value());
  const Operation increment = AtomicIncrement("n", -2, 9);
  EXPECT_EQ(increment.delta, -2);
  EXPECT_EQ(increment.limit, 9);
  EXPECT_EQ(AtomicIncrement("n", 1).limit, kCounterMax);
  EXPECT_EQ(EphemeralRecord("k", "v", 7).session, 7);
  EXPECT_EQ(ConditionalDelete("k", 7).version, 7);
  const Operation range = RangeDelete("a", "b");
  EXPECT_EQ(range.key, "a");
  EXPECT_EQ(range.end, "b");
  const Operation sequenced = SequencedPut("p", {1, 2}, "v", 8);
  EXPECT_EQ(sequenced.deltas, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(sequenced.limit, 8);
  EXPECT_EQ(OpenSession(30).delta, 30);
  EXPECT_EQ(KeepAlive(3).session, 3);
  EXPECT_EQ(CloseSession(3).session, 3);
}

TEST(StoreApi, SingleIsATransactionWithoutConditions) {
  const StoreRequest request = Single(Get("k"));
  EXPECT_TRUE(request.conditions.empty());
  ASSERT_EQ(request.operations.size(), 1U);
  EXPECT_EQ(request.operations[0].kind, OperationKind::kGet);
}

TEST(StoreApi, ConditionsCarryTheirArguments) {
  EXPECT_EQ(ValueIs("k", "v").value, "v");
  EXPECT_EQ(VersionIs("k", 3).version, 3);
  EXPECT_EQ(Absent("k").kind, Condition::Kind::kAbsent);
  EXPECT_EQ(Exists("k").kind, Condition::Kind::kExists);
}

TEST(AppendPadded, WritesTwentyDigits) {
  std::string out = "x";
  AppendPadded(out, 0);
  EXPECT_EQ(out, "x00000000000000000000");
  out.clear();
  AppendPadded(out, kCounterMax);
  EXPECT_EQ(out, "09223372036854775807");
}

TEST(AppendPaddedDeathTest, NegativeNumberIsABug) {
  std::string out;
  EXPECT_EXIT(AppendPadded(out, -1), ExitedWithCode(1), "number >= 0");
}

TEST(SequencedKey, JoinsPaddedTotals) {
  EXPECT_EQ(SequencedKey("p/", {7}), "p/00000000000000000007");
  EXPECT_EQ(SequencedKey("", {7, 10}), "00000000000000000007-00000000000000000010");
}

TEST(SequencedKey, SortsLikeItsTotalsAndAfterEveryCounter) {
  std::string last = SequenceCounterKey("p", 99);
  for (const std::int64_t total : {std::int64_t{0}, std::int64_t{9}, std::int64_t{10},
                                   std::int64_t{999}, std::int64_t{1000}, kCounterMax}) {
    const std::string key = SequencedKey("p", {total, 5});
    EXPECT_LT(last, key);
    last = key;
  }
}

TEST(SequenceCounterKey, NamesTheCounter) {
  EXPECT_EQ(SequenceCounterKey("p/", 0), "p/#0");
  EXPECT_EQ(SequenceCounterKey("", 12), "#12");
}

Operation RawSequencedPut(std::vector<std::int64_t> deltas) {
  Operation operation;
  operation.kind = OperationKind::kSequencedPut;
  operation.deltas = std::move(deltas);
  return operation;
}

TEST(IsWellFormed, SequencedPutNeedsAPositiveFirstDeltaAndNoNegativeOne) {
  EXPECT_FALSE(IsWellFormed(RawSequencedPut({})));
  EXPECT_FALSE(IsWellFormed(RawSequencedPut({0})));
  EXPECT_FALSE(IsWellFormed(RawSequencedPut({-1})));
  EXPECT_FALSE(IsWellFormed(RawSequencedPut({1, -1})));
  EXPECT_TRUE(IsWellFormed(RawSequencedPut({1})));
  EXPECT_TRUE(IsWellFormed(RawSequencedPut({kCounterMax, 0, kCounterMax})));
}

TEST(IsWellFormed, SessionNeedsATimeout) {
  Operation open;
  open.kind = OperationKind::kOpenSession;
  EXPECT_FALSE(IsWellFormed(open));
  open.delta = -1;
  EXPECT_FALSE(IsWellFormed(open));
  open.delta = 1;
  EXPECT_TRUE(IsWellFormed(open));
}

TEST(IsWellFormed, AnythingElseIs) {
  EXPECT_TRUE(IsWellFormed(Get("")));
  EXPECT_TRUE(IsWellFormed(AtomicIncrement("", -1, -1)));
  EXPECT_TRUE(IsWellFormed(RangeDelete("b", "a")));
  EXPECT_TRUE(IsWellFormed(EphemeralRecord("", "", -1)));
}

TEST(StoreApiDeathTest, IllFormedOperationIsABug) {
  EXPECT_EXIT(SequencedPut("p", {}, "v"), ExitedWithCode(1), "IsWellFormed");
  EXPECT_EXIT(OpenSession(0), ExitedWithCode(1), "IsWellFormed");
}

}  // namespace
}  // namespace lockstep::sim
