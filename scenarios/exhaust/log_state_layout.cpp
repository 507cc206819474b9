#include "scenarios/exhaust/log_state_layout.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Changes;
using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::Constants;
using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::LogState;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::Range;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::State;
using protocol::leaderless_log::Writer;
using protocol::leaderless_log::WriterState;

constexpr unsigned kWordBits = 64;
constexpr unsigned kTypeBits = 2;    // EMPTY, WAL, COMPACTED
constexpr unsigned kWriterBits = 3;  // IDLE .. FAILED
constexpr unsigned kResultBits = 2;  // NONE, OK, ERROR
constexpr unsigned kCompactorBits = 3;

unsigned BitsFor(std::int64_t greatest) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(greatest)));
}

std::uint64_t FromEntry(const Entry& entry) {
  return static_cast<std::uint64_t>(entry.type) |
         (static_cast<std::uint64_t>(entry.msg_count) << kTypeBits);
}

Entry EntryFrom(std::uint64_t bits) {
  return {static_cast<EntryType>(bits & ((1U << kTypeBits) - 1)),
          static_cast<std::int64_t>(bits >> kTypeBits)};
}

template <typename T>
std::uint64_t Word(T value) {
  return static_cast<std::uint64_t>(value);
}

}  // namespace

/// In the first word that has room; fields keep the order in which they are added as far as they
/// can.
LogStateLayout::Field LogStateLayout::Add(unsigned bits) {
  for (std::uint8_t word = 0; word < 2; ++word) {
    if (used_[word] + bits > kWordBits) continue;
    const Field field{word, static_cast<std::uint8_t>(used_[word]),
                      bits == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1};
    used_[word] += bits;
    return field;
  }
  fits_ = false;
  return {};
}

std::variant<LogStateLayout, std::string> LogStateLayout::For(const Constants& constants) {
  std::int64_t longest = constants.max_batch;
  for (const Range& range : constants.ranges)
    longest = std::max(longest, range.end - range.start + 1);
  const std::int64_t rounds =
      constants.dialect.rounds ? static_cast<std::int64_t>(constants.ranges.size()) + 1 : 2;
  // A batch that is assigned fits the log, but a greater one can be asked for.
  longest = std::min(longest, constants.max_offset);

  LogStateLayout layout;
  layout.batch_bits_ = BitsFor(constants.max_batch);
  layout.offset_bits_ = BitsFor(constants.max_offset);
  layout.sequence_counter_ = layout.Add(BitsFor(constants.max_offset + 1));
  layout.log_state_ = layout.Add(1);
  layout.compaction_cursor_ = layout.Add(BitsFor(constants.max_offset + 1));
  layout.compactor_state_ = layout.Add(kCompactorBits);
  layout.compact_round_ = layout.Add(BitsFor(rounds));
  const unsigned writer_bits = kWriterBits + kResultBits + layout.batch_bits_ + layout.offset_bits_;
  for (std::size_t i = 0; i < constants.writers.size() && layout.fits_; ++i) {
    layout.writers_.push_back(layout.Add(writer_bits));
  }
  for (Offset offset = 1; offset <= constants.max_offset && layout.fits_; ++offset) {
    layout.entries_.push_back(layout.Add(kTypeBits + BitsFor(longest)));
  }
  if (layout.fits_) return layout;
  return "a state does not fit into 128 bits: " + std::to_string(constants.writers.size()) +
         " writers of " + std::to_string(writer_bits) + " bits and MaxOffset " +
         std::to_string(constants.max_offset) + " entries of " +
         std::to_string(kTypeBits + BitsFor(longest)) + " bits";
}

void LogStateLayout::Put(PackedState& packed, const Field& field, std::uint64_t value) {
  LOCKSTEP_CHECK_MSG(value <= field.mask, "the machine has left the variables' domains (TypeOK)");
  std::uint64_t& word = packed[field.word];
  word = (word & ~(field.mask << field.shift)) | (value << field.shift);
}

std::uint64_t LogStateLayout::FromWriter(const Writer& writer) const {
  std::uint64_t bits = Word(writer.offset);
  bits = (bits << batch_bits_) | Word(writer.batch_size);
  bits = (bits << kResultBits) | Word(writer.reader_result);
  bits = (bits << kWriterBits) | Word(writer.state);
  const bool in_domain =
      Word(writer.batch_size) >> batch_bits_ == 0 && Word(writer.offset) >> offset_bits_ == 0;
  LOCKSTEP_CHECK_MSG(in_domain, "the machine has left the variables' domains (TypeOK)");
  return bits;
}

Writer LogStateLayout::WriterFrom(std::uint64_t bits) const {
  const auto take = [&bits](unsigned width) {
    const std::uint64_t value = bits & ((std::uint64_t{1} << width) - 1);
    bits >>= width;
    return value;
  };
  Writer writer;
  writer.state = static_cast<WriterState>(take(kWriterBits));
  writer.reader_result = static_cast<ReaderResult>(take(kResultBits));
  writer.batch_size = static_cast<std::int64_t>(take(batch_bits_));
  writer.offset = static_cast<Offset>(bits);
  return writer;
}

PackedState LogStateLayout::Pack(const State& state) const {
  PackedState packed{};
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Put(packed, entries_[i], FromEntry(state.log_index.At(static_cast<Offset>(i) + 1)));
  }
  LOCKSTEP_CHECK(state.log_index.high() <= static_cast<Offset>(entries_.size()));
  LOCKSTEP_CHECK(state.writers.size() == writers_.size());
  for (std::size_t i = 0; i < writers_.size(); ++i) {
    Put(packed, writers_[i], FromWriter(state.writers[i]));
  }
  Put(packed, sequence_counter_, Word(state.sequence_counter));
  Put(packed, log_state_, Word(state.log_state));
  Put(packed, compaction_cursor_, Word(state.compaction_cursor));
  Put(packed, compactor_state_, Word(state.compactor_state));
  Put(packed, compact_round_, Word(state.compact_round));
  return packed;
}

void LogStateLayout::Repack(const State& state, const Changes& changes, PackedState& packed) const {
  for (const Changes::IndexChange& change : changes.index) {
    const auto i = static_cast<std::size_t>(change.offset - 1);
    LOCKSTEP_CHECK(i < entries_.size());
    Put(packed, entries_[i], FromEntry(state.log_index.At(change.offset)));
  }
  if (changes.writer) {
    const std::size_t i = changes.writer->first;
    LOCKSTEP_CHECK_MSG(i < writers_.size(), "a writer that joined after the layout was made");
    Put(packed, writers_[i], FromWriter(state.writers[i]));
  }
  if (changes.sequence_counter) Put(packed, sequence_counter_, Word(state.sequence_counter));
  if (changes.log_state) Put(packed, log_state_, Word(state.log_state));
  if (changes.compaction_cursor) Put(packed, compaction_cursor_, Word(state.compaction_cursor));
  if (changes.compactor_state) Put(packed, compactor_state_, Word(state.compactor_state));
  if (changes.compact_round) Put(packed, compact_round_, Word(state.compact_round));
}

void LogStateLayout::Unpack(const PackedState& packed, State& state) const {
  state.writers.resize(writers_.size());
  UnpackOver({~packed[0], ~packed[1]}, packed, state);
}

void LogStateLayout::UnpackOver(const PackedState& held, const PackedState& packed,
                                State& state) const {
  const PackedState difference{held[0] ^ packed[0], held[1] ^ packed[1]};
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!Differs(difference, entries_[i])) continue;
    state.log_index.Set(static_cast<Offset>(i) + 1, EntryFrom(Get(packed, entries_[i])));
  }
  for (std::size_t i = 0; i < writers_.size(); ++i) {
    if (Differs(difference, writers_[i])) state.writers[i] = WriterOf(packed, i);
  }
  state.sequence_counter = static_cast<Offset>(Get(packed, sequence_counter_));
  state.log_state = static_cast<LogState>(Get(packed, log_state_));
  state.compaction_cursor = static_cast<Offset>(Get(packed, compaction_cursor_));
  state.compactor_state = static_cast<CompactorState>(Get(packed, compactor_state_));
  state.compact_round = static_cast<std::int64_t>(Get(packed, compact_round_));
}

}  // namespace lockstep::scenarios
