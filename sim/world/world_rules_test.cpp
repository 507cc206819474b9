// Random runs with every fault on: each keeps the world's rules, is repeated exactly by its seed,
// and followed exactly by its schedule. The rules are shown to reject what they forbid first.

#include "sim/world/world_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/choice/replay_choices.h"
#include "sim/choice/seeded_choices.h"
#include "sim/world/world.h"
#include "sim/world/world_test_support.h"

namespace lockstep::sim {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kNodes = 3;
constexpr int kCallsAnIncarnation = 60;
constexpr std::uint64_t kHurtSteps = 600;
constexpr std::uint64_t kSeeds = 200;

// Every fault at full strength.
FaultPlan FullPlan() {
  FaultPlan plan{};
  for (const FaultInfo& info : FaultTable()) {
    plan[static_cast<std::size_t>(info.kind)] = info.period;
  }
  return plan;
}

NodeMain RandomClient(Choices& choices) {
  return [&choices](NodeContext& node) {
    const auto draw = [&choices](std::uint32_t bound) {
      return choices.Choose(ChoiceKind::kWorkload, bound);
    };
    for (int call = 0; call < kCallsAnIncarnation; ++call) {
      node.SetOperation(static_cast<OperationId>(call) + 1);
      switch (draw(6)) {
        case 0:
          node.Backoff(30);
          break;
        case 1:
          node.Objects(DrawObjectRequest(draw));
          break;
        default:
          node.Store(DrawStoreRequest(draw));
          break;
      }
    }
  };
}

// A run from the start through the hurt phase to the end of the heal phase.
std::unique_ptr<Bench> RunToTheEnd(Choices& choices) {
  auto bench = std::make_unique<Bench>(choices, FullPlan());
  for (int i = 0; i < kNodes; ++i) {
    bench->world.AddNode("n" + std::to_string(i), RandomClient(choices));
  }
  for (std::uint64_t step = 0; step < kHurtSteps; ++step) {
    if (!bench->world.Step()) break;
  }
  bench->world.Heal();
  bench->Run(20'000);
  return bench;
}

TEST(WorldRules, HoldOfEveryRun) {
  std::array<std::uint64_t, kFaultKinds> struck{};
  std::array<std::size_t, 18> happened{};
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SeededChoices choices(seed);
    const std::unique_ptr<Bench> bench = RunToTheEnd(choices);
    WorldRules rules;
    rules.Check(bench->seen.all());
    rules.CheckEnd(*bench);
    ASSERT_THAT(rules.broken(), IsEmpty()) << "seed " << seed;
    for (std::size_t i = 0; i < kFaultKinds; ++i) struck[i] += bench->faults.struck()[i];
    for (const Seen& seen : bench->seen.all()) ++happened[static_cast<std::size_t>(seen.kind)];
  }
  // Nothing of the above holds for want of cases.
  for (const FaultInfo& info : FaultTable()) {
    EXPECT_GT(struck[static_cast<std::size_t>(info.kind)], kSeeds / 4) << info.name;
  }
  for (std::size_t i = 0; i < happened.size(); ++i) {
    EXPECT_GE(happened[i], kSeeds / 4) << WorldEventName(static_cast<WorldEventKind>(i));
  }
}

TEST(WorldDeterminism, TheSameSeedGivesTheSameRun) {
  for (std::uint64_t seed = 0; seed < kSeeds / 4; ++seed) {
    SeededChoices first(seed);
    SeededChoices second(seed);
    const std::unique_ptr<Bench> once = RunToTheEnd(first);
    const std::unique_ptr<Bench> again = RunToTheEnd(second);
    ASSERT_EQ(once->seen.Texts(), again->seen.Texts()) << "seed " << seed;
    ASSERT_EQ(first.taken(), second.taken()) << "seed " << seed;
    ASSERT_EQ(once->world.now(), again->world.now()) << "seed " << seed;
    ASSERT_EQ(once->faults.struck(), again->faults.struck()) << "seed " << seed;
  }
}

TEST(WorldDeterminism, AnotherSeedGivesAnotherRun) {
  SeededChoices first(1);
  SeededChoices second(2);
  EXPECT_NE(RunToTheEnd(first)->seen.Texts(), RunToTheEnd(second)->seen.Texts());
}

// FNV-1a over whole numbers.
class Digest {
 public:
  void Add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      value_ = (value_ ^ ((number >> (8 * byte)) & 0xff)) * 1'099'511'628'211U;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14'695'981'039'346'656'037U;
};

// The same number on every compiler, at every optimization, with and without sanitizers. It changes
// with what a schedule means: then, and only then, write the new one here.
TEST(WorldDeterminism, EveryBuildGivesTheSameRuns) {
  Digest digest;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SeededChoices choices(seed);
    const std::unique_ptr<Bench> bench = RunToTheEnd(choices);
    for (const Choice& choice : choices.taken()) {
      digest.Add(static_cast<std::uint64_t>(choice.kind));
      digest.Add(choice.bound);
      digest.Add(choice.value);
    }
    for (const Seen& seen : bench->seen.all()) {
      digest.Add(static_cast<std::uint64_t>(seen.kind));
      digest.Add(static_cast<std::uint64_t>(seen.time));
      digest.Add(seen.node);
      digest.Add(seen.incarnation);
      digest.Add(seen.message);
    }
  }
  EXPECT_EQ(digest.value(), 5'190'432'073'350'359'525U);
}

TEST(WorldDeterminism, FollowingItsScheduleGivesTheSameRun) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SeededChoices seeded(seed);
    const std::unique_ptr<Bench> run = RunToTheEnd(seeded);
    ReplayChoices replayed(seeded.taken());
    const std::unique_ptr<Bench> replay = RunToTheEnd(replayed);
    ASSERT_FALSE(replayed.divergence().has_value()) << "seed " << seed;
    ASSERT_EQ(replayed.remaining(), 0U) << "seed " << seed;
    ASSERT_EQ(replayed.taken(), seeded.taken()) << "seed " << seed;
    ASSERT_EQ(replay->seen.Texts(), run->seen.Texts()) << "seed " << seed;
  }
}

// ---- What a strategy is told -------------------------------------------------------------------

// Remembers which event was chosen, and how many events had been seen by then.
class LabelKeeper : public SeededChoices {
 public:
  using SeededChoices::SeededChoices;
  void Watch(const Recorder& seen) { seen_ = &seen; }
  struct Chosen {
    EventLabel label;
    std::size_t seen_before = 0;
  };
  [[nodiscard]] const std::vector<Chosen>& chosen() const { return chosen_; }

 protected:
  std::uint32_t DecideEvent(std::span<const EventLabel> enabled) override {
    const std::uint32_t value = SeededChoices::DecideEvent(enabled);
    chosen_.push_back({enabled[value], seen_->all().size()});
    return value;
  }

 private:
  const Recorder* seen_ = nullptr;
  std::vector<Chosen> chosen_;
};

TEST(WorldLabels, TellWhatHappensNextAndToWhom) {
  std::map<std::uint8_t, std::set<WorldEventKind>> meant;
  for (std::uint64_t seed = 0; seed < kSeeds / 4; ++seed) {
    LabelKeeper choices(seed);
    Bench bench(choices, FullPlan());
    choices.Watch(bench.seen);
    // Many nodes, so that a crash or a pause leaves several events behind, whose labels move up.
    for (int i = 0; i < 10; ++i) bench.world.AddNode("n", RandomClient(choices));
    for (std::uint64_t step = 0; step < kHurtSteps; ++step) {
      const std::size_t decisions = choices.chosen().size();
      if (!bench.world.Step()) break;
      if (choices.chosen().size() == decisions) continue;
      const LabelKeeper::Chosen& chosen = choices.chosen().back();
      // A wake-up shows by what the node does next; a reply that comes too late does not show.
      if (bench.seen.all().size() == chosen.seen_before) continue;
      const Seen& seen = bench.seen.all()[chosen.seen_before];
      ASSERT_EQ(chosen.label.actor, seen.node) << "seed " << seed << " " << Text(seen);
      meant[chosen.label.kind].insert(seen.kind);
    }
  }
  std::set<std::set<WorldEventKind>> kinds;
  for (const auto& [kind, events] : meant) kinds.insert(events);
  using K = WorldEventKind;
  EXPECT_EQ(kinds, (std::set<std::set<K>>{
                       {K::kStart}, {K::kApply}, {K::kReply}, {K::kTimeout}, {K::kSend}}));
}

// Whoever shrinks a schedule edits it: the rules hold whatever the choices are.
TEST(WorldRules, HoldOfEditedSchedules) {
  for (std::uint64_t seed = 0; seed < kSeeds / 4; ++seed) {
    SeededChoices seeded(seed);
    RunToTheEnd(seeded);
    Schedule edited = seeded.taken();
    for (std::size_t i = 7; i < edited.size(); i += 23) {
      if (edited[i].kind != ChoiceKind::kWorkload) edited[i].value = 0;
    }
    ReplayChoices replayed(std::move(edited));
    const std::unique_ptr<Bench> replay = RunToTheEnd(replayed);
    WorldRules rules;
    rules.Check(replay->seen.all());
    rules.CheckEnd(*replay);
    ASSERT_THAT(rules.broken(), IsEmpty()) << "seed " << seed;
  }
}

// ---- The rules reject what they forbid ---------------------------------------------------------

class WorldRulesReject : public testing::Test {
 protected:
  // The events of a run in which everything happens.
  WorldRulesReject() {
    for (std::uint64_t seed = 0;; ++seed) {
      SeededChoices choices(seed);
      events_ = RunToTheEnd(choices)->seen.all();
      bool all = true;
      for (int i = 0; i <= static_cast<int>(WorldEventKind::kHeal); ++i) {
        all = all && First(static_cast<WorldEventKind>(i)) != nullptr;
      }
      if (all) return;
    }
  }

  Seen* First(WorldEventKind kind, const std::function<bool(const Seen&)>& filter = {}) {
    for (Seen& seen : events_) {
      if (seen.kind == kind && (!filter || filter(seen))) return &seen;
    }
    return nullptr;
  }
  void Erase(const Seen* seen) { events_.erase(events_.begin() + (seen - events_.data())); }
  void Repeat(const Seen* seen) {
    const Seen copy = *seen;
    events_.insert(events_.begin() + (seen - events_.data()), copy);
  }
  void ExpectBroken(const std::string& rule) {
    WorldRules rules;
    rules.Check(events_);
    EXPECT_THAT(rules.broken(), Contains(HasSubstr(rule)));
  }

  std::vector<Seen> events_;
};

TEST_F(WorldRulesReject, TimeThatGoesBack) {
  events_[10].time += 1'000'000;
  ExpectBroken("time never goes back");
}

TEST_F(WorldRulesReject, AnApplicationOutOfNothing) {
  Repeat(First(WorldEventKind::kApply));
  ExpectBroken("a request is applied as often as it was sent");
}

TEST_F(WorldRulesReject, AnApplicationThatWasNotTold) {
  Erase(First(WorldEventKind::kApply,
              [](const Seen& seen) { return seen.store_request && !seen.mutations.empty(); }));
  ExpectBroken("the store answers like its model");
}

TEST_F(WorldRulesReject, AReplyWithAnotherOutcome) {
  First(WorldEventKind::kReply, [](const Seen& seen) {
    return seen.store_response.has_value();
  })->store_response->failed_operation = 99;
  ExpectBroken("a reply tells the outcome of an application of its request");
}

TEST_F(WorldRulesReject, ASecondReply) {
  Repeat(First(WorldEventKind::kReply));
  ExpectBroken("a reply comes to who waits for it");
}

TEST_F(WorldRulesReject, AnEarlyTimeout) {
  Seen* const timeout = First(WorldEventKind::kTimeout);
  First(WorldEventKind::kSend, [timeout](const Seen& seen) {
    return seen.message == timeout->message;
  })->time = timeout->time - 1;
  ExpectBroken("a timeout is not early");
}

TEST_F(WorldRulesReject, ARetirementThatIsMissing) {
  Erase(First(WorldEventKind::kRetired));
  ExpectBroken("an event has the consequence it must have");
}

TEST_F(WorldRulesReject, ASecondRetirement) {
  Repeat(First(WorldEventKind::kRetired));
  ExpectBroken("an incarnation is retired once");
}

TEST_F(WorldRulesReject, ARetirementOfTheLiving) {
  Erase(First(WorldEventKind::kCrash));
  ExpectBroken("an ended incarnation is retired");
}

TEST_F(WorldRulesReject, AnAnswerToAPausedNode) {
  Erase(First(WorldEventKind::kResume));
  ExpectBroken("it happens to a node that is not paused");
}

TEST_F(WorldRulesReject, AMessageAcrossAPartition) {
  Erase(First(WorldEventKind::kReconnect));
  ExpectBroken("an event has the consequence it must have");
}

TEST_F(WorldRulesReject, ARefusalByAStoreThatIsAvailable) {
  Erase(First(WorldEventKind::kUnavailable));
  ExpectBroken("the store refuses while it is unavailable");
}

TEST_F(WorldRulesReject, ARecordThatOutlivesItsSession) {
  First(WorldEventKind::kSessionEnd)->mutations.emplace_back();
  ExpectBroken("the end of a session takes its records");
}

TEST_F(WorldRulesReject, AFaultAfterHealing) {
  events_.insert(events_.begin(), *First(WorldEventKind::kHeal));
  ExpectBroken("nothing strikes after the world was healed");
}

TEST_F(WorldRulesReject, AStartOfTheLiving) {
  Repeat(First(WorldEventKind::kStart));
  ExpectBroken("a node that lives does not start");
}

TEST_F(WorldRulesReject, AWrongNumberInFlight) {
  First(WorldEventKind::kApply)->others_in_flight += 1;
  ExpectBroken("the number of others in flight is right");
}

TEST(WorldRulesRejectAtTheEnd, AWorldThatIsNotAtItsEnd) {
  ScriptedChoices choices;
  Bench bench(choices);
  bench.world.AddNode("n", [](NodeContext& node) { node.Store(Single(Put("a", "1"))); });
  bench.world.Step();
  WorldRules rules;
  rules.Check(bench.seen.all());
  EXPECT_THAT(rules.broken(), IsEmpty());
  rules.CheckEnd(bench);
  EXPECT_THAT(rules.broken(), Contains(HasSubstr("every node has finished")));
  EXPECT_THAT(rules.broken(), Contains(HasSubstr("no request is in flight")));
  EXPECT_THAT(rules.broken(), Contains(HasSubstr("the network holds nothing")));
}

}  // namespace
}  // namespace lockstep::sim
