// Trace: what one run leaves behind, as values; traces/README.md has the file format.
//
// A trace knows no named protocol: states, parameters and constants are Values, and the header says
// how each action is called in the module, so that an exporter needs nothing but the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/value.h"
#include "sim/choice/choices.h"

namespace lockstep::traces {

/// The one format version this build writes. Within a version a trace and a schedule keep their
/// meaning.
inline constexpr std::int64_t kFormatVersion = 1;

/// How an action is called in the TLA+ module: AssignOffset takes <<"w">>.
struct ActionSignature {
  std::string name;
  std::vector<std::string> arguments;  ///< names of the parameters the operator takes, in order
  /// The operator where a dialect's module calls it otherwise: "CompactStartRounds". Empty = name.
  std::string tla_operator{};
};

/// What is needed to make the run again, and to give its steps a meaning.
struct Header {
  std::string lockstep_version;
  std::string scenario;
  std::string seed;      ///< "0x..."; the seed the run was drawn from
  std::string mutant;    ///< empty = none
  std::string strategy;  ///< "random", "replay", ...
  std::int64_t max_steps = 0;
  std::vector<std::string> faults;  ///< fault kinds allowed by the caller; {"all"} = the scenario's
  std::string spec;                 ///< module name: "LeaderlessLog"
  std::vector<std::string> dialect;     ///< names, sorted; empty = upstream
  std::string tla_module;               ///< the module that has this dialect's meaning
  std::string tla_next;                 ///< its next-state operator: "Next"
  std::string tla_init;                 ///< its initial predicate: "Init"
  std::vector<std::string> invariants;  ///< operator names to list in a .cfg
  std::vector<ActionSignature> actions;
  sim::Value constants;  ///< record, by TLA+ name
  sim::Value initial;    ///< record: every variable's initial value, in module order
};

/// One line of the file: something that happened, with the action it was a step of, if any.
struct Step {
  std::int64_t number = 0;  ///< 1, 2, ...
  std::int64_t time = 0;    ///< virtual ticks
  std::string node;         ///< "w1", "store", "objects"
  sim::Value event;         ///< record, first field "kind": "send", "apply", "reply", "crash", ...
  std::optional<std::string> action;  ///< module name; nothing = stutter
  sim::Value parameters;              ///< record; empty without an action
  /// Record of changed variables: a function gives only its changed points (keyed by offset or
  /// name), any other variable its new value. Empty record = nothing changed.
  sim::Value changed;
};

struct ViolationRecord {
  std::string property;
  std::string kind;       ///< "safety", "liveness", "conformance", "nondeterminism"
  std::int64_t step = 0;  ///< number of the violating step
  std::string action;
  std::string message;
  sim::Value expected;
  sim::Value actual;
  std::vector<std::string> enabled;
  /// The variables that the store and the nodes show after the violating step where they differ
  /// from the spec's, as `Step::changed`. TLC's `observe` mode needs them.
  sim::Value observed;
};

struct Footer {
  std::string verdict;  ///< "holds", "violated", "inconclusive"
  std::optional<ViolationRecord> violation;
};

struct Trace {
  Header header;
  std::vector<Step> steps;
  sim::Schedule schedule;  ///< every decision of the run
  Footer footer;
};

}  // namespace lockstep::traces
