#include "traces/schedule_file.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "traces/file_kind.h"
#include "traces/json_line.h"
#include "traces/trace_reader.h"
#include "traces/trace_writer.h"

namespace lockstep::traces {
namespace {

constexpr std::size_t kBodyLineBytesMax = 4096;
constexpr std::string_view kLineForms =
    "\"<kind> <value> of <bound>\" with value < bound and bound >= 2, \"# comment\", \"end "
    "<count>\"";

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) return words;
    const std::size_t size = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, size));
    line.remove_prefix(size);
  }
}

// Digits alone; no sign, no leading zero.
template <typename Integer>
std::optional<Integer> ParseNumber(std::string_view text) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (std::to_string(value) != text) return std::nullopt;
  return value;
}

std::optional<sim::ChoiceKind> KindOf(std::string_view name) {
  for (std::size_t i = 0; i < sim::kChoiceKinds; ++i) {
    const auto kind = static_cast<sim::ChoiceKind>(i);
    if (sim::ChoiceKindName(kind) == name) return kind;
  }
  return std::nullopt;
}

std::string KindNames() {
  std::string out;
  for (std::size_t i = 0; i < sim::kChoiceKinds; ++i) {
    if (i > 0) out.append(", ");
    out.append(sim::ChoiceKindName(static_cast<sim::ChoiceKind>(i)));
  }
  return out;
}

std::variant<sim::Choice, Problem> ParseDecision(const std::vector<std::string_view>& words,
                                                 std::string_view line) {
  const Problem other_form{"the line " + Quoted(line), std::string(kLineForms)};
  if (words.size() != 4 || words[2] != "of") return other_form;
  const std::optional<sim::ChoiceKind> kind = KindOf(words[0]);
  if (!kind) return Problem{"unknown kind of decision " + Quoted(words[0]), KindNames()};
  const auto value = ParseNumber<std::uint32_t>(words[1]);
  const auto bound = ParseNumber<std::uint32_t>(words[3]);
  if (!value || !bound || *bound < 2 || *value >= *bound) return other_form;
  return sim::Choice{*kind, *bound, *value};
}

class Parser {
 public:
  Parser(std::string_view bytes, std::string_view file_name) : bytes_(bytes), file_(file_name) {}

  std::variant<ScheduleFile, ReadError> Parse() {
    if (bytes_.empty()) return Error({"an empty file", "a header, decisions, end <count>"});
    while (!bytes_.empty()) {
      ++line_number_;
      const std::size_t end = bytes_.find('\n');
      const std::string_view line = bytes_.substr(0, end);
      std::optional<Problem> problem = line_number_ == 1 ? ReadHeader(line) : ReadLine(line);
      if (!problem && end == bytes_.npos) {
        problem = Problem{"the line has no end: the file is truncated", "a line feed at the end"};
      }
      if (problem) return Error(std::move(*problem));
      bytes_.remove_prefix(end + 1);
    }
    ++line_number_;
    if (!ended_) {
      return Error({"no end line: the file is truncated",
                    "end " + std::to_string(result_.schedule.size()) + ", if that is all"});
    }
    return std::move(result_);
  }

 private:
  ReadError Error(Problem problem) const {
    return {std::string(file_), line_number_, std::move(problem.problem),
            std::move(problem.accepted)};
  }

  std::optional<Problem> ReadHeader(std::string_view line) {
    if (auto problem = CheckFormat(line, FileKind::kSchedule)) return problem;
    if (line.size() > kLineBytesMax) return Problem{"a line too long", "a shorter header"};
    std::size_t values_left = kFileValuesMax;
    std::variant<JsonLine, Problem> parsed = ParseJsonLine(line, values_left);
    if (auto* problem = std::get_if<Problem>(&parsed)) return std::move(*problem);
    const JsonLine& json = std::get<JsonLine>(parsed);
    if (!json.null_fields.empty()) {
      return Problem{"null for the key " + Quoted(json.null_fields[0]), "a value"};
    }
    FieldReader in(json.value, "the header");
    in.ExpectKeys(
        {"format", "version", "lockstep", "scenario", "seed", "mutant", "max_steps", "faults"});
    result_.lockstep_version = in.String("lockstep");
    result_.scenario = in.String("scenario");
    result_.seed = in.String("seed");
    result_.mutant = in.String("mutant");
    result_.max_steps = in.Int("max_steps", 0, std::numeric_limits<std::int64_t>::max());
    result_.faults = in.Strings("faults");
    return in.problem();
  }

  std::optional<Problem> ReadLine(std::string_view line) {
    if (line.size() > kBodyLineBytesMax) {
      return Problem{"a line too long", "at most " + std::to_string(kBodyLineBytesMax) + " bytes"};
    }
    if (line.find('\r') != line.npos) {
      return Problem{"a carriage return", "lines that end with a line feed alone"};
    }
    if (line.find('\0') != line.npos) return Problem{"a NUL byte", "text"};
    const std::vector<std::string_view> words = Words(line.substr(0, line.find('#')));
    if (words.empty()) return std::nullopt;
    if (ended_) return Problem{"something after the end line", "comments"};
    if (words[0] == "end") return ReadEnd(words, line);
    std::variant<sim::Choice, Problem> decision = ParseDecision(words, line);
    if (auto* problem = std::get_if<Problem>(&decision)) return std::move(*problem);
    result_.schedule.push_back(std::get<sim::Choice>(decision));
    return std::nullopt;
  }

  std::optional<Problem> ReadEnd(const std::vector<std::string_view>& words,
                                 std::string_view line) {
    const auto count = words.size() == 2 ? ParseNumber<std::uint64_t>(words[1]) : std::nullopt;
    if (!count) return Problem{"the line " + Quoted(line), "end <count>"};
    const std::size_t decisions = result_.schedule.size();
    if (*count != decisions) {
      return Problem{"end says " + std::to_string(*count) + ", but " + std::to_string(decisions) +
                         " decisions stand above",
                     "end " + std::to_string(decisions) + ", after an edit"};
    }
    ended_ = true;
    return std::nullopt;
  }

  std::string_view bytes_;
  std::string_view file_;
  std::int64_t line_number_ = 0;
  bool ended_ = false;
  ScheduleFile result_;
};

}  // namespace

ScheduleFile ScheduleOf(const Trace& trace) {
  const Header& header = trace.header;
  return {header.lockstep_version, header.scenario, header.seed,   header.mutant,
          header.max_steps,        header.faults,   trace.schedule};
}

std::string PrintSchedule(const ScheduleFile& file) {
  std::string out = "{\"format\":\"lockstep-schedule\",\"version\":";
  out.append(std::to_string(kFormatVersion));
  const auto append_string = [&](std::string_view key, const std::string& text) {
    out.append(",\"").append(key).append("\":");
    sim::AppendJsonString(out, text);
  };
  append_string("lockstep", file.lockstep_version);
  append_string("scenario", file.scenario);
  append_string("seed", file.seed);
  append_string("mutant", file.mutant);
  out.append(",\"max_steps\":").append(std::to_string(file.max_steps)).append(",\"faults\":");
  AppendJsonStrings(out, file.faults);
  out.append("}\n");
  for (const sim::Choice& choice : file.schedule) {
    out.append(sim::ChoiceKindName(choice.kind)).append(" ").append(std::to_string(choice.value));
    out.append(" of ").append(std::to_string(choice.bound)).append("\n");
  }
  out.append("end ").append(std::to_string(file.schedule.size())).append("\n");
  return out;
}

std::variant<ScheduleFile, ReadError> ParseSchedule(std::string_view bytes,
                                                    std::string_view file_name) {
  return Parser(bytes, file_name).Parse();
}

}  // namespace lockstep::traces
