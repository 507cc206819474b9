// The machine's effects, and that it is the module's: TLC's figures, and a fast guard that agrees
// with the explained one and with the module's quantifiers written out.
//
// Refusals, conjunct by conjunct, are in leaderless_log_refusal_test.cpp.
#include "protocol/leaderless_log/leaderless_log_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "sim/random/rng.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using Kind = ActionKind;
using sim::Rng;
using sim::Value;

constexpr Entry Wal(std::int64_t count) { return {EntryType::WAL, count}; }
constexpr Entry Compacted(std::int64_t count) { return {EntryType::COMPACTED, count}; }

/// The variables, and points of functions, in which two states differ: what ChangedToValue must
/// say.
std::string Difference(const Machine& machine, const State& before, const State& after) {
  const Offset high = std::max(before.log_index.high(), after.log_index.high());
  const Value old_value = machine.ToValue(before, high);
  const Value new_value = machine.ToValue(after, high);
  std::vector<std::pair<std::string, Value>> fields;
  for (const auto& [name, value] : new_value.AsFields()) {
    const Value& old = *old_value.Find(name);
    if (value == old) continue;
    std::vector<std::pair<std::string, Value>> points;
    if (value.kind() == Value::Kind::kSeq) {
      for (std::size_t i = 0; i < value.AsItems().size(); ++i) {
        if (value.AsItems()[i] == old.AsItems()[i]) continue;
        points.emplace_back(std::to_string(i + 1), value.AsItems()[i]);
      }
    } else if (value.kind() == Value::Kind::kRecord) {
      for (const auto& [key, point] : value.AsFields()) {
        if (!(point == *old.Find(key))) points.emplace_back(key, point);
      }
    }
    fields.emplace_back(name, points.empty() ? value : Value::RecordOf(std::move(points)));
  }
  return Value::RecordOf(std::move(fields)).ToJson();
}

class LogEffect : public testing::Test {
 protected:
  /// Takes the action and returns what changed. Undo must lead back, whatever it was.
  std::string Take(const Action& action) {
    const State before = state;
    EXPECT_TRUE(machine.Enabled(state, action)) << machine.ToString(action);
    machine.Apply(state, action, changes);
    const std::string changed = machine.ChangedToValue(state, changes).ToJson();
    EXPECT_EQ(changed, Difference(machine, before, state)) << machine.ToString(action);
    State undone = state;
    Machine::Undo(undone, changes);
    undone.writers.resize(before.writers.size());  // Room made for a late writer stays.
    EXPECT_TRUE(undone == before) << machine.ToString(action);
    return changed;
  }
  void Append(WriterIndex writer, std::int64_t count) {
    for (const Action& action :
         {Action{Kind::StartAppend, writer, count}, Action{Kind::WALWriteSuccess, writer, 0},
          Action{Kind::AssignOffset, writer, 0}, Action{Kind::AppendComplete, writer, 0}}) {
      Take(action);
    }
  }

  Constants constants = SmallConstants();
  Machine machine{constants};
  State state = machine.Init();
  Changes changes;
};

TEST_F(LogEffect, OfAnAppend) {
  EXPECT_EQ(Take({Kind::StartAppend, 0, 2}),
            R"({"writerState":{"w1":"WRITING_WAL"},"writerBatchSize":{"w1":2}})");
  EXPECT_EQ(Take({Kind::WALWriteSuccess, 0, 0}), R"({"writerState":{"w1":"ASSIGNING_OFFSET"}})");
  EXPECT_EQ(Take({Kind::AssignOffset, 0, 0}),
            R"({"logIndex":{"2":{"type":"WAL","msgCount":2}},"sequenceCounter":3,)"
            R"("writerState":{"w1":"DONE"},"writerOffset":{"w1":2}})");
  EXPECT_EQ(Take({Kind::AppendComplete, 0, 0}),
            R"({"writerState":{"w1":"IDLE"},"writerOffset":{"w1":0},"writerBatchSize":{"w1":0}})");
}

TEST_F(LogEffect, OfAnAppendThatFails) {
  Take({Kind::StartAppend, 0, 1});
  EXPECT_EQ(Take({Kind::WALWriteFail, 0, 0}), R"({"writerState":{"w1":"FAILED"}})");
  EXPECT_EQ(Take({Kind::AppendComplete, 0, 0}),
            R"({"writerState":{"w1":"IDLE"},"writerBatchSize":{"w1":0}})");
}

TEST_F(LogEffect, OfAnAppendThatFindsTheFence) {
  Take({Kind::StartAppend, 0, 1});
  Take({Kind::WALWriteSuccess, 0, 0});
  EXPECT_EQ(Take({Kind::FenceLog, 0, 0}), R"({"logState":"FENCED"})");
  EXPECT_EQ(Take({Kind::AssignOffsetFenced, 0, 0}), R"({"writerState":{"w1":"FAILED"}})");
  EXPECT_EQ(Take({Kind::UnfenceLog, 0, 0}), R"({"logState":"OPEN"})");
}

TEST_F(LogEffect, OfAnAppendThatNoLongerFits) {
  Append(0, 2);
  Append(0, 2);
  Take({Kind::StartAppend, 1, 2});
  Take({Kind::WALWriteSuccess, 1, 0});
  EXPECT_EQ(Take({Kind::AssignOffsetExhausted, 1, 0}), R"({"writerState":{"w2":"FAILED"}})");
  EXPECT_EQ(state.sequence_counter, 5);
}

TEST_F(LogEffect, OfACompaction) {
  Append(0, 1);
  Append(0, 2);
  Append(0, 2);
  EXPECT_EQ(Take({Kind::CompactStart, 0, 0}), R"({"compactorState":"WRITING_COMPACTED_INDEX"})");
  EXPECT_EQ(Take({Kind::CompactWriteCompactedIndex, 0, 0}),
            R"({"logIndex":{"3":{"type":"COMPACTED","msgCount":3}},)"
            R"("compactorState":"DELETING_OLD"})");
  EXPECT_EQ(Take({Kind::CompactDeleteOldEntries, 0, 0}),
            R"({"logIndex":{"1":{"type":"EMPTY","msgCount":0}},)"
            R"("compactorState":"UPDATING_CURSOR"})");
  EXPECT_EQ(Take({Kind::CompactUpdateCursor, 0, 0}),
            R"({"compactionCursor":4,"compactorState":"DONE"})");
  EXPECT_EQ(Take({Kind::CompactReset, 0, 0}), R"({"compactorState":"IDLE","compactRound":2})");
  Take({Kind::CompactStart, 0, 0});
  EXPECT_EQ(Take({Kind::CompactWriteCompactedIndex, 0, 0}),
            R"({"logIndex":{"5":{"type":"COMPACTED","msgCount":2}},)"
            R"("compactorState":"DELETING_OLD"})");
  EXPECT_EQ(Take({Kind::CompactDeleteOldEntries, 0, 0}), R"({"compactorState":"UPDATING_CURSOR"})");
  Take({Kind::CompactUpdateCursor, 0, 0});
  EXPECT_EQ(state.compaction_cursor, 6);
  EXPECT_EQ(Take({Kind::CompactReset, 0, 0}), R"({"compactorState":"IDLE"})")
      << "round 2 is the last and stays";
}

TEST_F(LogEffect, OfACrashIsTheCompactorsStateAlone) {
  for (const CompactorState between :
       {CompactorState::WRITING_COMPACTED_INDEX, CompactorState::DELETING_OLD,
        CompactorState::UPDATING_CURSOR}) {
    state.compactor_state = between;
    EXPECT_EQ(Take({Kind::CompactorCrash, 0, 0}), R"({"compactorState":"IDLE"})");
  }
}

TEST_F(LogEffect, OfAReadIsWhatTheIndexCovers) {
  Append(0, 2);
  EXPECT_EQ(Take({Kind::ReadEntry, 1, 1}), R"({"readerResult":{"w2":"OK"}})");
  EXPECT_EQ(Take({Kind::ReadEntry, 1, 2}), "{}");
  state.log_index.Set(2, Wal(1));
  EXPECT_EQ(Take({Kind::ReadEntry, 1, 1}), R"({"readerResult":{"w2":"ERROR"}})");
  EXPECT_EQ(Take({Kind::ReadEntry, 0, 1}), R"({"readerResult":{"w1":"ERROR"}})");
}

TEST_F(LogEffect, OfAWriterThatJoinedLater) {
  constants.writers.emplace_back("w3");
  EXPECT_EQ(Take({Kind::StartAppend, 2, 1}),
            R"({"writerState":{"w3":"WRITING_WAL"},"writerBatchSize":{"w3":1}})");
  EXPECT_EQ(state.writers.size(), 3U);
}

// Covered looks past an entry that does not cover, as the module's quantifier does. The round [2,
// 2] can be compacted out of the middle of an entry that covers 1..3: the next entry at or above 1
// is then 2, which does not cover 1, and 3 does.
TEST(LogMachine, CoversBehindAnEntryThatDoesNot) {
  const Constants constants{{"w1"}, 5, {{2, 2}, {4, 5}}, 3, Dialect{}};
  const Machine machine(constants);
  State state = machine.Init();
  Changes changes;
  for (const Action& action : {Action{Kind::StartAppend, 0, 3}, Action{Kind::WALWriteSuccess, 0, 0},
                               Action{Kind::AssignOffset, 0, 0}, Action{Kind::CompactStart, 0, 0},
                               Action{Kind::CompactWriteCompactedIndex, 0, 0}}) {
    ASSERT_TRUE(machine.Enabled(state, action)) << machine.ToString(action);
    machine.Apply(state, action, changes);
  }
  EXPECT_EQ(state.log_index.NextNonEmpty(1), 2);
  EXPECT_TRUE(machine.Covered(state, 1));
  EXPECT_TRUE(machine.Covered(state, 2));
  EXPECT_TRUE(machine.Covered(state, 3));
  EXPECT_FALSE(machine.Covered(state, 4));
  EXPECT_FALSE(machine.Covered(state, 0));
}

// Entries 1..2 and 3..4, range [1, 3]: the entry that straddles the range's end does not block the
// round, and it even lets the round start again behind its own COMPACTED entry after a crash.
TEST_F(LogEffect, OfAStraddlingEntry) {
  Append(0, 2);
  Append(1, 2);
  Take({Kind::CompactStart, 0, 0});
  Take({Kind::CompactWriteCompactedIndex, 0, 0});
  Take({Kind::CompactorCrash, 0, 0});
  EXPECT_EQ(state.log_index.At(3), Compacted(3));
  Take({Kind::CompactStart, 0, 0});
  EXPECT_EQ(Take({Kind::CompactWriteCompactedIndex, 0, 0}), R"({"compactorState":"DELETING_OLD"})")
      << "the same entry again";
  Take({Kind::CompactDeleteOldEntries, 0, 0});
  Take({Kind::CompactorCrash, 0, 0});
  EXPECT_FALSE(machine.Enabled(state, {Kind::CompactStart, 0, 0})) << "nothing covers 1 as WAL";
}

// Without a straddling entry the round cannot start again once its COMPACTED entry is written.
TEST_F(LogEffect, OfACrashBehindTheCompactedEntryIsFinal) {
  Append(0, 1);
  Append(0, 2);
  Take({Kind::CompactStart, 0, 0});
  Take({Kind::CompactorCrash, 0, 0});
  Take({Kind::CompactStart, 0, 0});
  Take({Kind::CompactWriteCompactedIndex, 0, 0});
  Take({Kind::CompactorCrash, 0, 0});
  EXPECT_FALSE(machine.Enabled(state, {Kind::CompactStart, 0, 0}));
}

TEST(LogIndex, IsEqualWhateverItsLength) {
  LogIndex a;
  LogIndex b;
  EXPECT_EQ(a, b);
  a.Set(9, Wal(1));
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(b == a);
  a.Set(9, Entry{});
  EXPECT_EQ(a, b);
  EXPECT_EQ(b, a);
  b.Set(20, Entry{});
  EXPECT_EQ(b.high(), 0) << "nothing was there to clear";
  EXPECT_EQ(a.high(), 9);
}

TEST(LogIndex, FindsTheNextEntry) {
  LogIndex index;
  EXPECT_EQ(index.NextNonEmpty(1), 0);
  index.Set(4, Wal(2));
  index.Set(7, Compacted(3));
  EXPECT_EQ(index.NextNonEmpty(0), 4);
  EXPECT_EQ(index.NextNonEmpty(4), 4);
  EXPECT_EQ(index.NextNonEmpty(5), 7);
  EXPECT_EQ(index.NextNonEmpty(8), 0);
  EXPECT_EQ(index.longest(), 3);
}

TEST(LogAssumption, RejectsWhatTheModuleAssumesNot) {
  const auto broken = [](const auto& change) {
    Constants constants = SmallConstants();
    change(constants);
    return BrokenAssumption(constants).value_or("none");
  };
  EXPECT_EQ(broken([](Constants&) {}), "none");
  EXPECT_EQ(broken([](Constants& c) { c.writers[1] = "w1"; }),
            "Writers: a set, without duplicates");
  EXPECT_EQ(broken([](Constants& c) { c.max_offset = 0; }), "MaxOffset >= 1");
  EXPECT_EQ(broken([](Constants& c) { c.max_batch = 0; }), "MaxBatch >= 1");
  EXPECT_EQ(broken([](Constants& c) { c.ranges[0].start = 0; }), "CompactRangeStart >= 1");
  EXPECT_EQ(broken([](Constants& c) { c.ranges[0].end = 0; }),
            "CompactRangeEnd >= CompactRangeStart");
  EXPECT_EQ(broken([](Constants& c) { c.ranges[0].end = 5; }), "CompactRangeEnd < MaxOffset");
  EXPECT_EQ(broken([](Constants& c) { c.ranges[1].start = 3; }),
            "CompactRange2Start > CompactRangeEnd");
  EXPECT_EQ(broken([](Constants& c) { c.ranges[1].start = 6; }),
            "CompactRange2End >= CompactRange2Start");
  EXPECT_EQ(broken([](Constants& c) { c.ranges[1].end = 6; }), "CompactRange2End <= MaxOffset");
  EXPECT_EQ(broken([](Constants& c) { c.ranges.pop_back(); }),
            "CompactRangeStart..CompactRangeEnd, CompactRange2Start..CompactRange2End: two ranges");
  EXPECT_EQ(broken([](Constants& c) {
              c.ranges.clear();
              c.max_offset = kUnboundedOffset;
            }),
            "none");
}

// Agreement.

/// The module's Covered and CompactStart, quantifier by quantifier.
bool CoveredByDefinition(const State& state, Offset offset, bool wal_only) {
  for (Offset o = offset; o <= state.log_index.high(); ++o) {
    const Entry entry = state.log_index.At(o);
    const bool counts = wal_only ? entry.type == EntryType::WAL : entry.type != EntryType::EMPTY;
    if (counts && o - entry.msg_count + 1 <= offset) return true;
  }
  return false;
}

bool CompactStartByDefinition(const Machine& machine, const State& state) {
  const Range range = machine.CurrentRange(state);
  if (state.compactor_state != CompactorState::IDLE || range.start == 0) return false;
  for (Offset offset = range.start; offset <= range.end; ++offset) {
    if (!CoveredByDefinition(state, offset, true)) return false;
    const Entry entry = state.log_index.At(offset);
    if (entry.type != EntryType::EMPTY && offset - entry.msg_count + 1 < range.start) return false;
  }
  for (Offset o = range.end + 1; o <= state.log_index.high(); ++o) {
    if (!machine.constants().dialect.end_boundary_guard) break;
    const Entry entry = state.log_index.At(o);
    if (entry.type != EntryType::EMPTY && o - entry.msg_count + 1 <= range.end) return false;
  }
  return true;
}

/// Enabled, Refusal and EnabledActions agree on every action, also on ones outside the domains.
void ExpectAgreement(const Machine& machine, const State& state) {
  std::vector<Action> expected;
  const auto writers = static_cast<WriterIndex>(machine.constants().writers.size());
  for (std::size_t k = 0; k < kActionKinds; ++k) {
    const auto kind = static_cast<ActionKind>(k);
    const bool numbered = kind == Kind::StartAppend || kind == Kind::ReadEntry;
    for (WriterIndex writer = 0; writer <= (HasWriter(kind) ? writers : 0); ++writer) {
      for (std::int64_t number = numbered ? -1 : 0; number <= (numbered ? 8 : 0); ++number) {
        const Action action{kind, writer, number};
        const bool enabled = machine.Enabled(state, action);
        ASSERT_EQ(enabled, !machine.Refusal(state, action).has_value())
            << machine.ToString(action) << " in " << machine.ToValue(state, 8).ToJson();
        if (enabled) expected.push_back(action);
      }
    }
  }
  std::vector<Action> actions;
  machine.EnabledActions(state, actions);
  ASSERT_EQ(actions, expected) << machine.ToValue(state, 8).ToJson();
  ASSERT_EQ(machine.Enabled(state, {Kind::CompactStart, 0, 0}),
            CompactStartByDefinition(machine, state))
      << machine.ToValue(state, 8).ToJson();
  for (Offset offset = 1; offset <= 8; ++offset) {
    ASSERT_EQ(machine.Covered(state, offset), CoveredByDefinition(state, offset, false))
        << offset << " in " << machine.ToValue(state, 8).ToJson();
  }
}

/// All eight dialects; the base has constants in which entries can straddle a range.
Constants DialectConstants(std::uint32_t bits) {
  Constants constants{{"w1", "w2"}, 6, {{2, 3}, {4, 4}}, 3, Dialect{}};
  constants.dialect.end_boundary_guard = (bits & 1U) != 0;
  constants.dialect.compaction_resume = (bits & 2U) != 0;
  constants.dialect.rounds = (bits & 4U) != 0;
  if (constants.dialect.rounds) constants.ranges = {{1, 2}, {3, 3}, {5, 6}};
  return constants;
}

TEST(LogMachine, AgreesWithItselfOverRandomWalks) {
  for (std::uint32_t bits = 0; bits < 8; ++bits) {
    const Constants constants = DialectConstants(bits);
    const Machine machine(constants);
    Rng rng(bits + 1);
    Changes changes;
    std::vector<Action> actions;
    for (int walk = 0; walk < 20; ++walk) {
      State state = machine.Init();
      for (int step = 0; step < 60; ++step) {
        ASSERT_NO_FATAL_FAILURE(ExpectAgreement(machine, state));
        machine.EnabledActions(state, actions);
        const Action action = actions[rng.Below(static_cast<std::uint32_t>(actions.size()))];
        const State before = state;
        machine.Apply(state, action, changes);
        ASSERT_EQ(machine.ChangedToValue(state, changes).ToJson(),
                  Difference(machine, before, state));
        State undone = state;
        Machine::Undo(undone, changes);
        ASSERT_TRUE(undone == before) << machine.ToString(action);
      }
    }
  }
}

TEST(LogMachine, AgreesWithItselfOnStatesThatCannotBe) {
  for (std::uint32_t bits = 0; bits < 8; ++bits) {
    const Constants constants = DialectConstants(bits);
    const Machine machine(constants);
    Rng rng(bits + 100);
    for (int n = 0; n < 1500; ++n) {
      State state = machine.Init();
      for (Offset offset = 1; offset <= 8; ++offset) {
        if (rng.Below(3) == 0) continue;
        const auto type = static_cast<EntryType>(rng.Below(5) == 0 ? 2 : rng.Below(2));
        state.log_index.Set(offset, {type, 1 + rng.Below(3)});
      }
      state.sequence_counter = 1 + rng.Below(8);
      state.log_state = static_cast<LogState>(rng.Below(2));
      state.compaction_cursor = 1 + rng.Below(7);
      state.compactor_state = static_cast<CompactorState>(rng.Below(2) * rng.Below(5));
      state.compact_round = 1 + rng.Below(constants.dialect.rounds ? 4 : 2);
      for (Writer& writer : state.writers) {
        writer.state = static_cast<WriterState>(rng.Below(5));
        writer.batch_size = rng.Below(4);
      }
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(machine, state));
    }
  }
}

// Figures.

TEST(LogMachine, HasTheStatesThatTlcCounts) {
  const Constants constants = SmallConstants();
  const Machine machine(constants);
  std::size_t out_of_domain = 0;
  const auto type_ok = [&](const State& state) {
    for (const Writer& writer : state.writers) {
      if (writer.offset < 0 || writer.offset > 5) return false;
      if (writer.batch_size < 0 || writer.batch_size > 2) return false;
    }
    for (Offset offset = 1; offset <= state.log_index.high(); ++offset) {
      const std::int64_t count = state.log_index.At(offset).msg_count;
      if (count < 0 || count > 5) return false;
    }
    return state.log_index.high() <= 5 && state.sequence_counter >= 1 &&
           state.sequence_counter <= 6 && state.compaction_cursor >= 1 &&
           state.compaction_cursor <= 6 && state.compact_round >= 1 && state.compact_round <= 2;
  };
  const Figures figures = Enumerate(machine, [&](const State& state, std::size_t) {
    if (!type_ok(state)) ++out_of_domain;
  });
  EXPECT_EQ(figures, (Figures{84498, 462247, 33}));
  EXPECT_EQ(out_of_domain, 0U);
}

/// TLC's, for TinyConstants.
constexpr Figures kTinyFigures{23858, 124991, 27};

struct MutantOfMachine {
  const char* what;
  Deviation deviation;
};

/// The machine with another guard for one kind of action.
Deviation Guard(Kind kind, std::function<bool(const State&, const Action&)> guard) {
  return {[kind, guard = std::move(guard)](const Machine& machine, const State& state,
                                           const Action& action) {
            return action.kind == kind ? guard(state, action) : machine.Enabled(state, action);
          },
          {}};
}

/// The machine with another effect of one kind of action.
Deviation Effect(Kind kind, std::function<void(const State&, const Action&, State&)> effect) {
  return {
      {},
      [kind, effect = std::move(effect)](const State& before, const Action& action, State& after) {
        if (action.kind == kind) effect(before, action, after);
      }};
}

std::vector<MutantOfMachine> GuardMutants() {
  const auto in = [](const State& state, const Action& action, WriterState wanted) {
    return state.writers[action.writer].state == wanted;
  };
  return {
      {"StartAppend on a fenced log",
       Guard(Kind::StartAppend,
             [in](const State& s, const Action& a) { return in(s, a, WriterState::IDLE); })},
      {"AssignOffset on a fenced log",
       Guard(Kind::AssignOffset,
             [in](const State& s, const Action& a) {
               return in(s, a, WriterState::ASSIGNING_OFFSET) &&
                      s.sequence_counter + s.writers[a.writer].batch_size <= 4;
             })},
      {"AssignOffsetFenced on an open log", Guard(Kind::AssignOffsetFenced,
                                                  [in](const State& s, const Action& a) {
                                                    return in(s, a, WriterState::ASSIGNING_OFFSET);
                                                  })},
      {"AppendComplete of a failure only",
       Guard(Kind::AppendComplete,
             [in](const State& s, const Action& a) { return in(s, a, WriterState::FAILED); })},
      {"CompactStart on an incomplete range",
       Guard(Kind::CompactStart,
             [](const State& s, const Action&) {
               return s.compactor_state == CompactorState::IDLE && s.sequence_counter > 1;
             })},
      {"CompactorCrash in DELETING_OLD only", Guard(Kind::CompactorCrash,
                                                    [](const State& s, const Action&) {
                                                      return s.compactor_state ==
                                                             CompactorState::DELETING_OLD;
                                                    })},
      {"ReadEntry by a busy writer",
       Guard(Kind::ReadEntry,
             [](const State& s, const Action& a) { return a.number < s.sequence_counter; })},
      {"ReadEntry at the counter", Guard(Kind::ReadEntry,
                                         [in](const State& s, const Action& a) {
                                           return in(s, a, WriterState::IDLE) &&
                                                  a.number <= s.sequence_counter;
                                         })},
  };
}

std::vector<MutantOfMachine> EffectMutants() {
  return {
      {"AssignOffset that leaves the counter",
       Effect(Kind::AssignOffset, [](const State& before, const Action&,
                                     State& s) { s.sequence_counter = before.sequence_counter; })},
      {"AppendComplete that keeps the batch size",
       Effect(Kind::AppendComplete,
              [](const State& before, const Action& a, State& s) {
                s.writers[a.writer].batch_size = before.writers[a.writer].batch_size;
              })},
      {"CompactWriteCompactedIndex that writes nothing",
       Effect(Kind::CompactWriteCompactedIndex, [](const State& before, const Action&,
                                                   State& s) { s.log_index = before.log_index; })},
      {"CompactDeleteOldEntries that deletes nothing",
       Effect(Kind::CompactDeleteOldEntries, [](const State& before, const Action&,
                                                State& s) { s.log_index = before.log_index; })},
      {"CompactUpdateCursor that leaves the cursor",
       Effect(Kind::CompactUpdateCursor,
              [](const State& before, const Action&, State& s) {
                s.compaction_cursor = before.compaction_cursor;
              })},
      {"CompactReset that stays in its round",
       Effect(Kind::CompactReset, [](const State& before, const Action&,
                                     State& s) { s.compact_round = before.compact_round; })},
      {"CompactorCrash that goes to the next round",
       Effect(Kind::CompactorCrash,
              [](const State&, const Action&, State& s) { s.compact_round = 2; })},
  };
}

TEST(LogMachine, HasOtherFiguresWithAnyGuardOrEffectChanged) {
  const Constants constants = TinyConstants();
  const Machine machine(constants);
  ASSERT_EQ(Enumerate(machine), kTinyFigures);
  std::vector<MutantOfMachine> mutants = GuardMutants();
  for (MutantOfMachine& mutant : EffectMutants()) mutants.push_back(std::move(mutant));
  for (const MutantOfMachine& mutant : mutants) {
    EXPECT_FALSE(Enumerate(machine, {}, mutant.deviation) == kTinyFigures) << mutant.what;
  }
}

// Growth.

TEST(LogMachine, GoesOnWithoutABound) {
  Constants constants;
  constants.max_batch = 3;
  constants.dialect.rounds = true;
  const Machine machine(constants);
  State state = machine.Init();
  Changes changes;
  const auto take = [&](const Action& action) {
    ASSERT_TRUE(machine.Enabled(state, action)) << machine.ToString(action);
    machine.Apply(state, action, changes);
  };
  Offset compacted = 0;
  for (WriterIndex writer = 0; writer < 3000; ++writer) {
    constants.writers.push_back("w" + std::to_string(writer + 1));
    for (const Action& action :
         {Action{Kind::StartAppend, writer, 1 + writer % 3},
          Action{Kind::WALWriteSuccess, writer, 0}, Action{Kind::AssignOffset, writer, 0},
          Action{Kind::AppendComplete, writer, 0}}) {
      ASSERT_NO_FATAL_FAILURE(take(action));
    }
    if (writer % 30 != 29) continue;
    EXPECT_FALSE(machine.Enabled(state, {Kind::CompactStart, 0, 0})) << "no range yet";
    constants.ranges.push_back({compacted + 1, state.sequence_counter - 1});
    compacted = state.sequence_counter - 1;
    for (const Kind kind :
         {Kind::CompactStart, Kind::CompactWriteCompactedIndex, Kind::CompactDeleteOldEntries,
          Kind::CompactUpdateCursor, Kind::CompactReset}) {
      ASSERT_NO_FATAL_FAILURE(take({kind, 0, 0}));
    }
    ASSERT_NO_FATAL_FAILURE(take({Kind::ReadEntry, writer, compacted - 40}));
    EXPECT_EQ(state.writers[writer].reader_result, ReaderResult::OK);
  }
  EXPECT_EQ(BrokenAssumption(constants), std::nullopt);
  EXPECT_EQ(state.compact_round, 101);
  EXPECT_EQ(state.sequence_counter, 6001);
  EXPECT_EQ(state.log_index.NextNonEmpty(1), 60);
}

}  // namespace
}  // namespace lockstep::protocol::leaderless_log
