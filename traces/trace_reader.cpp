#include "traces/trace_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/file_kind.h"
#include "traces/json_line.h"
#include "traces/trace_digest.h"
#include "traces/trace_writer.h"

namespace lockstep::traces {
namespace {

using sim::Value;

constexpr std::int64_t kIntMax = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kOrder = "a header, steps, the schedule, a footer";

std::optional<sim::ChoiceKind> ChoiceKindOf(char letter) {
  for (std::size_t i = 0; i < sim::kChoiceKinds; ++i) {
    const auto kind = static_cast<sim::ChoiceKind>(i);
    if (ChoiceLetter(kind) == letter) return kind;
  }
  return std::nullopt;
}

bool ParseNumber(std::string_view text, std::uint32_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

// "e3/7"
std::optional<sim::Choice> ParseChoice(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (text.empty() || slash == text.npos) return std::nullopt;
  const std::optional<sim::ChoiceKind> kind = ChoiceKindOf(text[0]);
  sim::Choice choice;
  if (!kind || !ParseNumber(text.substr(1, slash - 1), choice.value) ||
      !ParseNumber(text.substr(slash + 1), choice.bound)) {
    return std::nullopt;
  }
  if (choice.bound < 2 || choice.value >= choice.bound) return std::nullopt;
  choice.kind = *kind;
  return choice;
}

ViolationRecord ReadViolation(FieldReader& footer, std::int64_t steps) {
  ViolationRecord violation;
  const Value record = footer.Record("violation");
  FieldReader in(record, "a violation");
  in.ExpectKeys({"property", "kind", "step", "action", "message", "expected", "actual", "enabled",
                 "observed"});
  violation.property = in.String("property");
  violation.kind = in.String("kind");
  violation.step = in.Int("step", 0, steps);
  violation.action = in.String("action");
  violation.message = in.String("message");
  violation.expected = in.Any("expected");
  violation.actual = in.Any("actual");
  violation.enabled = in.Strings("enabled");
  violation.observed = in.Record("observed");
  constexpr std::string_view kKinds[] = {"safety", "liveness", "conformance", "nondeterminism"};
  if (std::find(std::begin(kKinds), std::end(kKinds), violation.kind) == std::end(kKinds)) {
    in.Fail("unknown violation kind " + Quoted(violation.kind),
            "safety, liveness, conformance, nondeterminism");
  }
  if (in.problem()) footer.Fail(in.problem()->problem, in.problem()->accepted);
  return violation;
}

// Reads line after line; the first problem ends it.
class Reader {
 public:
  Reader(std::string_view bytes, std::string_view file_name) : bytes_(bytes), file_(file_name) {}

  std::variant<Trace, ReadError> Read() {
    if (bytes_.empty()) return Error({"an empty file", std::string(kOrder)});
    while (position_ < bytes_.size()) {
      ++line_number_;
      if (auto problem = ReadLine()) return Error(std::move(*problem));
    }
    ++line_number_;
    if (part_ != Part::kEnd)
      return Error({"no footer: the file is truncated", std::string(kOrder)});
    return std::move(trace_);
  }

 private:
  enum class Part { kHeader, kSteps, kFooter, kEnd };

  ReadError Error(Problem problem) const {
    return {std::string(file_), line_number_, std::move(problem.problem),
            std::move(problem.accepted)};
  }

  std::optional<Problem> ReadLine() {
    if (part_ == Part::kEnd) return Problem{"something after the footer", "nothing"};
    const std::size_t begin = position_;
    const std::size_t end = bytes_.find('\n', begin);
    const std::string_view line = bytes_.substr(begin, end - begin);
    if (line.size() > kLineBytesMax) {
      return Problem{"a line too long", "at most " + std::to_string(kLineBytesMax) + " bytes"};
    }
    if (part_ == Part::kHeader) {
      if (auto problem = CheckFormat(line, FileKind::kTrace)) return problem;
    }
    if (end == bytes_.npos) {
      return Problem{"the line has no end: the file is truncated", std::string(kOrder)};
    }
    position_ = end + 1;
    std::variant<JsonLine, Problem> parsed = ParseJsonLine(line, values_left_);
    if (auto* problem = std::get_if<Problem>(&parsed)) return std::move(*problem);
    const JsonLine& json = std::get<JsonLine>(parsed);
    const std::string_view first_key =
        json.value.AsFields().empty() ? "" : std::string_view(json.value.AsFields()[0].first);
    canonical_.clear();
    std::optional<Problem> problem = Dispatch(json, first_key, begin);
    if (!problem && canonical_ != bytes_.substr(begin, position_ - begin))
      problem = NotCanonical(line);
    return problem;
  }

  std::optional<Problem> Dispatch(const JsonLine& json, std::string_view first_key,
                                  std::size_t begin) {
    if (first_key != "verdict" && !json.null_fields.empty()) {
      return Problem{"null for the key " + Quoted(json.null_fields[0]), "a value"};
    }
    if (part_ == Part::kHeader) return ReadHeader(json.value);
    if (part_ == Part::kSteps && first_key == "n") return ReadStep(json.value);
    if (part_ == Part::kSteps && first_key == "schedule") return ReadSchedule(json.value);
    if (part_ == Part::kFooter && first_key == "verdict") return ReadFooter(json, begin);
    return Problem{"a line that begins with the key " + Quoted(first_key),
                   part_ == Part::kSteps ? "a step (n, ...) or the schedule" : "the footer"};
  }

  std::optional<Problem> ReadHeader(const Value& record) {
    FieldReader in(record, "the header");
    in.ExpectKeys({"format", "version", "lockstep", "scenario", "seed", "mutant", "strategy",
                   "max_steps", "faults", "spec", "dialect", "tla_module", "tla_init", "tla_next",
                   "invariants", "actions", "constants", "initial"});
    Header& header = trace_.header;
    header.lockstep_version = in.String("lockstep");
    header.scenario = in.String("scenario");
    header.seed = in.String("seed");
    header.mutant = in.String("mutant");
    header.strategy = in.String("strategy");
    header.max_steps = in.Int("max_steps", 0, kIntMax);
    header.faults = in.Strings("faults");
    header.spec = in.String("spec");
    header.dialect = in.Strings("dialect");
    header.tla_module = in.String("tla_module");
    header.tla_init = in.String("tla_init");
    header.tla_next = in.String("tla_next");
    header.invariants = in.Strings("invariants");
    for (const Value& item : in.Records("actions")) {
      FieldReader action(item, "an action of the header");
      action.ExpectKeys({"name", "arguments", "tla_operator"});
      header.actions.push_back(
          {action.String("name"), action.Strings("arguments"), action.String("tla_operator")});
      if (action.problem()) return action.problem();
    }
    header.constants = in.Record("constants");
    header.initial = in.Record("initial");
    AppendHeaderLine(canonical_, header);
    part_ = Part::kSteps;
    return in.problem();
  }

  std::optional<Problem> ReadStep(const Value& record) {
    FieldReader in(record, "a step");
    in.ExpectKeys({"n", "t", "node", "event", "action", "changed"}, {"action", "changed"});
    Step step;
    const auto expected = static_cast<std::int64_t>(trace_.steps.size()) + 1;
    step.number = in.Int("n", expected, expected);
    step.time = in.Int("t", 0, kIntMax);
    step.node = in.String("node");
    step.event = in.Record("event");
    step.parameters = Value::RecordOf({});
    step.changed = Value::RecordOf({});
    FieldReader event(step.event, "an event");
    event.String("kind");
    if (!in.problem() && event.problem()) return event.problem();
    if (in.Has("action") != in.Has("changed")) {
      in.Fail("a step with only one of \"action\" and \"changed\"", "both, or none for a stutter");
    }
    if (in.Has("action")) {
      Value action = in.Record("action");
      FieldReader name(action, "an action");
      step.action = name.String("name");
      if (!in.problem() && name.problem()) return name.problem();
      std::erase_if(action.MutableFields(),
                    [](const auto& field) { return field.first == "name"; });
      step.parameters = std::move(action);
      step.changed = in.Record("changed");
    }
    if (in.problem()) return in.problem();
    AppendStepLine(canonical_, step);
    trace_.steps.push_back(std::move(step));
    return std::nullopt;
  }

  std::optional<Problem> ReadSchedule(const Value& record) {
    FieldReader in(record, "the schedule line");
    in.ExpectKeys({"schedule"});
    const std::string text = in.String("schedule");
    if (in.problem()) return in.problem();
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::size_t space = std::min(rest.find(' '), rest.size());
      const std::string_view word = rest.substr(0, space);
      const std::optional<sim::Choice> choice = ParseChoice(word);
      if (!choice) {
        return Problem{
            "decision " + std::to_string(trace_.schedule.size() + 1) + " is " + Quoted(word),
            "a letter of e w s g t d n, a value, a slash, a bound above the value"};
      }
      trace_.schedule.push_back(*choice);
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    AppendScheduleLine(canonical_, trace_.schedule);
    part_ = Part::kFooter;
    return std::nullopt;
  }

  std::optional<Problem> ReadFooter(const JsonLine& json, std::size_t begin) {
    FieldReader in(json.value, "the footer");
    in.ExpectKeys({"verdict", "steps", "violation", "digest"}, {"violation"});
    Footer& footer = trace_.footer;
    const auto steps = static_cast<std::int64_t>(trace_.steps.size());
    footer.verdict = in.String("verdict");
    in.Int("steps", steps, steps);
    const bool violated = footer.verdict == "violated";
    if (!violated && footer.verdict != "holds" && footer.verdict != "inconclusive") {
      in.Fail("unknown verdict " + Quoted(footer.verdict), "holds, violated, inconclusive");
    }
    if (violated != in.Has("violation")) {
      in.Fail("verdict and violation disagree",
              "a violation if the verdict is violated, otherwise null");
    }
    if (violated) footer.violation = ReadViolation(in, steps);
    const std::string digest = in.String("digest");
    if (in.problem()) return in.problem();
    AppendFooterUpToDigest(canonical_, footer, steps);
    const std::size_t size = begin + canonical_.size();
    canonical_.append(digest).append(kFooterEnd);
    if (canonical_ != bytes_.substr(begin, position_ - begin))
      return std::nullopt;  // says so itself
    if (const std::string right = Digest(bytes_.substr(0, size)); digest != right) {
      return Problem{"wrong digest " + Quoted(digest) + ": the file was damaged or edited", right};
    }
    part_ = Part::kEnd;
    return std::nullopt;
  }

  Problem NotCanonical(std::string_view line) const {
    const auto [a, b] =
        std::mismatch(line.begin(), line.end(), canonical_.begin(), canonical_.end());
    const auto column = a - line.begin();
    return {"not in the one form of the format from column " + std::to_string(column + 1) + ": " +
                Quoted(line.substr(static_cast<std::size_t>(column), 40)),
            Quoted(std::string_view(b, canonical_.end()).substr(0, 40)) +
                " (no white space, fixed order of keys, shortest escapes, sets sorted)"};
  }

  std::string_view bytes_;
  std::string_view file_;
  std::size_t position_ = 0;
  std::int64_t line_number_ = 0;
  std::size_t values_left_ = kFileValuesMax;
  Part part_ = Part::kHeader;
  std::string canonical_;  ///< the line as the writer writes it
  Trace trace_;
};

}  // namespace

std::variant<Trace, ReadError> ReadTrace(std::string_view bytes, std::string_view file_name) {
  return Reader(bytes, file_name).Read();
}

}  // namespace lockstep::traces
