#include "tools/exhaust_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/leads_to.h"
#include "scenarios/exhaust/state_graph.h"
#include "tools/interrupt.h"
#include "tools/json_output.h"
#include "tools/machine_options.h"
#include "tools/numbers.h"
#include "tools/stopwatch.h"
#include "tools/suggest.h"
#include "tools/thread_executor.h"
#include "traces/file_io.h"

namespace lockstep::tools {
namespace {

using invariants::Verdict;
using scenarios::LeadsToResult;
using scenarios::LoadedModel;
using scenarios::StateTrace;

/// A dump takes about 2 kB of memory a state, and as much on disk.
constexpr std::uint64_t kDumpStatesMax = 500'000;

ExitCode Fail(Console& console, const std::string& line) {
  console.Error("exhaust: " + line);
  return ExitCode::kError;
}

/// One line of the result: an invariant, the absence of deadlocks, or a leads-to property.
struct PropertyRow {
  std::string name;
  std::string_view kind;  ///< "invariant", "leads_to"
  Verdict verdict = Verdict::kHolds;
  std::string instance{};  ///< leads-to: which one is broken, "AppendProgress(w1)"
  StateTrace trace{};      ///< of a violation; a lasso's prefix and cycle joined
  std::size_t cycle = 0;   ///< leads-to: length of the cycle
  std::string saved{};     ///< where the trace is
};

struct Findings {
  scenarios::ExploreResult explored;
  std::vector<PropertyRow> rows;
  std::optional<std::size_t> witness;  ///< which of explored.sometimes was asked for
  std::string witness_saved;           ///< where its trace is; empty = it was not reached
  double seconds = 0;

  [[nodiscard]] ExitCode Code() const {
    ExitCode code = explored.complete() || explored.end == scenarios::ExploreEnd::kViolation
                        ? ExitCode::kHolds
                        : ExitCode::kInconclusive;
    for (const PropertyRow& row : rows) {
      const bool safety = row.kind == "invariant";
      if (row.verdict == Verdict::kViolated) {
        code = Worst(code, safety ? ExitCode::kSafety : ExitCode::kLiveness);
      }
      if (row.verdict == Verdict::kInconclusive) code = Worst(code, ExitCode::kInconclusive);
    }
    return code;
  }
};

std::vector<PropertyRow> InvariantRows(const LoadedModel& loaded,
                                       const scenarios::ExploreResult& explored) {
  std::vector<PropertyRow> rows;
  for (std::size_t i = 0; i < explored.invariants.size(); ++i) {
    const scenarios::InvariantResult& result = explored.invariants[i];
    rows.push_back({std::string(loaded.model->invariants()[i].name),
                    "invariant",
                    result.verdict,
                    {},
                    result.trace});
  }
  rows.push_back({"Deadlock", "invariant", explored.deadlock.verdict, {}, explored.deadlock.trace});
  return rows;
}

/// One row a property: the worst of its instances.
void AddLeadsToRows(const std::vector<LeadsToResult>& results, std::vector<PropertyRow>& rows) {
  for (const LeadsToResult& result : results) {
    const auto same = std::ranges::find(rows, result.instance.property, &PropertyRow::name);
    PropertyRow* row = same == rows.end() ? nullptr : &*same;
    if (row == nullptr) {
      rows.push_back({std::string(result.instance.property), "leads_to"});
      row = &rows.back();
    }
    if (result.verdict <= row->verdict) continue;
    row->verdict = result.verdict;
    if (result.verdict != Verdict::kViolated) continue;
    row->instance = result.instance.name;
    row->trace = scenarios::JoinLasso(result.prefix, result.cycle);
    row->cycle = result.cycle.size();
  }
}

std::string Message(const PropertyRow& row) {
  if (row.kind == "invariant") {
    return row.name == "Deadlock" ? "no action is enabled in the last state"
                                  : row.name + " does not hold in the last state";
  }
  const std::size_t steps = row.trace.size() - 1;
  if (row.cycle == 0) {
    return fmt::format("{} fails: after step {} nothing more need happen", row.instance, steps);
  }
  return fmt::format("{} fails: the last {} steps may be taken for ever, fairly", row.instance,
                     row.cycle);
}

std::optional<std::string> SaveTraces(const Options& options, const LoadedModel& loaded,
                                      Findings& findings) {
  for (PropertyRow& row : findings.rows) {
    if (row.verdict != Verdict::kViolated) continue;
    const bool safety = row.kind == "invariant";
    auto saved = SaveMachineTrace(options, loaded, scenarios::kExhaustScenario, row.trace,
                                  {row.name, safety ? "safety" : "liveness", Message(row)});
    if (auto* problem = std::get_if<std::string>(&saved)) return std::move(*problem);
    row.saved = std::get<SavedTrace>(saved).path;
  }
  return std::nullopt;
}

std::optional<std::string> SaveWitness(const Options& options, const LoadedModel& loaded,
                                       Findings& findings) {
  if (!findings.witness) return std::nullopt;
  const scenarios::SometimesResult& result = findings.explored.sometimes[*findings.witness];
  if (!result.reached) return std::nullopt;
  auto saved = SaveMachineTrace(options, loaded, scenarios::kExhaustScenario, result.trace,
                                {.property = options.witness, .kind = {}, .message = {}});
  if (auto* problem = std::get_if<std::string>(&saved)) return std::move(*problem);
  findings.witness_saved = std::get<SavedTrace>(saved).path;
  return std::nullopt;
}

/// Writes the state graph, or says why there is none.
std::optional<std::string> Dump(const Options& options, const LoadedModel& loaded,
                                const scenarios::ExploreResult& explored) {
  if (options.dump.empty()) return std::nullopt;
  if (explored.distinct > kDumpStatesMax) {
    return fmt::format("--dump: more than {} states; accepted: a smaller configuration",
                       Thousands(kDumpStatesMax));
  }
  if (!explored.complete()) {
    return fmt::format(
        "--dump: the search ended early ({}); accepted: a search that sees every "
        "state, with --keep-going if a property is broken",
        scenarios::ExploreEndName(explored.end));
  }
  const scenarios::StateGraph graph = scenarios::BuildStateGraph(*loaded.model, explored);
  return traces::WriteFileAtomically(options.dump,
                                     scenarios::StateGraphToText(*loaded.model, graph));
}

// ---- Output

Json SometimesJson(const LoadedModel& loaded, const Findings& findings) {
  Json sometimes = Json::array();
  for (std::size_t i = 0; i < findings.explored.sometimes.size(); ++i) {
    const scenarios::SometimesResult& result = findings.explored.sometimes[i];
    Json property;
    property["name"] = std::string(loaded.model->sometimes()[i]);
    property["reached"] = result.reached;
    property["trace_length"] = result.reached ? Json(result.trace.size() - 1) : Json(nullptr);
    property["trace"] = TextOrNull(findings.witness == i ? findings.witness_saved : std::string());
    sometimes.push_back(std::move(property));
  }
  return sometimes;
}

Json ToJson(const Options& options, const LoadedModel& loaded, const Findings& findings) {
  const scenarios::ExploreResult& explored = findings.explored;
  Json json;
  json["protocol"] = loaded.protocol;
  json["config"] = options.config;
  json["distinct"] = explored.distinct;
  json["generated"] = explored.generated;
  json["depth"] = explored.depth;
  json["seconds"] = findings.seconds;
  json["end"] = std::string(scenarios::ExploreEndName(explored.end));
  json["memory_bytes"] = explored.memory_bytes;
  Json properties = Json::array();
  for (const PropertyRow& row : findings.rows) {
    Json property;
    property["name"] = row.name;
    property["kind"] = std::string(row.kind);
    property["verdict"] = std::string(invariants::VerdictName(row.verdict));
    property["trace_length"] =
        row.verdict == Verdict::kViolated ? Json(row.trace.size() - 1) : Json(nullptr);
    property["trace"] = TextOrNull(row.saved);
    properties.push_back(std::move(property));
  }
  json["properties"] = std::move(properties);
  json["sometimes"] = SometimesJson(loaded, findings);
  Json actions;
  for (std::size_t i = 0; i < explored.actions.size(); ++i) {
    actions[std::string(loaded.model->action_names()[i])] = explored.actions[i].generated;
  }
  json["actions"] = std::move(actions);
  return json;
}

std::string Listed(std::string_view label, const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string text;
  std::string line = fmt::format("{:<11}", label);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (line.size() + item.size() > 98) {
      text += line + "\n";
      line = std::string(11, ' ');
    }
    line += (line.back() == ' ' ? "" : " ") + item;
  }
  return text + line + "\n";
}

std::string SometimesText(const LoadedModel& loaded, const scenarios::ExploreResult& explored) {
  std::vector<std::string> reached;
  std::vector<std::string> never;
  for (std::size_t i = 0; i < explored.sometimes.size(); ++i) {
    const std::string name(loaded.model->sometimes()[i]);
    if (explored.sometimes[i].reached) {
      reached.push_back(fmt::format("{} {}", name, explored.sometimes[i].trace.size() - 1));
    } else {
      never.push_back(name);
    }
  }
  return Listed("sometimes", reached) + Listed(explored.complete() ? "never" : "not seen", never);
}

std::string ViolationText(const LoadedModel& loaded, const PropertyRow& row,
                          const Console& console) {
  constexpr std::size_t kLinesMax = 30;
  std::string text = fmt::format("{}  {} / {}   {} steps\n  {}\n", console.Bad("FAIL"),
                                 loaded.protocol, row.name, row.trace.size() - 1, Message(row));
  text += TraceLines(loaded, row.trace, kLinesMax);
  if (!row.saved.empty()) {
    text += fmt::format("  replay:     lockstep replay {}\n", row.saved);
    text += fmt::format("  in TLC:     lockstep export {} --format tlc\n", row.saved);
  }
  return text;
}

std::string WitnessText(const Options& options, const LoadedModel& loaded,
                        const Findings& findings) {
  if (!findings.witness) return {};
  const scenarios::SometimesResult& result = findings.explored.sometimes[*findings.witness];
  if (!result.reached) {
    return fmt::format("witness    {}: {}\n", options.witness,
                       findings.explored.complete() ? "none, in no reachable state or step"
                                                    : "none in the states seen so far");
  }
  constexpr std::size_t kLinesMax = 100;
  return fmt::format("witness    {}   {} steps\n{}  replay:     lockstep replay {}\n",
                     options.witness, result.trace.size() - 1,
                     TraceLines(loaded, result.trace, kLinesMax), findings.witness_saved);
}

std::string ToText(const Options& options, const LoadedModel& loaded, const Findings& findings,
                   const Console& console) {
  const scenarios::ExploreResult& explored = findings.explored;
  std::string text = fmt::format(
      "exhaust    {}, {}{}\nstates     {} distinct, {} generated, depth {}; {:.2f} s, {} MB\n",
      loaded.protocol, options.config, options.dialect.empty() ? "" : " + " + options.dialect,
      Thousands(explored.distinct), Thousands(explored.generated), explored.depth, findings.seconds,
      (explored.memory_bytes + (1U << 20U) - 1) >> 20U);
  if (!explored.complete()) {
    text += fmt::format("ended      {}; these are the figures so far\n",
                        scenarios::ExploreEndName(explored.end));
  }
  for (const Verdict verdict : {Verdict::kHolds, Verdict::kInconclusive, Verdict::kViolated}) {
    std::vector<std::string> names;
    for (const PropertyRow& row : findings.rows) {
      if (row.verdict == verdict) {
        names.push_back(row.name == "Deadlock" ? "no deadlock" : row.name);
      }
    }
    text += Listed(verdict == Verdict::kHolds      ? "holds"
                   : verdict == Verdict::kViolated ? "violated"
                                                   : "unknown",
                   names);
  }
  text += SometimesText(loaded, explored);
  text += WitnessText(options, loaded, findings);
  for (const PropertyRow& row : findings.rows) {
    if (row.verdict == Verdict::kViolated) text += ViolationText(loaded, row, console);
  }
  return text;
}

// ---- The work

scenarios::ExploreOptions ExploreOptionsOf(const Options& options, Console& console,
                                           const Stopwatch& clock, const Interrupts& interrupts) {
  scenarios::ExploreOptions explore;
  explore.memory_max = options.memory_bytes;
  explore.stop_at_first_violation = !options.keep_going;
  const bool draws = console.live() && !options.quiet;
  const std::uint64_t states_max = options.dump.empty() ? UINT64_MAX : kDumpStatesMax;
  explore.progress = [&console, &clock, &interrupts, draws, states_max,
                      last = 0.0](const scenarios::ExploreProgress& progress) mutable {
    const double now = clock.Seconds();
    if (draws && now - last >= 1) {
      last = now;
      // What is known to be left, at the rate so far: more may be found on the way.
      const auto expanded = static_cast<double>(progress.distinct - progress.frontier_left);
      const double left =
          expanded > 0 ? static_cast<double>(progress.frontier_left) * now / expanded : 0;
      console.Err(fmt::format(
          "\rstates {}  generated {}  {} generated/s  depth {}  left {} ({} at least)  {} MB ",
          Thousands(progress.distinct), Thousands(progress.generated),
          Short(static_cast<double>(progress.generated) / now), progress.level,
          Thousands(progress.frontier_left), DurationText(left), progress.memory_bytes >> 20U));
    }
    return !interrupts.Asked() && progress.distinct <= states_max;
  };
  return explore;
}

bool AsksLiveness(const Options& options) { return options.liveness || !options.fairness.empty(); }

/// Why the flags do not fit the model, or nothing: what --fairness and --witness name must be
/// there.
std::optional<std::string> WhyNot(const Options& options, const LoadedModel& loaded) {
  constexpr std::size_t kConditionsMax = 64;
  const std::size_t conditions = loaded.model->fairness().size();
  if (AsksLiveness(options) && conditions > kConditionsMax) {
    return fmt::format(
        "--liveness: this configuration has {} fairness conditions; accepted: at "
        "most {}",
        conditions, kConditionsMax);
  }
  std::vector<std::string_view> actions;
  for (const scenarios::FairnessCondition& condition : loaded.model->fairness()) {
    if (std::ranges::find(actions, condition.action) == actions.end()) {
      actions.push_back(condition.action);
    }
  }
  for (const scenarios::FairnessOverride& change : options.fairness) {
    if (std::ranges::find(actions, change.action) == actions.end()) {
      return "--fairness: no action with fairness is called " + NotAmong(change.action, actions);
    }
  }
  const auto& sometimes = loaded.model->sometimes();
  if (!options.witness.empty() &&
      std::ranges::find(sometimes, options.witness) == sometimes.end()) {
    return "--witness: unknown property " + NotAmong(options.witness, sometimes);
  }
  return std::nullopt;
}

Findings Search(const Options& options, const LoadedModel& loaded, Console& console) {
  const Interrupts interrupts;
  const unsigned jobs =
      options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  ThreadExecutor executor(jobs);
  const Stopwatch clock;
  Findings findings;
  findings.explored = scenarios::Explore(
      *loaded.model, ExploreOptionsOf(options, console, clock, interrupts), executor);
  findings.rows = InvariantRows(loaded, findings.explored);
  if (AsksLiveness(options)) {
    scenarios::LeadsToOptions leads_to;
    leads_to.memory_max = options.memory_bytes;
    leads_to.overrides = options.fairness;
    AddLeadsToRows(CheckLeadsTo(*loaded.model, findings.explored, leads_to, executor),
                   findings.rows);
  }
  const auto& sometimes = loaded.model->sometimes();
  const auto witness = std::ranges::find(sometimes, options.witness);
  if (witness != sometimes.end()) {
    findings.witness = static_cast<std::size_t>(witness - sometimes.begin());
  }
  findings.seconds = clock.Seconds();
  return findings;
}

}  // namespace

ExitCode ExhaustCommand(const Options& options, Console& console) {
  auto model = ModelFor(options);
  if (auto* problem = std::get_if<std::string>(&model)) return Fail(console, *problem);
  const LoadedModel& loaded = std::get<LoadedModel>(model);
  if (const auto problem = WhyNot(options, loaded)) return Fail(console, *problem);
  Findings findings = Search(options, loaded, console);
  if (console.live() && !options.quiet) console.Err("\r\x1b[K");
  if (const auto problem = SaveTraces(options, loaded, findings)) return Fail(console, *problem);
  if (const auto problem = SaveWitness(options, loaded, findings)) return Fail(console, *problem);
  const auto undumped = Dump(options, loaded, findings.explored);
  const ExitCode code = findings.Code();
  if (options.json) {
    console.Out(Document(ToJson(options, loaded, findings)));
  } else {
    console.Out(ToText(options, loaded, findings, console));
    console.Out(fmt::format("verdict    {}\n", Info(code).name));
  }
  return undumped ? Fail(console, *undumped) : code;
}

}  // namespace lockstep::tools
