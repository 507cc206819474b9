// The refinement's other half: what the store's records show, independent of any action.
#include "protocol/leaderless_log/leaderless_log_refinement.h"
#include "sim/base/check.h"

namespace lockstep::protocol::leaderless_log {

void Refinement::Observe(const sim::WorldEvent& event) {
  if (event.object_request != nullptr) {
    if (!event.object_response->ok()) return;
    const sim::ObjectRequest& request = *event.object_request;
    if (request.operation == sim::ObjectOperation::kPutObject) {
      observed_changes_.objects_written.push_back(request.key);
    } else if (request.operation == sim::ObjectOperation::kDeleteObject) {
      observed_changes_.objects_deleted.push_back(request.key);
    }
    return;
  }
  for (const sim::Mutation& mutation : *event.mutations) ObserveMutation(mutation, event);
}

void Refinement::ObserveMutation(const sim::Mutation& mutation, const sim::WorldEvent& event) {
  const std::string& key = mutation.key;
  if (const auto offset = OffsetOfIndexKey(key)) {
    ObserveIndex(*offset, mutation, event);
    return;
  }
  if (key.starts_with(kAppendPrefix)) {
    withdrawn_ = withdrawn_ || (mutation.after && mutation.after->value == kWithdrawn);
    return;
  }
  if (!mutation.after) {
    observed_changes_.malformed_key = key;
    return;
  }
  const std::string& value = mutation.after->value;
  if (key == kStateKey && (value == Name(LogState::OPEN) || value == Name(LogState::FENCED))) {
    const LogState next = value == Name(LogState::OPEN) ? LogState::OPEN : LogState::FENCED;
    if (next != observed_.log_state) {
      observed_changes_.log_state = observed_.log_state;
      observed_.log_state = next;
    }
    return;
  }
  if (key == kPlanKey) {
    ObservePlan(mutation);
    return;
  }
  const auto number = ParseDecimal(value);
  Offset* variable = nullptr;
  std::optional<Offset>* before = nullptr;
  if (key == kCounterKey) {
    variable = &observed_.counter;
    before = &observed_changes_.counter;
  } else if (key == kCursorKey) {
    variable = &observed_.cursor;
    before = &observed_changes_.cursor;
  }
  if (variable == nullptr || !number) {
    observed_changes_.malformed_key = key;
    return;
  }
  if (*number == *variable) return;
  if (!*before) *before = *variable;
  *variable = *number;
}

void Refinement::ObserveIndex(Offset offset, const sim::Mutation& mutation,
                              const sim::WorldEvent& event) {
  if (mutation.before) {
    if (const auto old = DecodeIndexValue(mutation.before->value)) {
      auto [at, last] = references_.equal_range(old->object);
      while (at != last && at->second != offset) ++at;
      if (at != last) references_.erase(at);
    }
  }
  Entry next;
  if (mutation.after) {
    const auto value = DecodeIndexValue(mutation.after->value);
    if (!value) {
      observed_changes_.malformed_key = mutation.key;
      return;
    }
    next = value->entry;
    references_.emplace(value->object, offset);
    if (next.type == EntryType::COMPACTED) {
      compacted_written_ = true;
    } else {
      assignment_ = Assignment{event.operation, offset, next.msg_count, 0,
                               observed_.log_state == LogState::FENCED};
    }
  }
  observed_changes_.index.push_back({offset, observed_.index.At(offset)});
  observed_.index.Set(offset, next);
}

void Refinement::ObservePlan(const sim::Mutation& mutation) {
  const auto decoded = DecodePlan(mutation.after->value);
  if (!decoded) {
    observed_changes_.malformed_key = mutation.key;
    return;
  }
  const Plan before = plan_;
  plan_ = *decoded;
  const auto is_held = [](const Plan& plan) {
    return plan.phase != PlanPhase::kIdle && plan.phase != PlanPhase::kComplete;
  };
  if (is_held(plan_) && plan_.claimant != before.claimant) {
    validated_below_ = 0;
    CompactorLeaves();
    const auto round = static_cast<std::size_t>(plan_.round);
    if (constants_.dialect.rounds && round == constants_.ranges.size() + 1) {
      constants_.ranges.push_back(plan_.range);
    }
    if (plan_.phase == PlanPhase::kDeleting && constants_.dialect.compaction_resume) {
      Emit(ActionKind::CompactResume);
    }
  } else if (is_held(before) && !is_held(plan_)) {
    if (before.phase == PlanPhase::kDone) {
      Emit(ActionKind::CompactReset);
    } else {
      CompactorLeaves();
    }
  }
  observed_.plan_phase = plan_.phase;
  if (plan_.round != observed_.round) {
    observed_changes_.round = observed_.round;
    observed_.round = plan_.round;
  }
}

}  // namespace lockstep::protocol::leaderless_log
