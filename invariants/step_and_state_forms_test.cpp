// Goal: of every upstream invariant, the form that looks only at what a step changed gives the
// verdict of the form that looks at the whole state, whenever the property held before the step.
//
// Method: random walks over the machine in which some steps set a variable to a random value, good
// or bad. A bad value is taken back at once if the machine could not go on from it, and sometimes
// left where it is. Counts at the end show that each invariant was broken on the way.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "invariants/fenced_rejects_appends.h"
#include "invariants/log_fixture.h"
#include "invariants/log_registry.h"
#include "invariants/type_ok.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Action;
using protocol::leaderless_log::ActionKind;
using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogState;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::State;
using protocol::leaderless_log::WriterIndex;
using protocol::leaderless_log::WriterState;

/// Numbers drawn beforehand, so that a failing walk shrinks.
class Script {
 public:
  explicit Script(const std::vector<std::uint32_t>& numbers) : numbers_(numbers) {}
  [[nodiscard]] bool done() const { return next_ >= numbers_.size(); }
  /// A number of 0..n-1.
  std::int64_t Below(std::int64_t n) {
    const std::uint32_t number = done() ? 0 : numbers_[next_++];
    return static_cast<std::int64_t>(number) % n;
  }
  /// An enumerator, or one beyond the last.
  template <typename Enum>
  Enum AnyOf(Enum last) {
    return static_cast<Enum>(Below(static_cast<std::int64_t>(last) + 2));
  }

 private:
  const std::vector<std::uint32_t>& numbers_;
  std::size_t next_ = 0;
};

bool ForgetsTheFence(const Machine& /*machine*/, const State& state, WriterIndex writer) {
  return state.writers[writer].state == WriterState::ASSIGNING_OFFSET;
}

/// One invariant in both forms.
struct Forms {
  std::string_view name;
  LogStepCheck step;
  LogStateCheck state;
};

std::vector<Forms> AllForms() {
  std::vector<Forms> forms;
  for (const LogProperty& property : LogProperties()) {
    if (property.state == nullptr) continue;
    forms.push_back({property.name, property.step, property.state});
  }
  // The machine's own guard never breaks it: once more with one that can.
  forms.push_back({"FencedRejectsAppends, with a guard that forgets the fence",
                   [](const LogStep& step) { return FencedRejectsAppends(step, ForgetsTheFence); },
                   [](const Machine& machine, const State& state) {
                     return FencedRejectsAppends(machine, state, ForgetsTheFence);
                   }});
  return forms;
}

class Walk {
 public:
  explicit Walk(Script& script) : script_(script) {
    log_.constants.max_offset = 8;
    log_.constants.ranges = {{1, 3}, {4, 6}, {7, 8}};
    log_.constants.max_batch = 3;
    log_.constants.dialect.rounds = script.Below(2) == 1;
    log_.constants.dialect.compaction_resume = script.Below(2) == 1;
    if (!log_.constants.dialect.rounds) log_.constants.ranges.pop_back();
  }

  void Step(const std::vector<Forms>& all, std::map<std::string_view, int>& broken) {
    std::vector<bool> held;
    for (const Forms& forms : all) held.push_back(!forms.state(log_.machine, log_.state));
    log_.BeginStep();
    if (script_.Below(4) == 0) {
      Corrupt();
    } else {
      Move();
    }
    bool violated = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!held[i]) continue;
      const bool by_state = all[i].state(log_.machine, log_.state).has_value();
      const bool by_step = all[i].step(log_.Step()).has_value();
      violated = violated || by_state;
      if (by_state) ++broken[all[i].name];
      RC_ASSERT(by_step == by_state);
    }
    if (violated && (TypeOK(log_.machine, log_.state) || script_.Below(4) != 0)) {
      Machine::Undo(log_.state, log_.changes);
    }
  }

 private:
  void Move() {
    std::vector<Action> enabled;
    log_.machine.EnabledActions(log_.state, enabled);
    std::erase_if(enabled, [this](const Action& action) { return !CanTake(action); });
    if (enabled.empty()) return;
    const auto size = static_cast<std::int64_t>(enabled.size());
    log_.Take(enabled[static_cast<std::size_t>(script_.Below(size))]);
  }

  /// False where only a corrupted state enables the action.
  bool CanTake(const Action& action) const {
    if (action.kind == ActionKind::AssignOffset) {
      return log_.state.writers[action.writer].batch_size >= 1;
    }
    if (protocol::leaderless_log::HasWriter(action.kind)) return true;
    if (action.kind == ActionKind::FenceLog || action.kind == ActionKind::UnfenceLog) return true;
    return log_.machine.CurrentRange(log_.state).end >= 1;
  }

  void Corrupt() {
    switch (script_.Below(7)) {
      case 0:
        return log_.SetSpecEntry(1 + script_.Below(9),
                                 {script_.AnyOf(EntryType::COMPACTED), script_.Below(10)});
      case 1:
        return log_.SetSpecCounter(script_.Below(11));
      case 2:
        return log_.SetSpecCursor(script_.Below(11));
      case 3:
        return log_.SetSpecLogState(script_.AnyOf(LogState::FENCED));
      case 4:
        return log_.SetSpecCompactor(script_.AnyOf(CompactorState::DONE));
      case 5:
        return log_.SetSpecRound(script_.Below(5));
      default:
        return log_.SetSpecWriter(static_cast<WriterIndex>(script_.Below(3)),
                                  {script_.AnyOf(WriterState::FAILED), script_.Below(11) - 1,
                                   script_.Below(5), script_.AnyOf(ReaderResult::ERROR)});
    }
  }

  LogFixture log_;
  Script& script_;
};

TEST(StepAndStateForms, RejectTheSameSteps) {
  const std::vector<Forms> all = AllForms();
  std::map<std::string_view, int> broken;
  const bool agree = rc::check("the two forms agree", [&] {
    const auto numbers = *rc::gen::scale(
        8.0, rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 1U << 16U)));
    Script script(numbers);
    Walk walk(script);
    while (!script.done()) walk.Step(all, broken);
  });
  EXPECT_TRUE(agree);
  for (const Forms& forms : all) {
    if (forms.name == "FencedRejectsAppends") continue;
    EXPECT_GT(broken[forms.name], 0) << forms.name << " was never broken";
  }
}

}  // namespace
}  // namespace lockstep::invariants
