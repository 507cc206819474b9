#include "invariants/store_lookup.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "invariants/log_fixture.h"
#include "protocol/leaderless_log/log_layout.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::DecodeIndexValue;
using protocol::leaderless_log::RecordAt;

TEST(ViewIndexValue, RejectsWhatIsNoIndexValue) {
  for (const char* text : {"", "WAL", "EMPTY 1 o t", "WAL 0 o t", "WAL 01 o t", "WAL x o t",
                           "WAL 1", "WAL 1 o", "WAL 1  t", "wal 1 o t"}) {
    EXPECT_FALSE(ViewIndexValue(text).has_value()) << text;
    EXPECT_FALSE(DecodeIndexValue(text).has_value()) << text;
  }
}

TEST(ViewIndexValue, AcceptsAnIndexValue) {
  const auto record = ViewIndexValue("COMPACTED 12 compacted/7 -");
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->entry, Compacted(12));
  EXPECT_EQ(record->object, "compacted/7");
}

RC_GTEST_PROP(ViewIndexValue, DecodesAsTheLayoutDoes, ()) {
  std::string text;
  const auto field = rc::gen::element<std::string>("WAL", "COMPACTED", "EMPTY", " ", "3", "0", "o");
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(field)) {
    text += part;
    text += ' ';
  }
  const auto viewed = ViewIndexValue(text);
  const auto decoded = DecodeIndexValue(text);
  RC_ASSERT(viewed.has_value() == decoded.has_value());
  if (!viewed) return;
  RC_ASSERT(viewed->entry == decoded->entry);
  RC_ASSERT(viewed->object == decoded->object);
}

TEST(CeilingRecord, RejectsRecordsThatAreNoIndexRecords) {
  LogFixture log;
  log.PutRecord("log/index/", "WAL 1 o t");
  log.PutRecord("log/plan", "1 idle 0 0 -");
  EXPECT_FALSE(CeilingRecord(log.store, 1).has_value());
}

TEST(CeilingRecord, AcceptsTheNearestRecordAtOrAbove) {
  LogFixture log;
  log.PutEntry(9, Wal(1), "nine");
  log.PutEntry(12, Compacted(3), "twelve");
  EXPECT_EQ(CeilingRecord(log.store, 1)->key, 9);
  EXPECT_EQ(CeilingRecord(log.store, 9)->object, "nine");
  EXPECT_EQ(CeilingRecord(log.store, 10)->entry, Compacted(3));
  EXPECT_FALSE(CeilingRecord(log.store, 13).has_value());
}

TEST(CeilingRecord, FindsARecordThatCannotBeDecodedAsAnEmptyEntry) {
  LogFixture log;
  log.PutRecord(protocol::leaderless_log::IndexKey(3), "nonsense");
  const auto record = CeilingRecord(log.store, 2);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->key, 3);
  EXPECT_EQ(record->entry, protocol::leaderless_log::Entry{});
}

TEST(RecordOf, AcceptsThisOffsetOnly) {
  LogFixture log;
  log.PutEntry(9, Wal(1), "nine");
  EXPECT_FALSE(RecordOf(log.store, 8).has_value());
  EXPECT_EQ(RecordOf(log.store, 9)->key, 9);
}

RC_GTEST_PROP(RecordWalker, ReadsAsTheLayoutDoesInAnyOrder, ()) {
  const auto bytes = rc::gen::container<std::string>(rc::gen::element('a', 'b', '\n'));
  const std::string first = *bytes;
  const std::string second = *bytes;
  RecordWalker walker;
  for (const std::int64_t i :
       *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 6))) {
    const std::string& object = *rc::gen::arbitrary<bool>() ? first : second;
    RC_ASSERT(walker.At(object, i) == RecordAt(object, i));
  }
}

}  // namespace
}  // namespace lockstep::invariants
