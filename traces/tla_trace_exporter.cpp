#include "traces/tla_trace_exporter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/read_error.h"
#include "traces/state_rebuilder.h"
#include "traces/tla_shape.h"
#include "traces/tla_text.h"

namespace lockstep::traces {
namespace {

using sim::Value;

// Modules whose operators write files or start programs: not to be had as a spec.
constexpr std::array<std::string_view, 8> kToolModules = {
    "Json", "TLC", "TLCExt", "IOUtils", "CSV", "Toolbox", "SVG", "Randomization"};

constexpr std::size_t kIdBytesMax = 64;

bool IsId(std::string_view id) {
  return !id.empty() && id.size() <= kIdBytesMax && IsTlaName("x" + std::string(id));
}

std::string_view OperatorOf(const ActionSignature& action) {
  return action.tla_operator.empty() ? std::string_view(action.name) : action.tla_operator;
}

const std::vector<std::pair<std::string, Value>>& FieldsOf(const Value& record) {
  static const std::vector<std::pair<std::string, Value>> kNone;
  return record.kind() == Value::Kind::kRecord ? record.AsFields() : kNone;
}

// What is wrong with the names of the header, or nothing.
std::optional<std::string> CheckHeader(const Header& header) {
  const auto no_name = [](std::string_view what, std::string_view name) {
    return std::string(what) + " " + Quoted(name) + " is no TLA+ name, or one the replay uses";
  };
  if (!IsTlaName(header.tla_module)) return no_name("the module", header.tla_module);
  if (std::find(kToolModules.begin(), kToolModules.end(), header.tla_module) !=
      kToolModules.end()) {
    return "the module " + Quoted(header.tla_module) + " is not a specification";
  }
  if (!IsTlaName(header.tla_init)) return no_name("the initial predicate", header.tla_init);
  if (!IsTlaName(header.tla_next)) return no_name("the next-state operator", header.tla_next);
  for (const std::string& name : header.invariants) {
    if (!IsTlaName(name)) return no_name("the invariant", name);
  }
  for (const ActionSignature& action : header.actions) {
    if (!IsTlaName(OperatorOf(action))) return no_name("the action", OperatorOf(action));
    if (auto why = WhyNotForTlc(Value::String(action.name))) return why;
    for (const std::string& argument : action.arguments) {
      if (!IsTlaName(argument)) return no_name("the argument", argument);
    }
  }
  for (const auto& [name, value] : FieldsOf(header.constants)) {
    if (!IsTlaName(name)) return no_name("the constant", name);
    auto why = WhyNotForTlc(value);
    if (!why) why = WhyNotInModule(value);
    if (why) return "constant " + name + ": " + *why;
  }
  if (FieldsOf(header.initial).empty()) return "the trace has no initial state";
  for (const auto& [name, value] : FieldsOf(header.initial)) {
    if (!IsTlaName(name)) return no_name("the variable", name);
  }
  return std::nullopt;
}

// The shapes of the variables, or of one action's arguments, by position.
struct Shapes {
  std::vector<std::string> names;
  std::vector<std::optional<Shape>> shapes;

  std::optional<std::string> Add(std::size_t index, const Value& value) {
    auto why = WhyNotForTlc(value);
    std::variant<Shape, std::string> shape = ShapeOf(value);
    if (const auto* problem = std::get_if<std::string>(&shape); problem != nullptr && !why) {
      why = *problem;
    }
    if (!why && !shapes[index]) {
      shapes[index] = std::get<Shape>(std::move(shape));
    } else if (!why) {
      why = Unify(*shapes[index], std::get<Shape>(shape));
    }
    if (why) return names[index] + ": " + *why;
    return std::nullopt;
  }

  // The expression of one of them, or nothing.
  [[nodiscard]] std::optional<std::string> Decoded(std::size_t index,
                                                   const std::string& expression) const {
    if (!shapes[index]) return expression;
    return DecodeExpression(expression, *shapes[index]);
  }
};

Shapes ShapesFor(std::vector<std::string> names) {
  Shapes shapes{std::move(names), {}};
  shapes.shapes.resize(shapes.names.size());
  return shapes;
}

// Walks the trace once: the data for TLC, and the shapes that are needed to read it.
class DataBuilder {
 public:
  explicit DataBuilder(const Trace& trace) : trace_(trace), states_(trace.header.initial) {
    std::vector<std::string> names;
    for (const auto& [name, value] : trace.header.initial.AsFields()) names.push_back(name);
    variables_ = ShapesFor(std::move(names));
    for (const ActionSignature& action : trace.header.actions) {
      arguments_.push_back(ShapesFor(action.arguments));
    }
  }

  // What is wrong with the trace, or nothing.
  std::optional<std::string> Build() {
    const std::optional<ViolationRecord>& violation = trace_.footer.violation;
    const bool observed = violation && !FieldsOf(violation->observed).empty();
    if (auto problem = AddRecord(0, nullptr, nullptr)) return problem;
    if (observed && violation->step == 0) return AddObserved(nullptr);
    for (const Step& step : trace_.steps) {
      auto problem = states_.Apply(step.changed);
      const bool last = observed && violation->step == step.number;
      if (!problem && last) problem = AddObserved(&step);
      if (!problem && !last && step.action) problem = AddStep(step);
      if (problem) return "step " + std::to_string(step.number) + ": " + *problem;
      if (last) break;
    }
    return std::nullopt;
  }

  [[nodiscard]] const std::string& data() const { return data_; }
  [[nodiscard]] const Shapes& variables() const { return variables_; }
  /// In the order of the header's actions.
  [[nodiscard]] const std::vector<Shapes>& arguments() const { return arguments_; }

 private:
  std::optional<std::string> AddObserved(const Step* step) {
    if (auto problem = states_.Apply(trace_.footer.violation->observed)) return problem;
    if (step != nullptr && step->action) return AddStep(*step);
    return AddRecord(step == nullptr ? 0 : step->number, nullptr, nullptr);
  }

  std::optional<std::string> AddStep(const Step& step) {
    const std::vector<ActionSignature>& actions = trace_.header.actions;
    const auto action = std::find_if(actions.begin(), actions.end(), [&](const auto& candidate) {
      return candidate.name == *step.action;
    });
    if (action == actions.end()) {
      return "the header does not list the action " + Quoted(*step.action);
    }
    const auto index = static_cast<std::size_t>(action - actions.begin());
    return AddRecord(step.number, &*action, &step.parameters, index);
  }

  std::optional<std::string> AddRecord(std::int64_t number, const ActionSignature* action,
                                       const Value* parameters, std::size_t index = 0) {
    if (auto why = WhyNotForTlc(Value::Int(number))) return why;
    data_.append("{\"n\":").append(std::to_string(number)).append(",\"action\":");
    sim::AppendJsonString(data_, action == nullptr ? std::string_view() : action->name);
    data_.append(",\"args\":{");
    for (std::size_t i = 0; action != nullptr && i < action->arguments.size(); ++i) {
      const std::string& name = action->arguments[i];
      const Value* value =
          parameters->kind() == Value::Kind::kRecord ? parameters->Find(name) : nullptr;
      if (value == nullptr) return "no parameter " + Quoted(name) + " of " + action->name;
      if (auto why = arguments_[index].Add(i, *value)) return "parameter " + *why;
      if (i > 0) data_.push_back(',');
      sim::AppendJsonString(data_, name);
      data_.push_back(':');
      AppendTlcJson(data_, *value);
    }
    data_.append("},\"state\":");
    const auto& fields = states_.state().AsFields();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (auto why = variables_.Add(i, fields[i].second)) return "variable " + *why;
    }
    AppendTlcJson(data_, states_.state());
    data_.append("}\n");
    return std::nullopt;
  }

  const Trace& trace_;
  StateRebuilder states_;
  Shapes variables_;
  std::vector<Shapes> arguments_;
  std::string data_;
};

// The constants that a .cfg cannot write are defined in the module under this name.
std::string OverrideName(const std::string& constant) { return "ReplayConstant_" + constant; }

std::string CfgText(const Header& header) {
  std::string out = "CONSTANTS\n";
  for (const auto& [name, value] : FieldsOf(header.constants)) {
    const std::optional<std::string> text = AsCfgText(value);
    out.append("  ").append(name);
    out.append(text ? " = " + *text : " <- " + OverrideName(name)).append("\n");
  }
  if (FieldsOf(header.constants).empty()) out.clear();
  out.append("INIT ReplayInit\nNEXT ReplayNext\n");
  if (!header.invariants.empty()) out.append("INVARIANTS\n");
  for (const std::string& name : header.invariants) out.append("  ").append(name).append("\n");
  return out + "POSTCONDITION ReplayAccepted\nCHECK_DEADLOCK FALSE\n";
}

// One conjunct a variable: `name` and `prime`, equal to the recorded value.
std::optional<std::string> Matches(const Shapes& variables, std::string_view prime) {
  std::string out;
  for (std::size_t i = 0; i < variables.names.size(); ++i) {
    const std::string& name = variables.names[i];
    const std::optional<std::string> value = variables.Decoded(i, "replayRecord.state." + name);
    if (!value) return std::nullopt;
    out.append("  /\\ ").append(name).append(prime).append(" = ").append(*value).append("\n");
  }
  return out;
}

// One disjunct an action. A change without an action is left to the next-state relation: TLC is to
// judge that nothing explains it, not to be told. A self-loop does not explain a change of nothing.
std::optional<std::string> Disjuncts(const Header& header, const std::vector<Shapes>& arguments) {
  std::string out =
      "  \\/ replayRecord.action = \"\" /\\ ReplayTrace[replayCursor].state # replayRecord.state\n";
  for (std::size_t i = 0; i < header.actions.size(); ++i) {
    const ActionSignature& action = header.actions[i];
    out.append("  \\/ replayRecord.action = ").append(Value::String(action.name).ToTla());
    out.append(" /\\ ").append(OperatorOf(action));
    for (std::size_t j = 0; j < action.arguments.size(); ++j) {
      const auto value = arguments[i].Decoded(j, "replayRecord.args." + action.arguments[j]);
      if (!value) return std::nullopt;
      out.append(j == 0 ? "(" : ", ").append(*value);
    }
    if (!action.arguments.empty()) out.push_back(')');
    out.push_back('\n');
  }
  return out;
}

constexpr std::string_view kModuleImports = R"(, Integers

ReplayJson == INSTANCE Json
ReplayTlc == INSTANCE TLC
ReplaySequences == INSTANCE Sequences

VARIABLE replayCursor  \* the record that the state is that of

)";

constexpr std::string_view kModuleAccepted = R"(
ReplayActionOf(replayRecord) ==
  IF replayRecord.action = "" THEN "a change that no action explains" ELSE replayRecord.action

ReplayStarted == ReplayTlc!TLCGet("stats").distinct > 0
ReplayReached == IF ReplayStarted THEN ReplayTlc!TLCGet("stats").diameter ELSE 0
ReplayLength == ReplaySequences!Len(ReplayTrace)

ReplayAccepted ==
  \/ ReplayReached = ReplayLength
  \/ /\ ~ReplayStarted
     /\ ReplayTlc!PrintT("replay: the initial state is refused")
     /\ FALSE
  \/ /\ ReplayStarted
     /\ ReplayReached < ReplayLength
     /\ ReplayTlc!PrintT(<<"replay: longest accepted prefix", ReplayReached - 1,
                           "of", ReplayLength - 1>>)
     /\ ReplayTlc!PrintT(<<"replay: refused at step", ReplayTrace[ReplayReached + 1].n,
                           ReplayActionOf(ReplayTrace[ReplayReached + 1])>>)
     /\ FALSE
)";

std::string ModuleOpening(const Header& header, const std::string& name, TlaMode mode) {
  std::string out = "---- MODULE " + name + " ----\n";
  out.append("\\* Generated from a trace by lockstep; mode ");
  out.append(mode == TlaMode::kConform ? "conform" : "observe").append(".\n");
  out.append("\\* scenario ").append(CommentText(header.scenario));
  out.append(", seed ").append(CommentText(header.seed));
  if (!header.mutant.empty()) out.append(", mutant ").append(CommentText(header.mutant));
  out.append("\nEXTENDS ").append(header.tla_module).append(kModuleImports);
  out.append("ReplayTrace == ReplayJson!ndJsonDeserialize(\"").append(name).append(".ndjson\")\n");
  for (const auto& [constant, value] : FieldsOf(header.constants)) {
    if (AsCfgText(value)) continue;
    out.append(OverrideName(constant)).append(" == ").append(value.ToTla()).append("\n");
  }
  return out;
}

std::optional<std::string> ModuleText(const Header& header, const std::string& name, TlaMode mode,
                                      const DataBuilder& data) {
  const bool conform = mode == TlaMode::kConform;
  const auto now = Matches(data.variables(), "");
  const auto then = Matches(data.variables(), "'");
  const auto steps = Disjuncts(header, data.arguments());
  if (!now || !then || !steps) return std::nullopt;
  std::string out = ModuleOpening(header, name, mode);
  out.append("\nReplayIs(replayRecord) ==\n").append(*now);
  out.append("\nReplayBecomes(replayRecord) ==\n").append(*then);
  if (conform) out.append("\nReplayTakes(replayRecord) ==\n").append(*steps);
  out.append("\nReplayInit ==\n  /\\ replayCursor = 1\n");
  if (conform) out.append("  /\\ ").append(header.tla_init).append("\n");
  out.append("  /\\ ReplayIs(ReplayTrace[1])\n");
  out.append("\nReplayNext ==\n  /\\ replayCursor < ReplaySequences!Len(ReplayTrace)\n");
  out.append("  /\\ replayCursor' = replayCursor + 1\n");
  out.append("  /\\ ReplayBecomes(ReplayTrace[replayCursor + 1])\n");
  if (conform) {
    out.append("  /\\ ReplayTakes(ReplayTrace[replayCursor + 1])\n");
    out.append("  /\\ ").append(header.tla_next).append("\n");
  }
  return out.append(kModuleAccepted).append("====\n");
}

std::string ShellQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out.append("'\\''");
    } else {
      out.push_back(c);
    }
  }
  return out + "'";
}

}  // namespace

ExportResult ExportForTlc(const Trace& trace, const TlaExportOptions& options) {
  if (!IsId(options.id)) {
    return ExportError{"the id " + Quoted(options.id) + " is not of letters, digits and _ alone"};
  }
  if (auto problem = CheckHeader(trace.header)) return ExportError{*problem};
  DataBuilder data(trace);
  if (auto problem = data.Build()) return ExportError{*problem};
  const std::string name = "Replay_" + options.id;
  std::optional<std::string> module = ModuleText(trace.header, name, options.mode, data);
  if (!module) {
    return ExportError{"sets inside records whose fields differ from state to state"};
  }
  return std::vector<ExportedFile>{{name + ".tla", std::move(*module)},
                                   {name + ".cfg", CfgText(trace.header)},
                                   {name + ".ndjson", data.data()}};
}

std::string TlcCommand(const TlcCommandOptions& options) {
  std::string out;
  if (!options.folder.empty()) out.append("cd ").append(ShellQuoted(options.folder)).append(" && ");
  out.append("java -XX:+UseParallelGC");
  if (!options.spec_folder.empty()) {
    out.append(" -DTLA-Library=").append(ShellQuoted(options.spec_folder));
  }
  out.append(" -cp ");
  out.append(options.jar.empty() ? "\"${TLA2TOOLS_JAR:-$HOME/.local/share/tla2tools.jar}\""
                                 : ShellQuoted(options.jar));
  out.append(" tlc2.TLC -workers 1 -noGenerateSpecTE ");
  if (options.meta_folder.empty()) {
    out.append("-cleanup");
  } else {
    out.append("-metadir ").append(ShellQuoted(options.meta_folder));
  }
  const std::string name = "Replay_" + options.id;
  return out.append(" -config ")
      .append(ShellQuoted(name + ".cfg"))
      .append(" ")
      .append(ShellQuoted(name));
}

}  // namespace lockstep::traces
