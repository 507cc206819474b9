#include "tools/failure_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "tools/numbers.h"

namespace lockstep::tools {
namespace {

using sim::Value;

constexpr std::size_t kDifferencesMax = 4;
constexpr std::size_t kRecentMax = 4;
constexpr std::size_t kEnabledMax = 10;
constexpr std::size_t kValueColumns = 70;

// One line, whatever is in it.
std::string Cut(std::string_view text, std::size_t columns = kValueColumns) {
  std::string out(text.substr(0, columns));
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }, ' ');
  if (text.size() > columns) out.append("..");
  return out;
}

bool IsDefault(const Value& value) { return value.kind() == Value::Kind::kBool && !value.AsBool(); }

void Compare(std::string where, const Value& expected, const Value& actual, std::size_t most,
             std::vector<Difference>& found);

void CompareFields(const std::string& where, const Value& expected, const Value& actual,
                   std::size_t most, std::vector<Difference>& found) {
  const std::string prefix = where.empty() ? where : where + ".";
  for (const auto& [name, value] : expected.AsFields()) {
    const Value* const other = actual.Find(name);
    if (other != nullptr) {
      Compare(prefix + name, value, *other, most, found);
    } else if (found.size() < most) {
      found.push_back({prefix + name, value.ToTla(), "(absent)"});
    }
  }
  for (const auto& [name, value] : actual.AsFields()) {
    if (expected.Find(name) == nullptr && found.size() < most) {
      found.push_back({prefix + name, "(absent)", value.ToTla()});
    }
  }
}

void Compare(std::string where, const Value& expected, const Value& actual, std::size_t most,
             std::vector<Difference>& found) {
  if (found.size() >= most || expected == actual) return;
  const bool records =
      expected.kind() == Value::Kind::kRecord && actual.kind() == Value::Kind::kRecord;
  if (records) {
    CompareFields(where, expected, actual, most, found);
    return;
  }
  const bool sequences = expected.kind() == Value::Kind::kSeq &&
                         actual.kind() == Value::Kind::kSeq &&
                         expected.AsItems().size() == actual.AsItems().size();
  if (!sequences) {
    found.push_back({std::move(where), expected.ToTla(), actual.ToTla()});
    return;
  }
  for (std::size_t i = 0; i < expected.AsItems().size(); ++i) {
    Compare(fmt::format("{}[{}]", where, i + 1), expected.AsItems()[i], actual.AsItems()[i], most,
            found);
  }
}

// The latest steps, the violating one marked. A stutter has no line of its own in `recent`.
std::string RecentLines(const FailureFacts& facts) {
  std::vector<std::string> lines = facts.recent;
  const std::string number = std::to_string(facts.step);
  const auto is_last = [&](std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.starts_with(number) && line.substr(number.size()).starts_with(' ');
  };
  if (lines.empty() || !is_last(lines.back())) {
    lines.push_back(fmt::format("{:>5} {}", facts.step,
                                facts.action.empty() ? "(no action of the spec)" : facts.action));
  }
  std::string out;
  const std::size_t first = lines.size() > kRecentMax ? lines.size() - kRecentMax : 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    const bool last = i + 1 == lines.size();
    out += fmt::format("  {}{}\n", Cut(lines[i], 100),
                       last ? fmt::format("   <- breaks {}", facts.property) : "");
  }
  return out;
}

std::string DifferenceLines(const FailureFacts& facts) {
  std::string out;
  for (const Difference& difference : facts.differences) {
    const std::string where = Cut(difference.where, 40);
    const bool short_enough = difference.expected.size() + difference.actual.size() < 50;
    if (short_enough) {
      out += fmt::format("       {}   expected {}   actual {}\n", where, Cut(difference.expected),
                         Cut(difference.actual));
    } else {
      out += fmt::format("       {}   expected {}\n       {:{}}   actual   {}\n", where,
                         Cut(difference.expected), "", where.size(), Cut(difference.actual));
    }
  }
  return out;
}

// What the spec says of the step, with the values that show it.
std::string RefusalText(const invariants::Violation& violation) {
  std::string text = violation.message;
  if (violation.property != "ConformanceGuard") return text;
  for (const Difference& difference : Differences(violation.expected, violation.actual, 1)) {
    text += fmt::format("; it is {}", difference.actual);
  }
  return text;
}

/// "StartAppend(w1) count=2": what stands in front of the first parenthesis, and how often.
struct EnabledName {
  std::string name;
  std::size_t times = 1;
};

// What was enabled, by name: with a few writers and a long log the parameters alone are hundreds.
std::string EnabledLine(const FailureFacts& facts) {
  if (facts.enabled.empty()) return {};
  std::vector<EnabledName> names;
  for (const std::string& action : facts.enabled) {
    const std::string name = action.substr(0, action.find('('));
    if (!names.empty() && names.back().name == name) {
      ++names.back().times;
    } else {
      names.push_back({name, 1});
    }
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kEnabledMax); ++i) {
    if (i > 0) out += ", ";
    out += Cut(names[i].name, 40);
    if (names[i].times > 1) out += fmt::format(" ({})", names[i].times);
  }
  if (names.size() > kEnabledMax) out += fmt::format(", and {} more", names.size() - kEnabledMax);
  return fmt::format("  enabled:    {}\n", out);
}

}  // namespace

std::vector<Difference> Differences(const Value& expected, const Value& actual, std::size_t most) {
  std::vector<Difference> found;
  if (!IsDefault(expected) || !IsDefault(actual)) Compare("", expected, actual, most, found);
  return found;
}

FailureFacts FactsOf(const scenarios::RunSpec& spec, const scenarios::RunResult& result,
                     std::string reproduce) {
  LOCKSTEP_CHECK(result.failure.has_value());
  const scenarios::Failure& failure = *result.failure;
  FailureFacts facts;
  facts.scenario = spec.scenario->name;
  if (spec.mutant != nullptr) facts.mutant = spec.mutant->name;
  facts.seed = spec.seed;
  facts.kind = ExitCodeOf(failure.violation.kind);
  facts.property = failure.violation.property;
  facts.step = failure.step;
  facts.action = failure.action;
  facts.message = failure.violation.message;
  if (failure.conformance && failure.conformance->property != failure.violation.property) {
    facts.refusal = RefusalText(*failure.conformance);
  }
  facts.recent = failure.recent;
  facts.enabled = failure.enabled;
  facts.differences =
      Differences(failure.violation.expected, failure.violation.actual, kDifferencesMax);
  facts.reproduce = std::move(reproduce);
  return facts;
}

std::string FailureBlock(const FailureFacts& facts, std::string_view meaning,
                         const Console& console) {
  std::string out =
      fmt::format("{}  {} / {}   seed {}   step {}   {}{}\n", console.Bad("FAIL"), facts.scenario,
                  facts.property, SeedText(facts.seed), facts.step, Info(facts.kind).name,
                  facts.mutant.empty() ? std::string() : fmt::format("   mutant {}", facts.mutant));
  if (!meaning.empty()) out += fmt::format("  promised:   {}\n", Cut(meaning, 160));
  if (!facts.message.empty()) out += fmt::format("  seen:       {}\n", Cut(facts.message, 160));
  // A process that died, or a run that came out differently, has no violating step to show.
  if (facts.kind != ExitCode::kError && facts.kind != ExitCode::kNondeterminism)
    out += RecentLines(facts);
  out += DifferenceLines(facts);
  if (!facts.refusal.empty()) out += fmt::format("  the spec:   {}\n", Cut(facts.refusal, 160));
  out += EnabledLine(facts);
  if (!facts.schedule.empty()) {
    out += fmt::format("  replay:     lockstep replay {}\n", ShellWord(facts.schedule));
  }
  out += fmt::format("  reproduce:  {}\n", facts.reproduce);
  if (!facts.trace.empty()) {
    out += fmt::format("  in TLC:     lockstep export {} --format tlc\n", ShellWord(facts.trace));
  }
  return out;
}

}  // namespace lockstep::tools
