// What a run of the leaderless log met, and what it leaves behind.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "scenarios/exhaust/state_fingerprint.h"
#include "scenarios/leaderless_log/log_checker.h"
#include "scenarios/leaderless_log/log_trace.h"
#include "sim/base/check.h"

namespace lockstep::scenarios {

namespace log = protocol::leaderless_log;
using sim::Value;

void LogChecker::NoteSituations(const log::Action& action) {
  const log::CompactorState compactor = state_.compactor_state;
  switch (action.kind) {
    case log::ActionKind::FenceLog:
      for (const log::Writer& writer : state_.writers) {
        if (writer.state != log::WriterState::ASSIGNING_OFFSET) continue;
        Note(LogSituation::kFenceWithAppendInFlight);
        break;
      }
      return;
    case log::ActionKind::AssignOffsetFenced:
      Note(LogSituation::kAppendRefusedByFence);
      return;
    case log::ActionKind::AssignOffset:
      if (by_the_dead_) Note(LogSituation::kAppendByDeadWriter);
      if (compactor != log::CompactorState::IDLE && compactor != log::CompactorState::DONE) {
        Note(LogSituation::kAppendDuringCompaction);
      }
      return;
    case log::ActionKind::ReadEntry: {
      const log::Range range = machine_.CurrentRange(state_);
      if (action.number < range.start || action.number > range.end) return;
      if (compactor == log::CompactorState::DELETING_OLD) {
        Note(LogSituation::kReadBetweenWriteAndDelete);
      }
      if (compactor == log::CompactorState::UPDATING_CURSOR) {
        Note(LogSituation::kReadBetweenDeleteAndCursor);
      }
      return;
    }
    case log::ActionKind::CompactorCrash:
      switch (changes_.compactor_state.value_or(log::CompactorState::IDLE)) {
        case log::CompactorState::WRITING_COMPACTED_INDEX:
          Note(LogSituation::kCrashWhileWriting);
          return;
        case log::CompactorState::DELETING_OLD:
          Note(LogSituation::kCrashWhileDeleting);
          return;
        case log::CompactorState::UPDATING_CURSOR:
          Note(LogSituation::kCrashBeforeCursor);
          return;
        default:
          return;
      }
    case log::ActionKind::CompactResume:
      Note(LogSituation::kCompactionResumed);
      return;
    case log::ActionKind::CompactReset:
      if (changes_.compact_round.value_or(state_.compact_round) == 2) {
        Note(LogSituation::kSecondRoundCompleted);
      }
      return;
    default:
      return;
  }
}

void LogChecker::NoteState() {
  if (!layout_) {
    // Nothing has changed before the first action: this is the step out of the initial state.
    auto layout = LogStateLayout::For(constants_);
    LOCKSTEP_CHECK(std::holds_alternative<LogStateLayout>(layout));
    layout_ = std::move(std::get<LogStateLayout>(layout));
    log::State initial = state_;
    log::Machine::Undo(initial, changes_);
    packed_ = layout_->Pack(initial);
    state_hashes_.push_back(StateFingerprint(packed_));
  }
  const std::uint64_t before = StateFingerprint(packed_);
  layout_->Repack(state_, changes_, packed_);
  const std::uint64_t after = StateFingerprint(packed_);
  if (after == before) return;
  state_hashes_.push_back(after);
  transition_hashes_.push_back(StepFingerprint(before, after));
}

namespace {

/// Sorted, without duplicates.
std::vector<std::uint64_t> SetOf(std::vector<std::uint64_t>&& numbers) {
  std::ranges::sort(numbers);
  // Not std::ranges::unique: clang 14 cannot take libstdc++'s subrange apart.
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return std::move(numbers);
}

}  // namespace

void LogChecker::TraceStep(const log::Emission* emission, bool applied) {
  traces::Step step;
  step.number = step_;
  step.time = world_->now();
  step.node = Actor();
  step.event = event_value_;
  step.parameters = Value::RecordOf({});
  step.changed = Value::RecordOf({});
  // A refused action stands there too, without effect: whoever replays the trace must refuse it.
  if (emission != nullptr) {
    step.action = std::string(log::Name(emission->action.kind));
    step.parameters = machine_.Parameters(emission->action);
  }
  if (applied) step.changed = machine_.ChangedToValue(state_, changes_);
  trace_.push_back(std::move(step));
}

void LogChecker::Finish(const RunSpec& spec, RunResult& result) {
  result.failure = failure_;
  result.verdict = failure_ ? invariants::Verdict::kViolated : invariants::Verdict::kHolds;
  const Scenario& scenario = *spec.scenario;
  for (const std::string_view name : scenario.actions) {
    const auto kind = log::ActionKindFromName(name);
    result.coverage.actions.push_back(kind ? actions_[static_cast<std::size_t>(*kind)] : 0);
  }
  for (const std::string_view name : scenario.must_reach) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < kLogSituations; ++i) {
      if (name == LogSituationName(static_cast<LogSituation>(i))) count = situations_[i];
    }
    result.coverage.reached.push_back(count);
  }
  result.coverage.states = SetOf(std::move(state_hashes_));
  result.coverage.transitions = SetOf(std::move(transition_hashes_));
  if (!record_trace_) return;
  traces::Trace trace;
  // A failing run may have entries in the store that the spec's state has not.
  const log::LogIndex& observed = refinement_.observed().index;
  trace.header =
      LogTraceHeader(spec, constants_, std::max(state_.log_index.high(), observed.high()));
  trace.steps = std::move(trace_);
  trace.footer.verdict = invariants::VerdictName(result.verdict);
  if (failure_) {
    traces::ViolationRecord record;
    record.property = failure_->violation.property;
    record.kind = invariants::PropertyKindName(failure_->violation.kind);
    record.step = failure_->step;
    record.action = failure_->action;
    record.message = failure_->violation.message;
    record.expected = failure_->violation.expected;
    record.actual = failure_->violation.actual;
    record.enabled = failure_->enabled;
    record.observed = failure_observed_;
    trace.footer.violation = std::move(record);
  }
  result.trace = std::move(trace);
}

}  // namespace lockstep::scenarios
