// SeededChoices: decides everything from one seed, uniformly; each kind of decision has its own
// stream, so that a further draw of one kind never shifts another.
#pragma once

#include <array>

#include "sim/choice/choices.h"
#include "sim/random/rng.h"

namespace lockstep::sim {

class SeededChoices : public Choices {
 public:
  explicit SeededChoices(std::uint64_t seed);

 protected:
  std::uint32_t Decide(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least) override;

 private:
  std::array<Rng, kChoiceKinds> streams_;
};

}  // namespace lockstep::sim
