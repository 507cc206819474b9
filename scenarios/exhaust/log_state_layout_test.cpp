#include "scenarios/exhaust/log_state_layout.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "protocol/leaderless_log/enumeration_for_tests.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Action;
using protocol::leaderless_log::Changes;
using protocol::leaderless_log::Constants;
using protocol::leaderless_log::Enumerate;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::SmallConstants;
using protocol::leaderless_log::State;

LogStateLayout LayoutOf(const Constants& constants) {
  auto layout = LogStateLayout::For(constants);
  EXPECT_TRUE(std::holds_alternative<LogStateLayout>(layout));
  return std::get<LogStateLayout>(std::move(layout));
}

TEST(LogStateLayout, RejectsStatesThatDoNotFit) {
  Constants constants = SmallConstants();
  constants.writers = std::vector<std::string>(12, "w");
  const auto layout = LogStateLayout::For(constants);
  ASSERT_TRUE(std::holds_alternative<std::string>(layout));
  EXPECT_EQ(std::get<std::string>(layout),
            "a state does not fit into 128 bits: 12 writers of 10 bits and MaxOffset 5 entries of "
            "4 bits");
}

TEST(LogStateLayout, RejectsValuesOutsideTheirDomains) {
  const Constants constants = SmallConstants();
  const LogStateLayout layout = LayoutOf(constants);
  State state = Machine(constants).Init();
  state.sequence_counter = 8;
  EXPECT_DEATH(static_cast<void>(layout.Pack(state)), "has left the variables' domains");
  state.sequence_counter = 1;
  state.writers[1].batch_size = 4;
  EXPECT_DEATH(static_cast<void>(layout.Pack(state)), "has left the variables' domains");
}

TEST(LogStateLayout, ComesBackUnchanged) {
  Constants constants = SmallConstants();
  for (const bool rounds : {false, true}) {
    constants.dialect.rounds = rounds;
    if (rounds) constants.ranges = {{1, 1}, {2, 2}, {3, 5}};
    const LogStateLayout layout = LayoutOf(constants);
    std::set<PackedState> seen;
    State over = Machine(constants).Init();  // Reused, whatever was in it before.
    PackedState held = layout.Pack(over);
    std::size_t wrong = 0;
    const auto figures = Enumerate(Machine(constants), [&](const State& state, std::size_t) {
      const PackedState packed = layout.Pack(state);
      seen.insert(packed);
      State fresh;
      layout.Unpack(packed, fresh);
      layout.UnpackOver(held, packed, over);
      held = packed;
      if (fresh != state || over != state) ++wrong;
      if (layout.WriterOf(packed, 1) != state.writers[1]) ++wrong;
      if (layout.CompactorOf(packed) != state.compactor_state) ++wrong;
    });
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(seen.size(), figures.distinct) << "different states look different";
  }
}

TEST(LogStateLayout, RepacksWhatAnActionChanged) {
  const Constants constants = SmallConstants();
  const LogStateLayout layout = LayoutOf(constants);
  const Machine machine(constants);
  std::vector<Action> actions;
  Changes changes;
  std::size_t steps = 0;
  std::size_t wrong = 0;
  Enumerate(machine, [&](const State& state, std::size_t level) {
    if (level % 4 != 0) return;
    State moving = state;
    machine.EnabledActions(state, actions);
    for (const Action& action : actions) {
      PackedState packed = layout.Pack(state);
      machine.Apply(moving, action, changes);
      layout.Repack(moving, changes, packed);
      if (packed != layout.Pack(moving)) ++wrong;
      Machine::Undo(moving, changes);
      ++steps;
    }
  });
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(steps, 50'000U);
}

TEST(LogStateLayout, HasRoomForMedium) {
  const Constants medium = {{"w1", "w2", "w3"}, 8, {{1, 5}, {6, 8}}, 3, {}};
  EXPECT_EQ(LayoutOf(medium).bits(), 87U);
  const Constants long_log = {{"w1"}, 18, {{1, 7}, {8, 14}}, 1, {}};
  EXPECT_LE(LayoutOf(long_log).bits(), 128U);
}

}  // namespace
}  // namespace lockstep::scenarios
