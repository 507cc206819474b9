#include "invariants/one_sealed_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "invariants/violation_builder.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::FenceAnswer;
using protocol::leaderless_log::LogState;
using protocol::leaderless_log::LogStep;
using protocol::leaderless_log::Offset;
using protocol::leaderless_log::Seal;

Violation Broken(std::string message, std::string fact, sim::Value expected, Offset actual) {
  return SafetyViolation("OneSealedEnd", std::move(message),
                         {{std::move(fact), std::move(expected), Number(actual)}});
}

bool IsFenced(const LogStep& step) { return step.observed.log_state == LogState::FENCED; }

/// The log does not grow while it is FENCED.
std::optional<Violation> CheckStandstill(const LogStep& step) {
  if (!IsFenced(step)) return std::nullopt;
  const auto& before = step.observed_changes.counter;
  if (before && !step.observed_changes.log_state) {
    return Broken(fmt::format("the log is FENCED and the counter went from {} to {}", *before,
                              step.observed.counter),
                  "sequenceCounter", Number(*before), step.observed.counter);
  }
  if (step.acknowledgement == nullptr || step.acknowledgement->end < step.observed.counter) {
    return std::nullopt;
  }
  return Broken(fmt::format("the log is FENCED at {}, but offset {} is acknowledged",
                            step.observed.counter - 1, step.acknowledgement->end),
                "acknowledged end", Bound("<", step.observed.counter), step.acknowledgement->end);
}

/// The fence that the answer speaks of, or nullptr. Of an answer that names none: one that ended
/// where it says, the latest.
const Seal* FindSeal(const std::vector<Seal>& seals, const FenceAnswer& answer) {
  if (answer.epoch == 0) {
    const auto seal = std::find_if(seals.rbegin(), seals.rend(), [&](const Seal& candidate) {
      return candidate.end == answer.sealed_end;
    });
    return seal == seals.rend() ? nullptr : &*seal;
  }
  // The record may be rewritten while it says FENCED: the fence is the last one made by then.
  const auto later = std::upper_bound(
      seals.begin(), seals.end(), answer.epoch,
      [](std::int64_t epoch, const Seal& candidate) { return epoch < candidate.epoch; });
  return later == seals.begin() ? nullptr : &*std::prev(later);
}

std::optional<Violation> CheckAnswer(const LogStep& step, const FenceAnswer& answer) {
  const std::vector<Seal>& seals = step.ledger.seals();
  const Seal* seal = FindSeal(seals, answer);
  if (seal == nullptr) {
    return Broken(fmt::format("a fencer is told that the log ends at {}, but no fence has ended it "
                              "there",
                              answer.sealed_end),
                  "sealed end", Text("of a fence that took effect"), answer.sealed_end);
  }
  if (seal->end != answer.sealed_end) {
    return Broken(fmt::format("a fencer is told that the log ends at {}, but that fence ended it "
                              "at {}",
                              answer.sealed_end, seal->end),
                  "sealed end", Number(seal->end), answer.sealed_end);
  }
  const bool lasts = IsFenced(step) && seal == &seals.back();
  if (!lasts || answer.sealed_end >= step.ledger.highest_acknowledged()) return std::nullopt;
  return Broken(fmt::format("a fencer is told that the log ends at {}, but offset {} is "
                            "acknowledged",
                            answer.sealed_end, step.ledger.highest_acknowledged()),
                "sealed end", Bound(">=", step.ledger.highest_acknowledged()), answer.sealed_end);
}

}  // namespace

std::optional<Violation> OneSealedEnd(const LogStep& step) {
  if (auto violation = CheckStandstill(step)) return violation;
  if (step.fence_answer == nullptr) return std::nullopt;
  return CheckAnswer(step, *step.fence_answer);
}

}  // namespace lockstep::invariants
