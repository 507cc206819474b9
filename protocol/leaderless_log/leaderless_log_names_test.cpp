#include <gtest/gtest.h>

#include <set>
#include <string>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using Kind = ActionKind;

TEST(LogNames, RejectAnUnknownAction) {
  EXPECT_EQ(ActionKindFromName("AssignOffsets"), std::nullopt);
  EXPECT_EQ(ActionKindFromName("assignOffset"), std::nullopt);
  EXPECT_EQ(ActionKindFromName(""), std::nullopt);
}

TEST(LogNames, OfActionsAreDistinctAndLeadBack) {
  std::set<std::string_view> names;
  for (std::size_t k = 0; k < kActionKinds; ++k) {
    const auto kind = static_cast<ActionKind>(k);
    EXPECT_EQ(ActionKindFromName(Name(kind)), kind);
    names.insert(Name(kind));
  }
  EXPECT_EQ(names.size(), kActionKinds);
  EXPECT_EQ(Name(Kind::WALWriteFail), "WALWriteFail");
  EXPECT_EQ(Name(Kind::CompactResume), "CompactResume") << "the last kind";
}

TEST(LogNames, OfValuesAreTheModules) {
  EXPECT_EQ(Name(EntryType::COMPACTED), "COMPACTED");
  EXPECT_EQ(Name(LogState::FENCED), "FENCED");
  EXPECT_EQ(Name(WriterState::ASSIGNING_OFFSET), "ASSIGNING_OFFSET");
  EXPECT_EQ(Name(WriterState::FAILED), "FAILED");
  EXPECT_EQ(Name(CompactorState::WRITING_COMPACTED_INDEX), "WRITING_COMPACTED_INDEX");
  EXPECT_EQ(Name(CompactorState::DONE), "DONE");
  EXPECT_EQ(Name(ReaderResult::ERROR), "ERROR");
}

TEST(LogNames, OfAnActionWithItsParameters) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  EXPECT_EQ(machine.ToString({Kind::StartAppend, 0, 2}), "StartAppend(w1) count=2");
  EXPECT_EQ(machine.ToString({Kind::AssignOffset, 1, 0}), "AssignOffset(w2)");
  EXPECT_EQ(machine.ToString({Kind::ReadEntry, 1, 4}), "ReadEntry(w2, 4)");
  EXPECT_EQ(machine.ToString({Kind::CompactReset, 0, 0}), "CompactReset");
  EXPECT_EQ(machine.ToString({Kind::AssignOffset, 9, 0}), "AssignOffset(#9)");

  EXPECT_EQ(machine.Parameters({Kind::StartAppend, 0, 2}).ToJson(), R"({"w":"w1","count":2})");
  EXPECT_EQ(machine.Parameters({Kind::AssignOffset, 1, 0}).ToJson(), R"({"w":"w2"})");
  EXPECT_EQ(machine.Parameters({Kind::ReadEntry, 1, 4}).ToJson(), R"({"w":"w2","off":4})");
  EXPECT_EQ(machine.Parameters({Kind::CompactReset, 0, 0}).ToJson(), "{}");
}

TEST(LogNames, OfTheInitialState) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  EXPECT_EQ(machine.ToValue(machine.Init(), 2).ToJson(),
            R"({"logIndex":[{"type":"EMPTY","msgCount":0},{"type":"EMPTY","msgCount":0}],)"
            R"("sequenceCounter":1,"logState":"OPEN","compactionCursor":1,)"
            R"("writerState":{"w1":"IDLE","w2":"IDLE"},"writerOffset":{"w1":0,"w2":0},)"
            R"("writerBatchSize":{"w1":0,"w2":0},"compactorState":"IDLE",)"
            R"("readerResult":{"w1":"NONE","w2":"NONE"},"compactRound":1})");
}

TEST(LogNames, OfAWriterThatJoinedLater) {
  Constants constants = SmallConstants();
  const Machine machine(constants);
  const State state = machine.Init();
  constants.writers.emplace_back("w1+2");
  EXPECT_EQ(machine.ToValue(state, 1).Find("writerState")->ToJson(),
            R"({"w1":"IDLE","w2":"IDLE","w1+2":"IDLE"})");
}

TEST(LogNames, OfWhatChangedAreInTheModulesOrder) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  State state = machine.Init();
  Changes changes;
  const auto taken = [&](const Action& action) {
    machine.Apply(state, action, changes);
    return machine.ChangedToValue(state, changes).ToJson();
  };
  EXPECT_EQ(taken({Kind::StartAppend, 1, 2}),
            R"({"writerState":{"w2":"WRITING_WAL"},"writerBatchSize":{"w2":2}})");
  EXPECT_EQ(taken({Kind::WALWriteSuccess, 1, 0}), R"({"writerState":{"w2":"ASSIGNING_OFFSET"}})");
  EXPECT_EQ(taken({Kind::AssignOffset, 1, 0}),
            R"({"logIndex":{"2":{"type":"WAL","msgCount":2}},"sequenceCounter":3,)"
            R"("writerState":{"w2":"DONE"},"writerOffset":{"w2":2}})");
  EXPECT_EQ(taken({Kind::ReadEntry, 0, 1}), R"({"readerResult":{"w1":"OK"}})");
  EXPECT_EQ(taken({Kind::ReadEntry, 0, 2}), "{}") << "the same result again";
  EXPECT_EQ(taken({Kind::FenceLog, 0, 0}), R"({"logState":"FENCED"})");
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
