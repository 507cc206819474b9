#include "protocol/leaderless_log/compactor_node.h"

#include <utility>

#include "protocol/leaderless_log/retry.h"

namespace lockstep::protocol::leaderless_log {

using sim::StoreResponse;
using sim::StoreStatus;

std::string_view CompactStatusName(CompactStatus status) {
  switch (status) {
    case CompactStatus::kCompacted:
      return "compacted";
    case CompactStatus::kNotReady:
      return "not ready";
    case CompactStatus::kMisaligned:
      return "misaligned";
    case CompactStatus::kStuck:
      return "stuck";
    case CompactStatus::kSuperseded:
      return "superseded";
    case CompactStatus::kComplete:
      return "complete";
  }
  return "?";
}

CompactorNode::CompactorNode(sim::NodeApi& api, CompactionPolicy policy)
    : api_(api), policy_(std::move(policy)) {}

CompactStatus CompactorNode::CompactOnce() {
  if (const auto end = Claim()) return *end;
  std::vector<Source> sources;
  if (held_.plan.phase == PlanPhase::kWriting) {
    if (const auto end = Validate(sources)) {
      // Nothing is written yet: give the round back as it was.
      Plan idle;
      idle.round = held_.plan.round;
      idle.claimant = "-";
      if (!WritePlan(idle, {})) return CompactStatus::kSuperseded;
      return *end;
    }
    const auto object = WriteCompactedObject(sources);
    // A source's data is gone only when somebody else has compacted the range meanwhile.
    if (!object || !Replace(*object)) return CompactStatus::kSuperseded;
  }
  if (held_.plan.phase == PlanPhase::kDeleting && !DeleteOldEntries()) {
    return CompactStatus::kSuperseded;
  }
  if (held_.plan.phase == PlanPhase::kCursor && !UpdateCursor()) return CompactStatus::kSuperseded;
  // Readers that looked a WAL entry up before it was deleted will look it up again.
  DeleteObjects(sources);
  if (!CloseRound()) return CompactStatus::kSuperseded;
  return CompactStatus::kCompacted;
}

void CompactorNode::ReadPlan() {
  const StoreResponse response = Insist(api_, sim::Single(sim::Get(std::string(kPlanKey))));
  held_.plan = DecodePlan(response.results[0].value).value_or(Plan{});
  held_.version = response.results[0].version;
}

std::optional<Range> CompactorNode::NextRange(std::int64_t round) {
  if (!policy_.ranges.empty()) {
    const auto i = static_cast<std::size_t>(round - 1);
    return i < policy_.ranges.size() ? std::optional(policy_.ranges[i]) : std::nullopt;
  }
  const StoreResponse response = Insist(api_, sim::Single(sim::Get(std::string(kCursorKey))));
  const Offset start = ParseDecimal(response.results[0].value).value_or(1);
  // From the cursor, entry by entry, until the range is long enough.
  Offset next = start;
  while (next - start < policy_.chosen_offsets_min) {
    const StoreResponse lookup = Insist(api_, sim::Single(sim::CeilingGet(IndexKey(next))));
    const sim::OperationResult& found = lookup.results[0];
    const auto end = found.found ? OffsetOfIndexKey(found.key) : std::nullopt;
    if (!end || *end - start >= policy_.chosen_offsets_max) break;
    next = *end + 1;
  }
  if (next - start < policy_.chosen_offsets_min) return Range{};  // Not in the log yet.
  return Range{start, next - 1};
}

std::optional<CompactStatus> CompactorNode::Claim() {
  ReadPlan();
  if (held_.plan.phase == PlanPhase::kComplete) return CompactStatus::kComplete;
  Plan claim = held_.plan;
  claim.claimant = api_.incarnation();
  if (held_.plan.phase == PlanPhase::kIdle) {
    const auto range = NextRange(held_.plan.round);
    if (!range) return CompactStatus::kComplete;
    if (range->end == 0) return CompactStatus::kNotReady;
    const StoreResponse counter = Insist(api_, sim::Single(sim::Get(std::string(kCounterKey))));
    if (ParseDecimal(counter.results[0].value).value_or(1) <= range->end) {
      return CompactStatus::kNotReady;
    }
    claim.phase = PlanPhase::kWriting;
    claim.range = *range;
  } else if (claim.claimant == held_.plan.claimant) {
    return std::nullopt;  // Ours already: the claim was applied, its reply lost.
  } else if (held_.plan.phase == PlanPhase::kDeleting || held_.plan.phase == PlanPhase::kCursor) {
    if (!policy_.resume) return CompactStatus::kStuck;
    claim.phase = PlanPhase::kDeleting;  // Deleting twice is deleting once.
  }
  if (!WritePlan(claim, {})) return CompactStatus::kSuperseded;
  return std::nullopt;
}

std::optional<CompactStatus> CompactorNode::Validate(std::vector<Source>& sources) {
  const Range range = held_.plan.range;
  for (Offset next = range.start; next <= range.end;) {
    const StoreResponse lookup = Insist(api_, sim::Single(sim::CeilingGet(IndexKey(next))));
    const sim::OperationResult& found = lookup.results[0];
    const auto end = found.found ? OffsetOfIndexKey(found.key) : std::nullopt;
    if (!end) return CompactStatus::kNotReady;
    auto value = DecodeIndexValue(found.value);
    if (!value || value->entry.type != EntryType::WAL) return CompactStatus::kMisaligned;
    if (*end - value->entry.msg_count + 1 != next || *end > range.end) {
      return CompactStatus::kMisaligned;
    }
    sources.push_back({*end, value->entry, std::move(value->object)});
    next = *end + 1;
  }
  return std::nullopt;
}

std::optional<std::string> CompactorNode::WriteCompactedObject(const std::vector<Source>& sources) {
  std::string bytes;
  for (const Source& source : sources) {
    sim::ObjectResponse object;
    while (true) {
      object = api_.Objects({sim::ObjectOperation::kGetObject, source.object, {}});
      if (object.status != sim::ObjectStatus::kUnknown) break;
      api_.Backoff(kRetryTicks);
    }
    if (!object.ok()) return std::nullopt;
    for (std::int64_t i = 1; i <= source.entry.msg_count; ++i) {
      AppendRecord(bytes, RecordAt(object.bytes, i).value_or(""));
    }
  }
  const std::string key =
      "compacted/" + std::string(api_.incarnation()) + "-" + std::to_string(++objects_);
  while (true) {
    // A failed or doubtful write is made again: the key is ours alone and the bytes are the same.
    if (api_.Objects({sim::ObjectOperation::kPutObject, key, bytes}).ok()) return key;
    api_.Backoff(kRetryTicks);
  }
}

bool CompactorNode::Replace(const std::string& object) {
  return WriteCompactedIndex(object) && DeleteOldEntries() && UpdateCursor();
}

bool CompactorNode::WriteCompactedIndex(const std::string& object) {
  const Range range = held_.plan.range;
  const IndexValue entry{{EntryType::COMPACTED, range.end - range.start + 1}, object, "-"};
  return Advance(PlanPhase::kDeleting, {sim::Put(IndexKey(range.end), EncodeIndexValue(entry))});
}

sim::Operation CompactorNode::DeleteOperation() const {
  return sim::RangeDelete(IndexKey(held_.plan.range.start), IndexKey(held_.plan.range.end));
}

bool CompactorNode::DeleteOldEntries() { return Advance(PlanPhase::kCursor, {DeleteOperation()}); }

bool CompactorNode::UpdateCursor() {
  return Advance(PlanPhase::kDone,
                 {sim::Put(std::string(kCursorKey), std::to_string(held_.plan.range.end + 1))});
}

bool CompactorNode::CloseRound() {
  Plan next;
  next.round = held_.plan.round + 1;
  next.claimant = "-";
  if (!policy_.ranges.empty() && static_cast<std::size_t>(next.round) > policy_.ranges.size()) {
    next.round = held_.plan.round;
    next.phase = PlanPhase::kComplete;
  }
  return WritePlan(next, {});
}

bool CompactorNode::Advance(PlanPhase phase, std::vector<sim::Operation> operations) {
  Plan next = held_.plan;
  next.phase = phase;
  return WritePlan(next, std::move(operations));
}

bool CompactorNode::WritePlan(const Plan& next, std::vector<sim::Operation> operations) {
  const std::string value = EncodePlan(next);
  operations.push_back(sim::Put(std::string(kPlanKey), value));
  std::vector<sim::Condition> conditions;
  conditions.push_back(held_.version == 0 ? sim::Absent(std::string(kPlanKey))
                                          : sim::VersionIs(std::string(kPlanKey), held_.version));
  const sim::StoreRequest request = sim::Txn(std::move(conditions), std::move(operations));
  const StoreResponse response = Insist(api_, request);
  if (response.ok()) {
    held_ = {next, response.results.back().version};
    return true;
  }
  // Refused: either an earlier try of ours was applied and its reply lost, or somebody else's was.
  // The plan's value names its writer and its phase, and we never write the same one twice.
  ReadPlan();
  return EncodePlan(held_.plan) == value;
}

void CompactorNode::DeleteObjects(const std::vector<Source>& sources) {
  for (const Source& source : sources) {
    // One try: an object that stays behind wastes space and harms nobody.
    api_.Objects({sim::ObjectOperation::kDeleteObject, source.object, {}});
  }
}

}  // namespace lockstep::protocol::leaderless_log
