#include "protocol/leaderless_log/log_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace lockstep::protocol::leaderless_log {
namespace {

using testing::Eq;
using testing::Optional;

// ---- Malformed text is refused
// -------------------------------------------------------------------

TEST(LogLayout, RefusesKeysThatAreNoIndexKeys) {
  const std::vector<std::string> keys = {
      "",
      "log/index/",
      "log/index/7",
      "log/index/0000000000000000007",    // 19 digits
      "log/index/000000000000000000007",  // 21 digits
      "log/index/0000000000000000000x",
      "log/index/-0000000000000000007",
      "log/index/+0000000000000000007",
      "log/index/ 0000000000000000007",
      "log/indey/00000000000000000007",
      "xlog/index/0000000000000000007",
      "log/index/00000000000000000000",  // offsets begin with 1
      "log/index/02305843009213693952",  // beyond kUnboundedOffset
      "log/index/99999999999999999999",  // no 64-bit number
  };
  for (const std::string& key : keys) EXPECT_FALSE(OffsetOfIndexKey(key).has_value()) << key;
}

TEST(LogLayout, RefusesTextsThatAreNoDecimals) {
  for (const std::string text : {"", "-1", "-0", "+1", " 1", "1 ", "01", "00", "1x", "x", "0x10",
                                 "9223372036854775808", "1.0"}) {
    EXPECT_FALSE(ParseDecimal(text).has_value()) << text;
  }
}

TEST(LogLayout, RefusesValuesThatAreNoIndexValues) {
  for (const std::string text : {
           "",
           "WAL",
           "WAL 1",
           "WAL 1 wal/w1-1",
           "WAL 1 wal/w1-1 ",
           "WAL 1  w1-1",          // no object
           "WAL  wal/w1-1 w1-1",   // no count
           "WAL 0 wal/w1-1 w1-1",  // an entry covers something
           "WAL -1 wal/w1-1 w1-1",
           "WAL 01 wal/w1-1 w1-1",
           "WAL x wal/w1-1 w1-1",
           "WAL 9223372036854775807 wal/w1-1 w1-1",
           "wal 1 wal/w1-1 w1-1",
           "EMPTY 1 wal/w1-1 w1-1",  // an EMPTY entry is no record
           " WAL 1 wal/w1-1 w1-1",
           "1 WAL wal/w1-1 w1-1",
       }) {
    EXPECT_FALSE(DecodeIndexValue(text).has_value()) << text;
  }
}

TEST(LogLayout, RefusesValuesThatAreNoPlans) {
  for (const std::string text : {
           "",
           "1",
           "1 writing",
           "1 writing 1",
           "1 writing 1 3",
           "1 writing 1 3 ",
           "x writing 1 3 c1",
           "0 writing 1 3 c1",  // rounds begin with 1
           "-1 idle 0 0 -",
           "1 paused 1 3 c1",
           "1 Writing 1 3 c1",
           "1  1 3 c1",
           "1 writing x 3 c1",
           "1 writing 1 x c1",
           "1 writing 0 3 c1",  // a held range is one
           "1 deleting 3 2 c1",
           "1 cursor 0 0 c1",
           "1 done 1 9223372036854775807 c1",
           "1 idle 0 0",
       }) {
    EXPECT_FALSE(DecodePlan(text).has_value()) << text;
  }
}

TEST(LogLayout, RefusesRecordsThatAreNotThere) {
  EXPECT_FALSE(RecordAt("", 1).has_value());
  EXPECT_FALSE(RecordAt("a\nb", 0).has_value());
  EXPECT_FALSE(RecordAt("a\nb", -1).has_value());
  EXPECT_FALSE(RecordAt("a\nb", 3).has_value());
}

// ---- As documented
// -------------------------------------------------------------------------------

TEST(LogLayout, SpellsKeysAndValuesAsDocumented) {
  EXPECT_EQ(IndexKey(7), "log/index/00000000000000000007");
  EXPECT_EQ(AppendKey("w1-3"), "log/append/w1-3");
  EXPECT_EQ(EncodeIndexValue({{EntryType::WAL, 2}, "wal/w1-3", "w1-3"}), "WAL 2 wal/w1-3 w1-3");
  EXPECT_EQ(EncodeIndexValue({{EntryType::COMPACTED, 12}, "compacted/c1-1", "-"}),
            "COMPACTED 12 compacted/c1-1 -");
  EXPECT_EQ(EncodePlan({2, PlanPhase::kDeleting, {4, 9}, "c1'2"}), "2 deleting 4 9 c1'2");
  EXPECT_EQ(RecordBytes(17, 2), "17.2");
}

TEST(LogLayout, IndexKeysSortByOffset) {
  EXPECT_LT(IndexKey(9), IndexKey(10));
  EXPECT_LT(IndexKey(99), IndexKey(100));
  EXPECT_LT(IndexKey(1), IndexKey(kUnboundedOffset));
}

TEST(LogLayout, NamesEveryPhase) {
  EXPECT_EQ(PlanPhaseName(PlanPhase::kIdle), "idle");
  EXPECT_EQ(PlanPhaseName(PlanPhase::kWriting), "writing");
  EXPECT_EQ(PlanPhaseName(PlanPhase::kDeleting), "deleting");
  EXPECT_EQ(PlanPhaseName(PlanPhase::kCursor), "cursor");
  EXPECT_EQ(PlanPhaseName(PlanPhase::kDone), "done");
  EXPECT_EQ(PlanPhaseName(PlanPhase::kComplete), "complete");
}

TEST(LogLayout, APlanIsHeldBetweenItsClaimAndItsClose) {
  EXPECT_FALSE(IsHeld({1, PlanPhase::kIdle, {}, "-"}));
  EXPECT_TRUE(IsHeld({1, PlanPhase::kWriting, {1, 3}, "c1"}));
  EXPECT_TRUE(IsHeld({1, PlanPhase::kDone, {1, 3}, "c1"}));
  EXPECT_FALSE(IsHeld({1, PlanPhase::kComplete, {}, "-"}));
}

TEST(LogLayout, RecordsOfAnObjectStandInOrder) {
  std::string object;
  AppendRecord(object, "17.1");
  AppendRecord(object, "17.2");
  AppendRecord(object, "18.1");
  EXPECT_EQ(object, "17.1\n17.2\n18.1");
  EXPECT_THAT(RecordAt(object, 1), Optional(Eq("17.1")));
  EXPECT_THAT(RecordAt(object, 2), Optional(Eq("17.2")));
  EXPECT_THAT(RecordAt(object, 3), Optional(Eq("18.1")));
}

// ---- Round trips
// ---------------------------------------------------------------------------------

TEST(LogLayout, ZeroIsADecimalButNoOffset) {
  EXPECT_THAT(ParseDecimal("0"), Optional(0));
  EXPECT_THAT(ParseDecimal("9223372036854775807"), Optional(9223372036854775807));
}

RC_GTEST_PROP(LogLayout, OffsetsSurviveTheirKeys, ()) {
  const auto offset = *rc::gen::inRange<Offset>(1, kUnboundedOffset + 1);
  RC_ASSERT(OffsetOfIndexKey(IndexKey(offset)) == std::optional(offset));
}

RC_GTEST_PROP(LogLayout, NumbersSurviveTheirText, ()) {
  const auto number = *rc::gen::nonNegative<std::int64_t>();
  RC_ASSERT(ParseDecimal(std::to_string(number)) == std::optional(number));
}

/// A name as nodes and objects have them: not empty, without blanks.
rc::Gen<std::string> AnyName() {
  return rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('!', '~')));
}

RC_GTEST_PROP(LogLayout, IndexValuesSurviveTheirText, ()) {
  const IndexValue value{{*rc::gen::element(EntryType::WAL, EntryType::COMPACTED),
                          *rc::gen::inRange<std::int64_t>(1, kUnboundedOffset)},
                         *AnyName(),
                         *AnyName()};
  const auto decoded = DecodeIndexValue(EncodeIndexValue(value));
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(decoded->entry == value.entry);
  RC_ASSERT(decoded->object == value.object);
  RC_ASSERT(decoded->token == value.token);
}

RC_GTEST_PROP(LogLayout, PlansSurviveTheirText, ()) {
  Plan plan;
  plan.round = *rc::gen::inRange<std::int64_t>(1, 1000);
  plan.phase = *rc::gen::element(PlanPhase::kIdle, PlanPhase::kWriting, PlanPhase::kDeleting,
                                 PlanPhase::kCursor, PlanPhase::kDone, PlanPhase::kComplete);
  plan.claimant = *AnyName();
  if (IsHeld(plan)) {
    plan.range.start = *rc::gen::inRange<Offset>(1, 1000);
    plan.range.end = plan.range.start + *rc::gen::inRange<Offset>(0, 1000);
  }
  const auto decoded = DecodePlan(EncodePlan(plan));
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(decoded->round == plan.round);
  RC_ASSERT(decoded->phase == plan.phase);
  RC_ASSERT(decoded->range == plan.range);
  RC_ASSERT(decoded->claimant == plan.claimant);
}

RC_GTEST_PROP(LogLayout, RecordsSurviveTheirObject, ()) {
  const auto records = *rc::gen::nonEmpty<std::vector<std::string>>(
      rc::gen::container<std::vector<std::string>>(AnyName()));
  std::string object;
  for (const std::string& record : records) AppendRecord(object, record);
  const auto count = static_cast<std::int64_t>(records.size());
  for (std::int64_t i = 1; i <= count; ++i) {
    RC_ASSERT(RecordAt(object, i) ==
              std::optional<std::string_view>(records[static_cast<std::size_t>(i - 1)]));
  }
  RC_ASSERT(!RecordAt(object, count + 1).has_value());
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
