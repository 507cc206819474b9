#include "traces/text_exporter.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "traces/read_error.h"

namespace lockstep::traces {
namespace {

using sim::Value;

enum Column : std::size_t { kNumber, kTime, kNode, kEvent, kAction, kChanged, kColumns };
using Row = std::array<std::string, kColumns>;

// What a column takes at most where lines are cut, so that the next ones keep some room.
constexpr std::array<std::size_t, kColumns> kWidthMax = {10, 10, 12, 42, 26, 1000};

bool IsPlain(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-.:/#").find(c) != std::string_view::npos;
  });
}

// A name or a word as it is; anything else in quotes, escaped.
std::string Word(std::string_view text) { return IsPlain(text) ? std::string(text) : Quoted(text); }

// Short: record fields by position, strings without quotes.
void AppendShort(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kBool:
      out.append(value.AsBool() ? "true" : "false");
      return;
    case Value::Kind::kInt:
      out.append(std::to_string(value.AsInt()));
      return;
    case Value::Kind::kString:
      out.append(Word(value.AsString()));
      return;
    case Value::Kind::kSeq:
    case Value::Kind::kSet: {
      const bool is_set = value.kind() == Value::Kind::kSet;
      out.push_back(is_set ? '{' : '<');
      for (const Value& item : value.AsItems()) {
        if (&item != &value.AsItems().front()) out.push_back(',');
        AppendShort(out, item);
      }
      out.push_back(is_set ? '}' : '>');
      return;
    }
    case Value::Kind::kRecord:
      out.push_back('{');
      for (const auto& field : value.AsFields()) {
        if (&field != &value.AsFields().front()) out.push_back(',');
        AppendShort(out, field.second);
      }
      out.push_back('}');
      return;
  }
}

// What says most comes first, because the end may be cut: the kind, the other strings without their
// names, then everything else as name=value.
std::string EventText(const Value& event) {
  std::string out;
  std::string rest;
  if (event.kind() != Value::Kind::kRecord) return out;
  for (const auto& [name, value] : event.AsFields()) {
    if (value.kind() == Value::Kind::kString) {
      if (!out.empty()) out.push_back(' ');
      out.append(Printable(value.AsString()));
    } else {
      rest.append(" ").append(Word(name)).push_back('=');
      AppendShort(rest, value);
    }
  }
  return out + rest;
}

std::string ActionText(const Step& step) {
  if (!step.action) return "";
  std::string out = Word(*step.action);
  if (step.parameters.kind() != Value::Kind::kRecord || step.parameters.AsFields().empty()) {
    return out;
  }
  for (const auto& field : step.parameters.AsFields()) {
    out.push_back(&field == &step.parameters.AsFields().front() ? '(' : ',');
    AppendShort(out, field.second);
  }
  return out + ")";
}

// `changed` or `observed`: variable=value, or variable[point]=value for a function.
std::string ChangedText(const Value& changed, const Value& initial) {
  std::string out;
  if (changed.kind() != Value::Kind::kRecord) return out;
  const auto append = [&](std::string target, const Value& value) {
    if (!out.empty()) out.push_back(' ');
    out.append(target).push_back('=');
    AppendShort(out, value);
  };
  for (const auto& [name, value] : changed.AsFields()) {
    const Value* before = initial.kind() == Value::Kind::kRecord ? initial.Find(name) : nullptr;
    const bool is_function = before != nullptr && (before->kind() == Value::Kind::kSeq ||
                                                   before->kind() == Value::Kind::kRecord);
    if (!is_function || value.kind() != Value::Kind::kRecord) {
      append(Word(name), value);
      continue;
    }
    for (const auto& [point, at] : value.AsFields()) {
      append(Word(name) + "[" + Word(point) + "]", at);
    }
  }
  return out;
}

bool IsShown(const Step& step, const TextOptions& options) {
  if (step.number < options.from || step.number > options.to) return false;
  if (options.only.empty()) return true;
  const Value* kind = step.event.kind() == Value::Kind::kRecord ? step.event.Find("kind") : nullptr;
  return std::any_of(options.only.begin(), options.only.end(), [&](const std::string& word) {
    return word == step.node || (step.action && word == *step.action) ||
           (kind != nullptr && kind->kind() == Value::Kind::kString && word == kind->AsString());
  });
}

std::string Cut(std::string text, std::size_t width) {
  constexpr std::string_view kMark = "..";
  if (text.size() <= width) return text;
  text.resize(width - std::min(width, kMark.size()));
  return text.append(kMark.substr(0, width));
}

void AppendRow(std::string& out, const Row& row, const std::array<std::size_t, kColumns>& widths,
               const TextOptions& options) {
  // A stutter's event may take the room of the columns that are empty.
  const bool stutter = row[kAction].empty() && row[kChanged].empty();
  const std::size_t last = stutter ? kEvent : kChanged;
  std::string line;
  for (std::size_t i = 0; i <= last; ++i) {
    const std::string cell = options.width == 0 || i == last ? row[i] : Cut(row[i], widths[i]);
    const std::string padding(i == last ? 0 : widths[i] - cell.size(), ' ');
    if (i > 0) line.append("  ");
    line.append(i <= kTime ? padding + cell : cell + padding);
  }
  line.resize(line.find_last_not_of(' ') + 1);
  out.append(options.width == 0 ? line : Cut(line, options.width)).push_back('\n');
}

std::string Opening(const Header& header) {
  std::string out = "scenario " + Word(header.scenario) + ", seed " + Word(header.seed);
  if (!header.mutant.empty()) out.append(", mutant ").append(Word(header.mutant));
  out.append(", strategy ").append(Word(header.strategy)).append(", spec ");
  out.append(Word(header.spec));
  for (const std::string& name : header.dialect) out.append(" + ").append(Word(name));
  return out.append(", lockstep ").append(Word(header.lockstep_version)).append("\n");
}

std::string Closing(const Trace& trace) {
  std::string out = "verdict " + Word(trace.footer.verdict);
  const std::optional<ViolationRecord>& violation = trace.footer.violation;
  if (!violation) return out.append("\n");
  out.append(": ").append(Word(violation->property)).append(" (").append(Word(violation->kind));
  out.append(") at step ").append(std::to_string(violation->step)).append("\n");
  const auto line = [&](std::string_view title, const std::string& text) {
    if (!text.empty()) out.append("  ").append(title).append(text).append("\n");
  };
  const auto short_text = [](const Value& value) {
    std::string text;
    AppendShort(text, value);
    return text;
  };
  line("action    ", Printable(violation->action));
  line("message   ", Printable(violation->message));
  line("expected  ", short_text(violation->expected));
  line("actual    ", short_text(violation->actual));
  std::string enabled;
  for (const std::string& name : violation->enabled) {
    enabled.append(enabled.empty() ? "" : ", ").append(Printable(name));
  }
  line("enabled   ", enabled);
  line("observed  ", ChangedText(violation->observed, trace.header.initial));
  return out;
}

}  // namespace

std::string ExportText(const Trace& trace, const TextOptions& options) {
  std::vector<Row> rows = {{"n", "time", "node", "event", "action", "changed"}};
  for (const Step& step : trace.steps) {
    if (!IsShown(step, options)) continue;
    rows.push_back({std::to_string(step.number), std::to_string(step.time), Word(step.node),
                    EventText(step.event), ActionText(step),
                    ChangedText(step.changed, trace.header.initial)});
  }
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    const std::size_t end = row[kAction].empty() && row[kChanged].empty() ? kEvent : kColumns;
    for (std::size_t i = 0; i < end; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (std::size_t i = 0; i < kColumns && options.width != 0; ++i) {
    widths[i] = std::min(widths[i], kWidthMax[i]);
  }
  std::string out = Opening(trace.header);
  for (const Row& row : rows) AppendRow(out, row, widths, options);
  const std::size_t shown = rows.size() - 1;
  if (shown < trace.steps.size()) {
    out.append(std::to_string(shown)).append(" of ").append(std::to_string(trace.steps.size()));
    out.append(" steps shown\n");
  }
  return out.append(Closing(trace));
}

}  // namespace lockstep::traces
