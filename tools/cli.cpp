#include "tools/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tools/exit_code.h"
#include "tools/suggest.h"
#include "traces/read_error.h"

namespace lockstep::tools {
namespace {

struct CommandRow {
  Command command;
  std::string_view name;
  std::string_view help;
  std::string_view names;  ///< what stands without a flag
  std::string_view names_help;
  std::size_t names_min;
  std::size_t names_max;
};

constexpr std::size_t kAny = 1000;
constexpr std::array<CommandRow, 7> kCommands = {{
    {Command::kList, "list", "what there is", "KIND",
     "scenarios, properties, actions, faults, mutants or strategies", 1, 1},
    {Command::kRun, "run", "one run: summary, trace and schedule", "SCENARIO",
     "a name of `lockstep list scenarios`; with --mutant, the mutant's own if not given", 0, 1},
    {Command::kSweep, "sweep", "many runs, in parallel", "SCENARIO",
     "names of `lockstep list scenarios`; all that belong to a sweep if not given", 0, kAny},
    {Command::kReplay, "replay", "a trace or schedule again, step by step the same", "FILE",
     "a trace or a schedule", 1, 1},
    {Command::kExhaust, "exhaust", "every reachable state of a machine, as TLC would", "PROTOCOL",
     "leaderless_log or task_claiming", 1, 1},
    {Command::kWalk, "walk", "random walks over a machine, as TLC's -simulate", "PROTOCOL",
     "leaderless_log or task_claiming", 1, 1},
    {Command::kExport, "export", "a trace in another form", "FILE", "a trace", 1, 1},
}};

// What CLI11 collects for one command; checked and understood afterwards.
struct Collected {
  CLI::App* app = nullptr;
  std::vector<std::string> names;
  std::deque<std::vector<std::string>> values;  ///< by flag, of those with a value
  std::deque<std::size_t> switches;             ///< by flag, times given
};

// CLI11's own usage line shows its internals.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) { column_width(28); }
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

std::string UsageOf(const CommandRow& row) {
  const bool many = row.names_max > 1;
  const std::string names = fmt::format("{}{}", row.names, many ? "..." : "");
  return fmt::format("lockstep {} {} [FLAGS]", row.name,
                     row.names_min > 0 ? names : fmt::format("[{}]", names));
}

std::string ExitCodeTable() {
  std::string text = "Exit codes:\n";
  for (const ExitCodeRow& row : kExitCodes) {
    text += fmt::format("  {}  {}\n", static_cast<int>(row.code), row.meaning);
  }
  text += "The worst of a sweep wins, in the order ";
  for (const ExitCode code : kWorstFirst) {
    if (code != kWorstFirst.front()) text += " > ";
    text += fmt::format("{}", static_cast<int>(code));
  }
  return text + ".";
}

void AddFlags(const CommandRow& row, Collected& collected) {
  for (const Flag& flag : AllFlags()) {
    std::vector<std::string>& values = collected.values.emplace_back();
    std::size_t& times = collected.switches.emplace_back(0);
    if (!flag.BelongsTo(row.command)) continue;
    const std::string help = fmt::format("{} [${}]", flag.help, flag.environment);
    if (flag.value.empty()) {
      collected.app->add_flag(std::string(flag.names), times, help);
    } else {
      collected.app->add_option(std::string(flag.names), values, help)
          ->type_name(std::string(flag.value))
          ->type_size(1)
          ->expected(1)
          ->take_all()
          ->allow_extra_args(false);
    }
  }
}

void AddCommands(CLI::App& app, std::array<Collected, kCommands.size()>& all) {
  for (std::size_t i = 0; i < kCommands.size(); ++i) {
    const CommandRow& row = kCommands[i];
    Collected& collected = all[i];
    collected.app = app.add_subcommand(std::string(row.name), std::string(row.help));
    collected.app->allow_extras();
    collected.app->add_option(std::string(row.names), collected.names, std::string(row.names_help))
        ->type_name("")
        ->expected(0, static_cast<int>(kAny));
    AddFlags(row, collected);
    collected.app->footer(ExitCodeTable());
    collected.app->formatter(std::make_shared<HelpFormatter>(UsageOf(row)));
  }
}

std::vector<std::string_view> FlagNames(Command command) {
  std::vector<std::string_view> names;
  for (const Flag& flag : AllFlags()) {
    if (flag.BelongsTo(command)) names.push_back(flag.LongName());
  }
  return names;
}

UsageError Rejected(std::string_view what, const Flag& flag, std::string_view value) {
  return {fmt::format("{}: {} is not accepted; accepted: {}", what, traces::Quoted(value),
                      flag.accepted)};
}

UsageError UnknownFlag(std::string_view command, Command kind, std::string_view flag) {
  return {fmt::format("{}: unknown flag {}", command,
                      NotAmong(flag.substr(0, flag.find('=')), FlagNames(kind)))};
}

// Sets what the command line says. `given` are the groups and flags that the environment must not
// touch any more.
class FlagSetter {
 public:
  FlagSetter(const CommandRow& row, Collected& collected, Options& options)
      : row_(row), collected_(collected), options_(options) {}

  std::optional<UsageError> FromCommandLine() {
    const std::span<const Flag> flags = AllFlags();
    for (std::size_t i = 0; i < flags.size(); ++i) {
      const std::size_t times = collected_.values[i].size() + collected_.switches[i];
      if (times == 0) continue;
      const Flag& flag = flags[i];
      if (times > 1 && !flag.value.empty()) {
        return UsageError{
            fmt::format("{} is given {} times; accepted: once", flag.LongName(), times)};
      }
      const std::string value = flag.value.empty() ? "1" : collected_.values[i].front();
      if (auto error = Set(flag, flag.LongName(), value)) return error;
      given_.push_back(&flag);
    }
    return std::nullopt;
  }

  std::optional<UsageError> FromEnvironment(const Environment& environment) {
    const std::vector<const Flag*> from_line = given_;
    for (const Flag& flag : AllFlags()) {
      const bool decided = std::ranges::any_of(
          from_line, [&](const Flag* other) { return other == &flag || Exclude(*other, flag); });
      if (!flag.BelongsTo(row_.command) || decided) continue;
      const std::optional<std::string> value = environment(flag.environment);
      if (!value) continue;
      if (auto error = Set(flag, flag.environment, *value)) return error;
      if (!flag.value.empty() || IsOn(*value)) given_.push_back(&flag);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<UsageError> Conflict() const {
    for (const Flag* a : given_) {
      for (const Flag* b : given_) {
        if (a < b && Exclude(*a, *b)) {
          return UsageError{fmt::format("{} and {} exclude each other; accepted: one of them",
                                        a->LongName(), b->LongName())};
        }
      }
    }
    return std::nullopt;
  }

 private:
  // Of a walk, --seed is where --runs begins.
  [[nodiscard]] bool Exclude(const Flag& a, const Flag& b) const {
    return a.group != 0 && a.group == b.group && row_.command != Command::kWalk;
  }

  static bool IsOn(std::string_view value) {
    return value != "0" && value != "false" && value != "no";
  }

  std::optional<UsageError> Set(const Flag& flag, std::string_view what, std::string_view value) {
    if (flag.set(options_, value)) return std::nullopt;
    return Rejected(what, flag, value);
  }

  const CommandRow& row_;
  Collected& collected_;
  Options& options_;
  std::vector<const Flag*> given_;
};

ParsedLine Understand(const CommandRow& row, Collected& collected, const Environment& environment) {
  for (const std::string& extra : collected.app->remaining()) {
    return UnknownFlag(row.name, row.command, extra);
  }
  Invocation invocation{.command = row.command, .options = {}};
  FlagSetter setter(row, collected, invocation.options);
  if (auto error = setter.FromCommandLine()) return *error;
  if (auto error = setter.FromEnvironment(environment)) return *error;
  if (auto error = setter.Conflict()) return *error;
  const std::size_t count = collected.names.size();
  if (count < row.names_min) {
    return UsageError{
        fmt::format("{}: no {} given; accepted: {}", row.name, row.names, row.names_help)};
  }
  if (count > row.names_max) {
    return UsageError{fmt::format(
        "{}: {} is one too many; accepted: {}", row.name,
        traces::Quoted(collected.names[row.names_max]),
        row.names_max == 1 ? "one " + std::string(row.names) : std::string(row.names_help))};
  }
  invocation.options.names = std::move(collected.names);
  return invocation;
}

// A flag without its value is the only thing left that CLI11 refuses.
UsageError Explain(const CLI::ParseError& error, std::span<const std::string> arguments) {
  const std::string message = error.what();
  for (const Flag& flag : AllFlags()) {
    if (!message.starts_with(fmt::format("{}:", flag.LongName()))) continue;
    if (!flag.value.empty()) {
      return {fmt::format("{} needs a value; accepted: {}", flag.LongName(), flag.accepted)};
    }
    return {fmt::format("{} takes no value; accepted: the flag alone", flag.LongName())};
  }
  std::string line = arguments.empty() ? message : arguments.front() + ": " + message;
  std::ranges::replace(line, '\n', ' ');
  return {line};
}

UsageError NoCommand(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CommandRow& row : kCommands) names.push_back(row.name);
  const std::vector<std::string> remaining = app.remaining();
  if (remaining.empty()) {
    return {fmt::format("no command given; accepted: {}; --help says more", Joined(names))};
  }
  const bool flag = remaining.front().starts_with('-');
  if (flag) names = {"--help", "--version"};
  return {
      fmt::format("unknown {} {}", flag ? "flag" : "command", NotAmong(remaining.front(), names))};
}

}  // namespace

std::string_view CommandName(Command command) {
  return kCommands[static_cast<std::size_t>(command)].name;
}

ParsedLine ParseCommandLine(std::span<const std::string> arguments, const Environment& environment,
                            std::string_view version) {
  CLI::App app(
      "lockstep runs implementations of coordination protocols in lockstep with their "
      "TLA+ specifications.",
      "lockstep");
  std::array<Collected, kCommands.size()> all;
  AddCommands(app, all);
  app.formatter(std::make_shared<HelpFormatter>("lockstep COMMAND ..."));
  app.allow_extras();
  app.require_subcommand(0, 1);
  bool version_asked = false;
  app.add_flag("--version", version_asked, "print the version");
  app.footer(
      "Every flag has an environment mirror, shown in the help of the commands; flags "
      "win.\nNO_COLOR and CI are honoured.\n\n" +
      ExitCodeTable());
  // CLI11 takes the arguments from the back.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> named = app.get_subcommands();
    return Answer{named.empty() ? app.help() : named.front()->help()};
  } catch (const CLI::ParseError& error) {
    return Explain(error, arguments);
  }
  if (version_asked) return Answer{fmt::format("lockstep {}\n", version)};
  for (std::size_t i = 0; i < kCommands.size(); ++i) {
    if (all[i].app->parsed()) return Understand(kCommands[i], all[i], environment);
  }
  return NoCommand(app);
}

}  // namespace lockstep::tools
