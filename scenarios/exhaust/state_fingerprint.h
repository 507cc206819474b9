// A number for a packed state, and one for a step between two: what coverage counts by.
//
// 64 bits: among the states of a configuration that can be searched at all, two with the same
// number are not to be expected; a test says that the shipped small configuration has none.
#pragma once

#include <cstdint>

#include "scenarios/exhaust/explore_model.h"

namespace lockstep::scenarios {

/// splitmix64's finalizer over a running sum.
constexpr std::uint64_t MixInto(std::uint64_t hash, std::uint64_t number) {
  std::uint64_t z = hash + 0x9e3779b97f4a7c15U + number;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

constexpr std::uint64_t StateFingerprint(const PackedState& state) {
  return MixInto(MixInto(0, state[0]), state[1]);
}

/// Of the step that leads from one state to another one.
constexpr std::uint64_t StepFingerprint(std::uint64_t from, std::uint64_t to) {
  return MixInto(MixInto(1, from), to);
}

}  // namespace lockstep::scenarios
