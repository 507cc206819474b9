#include "scenarios/exhaust/model_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/leaderless_log/leaderless_log_module.h"
#include "protocol/task_claiming/task_claiming_module.h"
#include "scenarios/exhaust/log_explore_config.h"
#include "scenarios/exhaust/log_explore_model.h"
#include "scenarios/exhaust/task_explore_config.h"
#include "scenarios/exhaust/task_explore_model.h"
#include "scenarios/leaderless_log/log_trace.h"
#include "traces/read_error.h"

namespace lockstep::scenarios {
namespace {

namespace log = protocol::leaderless_log;
namespace task = protocol::task_claiming;
using sim::Value;
using Loaded = std::variant<LoadedModel, std::string>;

constexpr std::array<std::string_view, 2> kProtocols = {"leaderless_log", "task_claiming"};
constexpr std::string_view kOverlapMarkdown = "overlap_markdown";
/// MaxLockVersion of a quotient's traces: more than any of them has locks.
constexpr task::LockVersion kQuotientTraceLocks = 60;

std::string Joined(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string UnknownConfig(const ModelRequest& request) {
  return fmt::format("unknown configuration {}; accepted: {}, or a JSON file",
                     traces::Quoted(request.config), Joined(ModelConfigs(request.protocol)));
}

std::string UnknownDialect(const std::string& name, std::string_view accepted) {
  return fmt::format("unknown dialect {}; accepted: {}", traces::Quoted(name), accepted);
}

/// The configuration that the request means: from its text, or one that ships.
template <typename Config, typename Parse, typename FindShipped>
std::variant<Config, std::string> ConfigOf(const ModelRequest& request, Parse parse,
                                           FindShipped find) {
  if (request.text) {
    auto parsed = parse(*request.text, request.config);
    if (const auto* error = std::get_if<traces::ReadError>(&parsed)) return error->ToString();
    return std::move(std::get<Config>(parsed));
  }
  auto shipped = find(request.config);
  if (!shipped) return UnknownConfig(request);
  return std::move(*shipped);
}

// ---- The leaderless log

Loaded LogModelOf(LogExploreConfig config, std::string name) {
  if (auto broken = log::BrokenAssumption(config.constants)) {
    return "an assumption of the module does not hold: " + *broken;
  }
  auto made = LogExploreModel::For(std::move(config));
  if (auto* problem = std::get_if<std::string>(&made)) return std::move(*problem);
  auto& model = std::get<std::unique_ptr<LogExploreModel>>(made);
  LoadedModel loaded;
  loaded.protocol = "leaderless_log";
  loaded.config = std::move(name);
  const log::Constants& constants = model->config().constants;
  DescribeLogModule(constants, constants.max_offset, loaded.header);
  if (model->config().overlap_markdown && constants.dialect == log::Dialect{}) {
    loaded.header.tla_module = "LeaderlessLogMarkdownOverlap";
    loaded.header.invariants.emplace_back("NoOverlappingRangesMarkdown");
  }
  const LogExploreModel* const machine = model.get();
  loaded.values = [machine](const StateTrace& trace) {
    std::vector<Value> values;
    for (const TraceStep& step : trace) values.push_back(machine->StateToValue(step.state));
    return values;
  };
  loaded.new_walk_machine = [machine] { return NewWalkMachine(*machine); };
  loaded.model = std::move(model);
  return loaded;
}

Loaded LoadLog(const ModelRequest& request) {
  auto config = ConfigOf<LogExploreConfig>(request, ParseLogExploreConfig, FindLogExploreConfig);
  if (auto* problem = std::get_if<std::string>(&config)) return std::move(*problem);
  LogExploreConfig& found = std::get<LogExploreConfig>(config);
  for (const std::string& name : request.dialects) {
    log::Dialect& dialect = found.constants.dialect;
    if (name == kOverlapMarkdown) {
      found.overlap_markdown = true;
    } else if (name == "compaction_resume") {
      dialect.compaction_resume = true;
    } else if (name == "end_boundary_guard") {
      dialect.end_boundary_guard = true;
    } else if (name == "rounds") {
      dialect.rounds = true;
    } else {
      return UnknownDialect(name,
                            "compaction_resume, end_boundary_guard, overlap_markdown, rounds");
    }
  }
  return LogModelOf(std::move(found), request.config);
}

std::int64_t IntOf(const Value& constants, std::string_view name) {
  const Value* const value = constants.Find(name);
  return value != nullptr && value->kind() == Value::Kind::kInt ? value->AsInt() : 0;
}

std::vector<std::string> StringsOf(const Value& constants, std::string_view name) {
  std::vector<std::string> strings;
  const Value* const value = constants.Find(name);
  if (value == nullptr || value->kind() != Value::Kind::kSet) return strings;
  for (const Value& item : value->AsItems()) {
    if (item.kind() == Value::Kind::kString) strings.push_back(item.AsString());
  }
  return strings;
}

std::vector<std::string_view> Views(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

std::vector<log::Range> RangesOf(const Value& constants, bool rounds) {
  if (!rounds) {
    return {{IntOf(constants, "CompactRangeStart"), IntOf(constants, "CompactRangeEnd")},
            {IntOf(constants, "CompactRange2Start"), IntOf(constants, "CompactRange2End")}};
  }
  std::vector<log::Range> ranges;
  const Value* const value = constants.Find("Ranges");
  if (value == nullptr || value->kind() != Value::Kind::kSeq) return ranges;
  for (const Value& item : value->AsItems()) {
    if (item.kind() != Value::Kind::kRecord) continue;
    ranges.push_back({IntOf(item, "start"), IntOf(item, "end")});
  }
  return ranges;
}

Loaded LogModelOfTrace(const traces::Trace& trace) {
  const traces::Header& header = trace.header;
  if (header.constants.kind() != Value::Kind::kRecord) return "the header has no constants";
  LogExploreConfig config;
  const auto dialect = log::DialectFromNames(Views(header.dialect));
  if (!dialect) return "the header has an unknown dialect";
  config.constants.dialect = *dialect;
  config.constants.writers = StringsOf(header.constants, "Writers");
  config.constants.max_offset = IntOf(header.constants, "MaxOffset");
  config.constants.max_batch = IntOf(header.constants, "MaxBatch");
  config.constants.ranges = RangesOf(header.constants, dialect->rounds);
  config.overlap_markdown =
      trace.footer.violation && trace.footer.violation->property == "NoOverlappingRangesMarkdown";
  return LogModelOf(std::move(config), "the trace's");
}

// ---- Task claiming

void DescribeTaskModule(const task::Constants& constants, task::LockVersion max_lock_version,
                        traces::Header& header) {
  header.spec = "TaskClaiming";
  const task::Dialect& dialect = constants.dialect;
  for (const std::string_view name : task::DialectNames(dialect)) header.dialect.emplace_back(name);
  header.tla_module = task::ModuleName(dialect);
  header.tla_next = task::NextName(dialect);
  header.tla_init = "Init";
  for (const std::string_view name : task::InvariantNames()) header.invariants.emplace_back(name);
  for (const task::ActionKind kind : task::ActionKinds()) {
    traces::ActionSignature signature;
    signature.name = task::Name(kind);
    for (const std::string_view parameter : task::OperatorParameters(kind)) {
      signature.arguments.emplace_back(parameter);
    }
    const std::string_view op = task::OperatorName(dialect, kind);
    if (op != signature.name) signature.tla_operator = op;
    header.actions.push_back(std::move(signature));
  }
  header.constants = task::ConstantsToValue(constants, max_lock_version);
  const task::Machine machine(constants);
  header.initial = machine.ToValue(machine.Init());
}

void Own(std::unique_ptr<TaskExploreModel> model, LoadedModel& loaded) {
  const TaskExploreModel* const machine = model.get();
  loaded.values = [machine](const StateTrace& trace) { return machine->TraceToValues(trace); };
  loaded.new_walk_machine = [machine] {
    return NewWalkMachine(static_cast<const ExploreModel&>(*machine));
  };
  loaded.model = std::move(model);
}

Loaded TaskModelOf(TaskExploreConfig config, std::string name) {
  if (auto broken = task::BrokenAssumption(config.constants)) {
    return "an assumption of the module does not hold: " + *broken;
  }
  if (auto why = WhyInfeasible(config)) return std::move(*why);
  const task::Constants constants = config.constants;
  const task::LockVersion versions =
      config.quotient ? kQuotientTraceLocks : constants.max_lock_version;
  auto made = TaskExploreModel::For(std::move(config));
  if (auto* problem = std::get_if<std::string>(&made)) return std::move(*problem);
  auto& model = std::get<std::unique_ptr<TaskExploreModel>>(made);
  LoadedModel loaded;
  loaded.protocol = "task_claiming";
  loaded.config = std::move(name);
  DescribeTaskModule(constants, versions, loaded.header);
  Own(std::move(model), loaded);
  return loaded;
}

Loaded LoadTask(const ModelRequest& request) {
  auto config = ConfigOf<TaskExploreConfig>(request, ParseTaskExploreConfig, FindTaskExploreConfig);
  if (auto* problem = std::get_if<std::string>(&config)) return std::move(*problem);
  TaskExploreConfig& found = std::get<TaskExploreConfig>(config);
  for (const std::string& name : request.dialects) {
    task::Dialect& dialect = found.constants.dialect;
    if (name == "live_session_expiry") {
      dialect.live_session_expiry = true;
    } else if (name == "recover_markdown") {
      dialect.recover_markdown = true;
    } else {
      return UnknownDialect(name, "live_session_expiry, recover_markdown");
    }
  }
  return TaskModelOf(std::move(found), request.config);
}

Loaded TaskModelOfTrace(const traces::Trace& trace) {
  const traces::Header& header = trace.header;
  if (header.constants.kind() != Value::Kind::kRecord) return "the header has no constants";
  TaskExploreConfig config;
  const auto dialect = task::DialectFromNames(Views(header.dialect));
  if (!dialect) return "the header has an unknown dialect";
  config.constants.dialect = *dialect;
  config.constants.workers = StringsOf(header.constants, "Workers");
  config.constants.tasks = StringsOf(header.constants, "Tasks");
  const std::int64_t failures = IntOf(header.constants, "MaxFailures");
  const std::int64_t versions = IntOf(header.constants, "MaxLockVersion");
  if (failures < 0 || failures > std::int64_t{task::kMaxFailuresLimit}) {
    return "the header's MaxFailures is out of range";
  }
  if (versions < 0 || versions >= std::int64_t{task::kUnboundedLockVersion}) {
    return "the header's MaxLockVersion is out of range";
  }
  config.constants.max_failures = static_cast<task::FailCount>(failures);
  config.constants.max_lock_version = static_cast<task::LockVersion>(versions);
  auto made = TaskExploreModel::For(config);
  if (auto* problem = std::get_if<std::string>(&made)) return std::move(*problem);
  LoadedModel loaded;
  loaded.protocol = "task_claiming";
  loaded.config = "the trace's";
  loaded.header = header;
  Own(std::move(std::get<std::unique_ptr<TaskExploreModel>>(made)), loaded);
  return loaded;
}

}  // namespace

std::span<const std::string_view> ExplorableProtocols() { return kProtocols; }

std::vector<std::string_view> ModelConfigs(std::string_view protocol) {
  return protocol == kProtocols[0] ? LogExploreConfigNames() : TaskExploreConfigNames();
}

Loaded LoadModel(const ModelRequest& request) {
  if (request.protocol == kProtocols[0]) return LoadLog(request);
  if (request.protocol == kProtocols[1]) return LoadTask(request);
  return fmt::format("unknown protocol {}; accepted: {}", traces::Quoted(request.protocol),
                     fmt::join(kProtocols, ", "));
}

Loaded ModelOfTrace(const traces::Trace& trace) {
  if (trace.header.spec == "LeaderlessLog") return LogModelOfTrace(trace);
  if (trace.header.spec == "TaskClaiming") return TaskModelOfTrace(trace);
  return fmt::format("unknown spec {}; accepted: LeaderlessLog, TaskClaiming",
                     traces::Quoted(trace.header.spec));
}

}  // namespace lockstep::scenarios
