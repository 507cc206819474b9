#include "protocol/leaderless_log/reader_node.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/leaderless_log/scripted_node_api.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using sim::ObjectOperation;

class ReaderNodeTest : public testing::Test {
 protected:
  static CallFilter LooksUp() { return Reads(kIndexPrefix); }
  static CallFilter GetsObject() { return OnObject(ObjectOperation::kGetObject); }

  /// "found 7.2", "not found", "broken".
  std::string Read(Offset offset) {
    const ReadResult result = reader.Read(offset);
    EXPECT_EQ(api.turns_left(), 0U) << "a turn that no call took";
    std::string text(ReadStatusName(result.status));
    if (!result.bytes.empty()) text += " " + result.bytes;
    return text;
  }
  void PutEntry(Offset end, const std::string& value) { services.Put(IndexKey(end), value); }
  void PutObject(const std::string& key, const std::string& bytes) {
    services.objects.Handle({ObjectOperation::kPutObject, key, bytes});
  }
  void DeleteObject(const std::string& key) {
    services.objects.Handle({ObjectOperation::kDeleteObject, key, {}});
  }
  /// What a compactor makes of offsets 1..3, in one go.
  void Compact() {
    PutObject("compacted/c1-1", "7.1\n7.2\n8.1");
    PutEntry(3, "COMPACTED 3 compacted/c1-1 -");
    services.Apply(sim::Single(sim::Delete(IndexKey(2))));
    DeleteObject("wal/w1-1");
    DeleteObject("wal/w2-1");
  }

  Services services;
  ScriptedNodeApi api{services, "r1"};
  ReaderNode reader{api};
};

// ---- Not found
// -----------------------------------------------------------------------------------

TEST_F(ReaderNodeTest, FindsNothingInAnEmptyLog) { EXPECT_EQ(Read(1), "not found"); }

TEST_F(ReaderNodeTest, FindsNothingBehindTheLog) {
  services.Append("w1-1", 7, 2);
  EXPECT_EQ(Read(3), "not found");
}

// A ceiling lookup behind the last entry finds whatever sorts next.
TEST_F(ReaderNodeTest, FindsNothingInARecordOfAnotherKind) {
  services.Apply(sim::Single(sim::Delete(std::string(kStateKey))));
  services.Put("log/plan", "1 idle 0 0 -");
  EXPECT_EQ(Read(1), "not found");
}

TEST_F(ReaderNodeTest, FindsNothingInTheEntryOfAnotherLog) {
  services.Put("log/index2/00000000000000000001", "WAL 1 wal/w1-1 w1-1");
  EXPECT_EQ(Read(1), "not found");
}

TEST_F(ReaderNodeTest, FindsNothingInAnEntryThatDoesNotReachDown) {
  PutObject("wal/w1-1", "7.1\n7.2");
  PutEntry(5, "WAL 2 wal/w1-1 w1-1");
  EXPECT_EQ(Read(3), "not found");
  EXPECT_EQ(Read(4), "found 7.1");
}

// ---- Broken
// --------------------------------------------------------------------------------------

TEST_F(ReaderNodeTest, AMalformedEntryIsBroken) {
  PutEntry(1, "WAL wal/w1-1");
  EXPECT_EQ(Read(1), "broken");
}

TEST_F(ReaderNodeTest, AnObjectThatIsTooShortIsBroken) {
  PutObject("wal/w1-1", "7.1");
  PutEntry(2, "WAL 2 wal/w1-1 w1-1");
  EXPECT_EQ(Read(1), "found 7.1");
  EXPECT_EQ(Read(2), "broken");
}

TEST_F(ReaderNodeTest, AnEmptyObjectIsBroken) {
  PutObject("wal/w1-1", "");
  PutEntry(1, "WAL 1 wal/w1-1 w1-1");
  EXPECT_EQ(Read(1), "broken");
}

TEST_F(ReaderNodeTest, AnObjectThatIsGoneForEverIsBroken) {
  PutEntry(1, "WAL 1 wal/w1-1 w1-1");
  EXPECT_EQ(Read(1), "broken");
  EXPECT_EQ(api.calls(), 16U) << "looked up eight times, to be sure";
}

// ---- Found
// ---------------------------------------------------------------------------------------

TEST_F(ReaderNodeTest, ReadsEveryRecordOfTheEntryThatCoversIt) {
  services.Append("w1-1", 7, 3);
  services.Append("w2-1", 8, 1);
  EXPECT_EQ(Read(1), "found 7.1");
  EXPECT_EQ(Read(2), "found 7.2");
  EXPECT_EQ(Read(3), "found 7.3");
  EXPECT_EQ(Read(4), "found 8.1");
}

TEST_F(ReaderNodeTest, ReadsTheSameFromACompactedEntry) {
  services.Append("w1-1", 7, 2);
  services.Append("w2-1", 8, 1);
  Compact();
  EXPECT_EQ(Read(1), "found 7.1");
  EXPECT_EQ(Read(2), "found 7.2");
  EXPECT_EQ(Read(3), "found 8.1");
}

TEST_F(ReaderNodeTest, LooksAgainWhenTheObjectIsGone) {
  services.Append("w1-1", 7, 2);
  services.Append("w2-1", 8, 1);
  api.When(LooksUp(), {.after = [this] { Compact(); }});
  EXPECT_EQ(Read(2), "found 7.2");
  EXPECT_EQ(api.calls(), 4U);
}

TEST_F(ReaderNodeTest, TheEntryMayBeGoneTheSecondTime) {
  services.Append("w1-1", 7, 1);
  api.When(LooksUp(), {.after = [this] {
             services.Apply(sim::Single(sim::Delete(IndexKey(1))));
             DeleteObject("wal/w1-1");
           }});
  EXPECT_EQ(Read(1), "not found");
}

TEST_F(ReaderNodeTest, AsksUntilItIsAnswered) {
  services.Append("w1-1", 7, 2);
  for (const Outcome outcome : {Outcome::kLost, Outcome::kReplyLost, Outcome::kRefused}) {
    api.When(LooksUp(), {.outcome = outcome});
  }
  for (const Outcome outcome : {Outcome::kLost, Outcome::kReplyLost, Outcome::kLate}) {
    api.When(GetsObject(), {.outcome = outcome});
  }
  EXPECT_EQ(Read(1), "found 7.1");
  EXPECT_EQ(api.backoffs(), 6U);
}

// Silence says nothing about the entry: only an object that is gone does.
TEST_F(ReaderNodeTest, SilenceIsNotBroken) {
  services.Append("w1-1", 7, 1);
  for (int i = 0; i < 20; ++i) api.When(LooksUp(), {.outcome = Outcome::kLost});
  for (int i = 0; i < 20; ++i) api.When(GetsObject(), {.outcome = Outcome::kLost});
  EXPECT_EQ(Read(1), "found 7.1");
}

TEST_F(ReaderNodeTest, WritesNothing) {
  services.Append("w1-1", 7, 1);
  const auto records = services.store.records();
  Read(1);
  Read(2);
  EXPECT_TRUE(services.store.records() == records);
}

TEST(ReadStatus, HasNames) {
  EXPECT_EQ(ReadStatusName(ReadStatus::kFound), "found");
  EXPECT_EQ(ReadStatusName(ReadStatus::kNotFound), "not found");
  EXPECT_EQ(ReadStatusName(ReadStatus::kBroken), "broken");
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
