#include "tools/sweep_worker.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "sim/base/check.h"
#include "tools/run_files.h"

namespace lockstep::tools {
namespace {

// CBOR: compact, and a library keeps it.
using Wire = nlohmann::json;

std::string Bytes(const Wire& wire) {
  std::string bytes;
  Wire::to_cbor(wire, bytes);
  return bytes;
}

Wire ChunkWire(const Chunk& chunk, bool record) {
  return {chunk.scenario, chunk.first_seed, chunk.stride, chunk.count, record};
}

Chunk ChunkOf(const Wire& wire) {
  return {
      .scenario = wire.at(0), .first_seed = wire.at(1), .stride = wire.at(2), .count = wire.at(3)};
}

// The longest list by far; a byte string, because an array of numbers would cost more than the
// runs.
Wire StatesWire(const std::vector<std::uint64_t>& states) {
  Wire::binary_t::container_type bytes(states.size() * sizeof(std::uint64_t));
  if (!states.empty()) std::memcpy(bytes.data(), states.data(), bytes.size());
  return Wire::binary(std::move(bytes));
}

std::vector<std::uint64_t> StatesOf(const Wire& wire) {
  const Wire::binary_t& bytes = wire.get_binary();
  std::vector<std::uint64_t> states(bytes.size() / sizeof(std::uint64_t));
  if (!states.empty()) std::memcpy(states.data(), bytes.data(), bytes.size());
  return states;
}

Wire FailureWire(const FailureFacts& facts) {
  Wire differences = Wire::array();
  for (const Difference& difference : facts.differences) {
    differences.push_back({difference.where, difference.expected, difference.actual});
  }
  return {{"scenario", facts.scenario},  {"mutant", facts.mutant},
          {"seed", facts.seed},          {"kind", static_cast<int>(facts.kind)},
          {"property", facts.property},  {"step", facts.step},
          {"action", facts.action},      {"message", facts.message},
          {"recent", facts.recent},      {"refusal", facts.refusal},
          {"enabled", facts.enabled},    {"differences", std::move(differences)},
          {"reproduce", facts.reproduce}};
}

FailureFacts FailureOf(const Wire& wire) {
  FailureFacts facts;
  facts.scenario = wire.at("scenario");
  facts.mutant = wire.at("mutant");
  facts.seed = wire.at("seed");
  facts.kind = static_cast<ExitCode>(wire.at("kind").get<int>());
  facts.property = wire.at("property");
  facts.step = wire.at("step");
  facts.action = wire.at("action");
  facts.message = wire.at("message");
  facts.recent = wire.at("recent").get<std::vector<std::string>>();
  facts.refusal = wire.at("refusal").get<std::string>();
  facts.enabled = wire.at("enabled").get<std::vector<std::string>>();
  for (const Wire& difference : wire.at("differences")) {
    facts.differences.push_back({difference.at(0), difference.at(1), difference.at(2)});
  }
  facts.reproduce = wire.at("reproduce");
  return facts;
}

Wire SegmentWire(const Segment& segment) {
  Wire wire{{"runs", segment.runs},
            {"steps", segment.steps},
            {"inconclusive", segment.inconclusive},
            {"last_seed", segment.last_seed},
            {"actions", segment.coverage.actions},
            {"reached", segment.coverage.reached},
            {"faults", segment.coverage.faults},
            {"states", StatesWire(segment.coverage.states)},
            {"transitions", StatesWire(segment.coverage.transitions)}};
  if (segment.inconclusive_seed) wire["inconclusive_seed"] = *segment.inconclusive_seed;
  if (segment.failure) wire["failure"] = FailureWire(*segment.failure);
  return wire;
}

Segment SegmentOf(const Wire& wire) {
  Segment segment;
  segment.runs = wire.at("runs");
  segment.steps = wire.at("steps");
  segment.inconclusive = wire.at("inconclusive");
  segment.last_seed = wire.at("last_seed");
  segment.coverage.actions = wire.at("actions").get<std::vector<std::uint64_t>>();
  segment.coverage.reached = wire.at("reached").get<std::vector<std::uint64_t>>();
  segment.coverage.faults = wire.at("faults").get<std::array<std::uint64_t, sim::kFaultKinds>>();
  segment.coverage.states = StatesOf(wire.at("states"));
  segment.coverage.transitions = StatesOf(wire.at("transitions"));
  if (wire.contains("inconclusive_seed")) segment.inconclusive_seed = wire.at("inconclusive_seed");
  if (wire.contains("failure")) segment.failure = FailureOf(wire.at("failure"));
  return segment;
}

scenarios::RunResult RunOne(const Catalog& catalog, const scenarios::RunSpec& spec,
                            WorkerContext& context) {
  context.Begin(spec.seed);
  scenarios::RunResult result = catalog.run(spec);
  context.End(static_cast<std::uint64_t>(result.steps));
  return result;
}

std::string RunChunk(const Catalog& catalog, const Selection& selection, const Chunk& chunk,
                     WorkerContext& context) {
  const scenarios::Scenario& scenario = *selection.scenarios.at(chunk.scenario);
  Wire answer = Wire::array();
  Segment segment;
  for (std::uint64_t i = 0; i < chunk.count && !context.StopAsked(); ++i) {
    const scenarios::RunSpec spec = selection.Spec(scenario, chunk.first_seed + i * chunk.stride);
    const scenarios::RunResult result = RunOne(catalog, spec, context);
    ++segment.runs;
    segment.steps += static_cast<std::uint64_t>(result.steps);
    segment.last_seed = spec.seed;
    segment.coverage.Merge(result.coverage);
    if (result.failure) {
      segment.failure = FactsOf(spec, result, selection.Reproduce(scenario, spec.seed));
      answer.push_back(SegmentWire(std::exchange(segment, {})));
    } else if (result.verdict != invariants::Verdict::kHolds) {
      ++segment.inconclusive;
      if (!segment.inconclusive_seed) segment.inconclusive_seed = spec.seed;
    }
  }
  if (segment.runs > 0) answer.push_back(SegmentWire(segment));
  return Bytes(answer);
}

std::string RecordRun(const Catalog& catalog, const Selection& selection, const std::string& out,
                      const Chunk& chunk, WorkerContext& context) {
  const scenarios::Scenario& scenario = *selection.scenarios.at(chunk.scenario);
  scenarios::RunSpec spec = selection.Spec(scenario, chunk.first_seed);
  spec.record_trace = true;
  const scenarios::RunResult result = RunOne(catalog, spec, context);
  Wire answer{{"property", result.failure ? result.failure->violation.property : std::string()},
              {"step", result.failure ? result.failure->step : 0},
              {"trace", ""},
              {"schedule", ""},
              {"problem", ""}};
  const std::variant<SavedRun, std::string> saved = SaveRun(out, spec, result);
  if (const auto* problem = std::get_if<std::string>(&saved)) {
    answer["problem"] = *problem;
  } else {
    answer["trace"] = std::get<SavedRun>(saved).trace;
    answer["schedule"] = std::get<SavedRun>(saved).schedule;
  }
  return Bytes(answer);
}

}  // namespace

std::string EncodeChunk(const Chunk& chunk) { return Bytes(ChunkWire(chunk, false)); }
std::string EncodeRecord(const Chunk& chunk) { return Bytes(ChunkWire(chunk, true)); }

std::vector<Segment> DecodeSegments(const std::string& answer) {
  std::vector<Segment> segments;
  for (const Wire& wire : Wire::from_cbor(answer)) segments.push_back(SegmentOf(wire));
  return segments;
}

Recorded DecodeRecorded(const std::string& answer) {
  const Wire wire = Wire::from_cbor(answer);
  return {.property = wire.at("property"),
          .step = wire.at("step"),
          .trace = wire.at("trace"),
          .schedule = wire.at("schedule"),
          .problem = wire.at("problem")};
}

WorkerPool::Body SweepWorker(const Catalog& catalog, const Selection& selection,
                             const std::string& out) {
  return [&catalog, &selection, &out](const std::string& task, WorkerContext& context) {
    const Wire wire = Wire::from_cbor(task);
    const Chunk chunk = ChunkOf(wire);
    return wire.at(4).get<bool>() ? RecordRun(catalog, selection, out, chunk, context)
                                  : RunChunk(catalog, selection, chunk, context);
  };
}

}  // namespace lockstep::tools
