#include "tools/cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

using Variables = std::map<std::string, std::string, std::less<>>;

ParsedLine Parse(const std::vector<std::string>& arguments, const Variables& variables = {}) {
  const Environment environment = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
  return ParseCommandLine(arguments, environment, "1.2.3");
}

std::string Error(const std::vector<std::string>& arguments, const Variables& variables = {}) {
  const ParsedLine line = Parse(arguments, variables);
  const auto* error = std::get_if<UsageError>(&line);
  if (error == nullptr) return "no error";
  EXPECT_EQ(error->line.find('\n'), std::string::npos);
  return error->line;
}

Options Accepted(const std::vector<std::string>& arguments, const Variables& variables = {}) {
  const ParsedLine line = Parse(arguments, variables);
  if (const auto* error = std::get_if<UsageError>(&line)) {
    ADD_FAILURE() << error->line;
    return {};
  }
  return std::get<Invocation>(line).options;
}

TEST(Cli, RejectsWhatItDoesNotKnow) {
  EXPECT_THAT(Error({"rnu"}), HasSubstr("unknown command \"rnu\"; accepted: list, run, sweep"));
  EXPECT_THAT(Error({"rnu"}), HasSubstr("did you mean run?"));
  EXPECT_THAT(Error({}), HasSubstr("no command given; accepted: list, run"));
  EXPECT_THAT(Error({"--verbos"}), HasSubstr("unknown flag"));
  EXPECT_THAT(Error({"sweep", "--sedes", "1..2"}),
              HasSubstr("sweep: unknown flag \"--sedes\"; accepted: --seed"));
  EXPECT_THAT(Error({"sweep", "--sedes=1..2"}), HasSubstr("did you mean --seeds?"));
  EXPECT_THAT(Error({"list"}), HasSubstr("list: no KIND given; accepted: scenarios"));
  EXPECT_THAT(Error({"list", "faults", "mutants"}), HasSubstr("\"mutants\" is one too many"));
  EXPECT_THAT(Error({"run", "a", "b"}), HasSubstr("\"b\" is one too many"));
}

TEST(Cli, RejectsFlagsOfOtherCommands) {
  EXPECT_THAT(Error({"run", "x", "--jobs", "2"}), HasSubstr("run: unknown flag \"--jobs\""));
  EXPECT_THAT(Error({"list", "faults", "--seed", "2"}), HasSubstr("list: unknown flag"));
}

TEST(Cli, RejectsValuesWithTheFlagAndWhatItAccepts) {
  EXPECT_EQ(Error({"run", "x", "--seed", "12x"}),
            "--seed: \"12x\" is not accepted; accepted: a number of 64 bits, decimal or 0x...");
  EXPECT_THAT(Error({"run", "x", "--seed"}), HasSubstr("--seed needs a value; accepted: a number"));
  EXPECT_THAT(Error({"run", "x", "--seed", "1", "--seed", "2"}), HasSubstr("--seed is given 2"));
  EXPECT_THAT(Error({"sweep", "--jobs", "-4"}), HasSubstr("--jobs: \"-4\" is not accepted"));
}

TEST(Cli, RejectsFlagsThatExcludeEachOther) {
  EXPECT_THAT(Error({"sweep", "--seed", "1", "--runs", "5"}),
              HasSubstr("--seed and --runs exclude each other"));
  EXPECT_THAT(Error({"sweep", "--keep-going", "--max-failures", "5"}), HasSubstr("exclude"));
  EXPECT_THAT(Error({"sweep", "-q", "-v"}), HasSubstr("exclude"));
}

TEST(Cli, RejectsAMalformedVariableByItsName) {
  EXPECT_EQ(Error({"run", "x"}, {{"LOCKSTEP_SEED", "12x"}}),
            "LOCKSTEP_SEED: \"12x\" is not accepted; accepted: a number of 64 bits, decimal or "
            "0x...");
  EXPECT_THAT(Error({"run", "x"}, {{"LOCKSTEP_JSON", "maybe"}}), HasSubstr("LOCKSTEP_JSON"));
}

TEST(Cli, ReadsTheCommandLine) {
  const Options options = Accepted({"sweep", "a", "b", "--seeds=1..9", "-j", "3", "-q", "--json"});
  EXPECT_EQ(options.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.seeds, (SeedRange{.first = 1, .last = 9}));
  EXPECT_EQ(options.jobs, 3U);
  EXPECT_TRUE(options.quiet);
  EXPECT_TRUE(options.json);
  EXPECT_EQ(options.max_failures, 10U);
}

TEST(Cli, EveryFlagHasAWorkingMirror) {
  const Options options = Accepted({"sweep"}, {{"LOCKSTEP_SEEDS", "3..4"},
                                               {"LOCKSTEP_JOBS", "2"},
                                               {"LOCKSTEP_KEEP_GOING", "1"},
                                               {"LOCKSTEP_OUT", "there"},
                                               {"LOCKSTEP_QUIET", "0"}});
  EXPECT_EQ(options.seeds, (SeedRange{.first = 3, .last = 4}));
  EXPECT_EQ(options.jobs, 2U);
  EXPECT_TRUE(options.keep_going);
  EXPECT_EQ(options.out, "there");
  EXPECT_FALSE(options.quiet);
}

TEST(Cli, FlagsWinOverTheEnvironment) {
  const Variables variables = {{"LOCKSTEP_SEED", "1"}, {"LOCKSTEP_MUTANT", "a"}};
  EXPECT_EQ(Accepted({"run", "x", "--seed", "2"}, variables).seed, 2U);
  // A flag of the same group, too: --seeds says something else than LOCKSTEP_SEED.
  const Options options = Accepted({"sweep", "--seeds", "5..6", "--mutant", "b"}, variables);
  EXPECT_EQ(options.seed, std::nullopt);
  EXPECT_EQ(options.mutant, "b");
}

TEST(Cli, VariablesOfOtherCommandsAreNotRead) {
  EXPECT_EQ(Accepted({"list", "faults"}, {{"LOCKSTEP_SEED", "nonsense"}}).seed, std::nullopt);
}

TEST(Cli, HelpHasTheExitCodesAndTheMirrors) {
  const ParsedLine all = Parse({"--help"});
  EXPECT_THAT(std::get<Answer>(all).text, HasSubstr("6  not everything was reached"));
  EXPECT_THAT(std::get<Answer>(all).text, HasSubstr("1 > 5 > 2 > 4 > 3 > 6 > 0"));
  const ParsedLine sweep = Parse({"sweep", "--help"});
  EXPECT_THAT(std::get<Answer>(sweep).text, HasSubstr("lockstep sweep [SCENARIO...] [FLAGS]"));
  for (const Flag& flag : AllFlags()) {
    if (!flag.BelongsTo(Command::kSweep)) continue;
    EXPECT_THAT(std::get<Answer>(sweep).text, HasSubstr(std::string(flag.environment)));
    EXPECT_THAT(std::get<Answer>(sweep).text, HasSubstr(std::string(flag.LongName())));
  }
}

TEST(Cli, SaysItsVersion) {
  EXPECT_EQ(std::get<Answer>(Parse({"--version"})).text, "lockstep 1.2.3\n");
}

}  // namespace
}  // namespace lockstep::tools
