#include "tools/sweep_result.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace lockstep::tools {
namespace {

std::uint64_t Sum(const std::vector<ScenarioTotals>& rows, std::uint64_t ScenarioTotals::*field) {
  std::uint64_t sum = 0;
  for (const ScenarioTotals& row : rows) sum += row.*field;
  return sum;
}

void AddMissing(const ScenarioTotals& row, std::string_view kind,
                std::span<const std::string_view> names, std::span<const std::uint64_t> counts,
                std::vector<NotReached>& missing) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i < counts.size() && counts[i] > 0) continue;
    missing.push_back({.scenario = row.scenario->name, .kind = kind, .name = names[i]});
  }
}

}  // namespace

SweepResult::SweepResult(const Selection& selection) {
  for (const scenarios::Scenario* scenario : selection.scenarios) {
    scenarios_.emplace_back().scenario = scenario;
  }
}

void SweepResult::Add(std::size_t scenario, const Segment& segment) {
  ScenarioTotals& row = scenarios_.at(scenario);
  row.runs += segment.runs;
  row.steps += segment.steps;
  row.inconclusive += segment.inconclusive;
  if (!row.inconclusive_seed) row.inconclusive_seed = segment.inconclusive_seed;
  scenarios::Coverage coverage = segment.coverage;
  row.states.insert(coverage.states.begin(), coverage.states.end());
  row.transitions.insert(coverage.transitions.begin(), coverage.transitions.end());
  coverage.states.clear();
  coverage.transitions.clear();
  row.coverage.Merge(coverage);
  last_seed_ = std::max(last_seed_, segment.last_seed);
  if (segment.failure) AddFailure(scenario, *segment.failure);
}

void SweepResult::AddFailure(std::size_t scenario, FailureFacts failure) {
  ++scenarios_.at(scenario).failures;
  ++failure_count_;
  worst_ = Worst(worst_, failure.kind);
  const bool first_of_bucket = buckets_.insert(failure.Bucket()).second;
  if (first_of_bucket || failures_.size() < kFailuresKept) failures_.push_back(std::move(failure));
}

void SweepResult::Finish(SweepEnd end, double seconds) {
  end_ = end;
  seconds_ = seconds;
  const auto position = [&](const FailureFacts& failure) {
    const auto row = std::ranges::find_if(scenarios_, [&](const ScenarioTotals& totals) {
      return totals.scenario->name == failure.scenario;
    });
    return std::tuple(row - scenarios_.begin(), failure.seed);
  };
  std::ranges::stable_sort(failures_, {}, position);
}

std::uint64_t SweepResult::runs() const { return Sum(scenarios_, &ScenarioTotals::runs); }
std::uint64_t SweepResult::steps() const { return Sum(scenarios_, &ScenarioTotals::steps); }
std::uint64_t SweepResult::inconclusive() const {
  return Sum(scenarios_, &ScenarioTotals::inconclusive);
}

std::uint64_t SweepResult::states_seen() const {
  std::uint64_t sum = 0;
  for (const ScenarioTotals& row : scenarios_) sum += row.states.size();
  return sum;
}

std::uint64_t SweepResult::transitions_seen() const {
  std::uint64_t sum = 0;
  for (const ScenarioTotals& row : scenarios_) sum += row.transitions.size();
  return sum;
}

std::uint64_t SweepResult::states_total() const {
  std::uint64_t sum = 0;
  for (const ScenarioTotals& row : scenarios_) sum += row.scenario->states_total;
  return sum;
}

Reaching JudgeReaching(const SweepResult& result, const Selection& selection, bool single_seed) {
  const auto not_asked = [](std::string_view why) {
    return Reaching{.asked = false, .why_not = why, .missing = {}};
  };
  if (single_seed) return not_asked("a single seed was asked for");
  if (selection.mutant != nullptr) return not_asked("a mutant ran");
  if (selection.faults != sim::FaultSet::All()) return not_asked("--faults left some out");
  if (result.end() == SweepEnd::kInterrupted) return not_asked("the sweep was interrupted");
  if (result.end() == SweepEnd::kMaxFailures) return not_asked("failures ended the sweep");
  Reaching reaching;
  bool any = false;
  for (const ScenarioTotals& row : result.scenarios()) {
    if (row.scenario->expectation != invariants::Verdict::kHolds) continue;
    any = true;
    AddMissing(row, "must_reach", row.scenario->must_reach, row.coverage.reached, reaching.missing);
    AddMissing(row, "action", row.scenario->actions, row.coverage.actions, reaching.missing);
  }
  if (!any) return not_asked("no scenario that is expected to hold ran");
  return reaching;
}

}  // namespace lockstep::tools
