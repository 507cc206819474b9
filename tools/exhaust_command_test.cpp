#include "tools/exhaust_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tools/fake_catalog.h"
#include "tools/replay_command.h"

namespace lockstep::tools {
namespace {

using nlohmann::json;
using scenarios::FairnessKind;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ExhaustCommandTest : public ::testing::Test {
 protected:
  ExhaustCommandTest() {
    options_.out = folder_.File("out");
    options_.jobs = 1;
    options_.names = {"leaderless_log"};
  }

  ExitCode Exhaust() {
    CapturedConsole captured;
    const ExitCode code = ExhaustCommand(options_, captured.console());
    out_ = captured.out();
    err_ = captured.err();
    return code;
  }

  json ExhaustJson(ExitCode code) {
    options_.json = true;
    EXPECT_EQ(Exhaust(), code) << err_;
    return json::parse(out_);
  }

  void ExpectRefusal(const std::string& line) {
    EXPECT_EQ(Exhaust(), ExitCode::kError);
    EXPECT_EQ(out_, "");
    EXPECT_THAT(err_, AllOf(StartsWith("lockstep: exhaust: "), HasSubstr(line)));
    EXPECT_FALSE(folder_.Has("out"));
  }

  ExitCode Replay(const std::string& path) {
    CapturedConsole captured;
    Options options;
    options.names = {path};
    const ExitCode code = ReplayCommand(FakeCatalog(), options, captured.console());
    out_ = captured.out();
    return code;
  }

  TemporaryFolder folder_;
  Options options_;
  std::string out_;
  std::string err_;
};

/// The entry of a list that has this name.
json Named(const json& list, std::string_view name) {
  for (const json& item : list) {
    if (item.at("name") == name) return item;
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

TEST_F(ExhaustCommandTest, RejectsNamesThatAreNotThere) {
  options_.names = {"raft"};
  ExpectRefusal("unknown protocol \"raft\"; accepted: leaderless_log, task_claiming");
  options_.names = {"leaderless_log"};
  options_.config = "large";
  ExpectRefusal("unknown configuration \"large\"; accepted: small, medium, or a JSON file");
  options_.config = "small";
  options_.dialect = "recover_markdown";
  ExpectRefusal("unknown dialect \"recover_markdown\"; accepted: compaction_resume,");
  options_.dialect = "";
  options_.witness = "reader_eror";
  ExpectRefusal("--witness: unknown property \"reader_eror\"; accepted: append_fails_in_storage,");
  EXPECT_THAT(err_, HasSubstr("did you mean reader_error?"));
}

TEST_F(ExhaustCommandTest, RejectsFairnessOfActionsThatHaveNone) {
  options_.fairness = {{"AssignOffset", FairnessKind::kNone}, {"FenceLog", FairnessKind::kWeak}};
  ExpectRefusal(
      "--fairness: no action with fairness is called \"FenceLog\"; accepted: StartAppend, "
      "WALWriteSuccess, AssignOffset,");
  EXPECT_THAT(err_, Not(HasSubstr("CompactResume"))) << "an action of a dialect";
  options_.fairness = {{"AssignOfset", FairnessKind::kNone}};
  ExpectRefusal("did you mean AssignOffset?");
}

TEST_F(ExhaustCommandTest, RejectsLivenessWithMoreFairnessThanItCanTellApart) {
  options_.config = folder_.Write(
      "wide.json",
      R"({"Writers":["a","b","c","d"],"MaxOffset":10,"CompactRangeStart":1,"CompactRangeEnd":2,)"
      R"("CompactRange2Start":3,"CompactRange2End":4,"MaxBatch":1})");
  options_.liveness = true;
  ExpectRefusal("--liveness: this configuration has 69 fairness conditions; accepted: at most 64");
}

TEST_F(ExhaustCommandTest, RejectsAnImpossibleConfigurationByItsAssumption) {
  options_.config = folder_.Write(
      "my.json", R"({"Writers":["w1"],"MaxOffset":3,"CompactRangeStart":1,"CompactRangeEnd":2,)"
                 R"("CompactRange2Start":2,"CompactRange2End":3,"MaxBatch":1})");
  ExpectRefusal("an assumption of the module does not hold: CompactRange2Start > CompactRangeEnd");
  options_.config = folder_.Write("other.json", "{]");
  ExpectRefusal("other.json: ");
  options_.config = folder_.File("nothing.json");
  ExpectRefusal("nothing.json: No such file or directory");
  options_.config = folder_.path();
  ExpectRefusal(folder_.path());
}

TEST_F(ExhaustCommandTest, RefusesUpstreamsTaskMediumAndOffersTheQuotient) {
  options_.names = {"task_claiming"};
  options_.config = "medium";
  ExpectRefusal("4 workers and 3 tasks with MaxLockVersion 20 are not feasible");
  EXPECT_THAT(err_, HasSubstr("four_quotient"));
}

TEST_F(ExhaustCommandTest, RejectsAnOutFolderThatIsNone) {
  options_.out = folder_.Write("file", "") + "/out";
  options_.dialect = "overlap_markdown";
  EXPECT_EQ(Exhaust(), ExitCode::kError);
  EXPECT_THAT(err_, HasSubstr("--out"));
}

TEST_F(ExhaustCommandTest, ExitsWithSafetyAndTheTraceComesBack) {
  options_.names = {"task_claiming"};
  options_.dialect = "recover_markdown";
  const json document = ExhaustJson(ExitCode::kSafety);
  EXPECT_EQ(document.at("end"), "violation");
  const json broken = Named(document.at("properties"), "LockConsistency");
  EXPECT_EQ(broken.at("verdict"), "violated");
  EXPECT_EQ(broken.at("trace_length"), 4);
  EXPECT_EQ(Named(document.at("properties"), "TypeOK").at("verdict"), "inconclusive");
  EXPECT_EQ(Replay(broken.at("trace")), ExitCode::kSafety);
  EXPECT_THAT(out_, AllOf(HasSubstr("4 steps"), HasSubstr("property   LockConsistency"),
                          EndsWith("verdict    safety\n")));
}

TEST_F(ExhaustCommandTest, ShowsTheStepsOfACounterexample) {
  options_.names = {"task_claiming"};
  options_.dialect = "live_session_expiry";
  EXPECT_EQ(Exhaust(), ExitCode::kSafety);
  EXPECT_THAT(out_, HasSubstr("exhaust    task_claiming, small + live_session_expiry\n"));
  EXPECT_THAT(out_, HasSubstr("ended      violation; these are the figures so far\n"));
  EXPECT_THAT(out_, HasSubstr("FAIL  task_claiming / MutualExclusion   5 steps\n"
                              "  MutualExclusion does not hold in the last state\n"
                              "      1 ScanTasks(w2, t1)\n"
                              "      2 TryLockSuccess(w2)\n"
                              "      3 SessionExpiry(w2)\n"
                              "      4 ScanTasks(w1, t1)\n"
                              "      5 TryLockSuccess(w1)\n"
                              "  replay:     lockstep replay "));
}

TEST_F(ExhaustCommandTest, KeepsGoingBeyondAViolation) {
  options_.names = {"task_claiming"};
  options_.dialect = "recover_markdown";
  options_.keep_going = true;
  const json document = ExhaustJson(ExitCode::kSafety);
  EXPECT_EQ(document.at("end"), "complete");
  EXPECT_EQ(document.at("distinct"), 67276);
  EXPECT_EQ(document.at("generated"), 249961);
  EXPECT_EQ(document.at("depth"), 25);
  EXPECT_EQ(Named(document.at("properties"), "LockConsistency").at("trace_length"), 4);
}

TEST_F(ExhaustCommandTest, ExitsWithLivenessAndTheLassoComesBack) {
  options_.fairness = {{"AssignOffset", FairnessKind::kNone},
                       {"AssignOffsetFenced", FairnessKind::kNone},
                       {"AssignOffsetExhausted", FairnessKind::kNone}};
  const json document = ExhaustJson(ExitCode::kLiveness);
  const json broken = Named(document.at("properties"), "AppendProgress");
  EXPECT_EQ(broken.at("kind"), "leads_to");
  EXPECT_EQ(broken.at("verdict"), "violated");
  EXPECT_EQ(Named(document.at("properties"), "CompactionCompletes").at("verdict"), "holds");
  EXPECT_EQ(Replay(broken.at("trace")), ExitCode::kLiveness);
  EXPECT_THAT(out_, HasSubstr("AppendProgress(w1) fails: "));
}

TEST_F(ExhaustCommandTest, ASearchThatDoesNotFitEndsWithTheFiguresSoFar) {
  options_.config = "medium";
  options_.memory_bytes = std::uint64_t{1} << 20U;
  options_.liveness = true;
  const json document = ExhaustJson(ExitCode::kInconclusive);
  EXPECT_EQ(document.at("end"), "memory");
  EXPECT_LE(document.at("memory_bytes"), 1 << 20);
  EXPECT_GT(document.at("distinct"), 10000);
  EXPECT_GT(document.at("depth"), 5);
  for (const json& property : document.at("properties")) {
    EXPECT_EQ(property.at("verdict"), "inconclusive") << property;
    EXPECT_TRUE(property.at("trace_length").is_null());
  }
  options_.json = false;
  EXPECT_EQ(Exhaust(), ExitCode::kInconclusive);
  EXPECT_THAT(out_, AllOf(HasSubstr("ended      memory; these are the figures so far\n"),
                          EndsWith("verdict    inconclusive\n")));
}

TEST_F(ExhaustCommandTest, SaysWhatTheContractPromises) {
  options_.liveness = true;
  const json document = ExhaustJson(ExitCode::kHolds);
  EXPECT_EQ(document.at("protocol"), "leaderless_log");
  EXPECT_EQ(document.at("config"), "small");
  EXPECT_EQ(document.at("distinct"), 84498);
  EXPECT_EQ(document.at("generated"), 462247);
  EXPECT_EQ(document.at("depth"), 33);
  EXPECT_TRUE(document.at("seconds").is_number());
  ASSERT_EQ(document.at("properties").size(), 14U);
  std::vector<std::string> leads_to;
  for (const json& property : document.at("properties")) {
    EXPECT_EQ(property.at("verdict"), "holds");
    EXPECT_TRUE(property.at("trace_length").is_null());
    if (property.at("kind") == "leads_to") {
      leads_to.push_back(property.at("name"));
    } else {
      EXPECT_EQ(property.at("kind"), "invariant");
    }
  }
  EXPECT_THAT(leads_to, ::testing::ElementsAre("AppendProgress", "CompactionCompletes",
                                               "ReaderEventuallySucceeds"));
  EXPECT_EQ(err_, "");
  EXPECT_FALSE(folder_.Has("out")) << "nothing to save";
}

TEST_F(ExhaustCommandTest, DoesNotDependOnItsJobs) {
  options_.names = {"task_claiming"};
  options_.dialect = "live_session_expiry";
  std::vector<json> documents;
  for (const unsigned jobs : {1U, 3U}) {
    options_.jobs = jobs;
    json document = ExhaustJson(ExitCode::kSafety);
    document.erase("seconds");
    document.erase("memory_bytes");
    documents.push_back(document);
  }
  EXPECT_EQ(documents[0], documents[1]);
}

TEST_F(ExhaustCommandTest, TakesAConfigurationFromAFile) {
  options_.names = {"task_claiming"};
  options_.config = folder_.Write(
      "tiny.json", R"({"Workers":["a"],"Tasks":["x"],"MaxFailures":1,"Quotient":true})");
  options_.liveness = true;
  const json document = ExhaustJson(ExitCode::kHolds);
  EXPECT_EQ(document.at("config"), options_.config);
  EXPECT_GT(document.at("distinct"), 5);
  EXPECT_LT(document.at("distinct"), 100);
}

TEST_F(ExhaustCommandTest, ShowsAndSavesAWitness) {
  options_.witness = "compaction_starts_across_an_entry";
  EXPECT_EQ(Exhaust(), ExitCode::kHolds);
  EXPECT_THAT(out_, HasSubstr("witness    compaction_starts_across_an_entry   7 steps\n"
                              "      1 StartAppend(w1) count=2\n"));
  EXPECT_THAT(out_, HasSubstr("      7 CompactStart\n  replay:     lockstep replay "));
  const json document = ExhaustJson(ExitCode::kHolds);
  const json witness = Named(document.at("sometimes"), options_.witness);
  EXPECT_EQ(witness.at("reached"), true);
  EXPECT_EQ(witness.at("trace_length"), 7);
  EXPECT_EQ(Replay(witness.at("trace")), ExitCode::kHolds);
  EXPECT_TRUE(Named(document.at("sometimes"), "crash_before_write").at("trace").is_null())
      << "nobody asked";
}

TEST_F(ExhaustCommandTest, SaysThatThereIsNoWitness) {
  options_.witness = "reader_error";
  EXPECT_EQ(Exhaust(), ExitCode::kHolds);
  EXPECT_THAT(out_, HasSubstr("witness    reader_error: none, in no reachable state or step\n"));
  options_.config = "medium";
  options_.memory_bytes = std::uint64_t{1} << 20U;
  EXPECT_EQ(Exhaust(), ExitCode::kInconclusive);
  EXPECT_THAT(out_, HasSubstr("witness    reader_error: none in the states seen so far\n"));
  EXPECT_FALSE(folder_.Has("out"));
}

TEST_F(ExhaustCommandTest, DumpsTheGraph) {
  options_.names = {"task_claiming"};
  options_.config = "small_quotient";
  options_.dump = folder_.File("graph");
  EXPECT_EQ(Exhaust(), ExitCode::kHolds);
  const std::string graph = folder_.Read("graph");
  EXPECT_THAT(graph,
              AllOf(StartsWith("lockstep state graph 1\ninitial "),
                    HasSubstr("\nstates 2436\n0 {\"taskStatus\":"), HasSubstr("\nedges 7680\n")));
  options_.jobs = 3;
  options_.dump = folder_.File("again");
  EXPECT_EQ(Exhaust(), ExitCode::kHolds);
  EXPECT_EQ(folder_.Read("again"), graph);
}

TEST_F(ExhaustCommandTest, DumpsNoGraphThatIsNotWholeOrTooLarge) {
  options_.dump = folder_.File("graph");
  options_.dialect = "overlap_markdown";
  EXPECT_EQ(Exhaust(), ExitCode::kError);
  EXPECT_THAT(err_, HasSubstr("--dump: the search ended early (violation); accepted: a search that "
                              "sees every state, with --keep-going"));
  EXPECT_THAT(out_, HasSubstr("778 distinct")) << "the figures are said all the same";
  options_.dialect = "";
  options_.config = "medium";
  EXPECT_EQ(Exhaust(), ExitCode::kError);
  EXPECT_THAT(err_, HasSubstr("--dump: more than 500,000 states; accepted: a smaller"));
  EXPECT_FALSE(folder_.Has("graph"));
  options_.names = {"task_claiming"};
  options_.config = "small_quotient";
  options_.dump = folder_.File("no/graph");
  EXPECT_EQ(Exhaust(), ExitCode::kError);
  EXPECT_THAT(err_, HasSubstr("no/graph"));
}

}  // namespace
}  // namespace lockstep::tools
