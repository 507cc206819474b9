// The append path, call by call: what a writer answers, and what it leaves in the store.
//
// First each outcome on its own, then random scripts of lost, late and duplicated calls with other
// writers and a fence in between, checked against the one promise: every answer is definite and
// true.
#include "protocol/leaderless_log/writer_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "protocol/leaderless_log/scripted_node_api.h"
#include "sim/random/rng.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using sim::ObjectOperation;
using testing::ElementsAre;
using testing::IsEmpty;

class WriterNodeTest : public testing::Test {
 protected:
  static CallFilter Assigns() { return Writes(kIndexPrefix); }
  /// A withdrawal writes the token's record and nothing else.
  static CallFilter Withdraws() {
    return [](const Call& call) {
      return Writes(kAppendPrefix)(call) && call.store->operations.size() == 1;
    };
  }

  /// "appended 3", "fenced 0", ...
  std::string Append(OperationId operation, std::int64_t count) {
    const AppendResult result = writer.Append(operation, count);
    EXPECT_EQ(api.turns_left(), 0U) << "a turn that no call took";
    return std::string(AppendStatusName(result.status)) + " " + std::to_string(result.end);
  }
  [[nodiscard]] std::vector<std::string> Tokens() const { return services.Below(kAppendPrefix); }

  Services services;
  ScriptedNodeApi api{services, "w1"};
  WriterNode writer{api, kUnboundedOffset};
};

// ---- Appended
// ------------------------------------------------------------------------------------

TEST_F(WriterNodeTest, AppendsObjectCounterEntryAndToken) {
  EXPECT_EQ(Append(7, 3), "appended 3");
  EXPECT_EQ(services.ObjectAt("wal/w1-1"), "7.1\n7.2\n7.3");
  EXPECT_THAT(services.Index(), ElementsAre("3 = WAL 3 wal/w1-1 w1-1"));
  EXPECT_EQ(services.ValueAt(kCounterKey), "4");
  EXPECT_THAT(Tokens(), ElementsAre("w1-1 = 3"));
  EXPECT_EQ(api.calls(), 4U) << "read, write, read, assign";
  EXPECT_EQ(api.backoffs(), 0U);
}

TEST_F(WriterNodeTest, AssignsInOneTransaction) {
  std::vector<std::string> before;
  api.When(Assigns(), {.before =
                           [&] {
                             before = services.Index();
                             EXPECT_EQ(services.ValueAt(kCounterKey), "1");
                           },
                       .after =
                           [&] {
                             EXPECT_EQ(services.ValueAt(kCounterKey), "2");
                             EXPECT_EQ(services.mutations.size(), 3U);
                           }});
  EXPECT_EQ(Append(1, 1), "appended 1");
  EXPECT_THAT(before, IsEmpty());
}

TEST_F(WriterNodeTest, WritesTheObjectBeforeTheEntry) {
  api.When(Assigns(), {.before = [&] { EXPECT_EQ(services.ObjectAt("wal/w1-1"), "1.1"); }});
  EXPECT_EQ(Append(1, 1), "appended 1");
}

TEST_F(WriterNodeTest, GoesOnBehindOthers) {
  services.Append("w2-1", 90, 2);
  EXPECT_EQ(Append(1, 3), "appended 5");
  EXPECT_THAT(services.Index(), ElementsAre("2 = WAL 2 wal/w2-1 w2-1", "5 = WAL 3 wal/w1-1 w1-1"));
}

TEST_F(WriterNodeTest, TriesAgainWhenAnotherWasQuicker) {
  api.When(Assigns(), {.before = [&] { services.Append("w2-1", 90, 1); }});
  api.When(Assigns(), {.before = [&] { services.Append("w2-2", 91, 1); }});
  EXPECT_EQ(Append(1, 2), "appended 4");
  EXPECT_THAT(services.Index(), ElementsAre("1 = WAL 1 wal/w2-1 w2-1", "2 = WAL 1 wal/w2-2 w2-2",
                                            "4 = WAL 2 wal/w1-1 w1-1"));
  EXPECT_EQ(api.backoffs(), 0U) << "a conflict is no reason to wait";
}

TEST_F(WriterNodeTest, TheNextAppendRemovesTheTokenRecord) {
  EXPECT_EQ(Append(1, 1), "appended 1");
  api.When(Assigns(), {.before = [&] { EXPECT_THAT(Tokens(), ElementsAre("w1-1 = 1")); }});
  EXPECT_EQ(Append(2, 1), "appended 2");
  EXPECT_THAT(Tokens(), ElementsAre("w1-2 = 2"));
}

TEST_F(WriterNodeTest, ATokenRecordIsRemovedAlsoWhenAppendsInBetweenLeftNone) {
  EXPECT_EQ(Append(1, 1), "appended 1");
  services.Fence();
  EXPECT_EQ(Append(2, 1), "fenced 0");
  services.Unfence();
  api.When(OnObject(ObjectOperation::kPutObject), {.outcome = Outcome::kRefused});
  EXPECT_EQ(Append(3, 1), "write failed 0");
  EXPECT_EQ(Append(4, 1), "appended 2");
  EXPECT_THAT(Tokens(), ElementsAre("w1-4 = 2"));
}

TEST_F(WriterNodeTest, TheRecordsOfWithdrawnAppendsAreRemovedTogether) {
  for (OperationId operation = 1; operation <= 3; ++operation) {
    api.When(Assigns(), {.before = [&] { services.Fence(); }});
    EXPECT_EQ(Append(operation, 1), "fenced 0");
    services.Unfence();
  }
  EXPECT_THAT(Tokens(), ElementsAre("w1-1 = aborted", "w1-2 = aborted", "w1-3 = aborted"));
  EXPECT_EQ(Append(4, 1), "appended 1");
  EXPECT_THAT(Tokens(), ElementsAre("w1-4 = 1"));
}

// ---- Not appended
// --------------------------------------------------------------------------------

TEST_F(WriterNodeTest, WritesNothingWhenTheLogIsFenced) {
  services.Fence();
  EXPECT_EQ(Append(1, 1), "fenced 0");
  EXPECT_EQ(api.calls(), 1U);
  EXPECT_TRUE(services.objects.objects().empty());
  EXPECT_THAT(Tokens(), IsEmpty());
}

TEST_F(WriterNodeTest, AFenceBeforeTheAssignmentRefusesIt) {
  api.When(Assigns(), {.before = [&] { services.Fence(); }});
  EXPECT_EQ(Append(1, 1), "fenced 0");
  EXPECT_THAT(services.Index(), IsEmpty());
  EXPECT_EQ(services.ValueAt(kCounterKey), "1");
  EXPECT_THAT(Tokens(), ElementsAre("w1-1 = aborted"));
}

TEST_F(WriterNodeTest, WhatAFenceRefusedStaysOutAlsoWhenADuplicateComesAfterIt) {
  api.When(Assigns(), {.twin = true, .before = [&] { services.Fence(); }});
  EXPECT_EQ(Append(1, 1), "fenced 0");
  services.Unfence();
  services.DeliverLate();
  EXPECT_THAT(services.Index(), IsEmpty());
}

TEST_F(WriterNodeTest, WhatAFenceRefusedIsInTheLogWhenADuplicateCameBeforeTheWithdrawal) {
  api.When(Assigns(), {.twin = true,
                       .before = [&] { services.Fence(); },
                       .after =
                           [&] {
                             services.Unfence();
                             services.DeliverLate();
                           }});
  EXPECT_EQ(Append(1, 1), "appended 1");
  EXPECT_THAT(services.Index(), ElementsAre("1 = WAL 1 wal/w1-1 w1-1"));
}

TEST_F(WriterNodeTest, GivesUpWhenTheObjectCannotBeWritten) {
  api.When(OnObject(ObjectOperation::kPutObject), {.outcome = Outcome::kRefused});
  EXPECT_EQ(Append(1, 1), "write failed 0");
  EXPECT_THAT(services.Index(), IsEmpty());
  EXPECT_THAT(Tokens(), IsEmpty());
}

TEST_F(WriterNodeTest, WritesAnObjectInDoubtAgain) {
  for (const Outcome outcome : {Outcome::kReplyLost, Outcome::kLost, Outcome::kLate}) {
    api.When(OnObject(ObjectOperation::kPutObject), {.outcome = outcome});
  }
  EXPECT_EQ(Append(1, 2), "appended 2");
  EXPECT_EQ(services.ObjectAt("wal/w1-1"), "1.1\n1.2");
  EXPECT_EQ(api.backoffs(), 3U);
  services.DeliverLate();
  EXPECT_EQ(services.ObjectAt("wal/w1-1"), "1.1\n1.2");
}

TEST_F(WriterNodeTest, AnObjectInDoubtMayFailOnTheSecondTry) {
  api.When(OnObject(ObjectOperation::kPutObject), {.outcome = Outcome::kReplyLost});
  api.When(OnObject(ObjectOperation::kPutObject), {.outcome = Outcome::kRefused});
  EXPECT_EQ(Append(1, 1), "write failed 0");
  EXPECT_THAT(services.Index(), IsEmpty());
}

// ---- The bound
// -----------------------------------------------------------------------------------

class BoundedWriterTest : public WriterNodeTest {
 protected:
  std::string AppendBelow(Offset max_offset, std::int64_t count) {
    WriterNode bounded(api, max_offset);
    const AppendResult result = bounded.Append(1, count);
    EXPECT_EQ(api.turns_left(), 0U) << "a turn that no call took";
    return std::string(AppendStatusName(result.status)) + " " + std::to_string(result.end);
  }
};

TEST_F(BoundedWriterTest, TheBoundItselfIsAssigned) { EXPECT_EQ(AppendBelow(2, 2), "appended 2"); }

TEST_F(BoundedWriterTest, NothingIsAssignedAboveTheBound) {
  EXPECT_EQ(AppendBelow(2, 3), "exhausted 0");
  EXPECT_THAT(services.Index(), IsEmpty());
  EXPECT_THAT(Tokens(), IsEmpty());
}

TEST_F(BoundedWriterTest, AFencedLogWithoutRoomIsFenced) {
  api.When(OnObject(ObjectOperation::kPutObject), {.after = [&] { services.Fence(); }});
  EXPECT_EQ(AppendBelow(2, 3), "fenced 0");
}

TEST_F(BoundedWriterTest, AnotherMayTakeTheLastRoom) {
  api.When(Assigns(), {.before = [&] { services.Append("w2-1", 90, 1); }});
  EXPECT_EQ(AppendBelow(2, 2), "exhausted 0");
  EXPECT_THAT(services.Index(), ElementsAre("1 = WAL 1 wal/w2-1 w2-1"));
}

// A duplicate took the last room while the store turned the original away: no room is left because
// the append itself is in the log.
TEST_F(BoundedWriterTest, ARoomTakenByItsOwnDuplicateIsFound) {
  api.When(Assigns(),
           {.outcome = Outcome::kRefused, .twin = true, .after = [&] { services.DeliverLate(); }});
  EXPECT_EQ(AppendBelow(2, 2), "appended 2");
  EXPECT_THAT(services.Index(), ElementsAre("2 = WAL 2 wal/w1-1 w1-1"));
}

TEST_F(BoundedWriterTest, AfterATryTheExhaustedAppendIsWithdrawn) {
  api.When(Assigns(), {.outcome = Outcome::kRefused, .twin = true, .after = [&] {
                         services.Append("w2-1", 90, 2);
                       }});
  EXPECT_EQ(AppendBelow(2, 2), "exhausted 0");
  services.DeliverLate();
  EXPECT_THAT(services.Index(), ElementsAre("2 = WAL 2 wal/w2-1 w2-1"));
}

// ---- In doubt
// ------------------------------------------------------------------------------------

TEST_F(WriterNodeTest, AnAssignmentWithoutReplyIsFoundInTheLog) {
  api.When(Assigns(), {.outcome = Outcome::kReplyLost});
  EXPECT_EQ(Append(1, 2), "appended 2");
  EXPECT_THAT(services.Index(), ElementsAre("2 = WAL 2 wal/w1-1 w1-1"));
  EXPECT_THAT(Tokens(), ElementsAre("w1-1 = 2"));
}

TEST_F(WriterNodeTest, ALostAssignmentIsWithdrawn) {
  api.When(Assigns(), {.outcome = Outcome::kLost});
  EXPECT_EQ(Append(1, 2), "aborted 0");
  EXPECT_THAT(services.Index(), IsEmpty());
  EXPECT_THAT(Tokens(), ElementsAre("w1-1 = aborted"));
}

TEST_F(WriterNodeTest, ALateAssignmentIsWithdrawnForGood) {
  api.When(Assigns(), {.outcome = Outcome::kLate});
  EXPECT_EQ(Append(1, 2), "aborted 0");
  services.DeliverLate();
  EXPECT_THAT(services.Index(), IsEmpty());
  EXPECT_EQ(services.ValueAt(kCounterKey), "1");
}

TEST_F(WriterNodeTest, ALateAssignmentStaysOutAlsoWhenItsWithdrawalIsForgotten) {
  api.When(Assigns(), {.outcome = Outcome::kLate});
  EXPECT_EQ(Append(1, 2), "aborted 0");
  EXPECT_EQ(Append(2, 1), "appended 1");
  EXPECT_THAT(Tokens(), ElementsAre("w1-2 = 1"));
  services.DeliverLate();
  EXPECT_THAT(services.Index(), ElementsAre("1 = WAL 1 wal/w1-2 w1-2"));
}

TEST_F(WriterNodeTest, ALateAssignmentMayStillComeBeforeItsWithdrawal) {
  api.When(Assigns(), {.outcome = Outcome::kLate});
  api.When(Withdraws(), {.before = [&] { services.DeliverLate(); }});
  EXPECT_EQ(Append(1, 2), "appended 2");
  EXPECT_THAT(services.Index(), ElementsAre("2 = WAL 2 wal/w1-1 w1-1"));
}

TEST_F(WriterNodeTest, AWithdrawalWithoutReplyIsOnesOwn) {
  api.When(Assigns(), {.outcome = Outcome::kLost});
  api.When(Withdraws(), {.outcome = Outcome::kReplyLost});
  EXPECT_EQ(Append(1, 2), "aborted 0");
  EXPECT_THAT(Tokens(), ElementsAre("w1-1 = aborted"));
}

TEST_F(WriterNodeTest, AWithdrawalAfterAFenceWithoutReplyStillSaysFenced) {
  api.When(Assigns(), {.before = [&] { services.Fence(); }});
  api.When(Withdraws(), {.outcome = Outcome::kReplyLost});
  EXPECT_EQ(Append(1, 2), "fenced 0");
}

TEST_F(WriterNodeTest, AWithdrawalIsSentUntilItIsAnswered) {
  api.When(Assigns(), {.outcome = Outcome::kLost});
  for (const Outcome outcome : {Outcome::kLost, Outcome::kRefused, Outcome::kLate}) {
    api.When(Withdraws(), {.outcome = outcome});
  }
  EXPECT_EQ(Append(1, 2), "aborted 0");
  EXPECT_EQ(api.backoffs(), 3U);
}

TEST_F(WriterNodeTest, TheTokenIsReadUntilItIsAnswered) {
  api.When(Assigns(), {.outcome = Outcome::kReplyLost});
  api.When(Reads(kAppendPrefix), {.outcome = Outcome::kLost});
  api.When(Reads(kAppendPrefix), {.outcome = Outcome::kRefused});
  EXPECT_EQ(Append(1, 2), "appended 2");
}

TEST_F(WriterNodeTest, TheAnswerOfADuplicateIsSeenThrough) {
  // The duplicate was served first, and the answer that arrives is the second one's refusal.
  api.When(Assigns(), {.before = [&] {
             api.When(Withdraws(), {.before = [&] { EXPECT_EQ(services.Index().size(), 1U); }});
             services.Apply(sim::Txn({}, {sim::Put(std::string(kCounterKey), "3"),
                                          sim::Put(IndexKey(2), "WAL 2 wal/w1-1 w1-1"),
                                          sim::Put(AppendKey("w1-1"), "2")}));
           }});
  EXPECT_EQ(Append(1, 2), "appended 2");
}

TEST_F(WriterNodeTest, AnUnavailableStoreIsAskedAgain) {
  api.AtCall(1, {.outcome = Outcome::kRefused});
  api.AtCall(2, {.outcome = Outcome::kLost});
  api.When(Assigns(), {.outcome = Outcome::kRefused});
  api.When(Assigns(), {.outcome = Outcome::kRefused});
  EXPECT_EQ(Append(1, 1), "appended 1");
  EXPECT_EQ(api.backoffs(), 4U);
}

TEST_F(WriterNodeTest, AnUnavailableStoreMayHaveTakenADuplicate) {
  api.When(Assigns(),
           {.outcome = Outcome::kRefused, .twin = true, .after = [&] { services.DeliverLate(); }});
  EXPECT_EQ(Append(1, 2), "appended 2");
  EXPECT_THAT(services.Index(), ElementsAre("2 = WAL 2 wal/w1-1 w1-1"));
}

TEST_F(WriterNodeTest, EveryIncarnationHasTokensOfItsOwn) {
  EXPECT_EQ(Append(1, 1), "appended 1");
  ScriptedNodeApi successor(services, "w1'2");
  EXPECT_EQ(WriterNode(successor, kUnboundedOffset).Append(2, 1).end, 2);
  EXPECT_THAT(services.Index(),
              ElementsAre("1 = WAL 1 wal/w1-1 w1-1", "2 = WAL 1 wal/w1'2-1 w1'2-1"));
}

TEST(AppendStatus, HasNames) {
  EXPECT_EQ(AppendStatusName(AppendStatus::kAppended), "appended");
  EXPECT_EQ(AppendStatusName(AppendStatus::kFenced), "fenced");
  EXPECT_EQ(AppendStatusName(AppendStatus::kWriteFailed), "write failed");
  EXPECT_EQ(AppendStatusName(AppendStatus::kExhausted), "exhausted");
  EXPECT_EQ(AppendStatusName(AppendStatus::kAborted), "aborted");
}

// ---- Any script
// ----------------------------------------------------------------------------------

/// A writer of a few appends, with turns drawn for its calls.
class RandomScript {
 public:
  explicit RandomScript(std::uint64_t seed) : rng_(seed) {
    for (std::size_t call = 1; call <= kScriptedCalls; ++call) {
      if (rng_.Below(3) == 0) api_.AtCall(call, DrawTurn());
    }
  }

  void Go() {
    WriterNode writer(api_, 2 + rng_.Below(8));
    for (OperationId operation = 1; operation <= kAppends; ++operation) {
      const auto count = static_cast<std::int64_t>(1 + rng_.Below(2));
      const AppendResult result = writer.Append(operation, count);
      answers_.push_back({result, count});
      Somebody();
    }
    services_.DeliverLate();
    for (std::size_t i = 0; i < answers_.size(); ++i) Check(i);
  }

 private:
  struct Answer {
    AppendResult result;
    std::int64_t count = 0;
  };
  static constexpr std::size_t kScriptedCalls = 24;
  static constexpr OperationId kAppends = 4;

  Turn DrawTurn() {
    Turn turn;
    turn.outcome = kOutcomes[rng_.Below(static_cast<std::uint32_t>(std::size(kOutcomes)))];
    turn.twin = rng_.Below(3) == 0;
    if (rng_.Below(2) == 0) turn.before = [this] { Somebody(); };
    if (rng_.Below(2) == 0) turn.after = [this] { Somebody(); };
    return turn;
  }
  void Somebody() {
    switch (rng_.Below(4)) {
      case 0:
        services_.Fence();
        return;
      case 1:
        services_.Unfence();
        return;
      case 2:
        services_.DeliverLate();
        return;
      default:
        if (rng_.Below(3) == 0) services_.Append("w2-" + std::to_string(++others_), 90, 1);
    }
  }
  /// The answer is true: one entry if appended, at that offset and with its bytes; else none.
  void Check(std::size_t i) const {
    const std::string token = "w1-" + std::to_string(i + 1);
    std::vector<Offset> found;
    for (auto at = services_.store.Ceiling(kIndexPrefix); at != services_.store.records().end();
         ++at) {
      const auto value = DecodeIndexValue(at->second.value);
      if (value && value->token == token) found.push_back(*OffsetOfIndexKey(at->first));
    }
    const Answer& answer = answers_[i];
    if (answer.result.status != AppendStatus::kAppended) {
      EXPECT_THAT(found, IsEmpty()) << token << " " << AppendStatusName(answer.result.status);
      return;
    }
    EXPECT_THAT(found, ElementsAre(answer.result.end)) << token;
    const std::string bytes = services_.ObjectAt("wal/" + token);
    EXPECT_EQ(RecordAt(bytes, answer.count), RecordBytes(i + 1, answer.count));
    EXPECT_FALSE(RecordAt(bytes, answer.count + 1).has_value());
  }

  sim::Rng rng_;
  Services services_;
  ScriptedNodeApi api_{services_, "w1"};
  std::vector<Answer> answers_;
  int others_ = 0;
};

TEST(WriterNodeScripts, EveryAnswerIsDefiniteAndTrue) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(seed);
    RandomScript(seed).Go();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
