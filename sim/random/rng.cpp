#include "sim/random/rng.h"

#include "sim/base/check.h"

namespace lockstep::sim {
namespace {

std::uint64_t SplitMix(std::uint64_t& x) {
  x += 0x9e3779b97f4a7c15U;
  std::uint64_t z = x;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

constexpr std::uint64_t RotateLeft(std::uint64_t x, unsigned k) {
  return (x << k) | (x >> (64U - k));
}

}  // namespace

Rng::Rng(std::uint64_t seed) : seed_(seed), state_{} {
  std::uint64_t x = seed;
  for (std::uint64_t& word : state_) word = SplitMix(x);
}

std::uint64_t Rng::Next() {
  const std::uint64_t result = RotateLeft(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = RotateLeft(state_[3], 45);
  return result;
}

std::uint32_t Rng::Below(std::uint32_t bound) {
  LOCKSTEP_CHECK(bound >= 1);
  // Lemire's method: the high half of a 32x32 product, rejecting the short first interval.
  std::uint64_t product = (Next() >> 32U) * bound;
  auto low = static_cast<std::uint32_t>(product);
  if (low < bound) {
    const std::uint32_t threshold = (0U - bound) % bound;
    while (low < threshold) {
      product = (Next() >> 32U) * bound;
      low = static_cast<std::uint32_t>(product);
    }
  }
  return static_cast<std::uint32_t>(product >> 32U);
}

Rng Rng::Fork(std::string_view stream) const {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : stream) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  std::uint64_t x = seed_ ^ hash;
  return Rng(SplitMix(x));
}

}  // namespace lockstep::sim
