// FaultInjector: the run's fault plan, and the answer to "does this fault strike here?".
//
// The plan is drawn once from the choices (swarm): each permitted kind is off, or on with one of
// three strengths. A kind that is on strikes after a gap of opportunities that is drawn anew after
// each strike; so a schedule holds one decision a strike and not one an opportunity, and setting a
// gap to 0 ("never again") removes a fault from it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/choice/choices.h"
#include "sim/fault/fault.h"

namespace lockstep::sim {

/// How a run may be hurt: mean opportunities between two strikes, by kind; 0 = off.
using FaultPlan = std::array<std::uint32_t, kFaultKinds>;

/// Draws a plan over the permitted kinds: each is off in one run out of three.
FaultPlan DrawFaultPlan(FaultSet permitted, Choices& choices);
/// "crash/80 reply_lost/60", or "none".
std::string DescribePlan(const FaultPlan& plan);

class FaultInjector {
 public:
  FaultInjector(const FaultPlan& plan, Choices& choices);

  /// One opportunity for `kind`. Call it only where the fault could bite, so that what is counted
  /// is what struck.
  bool Fires(FaultKind kind) {
    std::uint32_t& gap = gaps_[static_cast<std::size_t>(kind)];
    if (gap == 0) return false;
    if (--gap != 0) return false;
    return Strike(kind);
  }

  /// No fault strikes any more (the heal phase).
  void Stop() { gaps_.fill(0); }

  /// Counts a strike that was decided elsewhere.
  void Count(FaultKind kind) { ++struck_[static_cast<std::size_t>(kind)]; }

  [[nodiscard]] const std::array<std::uint64_t, kFaultKinds>& struck() const { return struck_; }

 private:
  bool Strike(FaultKind kind);
  void DrawGap(FaultKind kind);

  FaultPlan plan_;
  Choices& choices_;
  std::array<std::uint32_t, kFaultKinds> gaps_{};
  std::array<std::uint64_t, kFaultKinds> struck_{};
};

}  // namespace lockstep::sim
