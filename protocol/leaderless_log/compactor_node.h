// CompactorNode: replaces a range of WAL entries by one COMPACTED entry, in three steps.
//
// Write the COMPACTED entry at the range's end, delete the entries below it, move the cursor. Each
// step is one transaction on the compaction plan's version and writes the plan anew, so that it
// takes effect exactly once and only for the incarnation that holds the plan: a late request of a
// predecessor, or a duplicate of one's own, finds another version and is refused.
//
// The compactor is stricter than the module: it takes no range whose ends cut an entry.
//
// SPEC: LeaderlessLog.tla, CompactStart .. CompactReset
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/leaderless_log/log_layout.h"
#include "sim/store/node_api.h"

namespace lockstep::protocol::leaderless_log {

/// Which ranges are to be compacted.
struct CompactionPolicy {
  /// The rounds' ranges; empty = ranges are chosen from the cursor on, and rounds never end.
  std::vector<Range> ranges;
  /// Chosen ranges: at least and at most so many offsets (an entry is never cut: the range grows to
  /// the end of the entry that reaches the least length). An entry that would make it longer than
  /// allowed is waited for in vain: leave room for the longest one.
  std::int64_t chosen_offsets_min = 1;
  std::int64_t chosen_offsets_max = 1;
  /// Go on behind a predecessor's COMPACTED write (dialect compaction_resume). Upstream's module
  /// cannot: there such a round stays as it is.
  bool resume = false;
};

enum class CompactStatus : std::uint8_t {
  kCompacted,   ///< one round closed
  kNotReady,    ///< the range is not wholly in the log yet
  kMisaligned,  ///< an entry is cut by the range's ends: it can never be compacted
  kStuck,       ///< a predecessor crashed behind its COMPACTED write; the policy is not to resume
  kSuperseded,  ///< another incarnation has taken the plan over
  kComplete,    ///< all rounds are closed
};
std::string_view CompactStatusName(CompactStatus status);

class CompactorNode {
 public:
  CompactorNode(sim::NodeApi& api, CompactionPolicy policy);
  CompactorNode(const CompactorNode&) = delete;
  CompactorNode& operator=(const CompactorNode&) = delete;
  virtual ~CompactorNode() = default;

  /// Takes the current round as far as it can.
  CompactStatus CompactOnce();

 protected:
  /// The plan as last read or written by this incarnation.
  struct Held {
    Plan plan;
    sim::Version version = 0;
  };
  struct Source {
    Offset end = 0;
    Entry entry;
    std::string object;
  };

  /// Claims the round if nobody holds it, takes it over if a predecessor does.
  std::optional<CompactStatus> Claim();
  /// Walks the range by ceiling lookups; nothing when it consists of whole WAL entries.
  std::optional<CompactStatus> Validate(std::vector<Source>& sources);
  /// Merges the sources into one object and returns its key; nothing when a source is gone.
  std::optional<std::string> WriteCompactedObject(const std::vector<Source>& sources);

  /// The three steps and the end of the round. False when another incarnation has taken over.
  virtual bool Replace(const std::string& object);
  bool WriteCompactedIndex(const std::string& object);
  bool DeleteOldEntries();
  bool UpdateCursor();
  bool CloseRound();
  /// What DeleteOldEntries deletes: keys in [Start, End).
  [[nodiscard]] virtual sim::Operation DeleteOperation() const;

  /// Applies `operations` together with the plan's move to `phase`, exactly once.
  bool Advance(PlanPhase phase, std::vector<sim::Operation> operations);
  /// The same with any new plan.
  bool WritePlan(const Plan& next, std::vector<sim::Operation> operations);
  void DeleteObjects(const std::vector<Source>& sources);
  [[nodiscard]] std::optional<Range> NextRange(std::int64_t round);

  sim::NodeApi& api_;
  CompactionPolicy policy_;
  Held held_;

 private:
  void ReadPlan();
  std::uint64_t objects_ = 0;  // written by this incarnation; makes their keys unique
};

}  // namespace lockstep::protocol::leaderless_log
