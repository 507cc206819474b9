// SweepResult: what a sweep has found so far, merged in the order of the plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "scenarios/scenario.h"
#include "tools/exit_code.h"
#include "tools/failure_block.h"
#include "tools/selection.h"
#include "tools/sweep_worker.h"

namespace lockstep::tools {

enum class SweepEnd : std::uint8_t { kAllSeeds, kBudget, kMaxFailures, kInterrupted };

/// Something that a sweep of a correct implementation must meet at least once, and did not.
struct NotReached {
  std::string_view scenario;
  std::string_view kind;  ///< "must_reach" or "action"
  std::string_view name;
  friend bool operator==(const NotReached&, const NotReached&) = default;
};

struct ScenarioTotals {
  const scenarios::Scenario* scenario = nullptr;
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  std::uint64_t failures = 0;
  std::uint64_t inconclusive = 0;
  std::optional<std::uint64_t> inconclusive_seed{};
  scenarios::Coverage coverage;                   ///< without states
  std::unordered_set<std::uint64_t> states;       ///< only counted and asked, never walked over
  std::unordered_set<std::uint64_t> transitions;  ///< likewise
};

class SweepResult {
 public:
  /// Failures that are kept one by one; more are counted, but the first of a bucket is always kept.
  static constexpr std::size_t kFailuresKept = 1000;

  explicit SweepResult(const Selection& selection);

  void Add(std::size_t scenario, const Segment& segment);
  /// A finding about the sweep itself, beyond those of its runs.
  void AddFailure(std::size_t scenario, FailureFacts failure);
  /// Orders the failures by scenario and seed.
  void Finish(SweepEnd end, double seconds);

  [[nodiscard]] const std::vector<ScenarioTotals>& scenarios() const { return scenarios_; }
  [[nodiscard]] const std::vector<FailureFacts>& failures() const { return failures_; }
  [[nodiscard]] std::vector<FailureFacts>& failures() { return failures_; }
  [[nodiscard]] std::uint64_t failure_count() const { return failure_count_; }
  [[nodiscard]] std::uint64_t runs() const;
  [[nodiscard]] std::uint64_t steps() const;
  [[nodiscard]] std::uint64_t inconclusive() const;
  [[nodiscard]] std::uint64_t states_seen() const;
  [[nodiscard]] std::uint64_t states_total() const;
  [[nodiscard]] std::uint64_t transitions_seen() const;
  [[nodiscard]] std::uint64_t last_seed() const { return last_seed_; }
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] SweepEnd end() const { return end_; }
  /// The worst of all failures.
  [[nodiscard]] ExitCode worst_failure() const { return worst_; }

 private:
  std::vector<ScenarioTotals> scenarios_;
  std::vector<FailureFacts> failures_;
  std::set<std::string> buckets_;
  std::uint64_t failure_count_ = 0;
  ExitCode worst_ = ExitCode::kHolds;
  std::uint64_t last_seed_ = 0;
  double seconds_ = 0;
  SweepEnd end_ = SweepEnd::kAllSeeds;
};

/// Whether a sweep had to reach everything: `why_not` says why it had not.
struct Reaching {
  bool asked = true;
  std::string_view why_not;
  std::vector<NotReached> missing;
};
Reaching JudgeReaching(const SweepResult& result, const Selection& selection, bool single_seed);

}  // namespace lockstep::tools
