// A plain breadth-first enumeration of a machine's states, for the tests of this folder.
//
// Counted as TLC counts: `generated` has every successor of every disjunct and the initial state,
// duplicates included; `depth` is the number of levels. It takes each step in place and takes it
// back with Undo, so that a wrong Undo gives wrong figures too.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::protocol::leaderless_log {

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

/// The small configuration of golden.md: LeaderlessLog_small.cfg.
inline Constants SmallConstants() { return {{"w1", "w2"}, 5, {{1, 3}, {4, 5}}, 2, Dialect{}}; }

/// Smaller still, and every guard still fails somewhere: for what is enumerated many times.
inline Constants TinyConstants() { return {{"w1", "w2"}, 3, {{1, 2}, {3, 3}}, 2, Dialect{}}; }

/// Every variable of the state, a byte each. REQUIRES: bounded constants, values below 256.
inline std::string PackedState(const State& state, Offset max_offset) {
  std::string packed;
  const auto add = [&](auto value) { packed.push_back(static_cast<char>(value)); };
  for (Offset offset = 1; offset <= max_offset; ++offset) {
    const Entry entry = state.log_index.At(offset);
    add(entry.type);
    add(entry.msg_count);
  }
  add(state.sequence_counter);
  add(state.log_state);
  add(state.compaction_cursor);
  add(state.compactor_state);
  add(state.compact_round);
  for (const Writer& writer : state.writers) {
    add(writer.state);
    add(writer.offset);
    add(writer.batch_size);
    add(writer.reader_result);
  }
  return packed;
}

/// What to do otherwise than the machine; empty functions change nothing.
struct Deviation {
  /// Is the action enabled?
  std::function<bool(const Machine&, const State&, const Action&)> enabled;
  /// Called with the state before and after; may change the latter.
  std::function<void(const State&, const Action&, State&)> after;
};

/// Every action of Next with parameters in the constants' domains, enabled or not.
inline std::vector<Action> ActionsOfNext(const Constants& constants) {
  std::vector<Action> actions;
  for (std::size_t k = 0; k < kActionKinds; ++k) {
    const auto kind = static_cast<ActionKind>(k);
    const auto writers = HasWriter(kind) ? static_cast<WriterIndex>(constants.writers.size()) : 1U;
    const bool numbered = kind == ActionKind::StartAppend || kind == ActionKind::ReadEntry;
    const std::int64_t last = kind == ActionKind::StartAppend ? constants.max_batch
                              : numbered                      ? constants.max_offset
                                                              : 0;
    for (WriterIndex writer = 0; writer < writers; ++writer) {
      for (std::int64_t number = numbered ? 1 : 0; number <= last; ++number) {
        actions.push_back({kind, writer, number});
      }
    }
  }
  return actions;
}

/// `visit` sees each distinct state once, with its level from 1.
inline Figures Enumerate(const Machine& machine,
                         const std::function<void(const State&, std::size_t)>& visit = {},
                         const Deviation& deviation = {}) {
  const Offset max_offset = machine.constants().max_offset;
  const std::vector<Action> candidates = ActionsOfNext(machine.constants());
  std::set<std::string> seen;
  std::vector<State> level;
  std::vector<State> next = {machine.Init()};
  std::vector<Action> actions;
  Changes changes;
  Figures figures{0, 1, 0};
  seen.insert(PackedState(next[0], max_offset));
  while (!next.empty()) {
    level.swap(next);
    next.clear();
    ++figures.depth;
    for (State& state : level) {
      if (visit) visit(state, figures.depth);
      if (deviation.enabled) {
        actions.clear();
        for (const Action& action : candidates) {
          if (deviation.enabled(machine, state, action)) actions.push_back(action);
        }
      } else {
        machine.EnabledActions(state, actions);
      }
      const State before = state;
      for (const Action& action : actions) {
        machine.Apply(state, action, changes);
        State successor = state;
        if (deviation.after) deviation.after(before, action, successor);
        ++figures.generated;
        if (seen.insert(PackedState(successor, max_offset)).second) {
          next.push_back(std::move(successor));
        }
        Machine::Undo(state, changes);
      }
    }
  }
  figures.distinct = seen.size();
  return figures;
}

}  // namespace lockstep::protocol::leaderless_log
