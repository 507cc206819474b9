// A plain breadth-first enumeration of a machine's states, for the tests of this protocol.
//
// Counted as TLC counts: `generated` has every successor of every disjunct and the initial state,
// duplicates included; a state beyond the constraint is generated and checked, but neither distinct
// nor expanded; `depth` is the number of levels. It takes each step in place and takes it back with
// Undo, so that a wrong Undo gives wrong figures too.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocol/task_claiming/task_claiming_machine.h"

namespace lockstep::protocol::task_claiming {

struct Figures {
  std::size_t distinct = 0;
  std::size_t generated = 0;
  std::size_t depth = 0;
  friend bool operator==(const Figures&, const Figures&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Figures& figures) {
  return out << figures.distinct << " distinct, " << figures.generated << " generated, depth "
             << figures.depth;
}

/// The small configuration of golden.md: TaskClaiming_small.cfg.
inline Constants SmallConstants() { return {{"w1", "w2"}, {"t1", "t2"}, 2, 5, Dialect{}}; }

/// TaskClaiming_small3.cfg.
inline Constants Small3Constants() { return {{"w1", "w2", "w3"}, {"t1", "t2"}, 2, 5, Dialect{}}; }

/// Which states are the same.
enum class View : std::uint8_t {
  kEverything,           ///< under the constraint
  kWithoutLockVersions,  ///< the module's WithoutLockVersions, without any constraint
};

/// Every variable of the view. REQUIRES: fail counts and lock versions below 256.
inline std::string PackedState(const Constants& constants, const State& state, View view) {
  std::string packed;
  const auto add = [&](auto value) { packed.push_back(static_cast<char>(value)); };
  for (std::size_t t = 0; t < constants.tasks.size(); ++t) {
    add(state.task_status[t]);
    add(state.lock_state[t].worker);
    if (view == View::kEverything) add(state.lock_state[t].version);
    add(state.task_fail_count[t]);
  }
  for (std::size_t w = 0; w < constants.workers.size(); ++w) {
    add(state.worker_alive[w]);
    add(state.worker_state[w]);
    add(state.worker_task[w]);
  }
  if (view == View::kEverything) add(state.lock_version);
  return packed;
}

/// What to do otherwise than the machine; empty functions change nothing.
struct Deviation {
  /// Called with the actions that the machine enables; may add and remove some.
  std::function<void(const Constants&, const State&, std::vector<Action>&)> actions;
  /// Called with the state before and after; may change the latter.
  std::function<void(const Constants&, const State&, const Action&, State&)> after;
};

/// Every action of Next with parameters in the constants' domains, enabled or not.
inline std::vector<Action> ActionsOfNext(const Constants& constants) {
  std::vector<Action> actions;
  for (std::size_t k = 0; k < kActionKinds; ++k) {
    const auto kind = static_cast<ActionKind>(k);
    const std::size_t tasks = kind == ActionKind::ScanTasks ? constants.tasks.size() : 1;
    for (WorkerIndex worker = 0; worker < constants.workers.size(); ++worker) {
      for (TaskIndex task = 0; task < tasks; ++task) actions.push_back({kind, worker, task});
    }
  }
  return actions;
}

struct Enumeration {
  View view = View::kEverything;
  Deviation deviation;
  /// Sees each state that is distinct once, with its level from 1, and states beyond the constraint
  /// as often as they are generated. Returns false to end the enumeration.
  std::function<bool(const State&, std::size_t)> visit;
};

inline Figures Enumerate(const Machine& machine, const Enumeration& enumeration = {}) {
  const Constants& constants = machine.constants();
  const auto& [view, deviation, visit] = enumeration;
  std::set<std::string> seen;
  std::vector<State> level;
  std::vector<State> next = {machine.Init()};
  std::vector<Action> actions;
  Changes changes;
  Figures figures{1, 1, 0};
  seen.insert(PackedState(constants, next[0], view));
  if (visit && !visit(next[0], 1)) return figures;
  while (!next.empty()) {
    level.swap(next);
    next.clear();
    ++figures.depth;
    for (State& state : level) {
      machine.EnabledActions(state, actions);
      if (deviation.actions) deviation.actions(constants, state, actions);
      const State before = state;
      for (const Action& action : actions) {
        machine.Apply(state, action, changes);
        State successor = state;
        Machine::Undo(state, changes);
        if (deviation.after) deviation.after(constants, before, action, successor);
        ++figures.generated;
        const bool counted = view != View::kEverything || machine.StateConstraint(successor);
        if (counted && !seen.insert(PackedState(constants, successor, view)).second) continue;
        if (visit && !visit(successor, figures.depth + 1)) return figures;
        if (!counted) continue;
        ++figures.distinct;
        next.push_back(successor);
      }
    }
  }
  return figures;
}

}  // namespace lockstep::protocol::task_claiming
