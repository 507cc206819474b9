#include "scenarios/exhaust/task_explore_config.h"

#include <algorithm>
#include <utility>

#include "protocol/task_claiming/task_claiming_module.h"
#include "scenarios/exhaust/config_reader.h"
#include "scenarios/exhaust/embedded_configs.h"
#include "sim/base/check.h"
#include "sim/base/value.h"

namespace lockstep::scenarios {
namespace {

using protocol::task_claiming::Constants;
using protocol::task_claiming::Dialect;
using protocol::task_claiming::DialectFromNames;
using protocol::task_claiming::DialectNames;
using protocol::task_claiming::FailCount;
using protocol::task_claiming::kMaxFailuresLimit;
using protocol::task_claiming::kUnboundedLockVersion;
using protocol::task_claiming::LockVersion;
using sim::Value;

constexpr std::string_view kPrefix = "task_claiming_";
constexpr std::string_view kWorkers = "Workers";
constexpr std::string_view kTasks = "Tasks";
constexpr std::string_view kMaxFailures = "MaxFailures";
constexpr std::string_view kMaxLockVersion = "MaxLockVersion";
constexpr std::string_view kDialect = "Dialect";
constexpr std::string_view kQuotient = "Quotient";
/// Far beyond what can be enumerated.
constexpr std::int64_t kLockVersionMax = 1'000'000;

Dialect ReadDialect(ConfigReader& reader) {
  if (!reader.Has(kDialect)) return {};
  const std::vector<std::string> names = reader.Strings(kDialect);
  for (const std::string& name : names) {
    if (DialectFromNames({name})) continue;
    reader.Fail("unknown dialect " + traces::Quoted(name), "live_session_expiry, recover_markdown");
    return {};
  }
  return DialectFromNames({names.begin(), names.end()}).value_or(Dialect{});
}

Value Strings(const std::vector<std::string>& strings) {
  std::vector<Value> items;
  for (const std::string& string : strings) items.push_back(Value::String(string));
  return Value::SeqOf(std::move(items));
}

}  // namespace

std::variant<TaskExploreConfig, traces::ReadError> ParseTaskExploreConfig(std::string_view text,
                                                                          std::string_view file) {
  TaskExploreConfig config;
  Constants& constants = config.constants;
  ConfigReader reader(text, file);
  reader.AcceptOnly({kWorkers, kTasks, kMaxFailures, kMaxLockVersion, kDialect, kQuotient});
  constants.workers = reader.Strings(kWorkers);
  constants.tasks = reader.Strings(kTasks);
  constants.max_failures = static_cast<FailCount>(reader.Int(kMaxFailures, 0, kMaxFailuresLimit));
  if (reader.Has(kQuotient)) config.quotient = reader.Bool(kQuotient);
  if (!config.quotient || reader.Has(kMaxLockVersion)) {
    constants.max_lock_version =
        static_cast<LockVersion>(reader.Int(kMaxLockVersion, 0, kLockVersionMax));
  }
  constants.dialect = ReadDialect(reader);
  if (!reader.problem()) {
    if (auto broken = BrokenAssumption(constants)) {
      reader.Fail("an assumption of the module does not hold: " + *broken,
                  "constants for which it does");
    }
  }
  if (reader.problem()) return *reader.problem();
  if (config.quotient) return QuotientOf(std::move(config));
  return config;
}

std::vector<std::string_view> TaskExploreConfigNames() {
  std::vector<std::string_view> names;
  for (const EmbeddedConfig& config : EmbeddedConfigs()) {
    if (config.name.starts_with(kPrefix)) names.push_back(config.name.substr(kPrefix.size()));
  }
  return names;
}

std::optional<TaskExploreConfig> FindTaskExploreConfig(std::string_view name) {
  for (const EmbeddedConfig& embedded : EmbeddedConfigs()) {
    if (!embedded.name.starts_with(kPrefix)) continue;
    if (embedded.name.substr(kPrefix.size()) != name) continue;
    auto config = ParseTaskExploreConfig(embedded.text, embedded.name);
    if (const auto* error = std::get_if<traces::ReadError>(&config)) {
      LOCKSTEP_CHECK_MSG(false, error->ToString());
    }
    return std::move(std::get<TaskExploreConfig>(config));
  }
  return std::nullopt;
}

std::string TaskExploreConfigToJson(const TaskExploreConfig& config) {
  const Constants& constants = config.constants;
  std::vector<std::pair<std::string, Value>> fields = {
      {std::string(kWorkers), Strings(constants.workers)},
      {std::string(kTasks), Strings(constants.tasks)},
      {std::string(kMaxFailures), Value::Int(constants.max_failures)}};
  if (!config.quotient) {
    fields.emplace_back(kMaxLockVersion, Value::Int(constants.max_lock_version));
  }
  std::vector<Value> dialect;
  for (const std::string_view name : DialectNames(constants.dialect)) {
    dialect.push_back(Value::String(std::string(name)));
  }
  if (!dialect.empty()) fields.emplace_back(kDialect, Value::SeqOf(std::move(dialect)));
  if (config.quotient) fields.emplace_back(kQuotient, Value::Bool(true));
  return Value::RecordOf(std::move(fields)).ToJson();
}

TaskExploreConfig QuotientOf(TaskExploreConfig config) {
  config.quotient = true;
  config.constants.max_lock_version = kUnboundedLockVersion;
  return config;
}

// Feasibility.

namespace {

/// Enough to say "too many"; products stop here.
constexpr std::uint64_t kMany = std::uint64_t{1} << 60U;
/// A search numbers states with 32 bits.
constexpr std::uint64_t kStatesMax = std::uint64_t{1} << 32U;

std::uint64_t Times(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMany / b ? kMany : a * b;
}

std::uint64_t Power(std::uint64_t base, std::size_t exponent) {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < exponent; ++i) power = Times(power, base);
  return power;
}

/// What lock records, versions apart, add to nothing: upstream, who works on a task behind its scan
/// holds its lock. A task has been committed or not after fewer failures than MaxFailures, or is
/// dead. A worker is IDLE, or has one of the tasks in one of three states; alive or not.
std::uint64_t QuotientStatesAbout(const Constants& constants) {
  return Times(Power(2 * std::uint64_t{constants.max_failures} + 1, constants.tasks.size()),
               Power(2 * (1 + 3 * constants.tasks.size()), constants.workers.size()));
}

/// The next lock version, and that of the one lock that is held on the average.
std::uint64_t VersionsAbout(const Constants& constants) {
  const std::uint64_t versions = constants.max_lock_version;
  return Times(versions, versions + 1) / 2;
}

}  // namespace

std::optional<std::string> WhyInfeasible(const TaskExploreConfig& config) {
  if (config.quotient) return std::nullopt;
  const Constants& constants = config.constants;
  const std::uint64_t quotient = QuotientStatesAbout(constants);
  const std::uint64_t states = Times(quotient, VersionsAbout(constants));
  if (states < kStatesMax) return std::nullopt;
  return std::to_string(constants.workers.size()) + " workers and " +
         std::to_string(constants.tasks.size()) + " tasks with MaxLockVersion " +
         std::to_string(constants.max_lock_version) +
         " are not feasible: more states than a search can number. Lock versions guard nothing: "
         "without them, and with no constraint at all, the same properties are decided on a finite "
         "quotient, liveness included. Add \"Quotient\": true to the configuration; --config "
         "four_quotient is that of medium";
}

}  // namespace lockstep::scenarios
