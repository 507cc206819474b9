#include "scenarios/exhaust/state_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <utility>

#include "scenarios/exhaust/run_chunks.h"
#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

// A slot: the fingerprint in the upper half; in the lower half the state's number plus one, or
// kBusy while its inserter writes the state. An empty slot is 0.
constexpr std::uint64_t kNumberMask = 0xffffffffU;
constexpr std::uint64_t kBusy = kNumberMask;

constexpr std::uint64_t kStateBytes = sizeof(PackedState);
constexpr std::uint64_t kSlotBytes = sizeof(std::uint64_t);
constexpr std::uint64_t kStatesMax = kBusy - 1;  // Numbers plus one stay below kBusy.
constexpr std::uint64_t kSlotsAtFirst = std::uint64_t{1} << 16U;
constexpr std::uint64_t kSlotsMin = std::uint64_t{1} << 6U;
constexpr std::uint64_t kReservedMin = std::uint64_t{1} << 20U;

/// States that are looked up together.
constexpr std::size_t kBatch = 64;
/// States that one worker links anew at a time.
constexpr std::uint64_t kRelinkChunk = 1U << 14U;

/// Up to here probing is short; growth aims at it.
constexpr std::uint64_t ComfortableStates(std::uint64_t slots) { return slots / 8 * 5; }
/// Up to here probing is bearable, when growth does not fit.
constexpr std::uint64_t CrowdedStates(std::uint64_t slots) { return slots / 8 * 7; }

constexpr std::uint64_t Number(std::uint64_t slot) { return slot & kNumberMask; }
constexpr std::uint64_t Fingerprint(std::uint64_t slot) { return slot & ~kNumberMask; }

void SpinOnce() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

ReservedMemory ReserveAtMost(std::uint64_t bytes) {
  while (bytes > kReservedMin) {
    ReservedMemory memory(bytes);
    if (memory.data() != nullptr) return memory;
    bytes /= 2;
  }
  return ReservedMemory(kReservedMin);
}

}  // namespace

// ReservedMemory.

ReservedMemory::ReservedMemory(std::uint64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    bytes_ = 0;
    return;
  }
  // Lookups go everywhere: with small pages each would miss the address cache too. Only advice.
  ::madvise(memory, bytes, MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(memory);
}

ReservedMemory::ReservedMemory(ReservedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ReservedMemory& ReservedMemory::operator=(ReservedMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

ReservedMemory::~ReservedMemory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

// StateTable: lookups.

StateTable::Hashed StateTable::Hash(const PackedState& state) const {
  // Multiply and fold; fixed constants, so that a search takes the same way every time.
  std::uint64_t h = (state[0] ^ 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U;
  h ^= h >> 32U;
  h = (h ^ state[1]) * 0x94d049bb133111ebU;
  h ^= h >> 29U;
  h *= 0xd6e8feb86659fd93U;
  h ^= h >> 32U;
  return {h >> shift_, h << 32U};
}

/// The state that the first slot probed leads to, which is usually the one that is looked for.
void StateTable::PrefetchState(const Hashed& hashed) const {
  const std::uint64_t slot = slots_[hashed.slot].load(std::memory_order_relaxed);
  if (slot == 0 || Fingerprint(slot) != hashed.fingerprint || Number(slot) == kBusy) return;
  __builtin_prefetch(&states_[Number(slot) - 1]);
}

StateTable::Inserted StateTable::InsertHashed(const PackedState& state, const Hashed& hashed) {
  std::uint64_t i = hashed.slot;
  while (true) {
    std::uint64_t slot = slots_[i].load(std::memory_order_acquire);
    if (slot == 0 && slots_[i].compare_exchange_strong(slot, hashed.fingerprint | kBusy,
                                                       std::memory_order_acq_rel)) {
      const StateIndex index = size_.fetch_add(1, std::memory_order_relaxed);
      states_[index] = state;
      slots_[i].store(hashed.fingerprint | (index + std::uint64_t{1}), std::memory_order_release);
      return {index, true};
    }
    if (Fingerprint(slot) == hashed.fingerprint) {
      while (Number(slot) == kBusy) {
        SpinOnce();
        slot = slots_[i].load(std::memory_order_acquire);
      }
      const auto index = static_cast<StateIndex>(Number(slot) - 1);
      if (Same(states_[index], state)) return {index, false};
    }
    i = (i + 1) & (slot_count_ - 1);
  }
}

StateIndex StateTable::FindHashed(const PackedState& state, const Hashed& hashed) const {
  std::uint64_t i = hashed.slot;
  while (true) {
    const std::uint64_t slot = slots_[i].load(std::memory_order_acquire);
    if (slot == 0) return kNoState;
    if (Fingerprint(slot) == hashed.fingerprint && Number(slot) != kBusy) {
      const auto index = static_cast<StateIndex>(Number(slot) - 1);
      if (Same(states_[index], state)) return index;
    }
    i = (i + 1) & (slot_count_ - 1);
  }
}

StateTable::Inserted StateTable::Insert(const PackedState& state) {
  return InsertHashed(state, Hash(state));
}

StateIndex StateTable::Find(const PackedState& state) const {
  return FindHashed(state, Hash(state));
}

/// Asks for the memory of a whole batch before it looks at any of it.
template <typename Result, typename Look>
void StateTable::InBatches(std::span<const PackedState> states, std::span<Result> results,
                           Look look) const {
  LOCKSTEP_CHECK(states.size() == results.size());
  std::array<Hashed, kBatch> hashed{};
  while (!states.empty()) {
    const std::size_t count = std::min(kBatch, states.size());
    for (std::size_t i = 0; i < count; ++i) {
      hashed[i] = Hash(states[i]);
      __builtin_prefetch(&slots_[hashed[i].slot]);
    }
    for (std::size_t i = 0; i < count; ++i) PrefetchState(hashed[i]);
    for (std::size_t i = 0; i < count; ++i) results[i] = look(states[i], hashed[i]);
    states = states.subspan(count);
    results = results.subspan(count);
  }
}

void StateTable::Insert(std::span<const PackedState> states, std::span<Inserted> results) {
  InBatches(states, results, [this](const PackedState& state, const Hashed& hashed) {
    return InsertHashed(state, hashed);
  });
}

void StateTable::Find(std::span<const PackedState> states, std::span<StateIndex> results) const {
  InBatches(states, results, [this](const PackedState& state, const Hashed& hashed) {
    return FindHashed(state, hashed);
  });
}

// StateTable: room.

StateTable::StateTable(std::uint64_t memory_max)
    : memory_max_(memory_max),
      state_memory_(ReserveAtMost(std::min(memory_max, kStatesMax * kStateBytes))) {
  LOCKSTEP_CHECK_MSG(state_memory_.data() != nullptr, "no address space for the first states");
  states_ = reinterpret_cast<PackedState*>(state_memory_.data());
  std::uint64_t slots = kSlotsAtFirst;
  while (slots > kSlotsMin && slots * kSlotBytes * 2 > memory_max) slots /= 2;
  SerialExecutor serial;
  LOCKSTEP_CHECK_MSG(Rehash(slots, serial), "no address space for the first slots");
  states_max_ = RoomFor(slots, ComfortableStates(slots));
}

bool StateTable::Claim(std::uint32_t count) {
  const std::uint64_t before = claimed_.fetch_add(count, std::memory_order_relaxed);
  if (before + count <= states_max_) return true;
  claimed_.fetch_sub(count, std::memory_order_relaxed);
  return false;
}

/// How many states there may be with that many slots: as the slots, the limit and the reserved
/// memory allow.
std::uint64_t StateTable::RoomFor(std::uint64_t slots, std::uint64_t states_wanted) const {
  const std::uint64_t slot_bytes = slots * kSlotBytes;
  if (slot_bytes >= memory_max_) return 0;
  return std::min({states_wanted, (memory_max_ - slot_bytes) / kStateBytes,
                   state_memory_.bytes() / kStateBytes, kStatesMax});
}

bool StateTable::Grow(std::uint32_t count, Executor& executor) {
  claimed_.store(size(), std::memory_order_relaxed);
  const std::uint64_t wanted = std::uint64_t{size()} + count;
  std::uint64_t slots = slot_count_;
  while (ComfortableStates(slots) < wanted) slots *= 2;
  if (RoomFor(slots, ComfortableStates(slots)) >= wanted) {
    if (slots != slot_count_ && !Rehash(slots, executor)) return false;
    states_max_ = RoomFor(slots, ComfortableStates(slots));
    return true;
  }
  const std::uint64_t crowded = RoomFor(slot_count_, CrowdedStates(slot_count_));
  if (crowded < wanted) return false;
  states_max_ = crowded;
  return true;
}

std::uint64_t StateTable::memory_bytes() const {
  return std::uint64_t{size()} * kStateBytes + slot_count_ * kSlotBytes;
}

/// Links all states from a new table of slots. The old one is not needed for it, so the two are
/// never both there. False, and nothing changed, if there is no address space.
bool StateTable::Rehash(std::uint64_t slots, Executor& executor) {
  ReservedMemory memory(slots * kSlotBytes);
  if (memory.data() == nullptr) return false;
  slot_memory_ = ReservedMemory();
  slot_memory_ = std::move(memory);
  slots_ = reinterpret_cast<std::atomic<std::uint64_t>*>(slot_memory_.data());
  slot_count_ = slots;
  shift_ = 64;
  for (std::uint64_t i = slots; i > 1; i /= 2) --shift_;

  RunChunks(executor, 0, size(), kRelinkChunk,
            [this](std::uint32_t /*worker*/, std::uint64_t first, std::uint64_t last) {
              Relink(first, last);
            });
  return true;
}

/// Links the states numbered first .. last-1, all different, with nothing to compare.
void StateTable::Relink(std::uint64_t first, std::uint64_t last) {
  std::array<Hashed, kBatch> hashed{};
  while (first < last) {
    const std::uint64_t count = std::min<std::uint64_t>(kBatch, last - first);
    for (std::uint64_t i = 0; i < count; ++i) {
      hashed[i] = Hash(states_[first + i]);
      __builtin_prefetch(&slots_[hashed[i].slot], 1);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t value = hashed[i].fingerprint | (first + i + 1);
      std::uint64_t at = hashed[i].slot;
      std::uint64_t empty = 0;
      while (!slots_[at].compare_exchange_strong(empty, value, std::memory_order_relaxed)) {
        empty = 0;
        at = (at + 1) & (slot_count_ - 1);
      }
    }
    first += count;
  }
}

}  // namespace lockstep::scenarios
