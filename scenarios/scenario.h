// Scenario: an experiment as data: world, workload, faults, oracles, what must happen, what to
// expect.
//
// Whoever runs scenarios (command line, sweep, tests) sees only this and RunResult, and no
// protocol: each scenario brings the function that makes one run of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "invariants/violation.h"
#include "sim/choice/choices.h"
#include "sim/fault/fault.h"
#include "traces/trace.h"

namespace lockstep::scenarios {

/// Written into every trace.
inline constexpr std::string_view kLockstepVersion = "0.1.0";

struct Scenario;
struct Mutant;

/// One run to be made.
struct RunSpec {
  const Scenario* scenario = nullptr;
  const Mutant* mutant = nullptr;  ///< nothing = the correct implementation
  std::uint64_t seed = 1;
  sim::FaultSet faults = sim::FaultSet::All();  ///< intersected with the scenario's
  std::int64_t max_steps = 0;                   ///< hurt phase, in events; 0 = the scenario's own
  std::string strategy = "random";
  /// Follow this schedule instead of drawing from the seed.
  const sim::Schedule* schedule = nullptr;
  bool record_trace = false;  ///< fill RunResult::trace (costs time and memory)
};

/// What happened in a run, for coverage. Vectors are indexed as the scenario's name lists are.
struct Coverage {
  std::vector<std::uint64_t> actions;                    ///< times taken, by Scenario::actions
  std::vector<std::uint64_t> reached;                    ///< times, by Scenario::must_reach
  std::array<std::uint64_t, sim::kFaultKinds> faults{};  ///< strikes
  /// Hashes of the spec states passed, sorted, without duplicates; only where states are finitely
  /// many.
  std::vector<std::uint64_t> states;
  /// Likewise of the steps taken from one state to another.
  std::vector<std::uint64_t> transitions;
  void Merge(const Coverage& other);
};

/// Where and how a run broke a property.
struct Failure {
  invariants::Violation violation;
  /// Why the step is no step of the spec, when it is none; equal to `violation` when nothing else
  /// is broken. TLC refuses the exported trace at this step exactly when this is set.
  std::optional<invariants::Violation> conformance;
  std::int64_t step = 0;  ///< spec step (trace line) at which it was seen
  std::string action;     ///< "AssignOffset(w1)"; empty on a stutter
  std::string node;
  std::vector<std::string> enabled;  ///< actions that were enabled before the step
  /// The latest spec actions up to the failure, oldest first, as "  12 StartAppend(w1) count=2".
  std::vector<std::string> recent;
};

struct RunResult {
  std::uint64_t seed = 0;
  std::int64_t steps = 0;  ///< events of the world
  invariants::Verdict verdict = invariants::Verdict::kHolds;
  std::optional<Failure> failure;
  Coverage coverage;
  std::string plan;        ///< the drawn configuration, one line
  sim::Schedule schedule;  ///< every decision made
  std::optional<traces::Trace> trace;
  /// A followed schedule did not fit; what differed. The run went on with lowest values.
  std::optional<std::string> divergence;
};

/// Everything about a scenario that does not depend on a protocol.
struct Scenario {
  std::string_view name;
  std::string_view story;     ///< one sentence; the file of this name tells the rest
  std::string_view protocol;  ///< "leaderless_log"
  std::string_view spec;      ///< "LeaderlessLog"
  sim::FaultSet faults;
  std::int64_t max_steps = 0;  ///< of the hurt phase
  invariants::Verdict expectation = invariants::Verdict::kHolds;
  std::vector<std::string_view>
      actions;  ///< of the module: those a sweep must take, in Next's order
  std::vector<std::string_view> must_reach;  ///< situations that a sweep must meet at least once
  std::uint64_t states_total = 0;            ///< of the spec's configuration, where known; else 0
  std::uint64_t transitions_total = 0;       ///< likewise: steps from one state to another
  std::string_view
      config;  ///< the configuration of the spec's machine with these states; else empty
  bool in_default_sweep = true;
  RunResult (*run)(const RunSpec& spec) = nullptr;
};

/// A deliberate defect of the implementation or its client, and who must notice.
struct Mutant {
  std::string_view name;
  std::string_view what;      ///< one line
  std::string_view source;    ///< the public report it restates
  std::string_view scenario;  ///< where it is to be hunted
  std::string_view killer;    ///< the property that must see it
};

/// The only lists of scenarios and mutants.
std::span<const Scenario> AllScenarios();
const Scenario* FindScenario(std::string_view name);
std::span<const Mutant> AllMutants();
const Mutant* FindMutant(std::string_view name);

/// Makes one run. The same spec gives the same result, byte for byte.
RunResult Run(const RunSpec& spec);

}  // namespace lockstep::scenarios
