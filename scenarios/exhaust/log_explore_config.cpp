#include "scenarios/exhaust/log_explore_config.h"

#include <utility>

#include "protocol/leaderless_log/leaderless_log_module.h"
#include "scenarios/exhaust/config_reader.h"
#include "scenarios/exhaust/embedded_configs.h"
#include "sim/base/check.h"
#include "sim/base/value.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Constants;
using protocol::leaderless_log::Dialect;
using protocol::leaderless_log::DialectFromNames;
using protocol::leaderless_log::DialectNames;
using protocol::leaderless_log::Range;
using sim::Value;
using Fields = std::vector<std::pair<std::string, Value>>;

constexpr std::string_view kPrefix = "leaderless_log_";
constexpr std::string_view kDialect = "Dialect";
constexpr std::string_view kOverlapMarkdown = "overlap_markdown";
constexpr std::string_view kDialectsAccepted =
    "compaction_resume, end_boundary_guard, overlap_markdown, rounds";
/// Far beyond what can be enumerated; keeps sums of offsets small.
constexpr std::int64_t kNumberMax = 1'000'000;

void ReadDialect(ConfigReader& reader, LogExploreConfig& config) {
  if (!reader.Has(kDialect)) return;
  std::vector<std::string> names = reader.Strings(kDialect);
  std::vector<std::string_view> of_module;
  for (const std::string& name : names) {
    if (name == kOverlapMarkdown) {
      config.overlap_markdown = true;
    } else if (DialectFromNames({name})) {
      of_module.push_back(name);
    } else {
      reader.Fail("unknown dialect " + traces::Quoted(name), std::string(kDialectsAccepted));
      return;
    }
  }
  config.constants.dialect = DialectFromNames(of_module).value_or(Dialect{});
}

std::vector<Range> ReadRanges(ConfigReader& reader, std::string_view file) {
  std::vector<Range> ranges;
  for (const Value& object : reader.Objects("Ranges")) {
    ConfigReader range(object, file, "Ranges[" + std::to_string(ranges.size() + 1) + "]");
    range.AcceptOnly({"start", "end"});
    ranges.push_back({range.Int("start", 1, kNumberMax), range.Int("end", 1, kNumberMax)});
    reader.Adopt(range);
  }
  return ranges;
}

}  // namespace

std::variant<LogExploreConfig, traces::ReadError> ParseLogExploreConfig(std::string_view text,
                                                                        std::string_view file) {
  LogExploreConfig config;
  Constants& constants = config.constants;
  ConfigReader reader(text, file);
  ReadDialect(reader, config);
  if (constants.dialect.rounds) {
    reader.AcceptOnly({"Writers", "MaxOffset", "Ranges", "MaxBatch", kDialect});
  } else {
    reader.AcceptOnly({"Writers", "MaxOffset", "CompactRangeStart", "CompactRangeEnd",
                       "CompactRange2Start", "CompactRange2End", "MaxBatch", kDialect});
  }
  constants.writers = reader.Strings("Writers");
  constants.max_offset = reader.Int("MaxOffset", 0, kNumberMax);
  constants.max_batch = reader.Int("MaxBatch", 0, kNumberMax);
  if (constants.dialect.rounds) {
    constants.ranges = ReadRanges(reader, file);
  } else {
    const auto bound = [&](std::string_view key) { return reader.Int(key, 0, kNumberMax); };
    constants.ranges = {{bound("CompactRangeStart"), bound("CompactRangeEnd")},
                        {bound("CompactRange2Start"), bound("CompactRange2End")}};
  }
  if (!reader.problem()) {
    if (auto broken = BrokenAssumption(constants)) {
      reader.Fail("an assumption of the module does not hold: " + *broken,
                  "constants for which it does");
    }
  }
  if (reader.problem()) return *reader.problem();
  return config;
}

std::vector<std::string_view> LogExploreConfigNames() {
  std::vector<std::string_view> names;
  for (const EmbeddedConfig& config : EmbeddedConfigs()) {
    if (config.name.starts_with(kPrefix)) names.push_back(config.name.substr(kPrefix.size()));
  }
  return names;
}

std::optional<LogExploreConfig> FindLogExploreConfig(std::string_view name) {
  for (const EmbeddedConfig& embedded : EmbeddedConfigs()) {
    if (!embedded.name.starts_with(kPrefix)) continue;
    if (embedded.name.substr(kPrefix.size()) != name) continue;
    auto config = ParseLogExploreConfig(embedded.text, embedded.name);
    if (const auto* error = std::get_if<traces::ReadError>(&config)) {
      LOCKSTEP_CHECK_MSG(false, error->ToString());
    }
    return std::move(std::get<LogExploreConfig>(config));
  }
  return std::nullopt;
}

std::string LogExploreConfigToJson(const LogExploreConfig& config) {
  const Constants& constants = config.constants;
  std::vector<Value> writers;
  for (const std::string& writer : constants.writers) writers.push_back(Value::String(writer));
  Fields fields = {{"Writers", Value::SeqOf(std::move(writers))},
                   {"MaxOffset", Value::Int(constants.max_offset)}};
  if (constants.dialect.rounds) {
    std::vector<Value> ranges;
    for (const Range& range : constants.ranges) {
      ranges.push_back(
          Value::RecordOf({{"start", Value::Int(range.start)}, {"end", Value::Int(range.end)}}));
    }
    fields.emplace_back("Ranges", Value::SeqOf(std::move(ranges)));
  } else {
    fields.emplace_back("CompactRangeStart", Value::Int(constants.ranges.at(0).start));
    fields.emplace_back("CompactRangeEnd", Value::Int(constants.ranges.at(0).end));
    fields.emplace_back("CompactRange2Start", Value::Int(constants.ranges.at(1).start));
    fields.emplace_back("CompactRange2End", Value::Int(constants.ranges.at(1).end));
  }
  fields.emplace_back("MaxBatch", Value::Int(constants.max_batch));
  std::vector<Value> dialect;
  for (const std::string_view name : DialectNames(constants.dialect)) {
    dialect.push_back(Value::String(std::string(name)));
  }
  if (config.overlap_markdown) dialect.push_back(Value::String(std::string(kOverlapMarkdown)));
  if (!dialect.empty()) fields.emplace_back(kDialect, Value::SeqOf(std::move(dialect)));
  return Value::RecordOf(std::move(fields)).ToJson();
}

}  // namespace lockstep::scenarios
