#include "sim/choice/choices.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

namespace lockstep::sim {
namespace {

using ::testing::ExitedWithCode;

// Decides by a fixed value and remembers what it was asked.
class FixedChoices : public Choices {
 public:
  explicit FixedChoices(std::uint32_t value) : value_(value) {}

  struct Asked {
    ChoiceKind kind;
    std::uint32_t bound;
    std::uint32_t at_least;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  [[nodiscard]] const std::vector<Asked>& asked() const { return asked_; }

 protected:
  std::uint32_t Decide(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least) override {
    asked_.push_back({kind, bound, at_least});
    return value_;
  }

 private:
  std::uint32_t value_;
  std::vector<Asked> asked_;
};

// A strategy that prefers one actor's events.
class PrefersActor : public Choices {
 public:
  explicit PrefersActor(std::uint32_t actor) : actor_(actor) {}

 protected:
  std::uint32_t Decide(ChoiceKind, std::uint32_t, std::uint32_t at_least) override {
    return at_least;
  }
  std::uint32_t DecideEvent(std::span<const EventLabel> enabled) override {
    for (std::uint32_t i = 0; i < enabled.size(); ++i) {
      if (enabled[i].actor == actor_) return i;
    }
    return 0;
  }

 private:
  std::uint32_t actor_;
};

TEST(ChoiceKind, NamesAreUniqueAndFixed) {
  const std::vector<std::string_view> expected = {
      "event", "workload", "fault_swarm", "fault_gap", "fault_target", "fault_duration", "node"};
  ASSERT_EQ(expected.size(), kChoiceKinds);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kChoiceKinds; ++i) {
    EXPECT_EQ(ChoiceKindName(static_cast<ChoiceKind>(i)), expected[i]);
    names.insert(expected[i]);
  }
  EXPECT_EQ(names.size(), kChoiceKinds);
}

TEST(Choices, RecordsEveryDecisionInOrder) {
  FixedChoices choices(1);
  EXPECT_EQ(choices.Choose(ChoiceKind::kWorkload, 3), 1U);
  EXPECT_EQ(choices.Choose(ChoiceKind::kNode, 2), 1U);
  EXPECT_EQ(choices.taken(), (Schedule{{ChoiceKind::kWorkload, 3, 1}, {ChoiceKind::kNode, 2, 1}}));
}

TEST(Choices, PassesTheLowestValueOnToTheChooserButDoesNotRecordIt) {
  FixedChoices choices(2);
  choices.Choose(ChoiceKind::kFaultGap, 9, 1);
  EXPECT_EQ(choices.asked(), (std::vector<FixedChoices::Asked>{{ChoiceKind::kFaultGap, 9, 1}}));
  EXPECT_EQ(choices.taken(), (Schedule{{ChoiceKind::kFaultGap, 9, 2}}));
}

TEST(Choices, AcceptsAValueBelowTheLowestOne) {
  // This is how a followed schedule says that a fault never fires again.
  FixedChoices choices(0);
  EXPECT_EQ(choices.Choose(ChoiceKind::kFaultGap, 9, 1), 0U);
  EXPECT_EQ(choices.taken(), (Schedule{{ChoiceKind::kFaultGap, 9, 0}}));
}

TEST(Choices, NeitherMakesNorRecordsADecisionWithOneOutcome) {
  FixedChoices choices(7);
  const EventLabel only{4, 2};
  EXPECT_EQ(choices.Choose(ChoiceKind::kWorkload, 1), 0U);
  EXPECT_EQ(choices.ChooseEvent({&only, 1}), 0U);
  EXPECT_TRUE(choices.asked().empty());
  EXPECT_TRUE(choices.taken().empty());
}

TEST(Choices, EventIsADecisionOfKindEventUnlessTheStrategySaysOtherwise) {
  FixedChoices choices(1);
  const std::vector<EventLabel> enabled = {{0, 0}, {1, 0}, {2, 0}};
  EXPECT_EQ(choices.ChooseEvent(enabled), 1U);
  EXPECT_EQ(choices.asked(), (std::vector<FixedChoices::Asked>{{ChoiceKind::kEvent, 3, 0}}));
  EXPECT_EQ(choices.taken(), (Schedule{{ChoiceKind::kEvent, 3, 1}}));
}

TEST(Choices, StrategySeesTheLabelsOfTheEnabledEvents) {
  PrefersActor choices(2);
  const std::vector<EventLabel> enabled = {{0, 0}, {1, 0}, {2, 0}};
  EXPECT_EQ(choices.ChooseEvent(enabled), 2U);
  EXPECT_EQ(choices.taken(), (Schedule{{ChoiceKind::kEvent, 3, 2}}));
}

TEST(Choices, HandsOverItsSchedule) {
  FixedChoices choices(1);
  choices.Choose(ChoiceKind::kNode, 2);
  EXPECT_EQ(choices.TakeSchedule(), (Schedule{{ChoiceKind::kNode, 2, 1}}));
}

TEST(ChoicesDeathTest, MisuseIsABug) {
  FixedChoices choices(5);
  EXPECT_EXIT(choices.Choose(ChoiceKind::kNode, 0), ExitedWithCode(1), "at_least < bound");
  EXPECT_EXIT(choices.Choose(ChoiceKind::kNode, 3, 3), ExitedWithCode(1), "at_least < bound");
  EXPECT_EXIT(choices.ChooseEvent({}), ExitedWithCode(1), "enabled");
}

TEST(ChoicesDeathTest, ChooserThatLeavesTheBoundIsABug) {
  FixedChoices choices(3);
  const std::vector<EventLabel> enabled = {{0, 0}, {1, 0}, {2, 0}};
  EXPECT_EXIT(choices.Choose(ChoiceKind::kNode, 3), ExitedWithCode(1), "value < bound");
  EXPECT_EXIT(choices.ChooseEvent(enabled), ExitedWithCode(1), "value < enabled");
}

}  // namespace
}  // namespace lockstep::sim
