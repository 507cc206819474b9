// LogStateLayout: which bits of a PackedState hold which variable of the leaderless log.
//
// Each field is as wide as its greatest reachable value needs, for the configuration at hand, and
// lies in one word. Packing is injective: two states are equal if and only if their packed forms
// are. A value that does not fit is an error of the machine and ends the process; it is never cut.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "scenarios/exhaust/explore_model.h"

namespace lockstep::scenarios {

class LogStateLayout {
 public:
  /// Or why there is none: the configuration needs more than 128 bits.
  static std::variant<LogStateLayout, std::string> For(
      const protocol::leaderless_log::Constants& constants);

  /// REQUIRES: a state of these constants.
  [[nodiscard]] PackedState Pack(const protocol::leaderless_log::State& state) const;
  /// Into `packed`, which holds the state before: what `changes` names. `state` is the one after.
  void Repack(const protocol::leaderless_log::State& state,
              const protocol::leaderless_log::Changes& changes, PackedState& packed) const;

  /// REQUIRES: Pack made it.
  void Unpack(const PackedState& packed, protocol::leaderless_log::State& state) const;
  /// The same when `state` is already what `held` says: looks only at what differs.
  void UnpackOver(const PackedState& held, const PackedState& packed,
                  protocol::leaderless_log::State& state) const;

  [[nodiscard]] protocol::leaderless_log::Writer WriterOf(const PackedState& packed,
                                                          std::size_t writer) const {
    return WriterFrom(Get(packed, writers_[writer]));
  }
  [[nodiscard]] protocol::leaderless_log::CompactorState CompactorOf(
      const PackedState& packed) const {
    return static_cast<protocol::leaderless_log::CompactorState>(Get(packed, compactor_state_));
  }
  [[nodiscard]] unsigned bits() const { return used_[0] + used_[1]; }

 private:
  struct Field {
    std::uint8_t word = 0;
    std::uint8_t shift = 0;
    std::uint64_t mask = 0;
  };

  Field Add(unsigned bits);
  static std::uint64_t Get(const PackedState& packed, const Field& field) {
    return (packed[field.word] >> field.shift) & field.mask;
  }
  static bool Differs(const PackedState& difference, const Field& field) {
    return Get(difference, field) != 0;
  }
  static void Put(PackedState& packed, const Field& field, std::uint64_t value);
  [[nodiscard]] std::uint64_t FromWriter(const protocol::leaderless_log::Writer& writer) const;
  [[nodiscard]] protocol::leaderless_log::Writer WriterFrom(std::uint64_t bits) const;

  std::vector<Field> entries_;  // by offset - 1: type below, msgCount above
  std::vector<Field> writers_;  // state, readerResult, batchSize, offset, from below
  Field sequence_counter_;
  Field log_state_;
  Field compaction_cursor_;
  Field compactor_state_;
  Field compact_round_;
  unsigned batch_bits_ = 0;
  unsigned offset_bits_ = 0;
  std::array<unsigned, 2> used_{};
  bool fits_ = true;
};

}  // namespace lockstep::scenarios
