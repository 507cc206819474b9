// The built program, as other programs see it: exit codes, JSON alone on stdout, one error line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tools/exit_code.h"
#include "tools/fake_catalog.h"
#include "tools/subprocess.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliContract : public ::testing::Test {
 protected:
  Finished Lockstep(std::vector<std::string> arguments,
                    std::map<std::string, std::string> environment = {}) {
    return RunProgram(Program(std::move(arguments), std::move(environment)));
  }

  ProgramRun Program(std::vector<std::string> arguments,
                     std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), LOCKSTEP_PROGRAM);
    return {.command = std::move(arguments),
            .folder = folder_.path(),
            .environment = std::move(environment)};
  }

  nlohmann::json Json(std::vector<std::string> arguments, int code) {
    const Finished finished = Lockstep(std::move(arguments));
    EXPECT_EQ(finished.code, code) << finished.err;
    return nlohmann::json::parse(finished.out);
  }

  // The first seed with which the canary sings.
  std::string CanarySeed() {
    const nlohmann::json document =
        Json({"sweep", "canary", "--seeds", "1..2000", "--max-failures", "1", "--json", "-q"}, 2);
    return document.at("failures").at(0).at("seed").dump();
  }

  TemporaryFolder folder_;
};

void ExpectOneErrorLine(const Finished& finished, std::string_view what) {
  EXPECT_EQ(finished.code, 1);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, StartsWith("lockstep: "));
  EXPECT_THAT(finished.err, HasSubstr(std::string(what)));
  EXPECT_THAT(finished.err, HasSubstr("accepted: "));
  EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
}

TEST_F(CliContract, RejectsBadInputWithOneLine) {
  ExpectOneErrorLine(Lockstep({}), "no command given");
  ExpectOneErrorLine(Lockstep({"swep"}), "did you mean sweep?");
  ExpectOneErrorLine(Lockstep({"run", "log_smal"}), "did you mean log_small?");
  ExpectOneErrorLine(Lockstep({"run", "log_small", "--seed", "-3"}), "--seed");
  ExpectOneErrorLine(Lockstep({"run", "log_small", "--out", "/dev/null"}), "--out");
  ExpectOneErrorLine(Lockstep({"run", "log_small"}, {{"LOCKSTEP_SEED", "x"}}), "LOCKSTEP_SEED");
  ExpectOneErrorLine(Lockstep({"sweep", "--json", "--mutant", "nobody"}), "--mutant");
  ExpectOneErrorLine(Lockstep({"replay", "nothing"}), "nothing");
  ExpectOneErrorLine(Lockstep({"export", "nothing", "--format", "tlc"}), "nothing");
  ExpectOneErrorLine(Lockstep({"list", "everything"}), "everything");
}

TEST_F(CliContract, HelpHasEveryExitCode) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--help"}, {"sweep", "--help"}, {"list", "-h"}}) {
    const Finished finished = Lockstep(arguments);
    EXPECT_EQ(finished.code, 0);
    EXPECT_EQ(finished.err, "");
    for (const ExitCodeRow& row : kExitCodes) {
      EXPECT_THAT(finished.out, HasSubstr(std::string(row.meaning)));
    }
  }
}

TEST_F(CliContract, ListsEveryKind) {
  for (const std::string kind :
       {"scenarios", "properties", "actions", "faults", "mutants", "strategies"}) {
    const nlohmann::json document = Json({"list", kind, "--json"}, 0);
    ASSERT_EQ(document.size(), 1U);
    ASSERT_FALSE(document.at(kind).empty()) << kind;
    for (const nlohmann::json& row : document.at(kind)) {
      EXPECT_FALSE(row.at("name").get<std::string>().empty());
    }
    EXPECT_EQ(Lockstep({"list", kind}).code, 0);
  }
}

TEST_F(CliContract, TheSameSeedGivesTheSameRun) {
  const nlohmann::json first = Json({"run", "log_small", "--seed", "7", "--json"}, 0);
  const nlohmann::json again = Json({"run", "log_small", "--seed", "0x7", "--json"}, 0);
  EXPECT_EQ(first, again);
  EXPECT_EQ(first.at("seed"), 7);
  EXPECT_EQ(first.at("verdict"), "holds");
  EXPECT_THAT(first.at("digest").get<std::string>(), StartsWith("xxh3:"));
  const nlohmann::json mirrored = nlohmann::json::parse(
      Lockstep({"run", "log_small"}, {{"LOCKSTEP_SEED", "7"}, {"LOCKSTEP_JSON", "1"}}).out);
  EXPECT_EQ(mirrored, first);
}

TEST_F(CliContract, TheCanarySingsAndItsRunComesBack) {
  const std::string seed = CanarySeed();
  const nlohmann::json run = Json({"run", "canary", "--seed", seed, "--json", "-q"}, 2);
  const std::string property = run.at("violation").at("property");
  for (const char* const key : {"trace", "schedule"}) {
    const std::string file = run.at(key);
    ASSERT_TRUE(folder_.Has(file));
    const nlohmann::json replayed = Json({"replay", file, "--json", "-q"}, 2);
    EXPECT_EQ(replayed.at("violation").at("property"), property);
    EXPECT_EQ(replayed.at("digest"), run.at("digest"));
  }
}

TEST_F(CliContract, ADamagedTraceIsRefusedAndAnotherRunIsNoticed) {
  const nlohmann::json run = Json({"run", "log_small", "--seed", "7", "--json"}, 0);
  const std::string bytes = folder_.Read(run.at("trace").get<std::string>());
  (void)folder_.Write("cut", bytes.substr(0, bytes.size() / 2));
  const Finished finished = Lockstep({"replay", "cut"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.err, StartsWith("lockstep: replay: cut:"));
  // A schedule that asks for something else than the run does.
  std::string schedule = folder_.Read(run.at("schedule").get<std::string>());
  const std::size_t steps = schedule.find("\"max_steps\":") + 12;
  schedule.replace(steps, schedule.find(',', steps) - steps, "9");
  (void)folder_.Write("other.schedule", schedule);
  EXPECT_EQ(Lockstep({"replay", "other.schedule"}).code, 5);
}

TEST_F(CliContract, ASweepDoesNotDependOnItsJobs) {
  std::vector<nlohmann::json> documents;
  for (const char* const jobs : {"1", "2", "8"}) {
    nlohmann::json document = Json({"sweep", "log_small", "canary", "--seeds", "1..600",
                                    "--max-failures", "3", "--jobs", jobs, "--json", "-q"},
                                   2);
    document.erase("seconds");
    document.erase("steps_per_second");
    documents.push_back(document);
  }
  EXPECT_EQ(documents[1], documents[0]);
  EXPECT_EQ(documents[2], documents[0]);
  EXPECT_EQ(documents[0].at("failures").size(), 3U);
}

TEST_F(CliContract, AMutantIsHuntedInItsOwnScenario) {
  const nlohmann::json mutants = Json({"list", "mutants", "--json"}, 0).at("mutants");
  const nlohmann::json& mutant = mutants.at(0);
  const Finished finished =
      Lockstep({"sweep", "--mutant", mutant.at("name"), "--max-failures", "1", "--json"});
  const nlohmann::json document = nlohmann::json::parse(finished.out);
  EXPECT_THAT(finished.code, ::testing::AnyOf(2, 3, 4));
  EXPECT_EQ(document.at("scenarios").at(0), mutant.at("scenario"));
  EXPECT_EQ(document.at("verdict"), "violated");
  EXPECT_THAT(finished.err, HasSubstr("FAIL  "));
}

TEST_F(CliContract, ASweepThatReachesTooLittleIsInconclusive) {
  const nlohmann::json document = Json({"sweep", "log_small", "--runs", "1", "--json"}, 6);
  EXPECT_EQ(document.at("verdict"), "inconclusive");
  EXPECT_FALSE(document.at("coverage").at("not_reached").empty());
}

TEST_F(CliContract, InterruptsEndInOrder) {
  ProgramRun program = Program({"sweep", "log_faults", "--budget", "10m", "--json", "-q"});
  program.interrupt_after_milliseconds = 1500;
  const Finished finished = RunProgram(program);
  EXPECT_EQ(finished.code, 6) << finished.err;
  const nlohmann::json document = nlohmann::json::parse(finished.out);
  EXPECT_EQ(document.at("ended"), "interrupted");
  EXPECT_GT(document.at("runs"), 0);
}

TEST_F(CliContract, OutputThatCannotBeWrittenIsAnError) {
  ProgramRun program = Program({"list", "faults"});
  program.out_file = "/dev/full";
  const Finished finished = RunProgram(program);
  EXPECT_EQ(finished.code, 1);
  EXPECT_EQ(finished.err, "lockstep: cannot write to standard output: No space left on device\n");
}

TEST_F(CliContract, SearchesAMachineAndShowsWhatItFound) {
  const nlohmann::json holds = Json({"exhaust", "task_claiming", "--liveness", "--json"}, 0);
  EXPECT_EQ(holds.at("distinct"), 12380);
  EXPECT_EQ(holds.at("generated"), 39993);
  EXPECT_EQ(holds.at("depth"), 25);
  const std::vector<std::string> expiry = {"exhaust", "task_claiming", "--dialect",
                                           "live_session_expiry"};
  const Finished broken = Lockstep(expiry);
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.out, HasSubstr("MutualExclusion   5 steps"));
  const std::string trace = "lockstep-out/exhaust-task_claiming-small-MutualExclusion.trace.ndjson";
  EXPECT_EQ(Lockstep({"replay", trace}).code, 2);
  EXPECT_EQ(Lockstep({"export", trace, "--format", "text"}).code, 0);
  EXPECT_EQ(Lockstep({"exhaust", "leaderless_log", "--fairness", "WALWriteSuccess=none"}).code, 3);
  EXPECT_EQ(Lockstep({"exhaust", "leaderless_log", "--config", "medium", "--memory", "1M"}).code,
            6);
  ExpectOneErrorLine(Lockstep({"exhaust", "leaderless_log", "--fairness", "Nothing=none"}),
                     "--fairness");
  ExpectOneErrorLine(Lockstep({"exhaust", "leaderless_log", "--memory", "1K"}), "--memory");
  EXPECT_EQ(Json({"walk", "leaderless_log", "--runs", "10", "--json"}, 0).at("runs"), 10);
}

TEST_F(CliContract, ExportsForTlcAndAsText) {
  const nlohmann::json run = Json({"run", "log_small", "--seed", "7", "--json"}, 0);
  const std::string trace = run.at("trace");
  const Finished text = Lockstep({"export", trace, "--format", "text"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("scenario log_small, seed 0x7"));
  const Finished tlc = Lockstep({"export", trace, "--format", "tlc", "--module-dir",
                                 LOCKSTEP_SOURCE_DIR "/protocol/leaderless_log"});
  EXPECT_EQ(tlc.code, 0) << tlc.err;
  EXPECT_THAT(tlc.out, HasSubstr("tlc2.TLC"));
  EXPECT_TRUE(folder_.Has("lockstep-out/Replay_log_small_0x7.tla"));
}

}  // namespace
}  // namespace lockstep::tools
