// ReplayChoices: follows a schedule, and says where the run asked for something else.
//
// A decision diverges when the schedule is exhausted, or its next entry has another kind or bound.
// After a divergence every decision takes its lowest permitted value (`at_least`), and no fault
// strikes any more (a gap of 0 says never), so that the run still ends; whoever replays looks at
// divergence() and decides what it means.
#pragma once

#include <optional>

#include "sim/choice/choices.h"

namespace lockstep::sim {

struct Divergence {
  std::size_t position = 0;        ///< index into the schedule
  Choice asked;                    ///< kind and bound that the run asked for (value unused)
  std::optional<Choice> recorded;  ///< what the schedule has there; nothing when it is exhausted
};

class ReplayChoices : public Choices {
 public:
  explicit ReplayChoices(Schedule schedule) : schedule_(std::move(schedule)) {}

  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }
  /// Entries of the schedule not yet consumed.
  [[nodiscard]] std::size_t remaining() const { return schedule_.size() - position_; }

 protected:
  std::uint32_t Decide(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least) override;

 private:
  Schedule schedule_;
  std::size_t position_ = 0;
  std::optional<Divergence> divergence_;
};

}  // namespace lockstep::sim
