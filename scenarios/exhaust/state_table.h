// StateTable: an exact set of packed states, numbered in the order in which they came.
//
// States stand in one array, 16 bytes each; an open addressing table of 8-byte slots (fingerprint
// and number) leads to them. Any number of threads may insert at the same time. What dominates is
// waiting for memory, so whoever has several states to look up does that in one call.
//
// Memory is bounded and taken only where it fits: room is claimed before states are inserted, a
// claim that does not fit is refused, and Grow refuses what would go beyond the limit.
//
// DETERMINISM: with several threads the numbers depend on who comes first, the set does not.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "scenarios/exhaust/executor.h"
#include "scenarios/exhaust/explore_model.h"

namespace lockstep::scenarios {

using StateIndex = std::uint32_t;
inline constexpr StateIndex kNoState = 0xffffffffU;

/// a == b, without the call that an array's comparison is. It is asked more often than anything.
[[nodiscard]] constexpr bool Same(const PackedState& a, const PackedState& b) {
  return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
}

/// Zero-filled memory that costs nothing until it is touched.
class ReservedMemory {
 public:
  ReservedMemory() = default;
  /// Empty if the system refuses the address space.
  explicit ReservedMemory(std::uint64_t bytes);
  ReservedMemory(ReservedMemory&& other) noexcept;
  ReservedMemory& operator=(ReservedMemory&& other) noexcept;
  ~ReservedMemory();

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

class StateTable {
 public:
  struct Inserted {
    StateIndex index = kNoState;
    bool is_new = false;
  };

  /// Touches at most `memory_max` bytes, or 512 if that is more.
  explicit StateTable(std::uint64_t memory_max);
  StateTable(const StateTable&) = delete;
  StateTable& operator=(const StateTable&) = delete;
  ~StateTable() = default;

  // From any thread, at the same time.

  /// Room for `count` new states; false when there is none, until Grow has made some.
  [[nodiscard]] bool Claim(std::uint32_t count);
  /// Gives back what was claimed and not used by new states.
  void GiveBack(std::uint32_t count) { claimed_.fetch_sub(count, std::memory_order_relaxed); }
  /// REQUIRES: room claimed, at least one for each state that may be new.
  Inserted Insert(const PackedState& state);
  /// results[i] is of states[i]. REQUIRES: as Insert; equal sizes.
  void Insert(std::span<const PackedState> states, std::span<Inserted> results);
  /// The state's number, or kNoState.
  [[nodiscard]] StateIndex Find(const PackedState& state) const;
  /// results[i] is of states[i]. REQUIRES: equal sizes.
  void Find(std::span<const PackedState> states, std::span<StateIndex> results) const;

  /// States have the numbers 0 .. size()-1. While others insert, those returned to this thread and
  /// those that were there before may be looked at.
  [[nodiscard]] const PackedState& At(StateIndex index) const { return states_[index]; }
  [[nodiscard]] StateIndex size() const { return size_.load(std::memory_order_acquire); }

  // While nobody else uses it.

  /// Makes room for at least `count` further claims. False when that would go beyond the limit.
  [[nodiscard]] bool Grow(std::uint32_t count, Executor& executor);
  /// Touched by now: states and slots.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  [[nodiscard]] std::uint64_t memory_max() const { return memory_max_; }

 private:
  struct Hashed {
    std::uint64_t slot;         ///< where probing begins
    std::uint64_t fingerprint;  ///< in the upper half
  };
  [[nodiscard]] Hashed Hash(const PackedState& state) const;
  template <typename Result, typename Look>
  void InBatches(std::span<const PackedState> states, std::span<Result> results, Look look) const;
  void PrefetchState(const Hashed& hashed) const;
  Inserted InsertHashed(const PackedState& state, const Hashed& hashed);
  [[nodiscard]] StateIndex FindHashed(const PackedState& state, const Hashed& hashed) const;
  [[nodiscard]] std::uint64_t RoomFor(std::uint64_t slots, std::uint64_t states_wanted) const;
  bool Rehash(std::uint64_t slots, Executor& executor);
  void Relink(std::uint64_t first, std::uint64_t last);

  std::uint64_t memory_max_;
  ReservedMemory state_memory_;
  ReservedMemory slot_memory_;
  PackedState* states_ = nullptr;
  std::atomic<std::uint64_t>* slots_ = nullptr;
  std::uint64_t slot_count_ = 0;  ///< a power of two
  unsigned shift_ = 64;           ///< 64 - log2(slot_count_)
  std::uint64_t states_max_ = 0;  ///< how many the slots and the limit allow at present
  alignas(64) std::atomic<std::uint64_t> claimed_{0};
  alignas(64) std::atomic<StateIndex> size_{0};
};

}  // namespace lockstep::scenarios
