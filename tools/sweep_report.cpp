#include "tools/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "invariants/violation.h"
#include "tools/json_output.h"
#include "tools/numbers.h"

namespace lockstep::tools {
namespace {

using invariants::Verdict;

/// Counts by name, over scenarios that share names, in the order in which they first appear.
class NamedCounts {
 public:
  void Add(std::span<const std::string_view> names, std::span<const std::uint64_t> counts) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto known = std::ranges::find(names_, names[i]);
      const auto at = static_cast<std::size_t>(known - names_.begin());
      if (known == names_.end()) {
        names_.push_back(names[i]);
        counts_.push_back(0);
      }
      if (i < counts.size()) counts_[at] += counts[i];
    }
  }
  [[nodiscard]] Json ToJson() const { return Counts(names_, counts_); }
  /// "a 12, b 3" on lines of at most 80 columns, the first one behind `title`.
  [[nodiscard]] std::string ToText(std::string_view title) const {
    constexpr std::size_t kColumns = 80;
    std::string text;
    std::string line;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string item = fmt::format("{} {}", names_[i], Thousands(counts_[i]));
      if (!line.empty() && line.size() + item.size() > kColumns) {
        text += fmt::format("{:<11}{},\n", title, line);
        title = "";
        line.clear();
      }
      line += (line.empty() ? "" : ", ") + item;
    }
    if (line.empty()) line = "none";
    return text + fmt::format("{:<11}{}\n", title, line);
  }

 private:
  std::vector<std::string_view> names_;
  std::vector<std::uint64_t> counts_;
};

struct Merged {
  NamedCounts actions;
  NamedCounts reached;
  NamedCounts faults;
};

void AddRow(const ScenarioTotals& row, Merged& merged) {
  merged.actions.Add(row.scenario->actions, row.coverage.actions);
  merged.reached.Add(row.scenario->must_reach, row.coverage.reached);
  for (const sim::FaultInfo& info : sim::FaultTable()) {
    if (!row.scenario->faults.Has(info.kind)) continue;
    const std::uint64_t strikes = row.coverage.faults[static_cast<std::size_t>(info.kind)];
    merged.faults.Add(std::array{info.name}, std::array{strikes});
  }
}

Merged MergeAll(const SweepResult& result) {
  Merged merged;
  for (const ScenarioTotals& row : result.scenarios()) AddRow(row, merged);
  return merged;
}

Verdict VerdictOf(ExitCode code) {
  if (code == ExitCode::kHolds) return Verdict::kHolds;
  return code == ExitCode::kInconclusive ? Verdict::kInconclusive : Verdict::kViolated;
}

double Rate(const SweepResult& result) {
  return result.seconds() > 0 ? static_cast<double>(result.steps()) / result.seconds() : 0;
}

std::string StatesText(std::uint64_t seen, std::uint64_t total) {
  if (total == 0) return Thousands(seen);
  return fmt::format("{}/{} ({:.0f}%)", Thousands(seen), Thousands(total),
                     100.0 * static_cast<double>(seen) / static_cast<double>(total));
}

std::string ScenarioLines(const SweepResult& result) {
  std::size_t width = 0;
  for (const ScenarioTotals& row : result.scenarios()) {
    width = std::max(width, row.scenario->name.size());
  }
  std::string text;
  std::string_view title = "sweep";
  for (const ScenarioTotals& row : result.scenarios()) {
    text += fmt::format("{:<11}{:<{}}  {:>9} runs  {:>7} steps  {} failed", title,
                        row.scenario->name, width, Thousands(row.runs),
                        Short(static_cast<double>(row.steps)), Thousands(row.failures));
    if (row.inconclusive > 0) {
      text += fmt::format("  {} inconclusive (first: seed {})", Thousands(row.inconclusive),
                          SeedText(*row.inconclusive_seed));
    }
    if (!row.states.empty()) {
      text += fmt::format("  states {}", StatesText(row.states.size(), row.scenario->states_total));
    }
    if (row.scenario->transitions_total > 0) {
      text += fmt::format("  steps between them {}",
                          StatesText(row.transitions.size(), row.scenario->transitions_total));
    }
    text += "\n";
    title = "";
  }
  return text;
}

std::string ReachingLines(const Reaching& reaching) {
  if (!reaching.asked) {
    return fmt::format("{:<11}whether everything was reached is not judged: {}\n", "",
                       reaching.why_not);
  }
  std::string text;
  std::string_view title = "not met";
  for (const NotReached& missing : reaching.missing) {
    text += fmt::format("{:<11}{}: {} {}\n", title, missing.scenario,
                        missing.kind == "action" ? "action" : "situation", missing.name);
    title = "";
  }
  return text;
}

std::string EndText(const SweepReport& report) {
  switch (report.result.end()) {
    case SweepEnd::kAllSeeds:
      return "every seed was run";
    case SweepEnd::kBudget:
      return "the budget was spent";
    case SweepEnd::kMaxFailures:
      return fmt::format("ended at {} failures", Thousands(report.result.failure_count()));
    case SweepEnd::kInterrupted:
      return "interrupted";
  }
  return {};
}

std::string CoverageText(const SweepReport& report) {
  if (!report.options.verbose) {
    const Merged merged = MergeAll(report.result);
    return merged.faults.ToText("faults") + merged.actions.ToText("actions") +
           merged.reached.ToText("reached");
  }
  std::string text;
  for (const ScenarioTotals& row : report.result.scenarios()) {
    Merged merged;
    AddRow(row, merged);
    text += fmt::format("{}\n", row.scenario->name);
    text += merged.faults.ToText("  faults") + merged.actions.ToText("  actions") +
            merged.reached.ToText("  reached");
  }
  return text;
}

std::string_view EndName(SweepEnd end) {
  switch (end) {
    case SweepEnd::kAllSeeds:
      return "all_seeds";
    case SweepEnd::kBudget:
      return "budget";
    case SweepEnd::kMaxFailures:
      return "max_failures";
    case SweepEnd::kInterrupted:
      return "interrupted";
  }
  return "?";
}

Json FailuresJson(const SweepResult& result) {
  Json failures = Json::array();
  for (const FailureFacts& facts : result.failures()) {
    Json failure;
    failure["scenario"] = facts.scenario;
    failure["seed"] = facts.seed;
    failure["property"] = facts.property;
    failure["step"] = facts.step;
    failure["bucket"] = facts.Bucket();
    failure["shrunk_steps"] = nullptr;
    failure["schedule"] = TextOrNull(facts.schedule);
    failure["trace"] = TextOrNull(facts.trace);
    failures.push_back(std::move(failure));
  }
  return failures;
}

}  // namespace

ExitCode SweepReport::Code() const {
  ExitCode code = result.worst_failure();
  if (result.inconclusive() > 0 || !reaching.missing.empty()) {
    code = Worst(code, ExitCode::kInconclusive);
  }
  // A budget alone is how much to do; with seeds named, seeds are left over.
  const bool cut_short = result.end() == SweepEnd::kInterrupted ||
                         (result.end() == SweepEnd::kBudget && plan.total_runs().has_value());
  return cut_short ? Worst(code, ExitCode::kInconclusive) : code;
}

std::string SweepText(const SweepReport& report, const Console& console) {
  const SweepResult& result = report.result;
  const Verdict verdict = VerdictOf(report.Code());
  const std::string_view name = invariants::VerdictName(verdict);
  std::string text;
  if (!report.options.quiet) {
    text += ScenarioLines(result);
    text += CoverageText(report);
  }
  text += ReachingLines(report.reaching);
  text += fmt::format("verdict    {}: {} runs, {} steps in {:.1f} s ({} steps/s), {} failed; {}\n",
                      verdict == Verdict::kHolds ? console.Good(name) : console.Bad(name),
                      Thousands(result.runs()), Short(static_cast<double>(result.steps())),
                      result.seconds(), Short(Rate(result)), Thousands(result.failure_count()),
                      EndText(report));
  if (!report.options.quiet) {
    text +=
        fmt::format("seeds      {}\nreproduce  {}\n", report.plan.SeedsText(),
                    report.plan.Reproduce(report.options, report.selection, result.last_seed()));
  }
  return text;
}

std::string SweepFailures(const SweepReport& report, const Console& console) {
  constexpr std::size_t kLinesMax = 20;
  std::set<std::string> shown;
  std::string blocks;
  std::string lines;
  std::size_t other = 0;
  for (const FailureFacts& facts : report.result.failures()) {
    if (shown.insert(facts.Bucket()).second) {
      blocks += FailureBlock(facts, report.catalog.Meaning(facts.property), console);
    } else if (++other <= kLinesMax) {
      lines += fmt::format("fail  {} / {}   seed {}   step {}\n", facts.scenario, facts.property,
                           SeedText(facts.seed), facts.step);
    }
  }
  const std::uint64_t listed = shown.size() + std::min(other, kLinesMax);
  if (report.result.failure_count() > listed) {
    lines += fmt::format("and {} more\n", Thousands(report.result.failure_count() - listed));
  }
  return blocks + lines;
}

std::string SweepJson(const SweepReport& report) {
  const SweepResult& result = report.result;
  Json json;
  json["scenarios"] = Json::array();
  for (const ScenarioTotals& row : result.scenarios()) {
    json["scenarios"].push_back(std::string(row.scenario->name));
  }
  json["runs"] = result.runs();
  json["steps"] = result.steps();
  json["seconds"] = std::round(result.seconds() * 1000.0) / 1000.0;
  json["steps_per_second"] = std::round(Rate(result));
  json["verdict"] = std::string(invariants::VerdictName(VerdictOf(report.Code())));
  json["failures"] = FailuresJson(result);
  const Merged merged = MergeAll(result);
  Json& coverage = json["coverage"];
  coverage["actions"] = merged.actions.ToJson();
  coverage["states_seen"] = result.states_seen();
  coverage["states_total"] = result.states_total();
  coverage["transitions_seen"] = result.transitions_seen();
  coverage["faults"] = merged.faults.ToJson();
  coverage["reached"] = merged.reached.ToJson();
  Json missing = Json::array();
  for (const NotReached& row : report.reaching.missing) {
    Json item;
    item["scenario"] = std::string(row.scenario);
    item["kind"] = std::string(row.kind);
    item["name"] = std::string(row.name);
    missing.push_back(std::move(item));
  }
  coverage["not_reached"] = std::move(missing);
  json["failure_count"] = result.failure_count();
  json["ended"] = std::string(EndName(result.end()));
  return Document(json);
}

}  // namespace lockstep::tools
