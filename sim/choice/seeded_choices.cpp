#include "sim/choice/seeded_choices.h"

#include <cstddef>
#include <utility>

namespace lockstep::sim {
namespace {

template <std::size_t... I>
std::array<Rng, kChoiceKinds> Streams(const Rng& root, std::index_sequence<I...> /*kinds*/) {
  return {root.Fork(ChoiceKindName(static_cast<ChoiceKind>(I)))...};
}

}  // namespace

SeededChoices::SeededChoices(std::uint64_t seed)
    : streams_(Streams(Rng(seed), std::make_index_sequence<kChoiceKinds>{})) {}

std::uint32_t SeededChoices::Decide(ChoiceKind kind, std::uint32_t bound, std::uint32_t at_least) {
  return at_least + streams_[static_cast<std::size_t>(kind)].Below(bound - at_least);
}

}  // namespace lockstep::sim
