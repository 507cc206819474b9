// The refinement's other half: what the store's records show, independent of any action.
#include "protocol/leaderless_log/leaderless_log_refinement.h"
#include "sim/base/check.h"

namespace lockstep::protocol::leaderless_log {
namespace {

/// An entry so far beyond the counter cannot be held: the index is dense. It is as good as
/// malformed.
constexpr Offset kLeapMax = 1 << 20;

/// Forgets a change that the same event has taken back.
template <typename T>
void ForgetIfEqual(std::optional<T>& before, const T& after) {
  if (before == after) before.reset();
}

/// Notes the value before the event's first change of a variable.
template <typename T>
void Change(T& variable, const T& next, std::optional<T>& before) {
  if (variable == next) return;
  if (!before) before = variable;
  variable = next;
}

}  // namespace

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
  ForgetIfEqual(observed_changes_.counter, observed_.counter);
  ForgetIfEqual(observed_changes_.log_state, observed_.log_state);
  ForgetIfEqual(observed_changes_.cursor, observed_.cursor);
  ForgetIfEqual(observed_changes_.round, observed_.round);
}

void Refinement::ObserveMutation(const sim::Mutation& mutation, const sim::WorldEvent& event) {
  const std::string& key = mutation.key;
  if (!key.starts_with(kLogPrefix)) return;
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
    Change(observed_.log_state, next, observed_changes_.log_state);
    return;
  }
  if (key == kPlanKey) {
    ObservePlan(mutation);
    return;
  }
  const auto number = ParseDecimal(value);
  if (!number || *number > kUnboundedOffset) {
    observed_changes_.malformed_key = key;
  } else if (key == kCounterKey) {
    Change(observed_.counter, *number, observed_changes_.counter);
  } else if (key == kCursorKey) {
    Change(observed_.cursor, *number, observed_changes_.cursor);
  } else {
    observed_changes_.malformed_key = key;
  }
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
    if (!value || offset - kLeapMax > observed_.counter) {
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
  if (IsHeld(plan_) && plan_.claimant != before.claimant) {
    validated_below_ = 0;
    CompactorLeaves();
    const auto round = static_cast<std::size_t>(plan_.round);
    if (constants_.dialect.rounds && round == constants_.ranges.size() + 1) {
      constants_.ranges.push_back(plan_.range);
    }
    if (plan_.phase == PlanPhase::kDeleting && constants_.dialect.compaction_resume) {
      Emit(ActionKind::CompactResume);
    }
  } else if (IsHeld(before) && !IsHeld(plan_)) {
    if (before.phase == PlanPhase::kDone) {
      Emit(ActionKind::CompactReset);
    } else {
      CompactorLeaves();
    }
  }
  observed_.plan_phase = plan_.phase;
  // Past the last round the plan keeps its number, and the module's CompactReset goes on.
  const bool past_the_last = plan_.phase == PlanPhase::kComplete && constants_.dialect.rounds;
  Change(observed_.round, plan_.round + (past_the_last ? 1 : 0), observed_changes_.round);
}

}  // namespace lockstep::protocol::leaderless_log
