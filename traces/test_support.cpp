#include "traces/test_support.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "traces/file_io.h"

namespace lockstep::traces {
namespace {

using sim::Value;

Value EntryOf(std::string type, std::int64_t count) {
  return Record({{"type", Text(std::move(type))}, {"msgCount", Value::Int(count)}});
}

// The same value for both writers.
Value Both(const Value& value) { return Record({{"w1", value}, {"w2", value}}); }

Value Initial() {
  return Record({{"logIndex", Value::SeqOf(std::vector<Value>(5, EntryOf("EMPTY", 0)))},
                 {"sequenceCounter", Value::Int(1)},
                 {"logState", Text("OPEN")},
                 {"compactionCursor", Value::Int(1)},
                 {"writerState", Both(Text("IDLE"))},
                 {"writerOffset", Both(Value::Int(0))},
                 {"writerBatchSize", Both(Value::Int(0))},
                 {"compactorState", Text("IDLE")},
                 {"readerResult", Both(Text("NONE"))},
                 {"compactRound", Value::Int(1)}});
}

Header SampleHeader() {
  Header header;
  header.lockstep_version = "0.1.0";
  header.scenario = "log_sample";
  header.seed = "0x2a";
  header.strategy = "random";
  header.max_steps = 500;
  header.faults = {"all"};
  header.spec = "LeaderlessLog";
  header.tla_module = "LeaderlessLog";
  header.tla_init = "Init";
  header.tla_next = "Next";
  header.invariants = {"TypeOK", "CursorConsistency", "NoOverlappingRanges", "NoReaderError"};
  for (const char* name : {"StartAppend", "WALWriteSuccess", "WALWriteFail", "AssignOffset",
                           "AssignOffsetFenced", "AppendComplete"}) {
    header.actions.push_back({name, {"w"}});
  }
  header.actions.push_back({"FenceLog", {}});
  header.actions.push_back({"UnfenceLog", {}});
  header.actions.push_back({"ReadEntry", {"w", "off"}});
  header.constants = Record({{"Writers", Value::SetOf({Text("w1"), Text("w2")})},
                             {"MaxOffset", Value::Int(5)},
                             {"CompactRangeStart", Value::Int(1)},
                             {"CompactRangeEnd", Value::Int(3)},
                             {"CompactRange2Start", Value::Int(4)},
                             {"CompactRange2End", Value::Int(5)},
                             {"MaxBatch", Value::Int(2)}});
  header.initial = Initial();
  return header;
}

// Appends steps, numbering them.
class Steps {
 public:
  explicit Steps(Trace& trace) : trace_(trace) {}

  void Stutter(std::int64_t time, std::string node, Value event) {
    Step step;
    step.number = static_cast<std::int64_t>(trace_.steps.size()) + 1;
    step.time = time;
    step.node = std::move(node);
    step.event = std::move(event);
    step.parameters = Record({});
    step.changed = Record({});
    trace_.steps.push_back(std::move(step));
  }
  void Take(std::int64_t time, std::string node, Value event, std::string action, Value parameters,
            Value changed) {
    Stutter(time, std::move(node), std::move(event));
    trace_.steps.back().action = std::move(action);
    trace_.steps.back().parameters = std::move(parameters);
    trace_.steps.back().changed = std::move(changed);
  }

 private:
  Trace& trace_;
};

Value Event(std::string kind, std::string what, std::string who) {
  return Record({{"kind", Text(std::move(kind))},
                 {"what", Text(std::move(what))},
                 {"who", Text(std::move(who))}});
}

Value OfWriter(const std::string& writer, Value value) { return Record({{writer, value}}); }

Value State(const std::string& writer, std::string state) {
  return OfWriter(writer, Text(std::move(state)));
}

void AppendUpToAssignment(Steps& steps) {
  const Value w1 = Record({{"w", Text("w1")}});
  const Value w2 = Record({{"w", Text("w2")}});
  steps.Stutter(0, "w1", Event("send", "get log/state", "w1"));
  steps.Take(3, "store", Event("apply", "get log/state", "w1"), "StartAppend",
             Record({{"w", Text("w1")}, {"count", Value::Int(2)}}),
             Record({{"writerState", State("w1", "WRITING_WAL")},
                     {"writerBatchSize", OfWriter("w1", Value::Int(2))}}));
  steps.Take(4, "store", Event("apply", "get log/state", "w2"), "StartAppend",
             Record({{"w", Text("w2")}, {"count", Value::Int(1)}}),
             Record({{"writerState", State("w2", "WRITING_WAL")},
                     {"writerBatchSize", OfWriter("w2", Value::Int(1))}}));
  steps.Take(9, "objects", Event("apply", "put wal/1", "w1"), "WALWriteSuccess", w1,
             Record({{"writerState", State("w1", "ASSIGNING_OFFSET")}}));
  steps.Take(11, "objects", Event("reject", "put wal/2", "w2"), "WALWriteFail", w2,
             Record({{"writerState", State("w2", "FAILED")}}));
  steps.Take(15, "store", Event("apply", "txn log/index", "w1"), "AssignOffset", w1,
             Record({{"logIndex", Record({{"2", EntryOf("WAL", 2)}})},
                     {"sequenceCounter", Value::Int(3)},
                     {"writerState", State("w1", "DONE")},
                     {"writerOffset", OfWriter("w1", Value::Int(2))}}));
}

}  // namespace

Value Record(std::vector<std::pair<std::string, Value>> fields) {
  return Value::RecordOf(std::move(fields));
}

Value Text(std::string text) { return Value::String(std::move(text)); }

Trace SampleTrace() {
  Trace trace;
  trace.header = SampleHeader();
  Steps steps(trace);
  AppendUpToAssignment(steps);
  steps.Stutter(16, "store", Event("fault", "reply_lost", "w1"));
  steps.Take(20, "w1", Event("reply", "append", "w1"), "AppendComplete",
             Record({{"w", Text("w1")}}),
             Record({{"writerState", State("w1", "IDLE")},
                     {"writerOffset", OfWriter("w1", Value::Int(0))},
                     {"writerBatchSize", OfWriter("w1", Value::Int(0))}}));
  steps.Take(21, "w2", Event("reply", "append", "w2"), "AppendComplete",
             Record({{"w", Text("w2")}}),
             Record({{"writerState", State("w2", "IDLE")},
                     {"writerBatchSize", OfWriter("w2", Value::Int(0))}}));
  steps.Take(25, "store", Event("apply", "ceiling log/index", "w2"), "ReadEntry",
             Record({{"w", Text("w2")}, {"off", Value::Int(1)}}),
             Record({{"readerResult", State("w2", "OK")}}));
  steps.Take(30, "store", Event("apply", "cas log/state", "fencer"), "FenceLog", Record({}),
             Record({{"logState", Text("FENCED")}}));
  steps.Take(33, "store", Event("apply", "cas log/state", "fencer"), "UnfenceLog", Record({}),
             Record({{"logState", Text("OPEN")}}));
  trace.schedule = {{sim::ChoiceKind::kWorkload, 4, 2},    {sim::ChoiceKind::kEvent, 7, 3},
                    {sim::ChoiceKind::kFaultSwarm, 2, 1},  {sim::ChoiceKind::kFaultGap, 40, 0},
                    {sim::ChoiceKind::kFaultTarget, 3, 1}, {sim::ChoiceKind::kFaultDuration, 9, 8},
                    {sim::ChoiceKind::kNode, 16, 15}};
  trace.footer.verdict = "holds";
  return trace;
}

Trace OverlappingTrace() {
  Trace trace;
  trace.header = SampleHeader();
  trace.header.mutant = "moves_an_entry";
  Steps steps(trace);
  AppendUpToAssignment(steps);
  steps.Stutter(18, "store", Event("apply", "put log/index", "w2"));
  trace.footer.verdict = "violated";
  ViolationRecord violation;
  violation.property = "refines_spec";
  violation.kind = "conformance";
  violation.step = 7;
  violation.message = "no action explains the change of logIndex";
  violation.expected = EntryOf("EMPTY", 0);
  violation.actual = EntryOf("WAL", 2);
  violation.enabled = {"AppendComplete(w1)", "AppendComplete(w2)", "FenceLog"};
  violation.observed = Record(
      {{"logIndex", Record({{"3", EntryOf("WAL", 2)}})}, {"sequenceCounter", Value::Int(4)}});
  trace.footer.violation = std::move(violation);
  return trace;
}

Trace CompactingTrace() {
  Trace trace;
  trace.header = SampleHeader();
  Header& header = trace.header;
  header.dialect = {"rounds"};
  header.tla_module = "LeaderlessLogRounds";
  header.tla_next = "NextRounds";
  header.invariants = {"TypeOKRounds", "CompactionPreservesDataRounds"};
  for (const std::string name :
       {"CompactStart", "CompactWriteCompactedIndex", "CompactDeleteOldEntries",
        "CompactUpdateCursor", "CompactReset"}) {
    header.actions.push_back({name, {}, name + "Rounds"});
  }
  const Value range = Record({{"start", Value::Int(1)}, {"end", Value::Int(2)}});
  auto& constants = header.constants.MutableFields();
  constants.emplace_back("Ranges", Value::SeqOf({range}));
  constants.emplace_back("Resume", Value::Bool(false));
  constants.emplace_back("EndBoundary", Value::Bool(false));
  Steps steps(trace);
  AppendUpToAssignment(steps);
  const Value event = Event("apply", "txn log/index", "c1");
  const auto take = [&](std::string action, Value changed) {
    steps.Take(40, "store", event, std::move(action), Record({}), std::move(changed));
  };
  take("CompactStart", Record({{"compactorState", Text("WRITING_COMPACTED_INDEX")}}));
  take("CompactWriteCompactedIndex", Record({{"logIndex", Record({{"2", EntryOf("COMPACTED", 2)}})},
                                             {"compactorState", Text("DELETING_OLD")}}));
  take("CompactDeleteOldEntries", Record({{"compactorState", Text("UPDATING_CURSOR")}}));
  take("CompactUpdateCursor",
       Record({{"compactionCursor", Value::Int(3)}, {"compactorState", Text("DONE")}}));
  take("CompactReset", Record({{"compactorState", Text("IDLE")}, {"compactRound", Value::Int(2)}}));
  trace.footer.verdict = "holds";
  return trace;
}

Trace ToyTrace() {
  Trace trace;
  trace.header.tla_module = "Toy";
  trace.header.tla_init = "Init";
  trace.header.tla_next = "Next";
  trace.header.actions = {{"Send", {"xs"}}, {"Take", {"n"}}};
  const Value none = Value::SetOf({});
  const Value both = Value::SetOf({Value::Int(2), Value::Int(1)});
  trace.header.initial =
      Record({{"pending", none}, {"owned", Record({{"n1", none}, {"n2", none}})}});
  Steps steps(trace);
  steps.Take(1, "n1", Event("send", "", ""), "Send", Record({{"xs", both}}),
             Record({{"pending", both}}));
  steps.Take(2, "n2", Event("take", "", ""), "Take", Record({{"n", Text("n2")}}),
             Record({{"pending", Value::SetOf({Value::Int(1)})},
                     {"owned", Record({{"n2", Value::SetOf({Value::Int(2)})}})}}));
  trace.footer.verdict = "holds";
  return trace;
}

std::optional<std::string> CompareWithGolden(const ExportedFile& file) {
  const std::string path = std::string(LOCKSTEP_SOURCE_DIR) + "/traces/golden/" + file.name;
  const char* update = std::getenv("LOCKSTEP_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    return WriteFileAtomically(path, file.bytes);
  }
  const std::variant<std::string, ReadError> golden = ReadFileBytes(path);
  const std::string hint = "; look at the difference, then run with LOCKSTEP_UPDATE_GOLDEN=1";
  if (const auto* error = std::get_if<ReadError>(&golden)) return error->ToString() + hint;
  if (std::get<std::string>(golden) == file.bytes) return std::nullopt;
  return path + " differs" + hint + "\nnow:\n" + file.bytes;
}

std::string LogSpecFolder() {
  return std::string(LOCKSTEP_SOURCE_DIR) + "/protocol/leaderless_log";
}

std::optional<std::string> WhyNoTlc() {
  const char* named = std::getenv("TLA2TOOLS_JAR");
  const char* home = std::getenv("HOME");
  const std::string jar =
      named != nullptr ? std::string(named)
                       : std::string(home == nullptr ? "" : home) + "/.local/share/tla2tools.jar";
  if (!std::filesystem::exists(jar)) {
    return "TLC was not run: no " + jar + " (TLA2TOOLS_JAR names another place)";
  }
  const std::string module = LogSpecFolder() + "/LeaderlessLog.tla";
  if (!std::filesystem::exists(module)) return "TLC was not run: no " + module;
  if (RunCommand("java -version").exit_code != 0) return "TLC was not run: no java";
  return std::nullopt;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "lockstep_traces_XXXXXX").string();
  if (::mkdtemp(name.data()) != nullptr) path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

CommandResult RunCommand(const std::string& command) {
  CommandResult result;
  std::FILE* pipe = ::popen(("{ " + command + "; } 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.output.append(buffer.data(), got);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

}  // namespace lockstep::traces
