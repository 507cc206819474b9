// What the store's records show, whatever action explains it or does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_refinement.h"
#include "protocol/leaderless_log/refinement_fixture.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

class LogObservation : public RefinementFixture {
 protected:
  /// A request of nobody in particular. Returns the actions.
  Actions Do(const sim::Operation& operation) { return Apply({}, sim::Single(operation)); }
  Actions Write(std::string_view key, const std::string& value) { return Do(Set(key, value)); }
  static sim::Operation Wal(Offset end, const std::string& object = "wal/x") {
    return sim::Put(IndexKey(end), EncodeIndexValue({{EntryType::WAL, 2}, object, "t"}));
  }
  [[nodiscard]] const ObservedChanges& Seen() const { return refinement.observed_changes(); }
  [[nodiscard]] std::vector<std::pair<std::string, Offset>> References() const {
    return {refinement.references().begin(), refinement.references().end()};
  }
};

// ---- Malformed
// -----------------------------------------------------------------------------------

struct Malformed {
  const char* key;
  const char* value;
  friend std::ostream& operator<<(std::ostream& out, const Malformed& record) {
    return out << record.key << " = " << record.value;
  }
};

class MalformedRecord : public LogObservation, public testing::WithParamInterface<Malformed> {};

TEST_P(MalformedRecord, IsNamedAndChangesNothing) {
  EXPECT_THAT(Write(GetParam().key, GetParam().value), IsEmpty());
  EXPECT_THAT(Seen().malformed_key, Optional(std::string(GetParam().key)));
  EXPECT_TRUE(Seen().index.empty());
  EXPECT_FALSE(Seen().counter || Seen().cursor || Seen().log_state || Seen().round);
  EXPECT_EQ(refinement.observed().index, LogIndex{});
  EXPECT_EQ(refinement.observed().counter, 1);
  EXPECT_EQ(refinement.observed().cursor, 1);
  EXPECT_EQ(refinement.observed().plan_phase, PlanPhase::kIdle);
}

INSTANTIATE_TEST_SUITE_P(
    Values, MalformedRecord,
    testing::Values(Malformed{"log/state", "CLOSED"}, Malformed{"log/state", "1"},
                    Malformed{"log/counter", "01"}, Malformed{"log/counter", ""},
                    Malformed{"log/counter", "-1"}, Malformed{"log/counter", "OPEN"},
                    Malformed{"log/counter", "9223372036854775807"}, Malformed{"log/cursor", "x"},
                    Malformed{"log/plan", ""}, Malformed{"log/plan", "1 writing 3 1 c1"},
                    Malformed{"log/plan", "7"}, Malformed{"log/index/00000000000000000001", ""},
                    Malformed{"log/index/00000000000000000001", "EMPTY 0 x y"},
                    Malformed{"log/index/00000000000000000001", "WAL 0 x y"}));
INSTANTIATE_TEST_SUITE_P(Keys, MalformedRecord,
                         testing::Values(Malformed{"log/", "1"}, Malformed{"log/what", "1"},
                                         Malformed{"log/index/1", "WAL 1 x y"},
                                         Malformed{"log/index/00000000000000000000", "WAL 1 x y"},
                                         Malformed{"log/index/00000000000009999999", "WAL 1 x y"},
                                         Malformed{"log/index/02305843009213693951", "WAL 1 x y"}));

TEST_F(LogObservation, ARecordThatMustBeThereIsMissedWhenDeleted) {
  Write(kPlanKey, "1 idle 0 0 -");
  for (const std::string_view key : {kStateKey, kCounterKey, kCursorKey, kPlanKey}) {
    Do(sim::Delete(std::string(key)));
    EXPECT_THAT(Seen().malformed_key, Optional(std::string(key)));
  }
}

TEST_F(LogObservation, WhatIsMalformedIsForgottenWithTheEvent) {
  Write(kCounterKey, "x");
  Write(kCounterKey, "2");
  EXPECT_EQ(Seen().malformed_key, std::nullopt);
}

TEST_F(LogObservation, OtherRecordsAreNotTheLogs) {
  for (const std::string key : {"log", "log2/counter", "lof/counter", "nodes/w1"}) {
    EXPECT_THAT(Write(key, "x"), IsEmpty());
    EXPECT_TRUE(Seen().empty()) << key;
  }
}

// ---- Variables
// -----------------------------------------------------------------------------------

TEST_F(LogObservation, AChangeIsKnownByTheValueBefore) {
  Write(kStateKey, "FENCED");
  EXPECT_EQ(Seen().log_state, LogState::OPEN);
  EXPECT_EQ(refinement.observed().log_state, LogState::FENCED);
  Write(kCounterKey, "7");
  EXPECT_EQ(Seen().log_state, std::nullopt);
  EXPECT_EQ(Seen().counter, 1);
  EXPECT_EQ(refinement.observed().counter, 7);
  Write(kCursorKey, "4");
  EXPECT_EQ(Seen().counter, std::nullopt);
  EXPECT_EQ(Seen().cursor, 1);
  EXPECT_EQ(refinement.observed().cursor, 4);
  Write(kPlanKey, "2 idle 0 0 -");
  EXPECT_EQ(Seen().round, 1);
  EXPECT_EQ(refinement.observed().round, 2);
}

TEST_F(LogObservation, TheSameValueAgainIsNoChange) {
  for (const auto& [key, value] :
       std::vector<std::pair<std::string_view, std::string>>{{kCounterKey, "1"},
                                                             {kCursorKey, "1"},
                                                             {kStateKey, "OPEN"},
                                                             {kPlanKey, "1 idle 0 0 -"}}) {
    EXPECT_THAT(Write(key, value), IsEmpty());
    EXPECT_TRUE(Seen().empty()) << key;
  }
}

TEST_F(LogObservation, TheValueBeforeIsThatBeforeTheEvent) {
  Apply({}, sim::Txn({}, {Set(kCounterKey, "5"), Set(kCounterKey, "6")}));
  EXPECT_EQ(Seen().counter, 1);
  EXPECT_EQ(refinement.observed().counter, 6);
}

TEST_F(LogObservation, AChangeThatIsTakenBackIsNone) {
  EXPECT_THAT(Apply({}, sim::Txn({}, {Set(kCounterKey, "5"), Set(kCounterKey, "1"),
                                      Set(kStateKey, "FENCED"), Set(kStateKey, "OPEN")})),
              IsEmpty());
  EXPECT_TRUE(Seen().empty());
}

TEST_F(LogObservation, ThePlanIsNoVariableButItsRoundIs) {
  Write(kPlanKey, "1 writing 1 3 c1");
  EXPECT_TRUE(Seen().empty());
  EXPECT_EQ(refinement.observed().plan_phase, PlanPhase::kWriting);
}

TEST_F(LogObservation, TokensAreNoVariables) {
  Write(AppendKey("w1-1"), "aborted");
  EXPECT_TRUE(Seen().empty());
  Do(sim::Delete(AppendKey("w1-1")));
  EXPECT_TRUE(Seen().empty());
}

// ---- Left without an action
// ----------------------------------------------------------------------

TEST_F(LogObservation, ACounterAloneIsNoAction) {
  WriteObject(kW1, 2);
  EXPECT_THAT(Apply(By(kW1), sim::Single(Set(kCounterKey, "3"))), IsEmpty());
  EXPECT_EQ(Seen().counter, 1);
}

TEST_F(LogObservation, ARoundThatNobodyHeldIsNoAction) {
  EXPECT_THAT(Write(kPlanKey, "2 idle 0 0 -"), IsEmpty());
  EXPECT_EQ(Seen().round, 1);
}

TEST_F(LogObservation, WhatASessionTookWithItIsNoAction) {
  std::vector<sim::Mutation> gone(2);
  gone[0].key = IndexKey(2);
  gone[0].before = sim::Record{"WAL 2 wal/x t", 9, 1};
  gone[1].key = std::string(kCounterKey);
  Do(Wal(2));
  refinement.On({.kind = sim::WorldEventKind::kSessionEnd, .mutations = &gone, .session = 1});
  EXPECT_TRUE(refinement.emissions().empty());
  EXPECT_EQ(refinement.observed().index.At(2), Entry{});
  ASSERT_EQ(Seen().index.size(), 1U);
  EXPECT_THAT(Seen().malformed_key, Optional(std::string(kCounterKey)));
}

// ---- The index and the objects
// -------------------------------------------------------------------

TEST_F(LogObservation, EntriesAreCreatedRewrittenAndDeleted) {
  Do(Wal(2));
  ASSERT_EQ(Seen().index.size(), 1U);
  EXPECT_EQ(Seen().index[0].offset, 2);
  EXPECT_EQ(Seen().index[0].before, Entry{});
  EXPECT_EQ(refinement.observed().index.At(2), (Entry{EntryType::WAL, 2}));
  Do(Wal(2, "wal/y"));
  ASSERT_EQ(Seen().index.size(), 1U) << "its object is another";
  EXPECT_EQ(Seen().index[0].before, (Entry{EntryType::WAL, 2}));
  Do(sim::Delete(IndexKey(2)));
  ASSERT_EQ(Seen().index.size(), 1U);
  EXPECT_EQ(refinement.observed().index.At(2), Entry{});
}

TEST_F(LogObservation, ReferencesFollowTheIndex) {
  Do(Wal(2, "wal/x"));
  Do(Wal(4, "wal/x"));
  Do(Wal(6, "wal/y"));
  EXPECT_THAT(References(),
              ElementsAre(std::pair("wal/x", 2), std::pair("wal/x", 4), std::pair("wal/y", 6)));
  Do(Wal(4, "wal/y"));
  EXPECT_THAT(References(),
              ElementsAre(std::pair("wal/x", 2), std::pair("wal/y", 6), std::pair("wal/y", 4)));
  Do(sim::RangeDelete(IndexKey(1), IndexKey(5)));
  EXPECT_THAT(References(), ElementsAre(std::pair("wal/y", 6)));
}

TEST_F(LogObservation, ObjectsAreNamedWhenTheyChange) {
  ApplyObject({}, PutObject("wal/x"));
  EXPECT_THAT(Seen().objects_written, ElementsAre("wal/x"));
  ApplyObject({}, {sim::ObjectOperation::kDeleteObject, "wal/x", {}});
  EXPECT_THAT(Seen().objects_written, IsEmpty());
  EXPECT_THAT(Seen().objects_deleted, ElementsAre("wal/x"));
  ApplyObject({}, {sim::ObjectOperation::kGetObject, "wal/x", {}});
  EXPECT_TRUE(Seen().empty());
  ApplyObject({}, PutObject("wal/x"), sim::ObjectStatus::kFailed);
  EXPECT_TRUE(Seen().empty());
}

TEST_F(LogObservation, WhatWasRefusedShowsNothing) {
  Apply({}, sim::Txn({sim::Exists("log/what")}, {Set(kCounterKey, "7")}));
  EXPECT_TRUE(Seen().empty());
  EXPECT_EQ(refinement.observed().counter, 1);
}

TEST_F(LogObservation, EventsWithoutARequestShowNothing) {
  Write(kCounterKey, "7");
  for (int kind = 0; kind <= static_cast<int>(sim::WorldEventKind::kHeal); ++kind) {
    const auto event = static_cast<sim::WorldEventKind>(kind);
    if (event == sim::WorldEventKind::kApply || event == sim::WorldEventKind::kSessionEnd) continue;
    EXPECT_THAT(Happens(event, kW1), IsEmpty());
    EXPECT_TRUE(Seen().empty()) << sim::WorldEventName(event);
  }
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
