// Walk: random runs of a machine alone, every invariant in every state. What TLC's -simulate does.
//
// At each step one of the enabled actions is chosen, all alike, by Choices: a run is its seed, or
// its schedule, and either gives the same run again. Run k of a walk has the seed `seed` + k.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "invariants/violation.h"
#include "scenarios/exhaust/explore_model.h"
#include "scenarios/exhaust/log_explore_model.h"
#include "scenarios/exhaust/shortest_trace.h"
#include "sim/choice/choices.h"

namespace lockstep::scenarios {

/// A machine in one state, which moves on.
class WalkMachine {
 public:
  WalkMachine() = default;
  WalkMachine(const WalkMachine&) = delete;
  WalkMachine& operator=(const WalkMachine&) = delete;
  virtual ~WalkMachine() = default;

  /// To the initial state.
  virtual void Reset() = 0;
  /// How many actions are enabled.
  virtual std::uint32_t CountEnabled() = 0;
  /// Takes one of them and says which (the model's code).
  /// REQUIRES: which < CountEnabled(), asked since the latest step.
  virtual std::uint32_t Take(std::uint32_t which) = 0;
  /// The first invariant that does not hold in the present state, or -1.
  virtual int BrokenInvariant() = 0;
  /// False: a run ends in this state.
  virtual bool InConstraint() = 0;
  [[nodiscard]] virtual PackedState Packed() const = 0;
};

/// Works for any model; expands a state for each step.
[[nodiscard]] std::unique_ptr<WalkMachine> NewWalkMachine(const ExploreModel& model);
/// Moves the log's machine in place, which is several times faster. Keeps a reference.
[[nodiscard]] std::unique_ptr<WalkMachine> NewWalkMachine(const LogExploreModel& model);

/// Where a run broke something.
struct WalkBroken {
  /// Index into the model's invariants; nothing: no action was enabled (a deadlock).
  std::optional<std::size_t> invariant;
  std::uint64_t seed = 0;  ///< of the run
  sim::Schedule schedule;  ///< of the run, up to there
  StateTrace trace;        ///< likewise; the last state is the bad one
};

struct WalkRun {
  std::uint64_t steps = 0;
  bool broken = false;
  std::optional<std::size_t> invariant;  ///< as in WalkBroken, if broken
};

/// One run from the initial state. `trace`, unless null, gets every state. A schedule that is
/// shorter than the run, or does not fit it, ends in whatever its Choices then decide.
WalkRun WalkOnce(WalkMachine& machine, sim::Choices& choices, std::uint64_t max_steps,
                 StateTrace* trace = nullptr);

struct WalkProgress {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
};

struct WalkOptions {
  std::uint64_t seed = 0;
  std::uint64_t runs = 1000;
  std::uint64_t max_steps = 100;  ///< of a run; TLC's -depth
  /// Called now and then; false ends the walk.
  std::function<bool(const WalkProgress&)> progress;
};

struct WalkResult {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  /// kHolds: nothing was broken in any run. kInconclusive: stopped before the last run.
  invariants::Verdict verdict = invariants::Verdict::kHolds;
  std::optional<WalkBroken> broken;  ///< the first; it ends the walk
};

[[nodiscard]] WalkResult Walk(WalkMachine& machine, const WalkOptions& options);

}  // namespace lockstep::scenarios
