// How a leaderless log lies in the coordination store: keys and record values.
//
//   log/state           OPEN | FENCED                                    logState
//   log/counter         next offset to assign, decimal                   sequenceCounter
//   log/cursor          first offset not yet compacted, decimal          compactionCursor
//   log/index/<20 dig>  <type> <msgCount> <object key> <token>           logIndex, by end offset
//   log/plan            <round> <phase> <start> <end> <claimant>         the compaction under way
//   log/append/<token>  end offset of the append, or "aborted"           resolves unknown outcomes
//
// The last two have no counterpart in the module: the plan makes the three compaction steps
// exclusive and resumable, the token makes an append's outcome decidable after a lost reply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/leaderless_log/leaderless_log_machine.h"

namespace lockstep::protocol::leaderless_log {

inline constexpr std::string_view kLogPrefix = "log/";  ///< of every key of the log
inline constexpr std::string_view kStateKey = "log/state";
inline constexpr std::string_view kCounterKey = "log/counter";
inline constexpr std::string_view kCursorKey = "log/cursor";
inline constexpr std::string_view kPlanKey = "log/plan";
inline constexpr std::string_view kIndexPrefix = "log/index/";
inline constexpr std::string_view kAppendPrefix = "log/append/";
inline constexpr std::string_view kWithdrawn = "aborted";

/// "log/index/00000000000000000007". REQUIRES: offset >= 0.
std::string IndexKey(Offset offset);
/// The offset of an index key, or nothing when `key` is not one: offsets are 1, 2, ...
/// kUnboundedOffset.
std::optional<Offset> OffsetOfIndexKey(std::string_view key);
std::string AppendKey(std::string_view token);

/// A decimal without sign or leading zeros, or nothing.
std::optional<std::int64_t> ParseDecimal(std::string_view text);

/// An index record's value.
struct IndexValue {
  Entry entry;
  std::string object;  ///< key in the object store
  std::string token;   ///< who appended it; "-" for a COMPACTED entry
};
std::string EncodeIndexValue(const IndexValue& value);
std::optional<IndexValue> DecodeIndexValue(std::string_view text);

/// How far the compaction under way has come.
enum class PlanPhase : std::uint8_t {
  kIdle,      ///< no compaction is claimed in this round
  kWriting,   ///< claimed; the COMPACTED entry is not written yet
  kDeleting,  ///< COMPACTED entry written; superseded entries not deleted yet
  kCursor,    ///< superseded entries deleted; cursor not moved yet
  kDone,      ///< cursor moved; the round is not closed yet
  kComplete,  ///< every round is closed (only where the number of rounds is fixed)
};
std::string_view PlanPhaseName(PlanPhase phase);

struct Plan {
  std::int64_t round = 1;
  PlanPhase phase = PlanPhase::kIdle;
  Range range;           ///< meaningless when idle or complete
  std::string claimant;  ///< the incarnation that holds it; "-" when idle or complete
};
/// Somebody holds the compaction: it is claimed, and its round is not closed yet.
bool IsHeld(const Plan& plan);
std::string EncodePlan(const Plan& plan);
/// Nothing for a plan that cannot be, such as a held one whose range is none.
std::optional<Plan> DecodePlan(std::string_view text);

/// The bytes of record `i` (1-based) of the append with number `operation`: "17.2". Payloads are
/// derived, so that any oracle can tell what must be read without keeping a copy.
std::string RecordBytes(std::uint64_t operation, std::int64_t i);
/// Records joined by newlines: the content of a WAL or compacted object.
void AppendRecord(std::string& object, std::string_view record);
/// Record `i` (1-based) of an object, or nothing. Records are not empty.
std::optional<std::string_view> RecordAt(std::string_view object, std::int64_t i);

}  // namespace lockstep::protocol::leaderless_log
