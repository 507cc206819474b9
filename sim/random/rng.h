// Rng: the only generator of the project. Integers only.
//
// xoshiro256** (Blackman and Vigna), seeded through splitmix64. Streams are forked by name, so that
// a new draw in one component never shifts the draws of another.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lockstep::sim {

class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  /// The next 64 random bits.
  std::uint64_t Next();

  /// Uniform in [0, bound), without modulo bias. REQUIRES: bound >= 1.
  std::uint32_t Below(std::uint32_t bound);

  /// An independent stream derived from the seed this generator was made with and the name; not
  /// affected by draws made so far.
  [[nodiscard]] Rng Fork(std::string_view stream) const;

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> state_;
};

}  // namespace lockstep::sim
