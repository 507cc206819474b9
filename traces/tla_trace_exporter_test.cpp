#include "traces/tla_trace_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "traces/test_support.h"

namespace lockstep::traces {
namespace {

using sim::Value;
using ::testing::HasSubstr;
using ::testing::Not;

// The problem, or all files behind one another.
std::string Exported(const Trace& trace, TlaMode mode = TlaMode::kConform,
                     const std::string& id = "x") {
  const ExportResult result = ExportForTlc(trace, {id, mode});
  if (const auto* error = std::get_if<ExportError>(&result)) return error->problem;
  std::string out;
  for (const ExportedFile& file : std::get<0>(result)) out.append(file.bytes);
  return out;
}

// What is said when `edit` was done to the sample.
template <typename Edit>
std::string ExportedAfter(Edit edit) {
  Trace trace = SampleTrace();
  edit(trace);
  return Exported(trace);
}

TEST(ExportForTlc, RejectsNamesThatAreTlaText) {
  const std::string bad = "Next \\/ TRUE";
  const std::string shown = "\"Next \\/ TRUE\" is no TLA+ name, or one the replay uses";
  EXPECT_EQ(ExportedAfter([&](Trace& t) { t.header.tla_module = bad; }), "the module " + shown);
  EXPECT_EQ(ExportedAfter([&](Trace& t) { t.header.tla_init = bad; }),
            "the initial predicate " + shown);
  EXPECT_EQ(ExportedAfter([&](Trace& t) { t.header.tla_next = bad; }),
            "the next-state operator " + shown);
  EXPECT_EQ(ExportedAfter([&](Trace& t) { t.header.invariants[0] = bad; }),
            "the invariant " + shown);
  EXPECT_EQ(ExportedAfter([&](Trace& t) { t.header.actions[0].name = bad; }),
            "the action " + shown);
  EXPECT_EQ(ExportedAfter([&](Trace& t) { t.header.actions[0].tla_operator = bad; }),
            "the action " + shown);
  EXPECT_EQ(ExportedAfter([&](Trace& t) { t.header.actions[0].arguments = {bad}; }),
            "the argument " + shown);
  EXPECT_EQ(ExportedAfter([&](Trace& t) { t.header.constants.MutableFields()[0].first = bad; }),
            "the constant " + shown);
  EXPECT_EQ(ExportedAfter([&](Trace& t) { t.header.initial.MutableFields()[0].first = bad; }),
            "the variable " + shown);
}

TEST(ExportForTlc, RejectsModulesThatAreTools) {
  EXPECT_EQ(ExportedAfter([](Trace& t) { t.header.tla_module = "IOUtils"; }),
            "the module \"IOUtils\" is not a specification");
}

TEST(ExportForTlc, RejectsIdsThatAreNotNames) {
  for (const char* id : {"", "../x", "a b", "a.b", "x\n"}) {
    EXPECT_THAT(Exported(SampleTrace(), TlaMode::kConform, id), HasSubstr("is not of letters"));
  }
}

TEST(ExportForTlc, RejectsStepsThatDoNotFitTheHeader) {
  EXPECT_EQ(ExportedAfter([](Trace& t) { t.steps[1].action = "TLCSet"; }),
            "step 2: the header does not list the action \"TLCSet\"");
  EXPECT_EQ(ExportedAfter([](Trace& t) { t.steps[1].parameters = Record({}); }),
            "step 2: no parameter \"w\" of StartAppend");
  EXPECT_EQ(ExportedAfter([](Trace& t) {
              t.steps[1].changed = Record({{"color", Value::Int(1)}});
            }),
            "step 2: no variable \"color\" in the initial state");
  EXPECT_EQ(
      ExportedAfter([](Trace& t) {
        t.steps[1].changed = Record({{"logState", Value::Int(1)}});
      }),
      "step 2: variable logState: it holds a string and an integer, which TLC cannot compare");
  EXPECT_EQ(ExportedAfter([](Trace& t) { t.header.initial = Record({}); }),
            "the trace has no initial state");
}

TEST(ExportForTlc, RejectsValuesThatTlcCannotHold) {
  EXPECT_EQ(ExportedAfter([](Trace& t) {
              t.header.constants.MutableFields()[1].second = Value::Int(1'000'000'000'000);
            }),
            "constant MaxOffset: the integer 1000000000000 does not fit TLC's 32 bits");
  EXPECT_EQ(ExportedAfter([](Trace& t) {
              t.steps[1].changed = Record({{"logState", Text("\xc3\xa9")}});
            }),
            "step 2: variable logState: the string \"\\xc3\\xa9\" is not printable ASCII");
}

TEST(ExportForTlc, KeepsTextFromBecomingTla) {
  const std::string attack = "x\n====\n---- MODULE y ----";
  const std::string text = ExportedAfter([&](Trace& t) {
    t.header.scenario = attack;
    t.header.seed = attack;
    t.header.mutant = attack;
    t.header.constants.MutableFields()[0].second = Value::SetOf({Text("w1\"} \\cup {\"w2")});
  });
  EXPECT_THAT(text, HasSubstr("scenario x?????????? MODULE y ????, seed x?"));
  EXPECT_THAT(text, HasSubstr("Writers <- ReplayConstant_Writers"));
  EXPECT_THAT(text, HasSubstr("ReplayConstant_Writers == {\"w1\\\"} \\\\cup {\\\"w2\"}"));
}

TEST(ExportForTlc, OverridesConstantsThatACfgCannotWrite) {
  const std::string text = ExportedAfter([](Trace& t) {
    const Value range = Record({{"start", Value::Int(1)}, {"end", Value::Int(2)}});
    t.header.constants.MutableFields().emplace_back("Ranges", Value::SeqOf({range}));
  });
  EXPECT_THAT(text, HasSubstr("\n  Ranges <- ReplayConstant_Ranges\n"));
  EXPECT_THAT(text, HasSubstr("\nReplayConstant_Ranges == <<[start |-> 1, end |-> 2]>>\n"));
}

TEST(ExportForTlc, CallsAnActionAsItsModuleDoes) {
  const std::string text =
      ExportedAfter([](Trace& t) { t.header.actions[0].tla_operator = "StartAppendRounds"; });
  EXPECT_THAT(text,
              HasSubstr("action = \"StartAppend\" /\\ StartAppendRounds(replayRecord.args.w)"));
}

TEST(ExportForTlc, AsksNothingOfTheStepsInObserveMode) {
  const std::string text = Exported(SampleTrace(), TlaMode::kObserve);
  EXPECT_THAT(text, Not(HasSubstr("StartAppend(")));
  EXPECT_THAT(text, Not(HasSubstr("/\\ Next")));
  EXPECT_THAT(text, Not(HasSubstr("/\\ Init")));
}

TEST(ExportForTlc, StopsAtAViolatingStepWithWhatWasObserved) {
  Trace trace = OverlappingTrace();
  trace.footer.violation->step = 0;
  const std::string at_start = Exported(trace);
  EXPECT_THAT(at_start, HasSubstr("{\"n\":0,\"action\":\"\",\"args\":{},\"state\":{\"logIndex\":[{"
                                  "\"type\":\"EMPTY\",\"msgCount\":0},{\"type\":\"EMPTY\","
                                  "\"msgCount\":0},{\"type\":\"WAL\",\"msgCount\":2}"));
  EXPECT_THAT(at_start, Not(HasSubstr("{\"n\":1")));
  trace.footer.violation->step = 6;
  const std::string at_step = Exported(trace);
  EXPECT_THAT(at_step, HasSubstr("{\"n\":6,\"action\":\"AssignOffset\""));
  EXPECT_THAT(at_step, HasSubstr("\"sequenceCounter\":4"));
  EXPECT_THAT(at_step, Not(HasSubstr("\"sequenceCounter\":3")));
}

TEST(ExportForTlc, IsGolden) {
  for (const auto& [trace, mode, id] :
       {std::tuple(SampleTrace(), TlaMode::kConform, "log_sample"),
        std::tuple(OverlappingTrace(), TlaMode::kObserve, "log_overlapping")}) {
    const ExportResult result = ExportForTlc(trace, {id, mode});
    ASSERT_TRUE(std::holds_alternative<std::vector<ExportedFile>>(result));
    for (const ExportedFile& file : std::get<0>(result)) {
      EXPECT_EQ(CompareWithGolden(file), std::nullopt);
    }
  }
}

TEST(TlcCommand, QuotesWhatAShellWouldObey) {
  EXPECT_EQ(TlcCommand({.id = "x",
                        .folder = "a'; rm b",
                        .spec_folder = "/s p",
                        .jar = "/j.jar",
                        .meta_folder = "/m"}),
            "cd 'a'\\''; rm b' && java -XX:+UseParallelGC -DTLA-Library='/s p' -cp '/j.jar' "
            "tlc2.TLC -workers 1 -noGenerateSpecTE -metadir '/m' -config 'Replay_x.cfg' "
            "'Replay_x'");
}

TEST(TlcCommand, FindsTheJarByItself) {
  EXPECT_EQ(TlcCommand({.id = "x", .folder = "", .spec_folder = "", .jar = "", .meta_folder = ""}),
            "java -XX:+UseParallelGC -cp \"${TLA2TOOLS_JAR:-$HOME/.local/share/tla2tools.jar}\" "
            "tlc2.TLC -workers 1 -noGenerateSpecTE -cleanup -config 'Replay_x.cfg' 'Replay_x'");
}

}  // namespace
}  // namespace lockstep::traces
