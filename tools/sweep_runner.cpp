#include "tools/sweep_runner.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <set>

#include "sim/base/check.h"
#include "tools/numbers.h"

namespace lockstep::tools {
namespace {

constexpr int kWaitMilliseconds = 100;
constexpr double kGraceSeconds = 5;
/// Results that wait for an earlier one; beyond it nothing more is given out.
constexpr std::size_t kPiecesMax = 1024;
constexpr std::size_t kRecordedMax = 20;
/// A run may take this long for its steps before it counts as hung, beyond --hang.
constexpr double kSlowestStepsPerSecond = 10'000;

unsigned Processors() {
  ::cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<unsigned>(std::max(CPU_COUNT(&set), 1));
}

}  // namespace

SweepRunner::SweepRunner(const Catalog& catalog, const Options& options, const Selection& selection,
                         SweepPlan& plan, Console& console)
    : catalog_(catalog),
      options_(options),
      selection_(selection),
      plan_(plan),
      result_(selection),
      progress_(console, options.quiet) {}

unsigned SweepRunner::Jobs() const {
  const unsigned wanted = options_.jobs == 0 ? Processors() : options_.jobs;
  const std::uint64_t runs = plan_.total_runs().value_or(wanted);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(runs, 1, wanted));
}

double SweepRunner::HangSeconds() const {
  std::int64_t steps = selection_.max_steps;
  for (const scenarios::Scenario* scenario : selection_.scenarios) {
    if (selection_.max_steps == 0) steps = std::max(steps, scenario->max_steps);
  }
  return options_.hang_seconds + static_cast<double>(steps) / kSlowestStepsPerSecond;
}

SweepResult SweepRunner::Run() {
  {
    WorkerPool pool(Jobs(), HangSeconds(), SweepWorker(catalog_, selection_, options_.out));
    const SweepEnd end = Loop(pool);
    if (end == SweepEnd::kBudget || end == SweepEnd::kInterrupted) MergeRest(pool);
    result_.Finish(end, clock_.Seconds());
  }
  progress_.Clear();
  Record();
  return std::move(result_);
}

SweepEnd SweepRunner::Loop(WorkerPool& pool) {
  while (true) {
    if (interrupts_.Asked()) return SweepEnd::kInterrupted;
    if (options_.budget_seconds && clock_.Seconds() >= *options_.budget_seconds) {
      return SweepEnd::kBudget;
    }
    while (pool.idle() > 0 && GiveOut(pool)) {
    }
    if (pieces_.empty()) return SweepEnd::kAllSeeds;
    for (const PoolEvent& event : pool.Wait(kWaitMilliseconds)) Handle(event);
    if (!MergeFront()) return SweepEnd::kMaxFailures;
    if (progress_.Due()) DrawProgress(pool);
  }
}

// False when there is nothing to give out now.
bool SweepRunner::GiveOut(WorkerPool& pool) {
  if (again_.empty()) {
    if (plan_ended_ || pieces_.size() >= kPiecesMax) return false;
    const std::optional<Chunk> chunk = plan_.Next();
    if (!chunk) {
      plan_ended_ = true;
      return false;
    }
    AddPiece(next_order_++, *chunk);
  }
  const Key key = again_.front();
  if (!pool.Give(next_task_, EncodeChunk(pieces_.at(key).chunk))) {
    if (pool.busy() == 0) throw std::runtime_error("no worker process could be started");
    return false;
  }
  again_.pop_front();
  in_flight_[next_task_++] = key;
  return true;
}

void SweepRunner::AddPiece(std::uint64_t order, const Chunk& chunk) {
  if (chunk.count == 0) return;
  const Key key{order, chunk.first_seed};
  pieces_[key] = Piece{.chunk = chunk, .done = false, .segments = {}, .deaths = 0};
  again_.push_back(key);
}

void SweepRunner::Handle(const PoolEvent& event) {
  const auto task = in_flight_.find(event.task);
  LOCKSTEP_CHECK(task != in_flight_.end());
  const Key key = task->second;
  in_flight_.erase(task);
  if (event.died) {
    HandleDeath(event, key);
    return;
  }
  Piece& piece = pieces_.at(key);
  piece.segments = DecodeSegments(event.answer);
  piece.done = true;
}

FailureFacts SweepRunner::Crash(const Chunk& chunk, std::uint64_t seed,
                                const std::string& how) const {
  const scenarios::Scenario& scenario = *selection_.scenarios[chunk.scenario];
  FailureFacts facts;
  facts.scenario = scenario.name;
  if (selection_.mutant != nullptr) facts.mutant = selection_.mutant->name;
  facts.seed = seed;
  facts.kind = ExitCode::kError;
  facts.property = kProcessSurvives;
  facts.message = how;
  facts.reproduce = selection_.Reproduce(scenario, seed);
  return facts;
}

// The run in flight is the finding; the seeds before it are run again and those after it go on.
void SweepRunner::HandleDeath(const PoolEvent& event, const Key& key) {
  Piece& piece = pieces_.at(key);
  if (!event.seed && ++piece.deaths < 2) {
    again_.push_front(key);
    return;
  }
  const Chunk chunk = piece.chunk;
  const std::uint64_t seed = event.seed.value_or(chunk.first_seed);
  const std::uint64_t index = (seed - chunk.first_seed) / chunk.stride;
  pieces_.erase(key);
  Segment segment;
  segment.runs = 1;
  segment.last_seed = seed;
  segment.failure = Crash(chunk, seed, event.how);
  Piece crashed{.chunk = chunk, .done = true, .segments = {segment}, .deaths = 0};
  pieces_[{key.first, seed}] = std::move(crashed);
  Chunk before = chunk;
  before.count = index;
  Chunk after = chunk;
  after.first_seed = seed + chunk.stride;
  after.count = chunk.count - index - 1;
  AddPiece(key.first, before);
  AddPiece(key.first, after);
}

// False when enough runs have failed.
bool SweepRunner::MergeFront() {
  const std::uint64_t most =
      options_.keep_going ? std::numeric_limits<std::uint64_t>::max() : options_.max_failures;
  while (!pieces_.empty() && pieces_.begin()->second.done) {
    const Piece& piece = pieces_.begin()->second;
    for (const Segment& segment : piece.segments) {
      result_.Add(piece.chunk.scenario, segment);
      if (result_.failure_count() >= most) return false;
    }
    pieces_.erase(pieces_.begin());
  }
  return true;
}

// The sweep is cut short: takes what the workers have, and what had waited for it.
void SweepRunner::MergeRest(WorkerPool& pool) {
  pool.AskToStop();
  const double deadline = clock_.Seconds() + kGraceSeconds;
  while (!in_flight_.empty() && clock_.Seconds() < deadline) {
    for (const PoolEvent& event : pool.Wait(kWaitMilliseconds)) Handle(event);
  }
  std::erase_if(pieces_, [](const auto& piece) { return !piece.second.done; });
  MergeFront();
}

void SweepRunner::DrawProgress(const WorkerPool& pool) {
  const PoolCounts counts = pool.counts();
  ProgressFacts facts;
  facts.runs = counts.runs;
  facts.steps = counts.steps;
  facts.seconds = clock_.Seconds();
  for (const ScenarioTotals& row : result_.scenarios()) {
    if (row.scenario->states_total > 0) facts.states_seen += row.states.size();
  }
  facts.states_total = result_.states_total();
  facts.failures = result_.failure_count();
  if (const auto total = plan_.total_runs(); total && counts.runs > 0) {
    const double left = static_cast<double>(*total) - static_cast<double>(counts.runs);
    facts.seconds_left = facts.seconds * std::max(left, 0.0) / static_cast<double>(counts.runs);
  }
  if (options_.budget_seconds) {
    const double left = std::max(*options_.budget_seconds - facts.seconds, 0.0);
    facts.seconds_left = std::min(facts.seconds_left.value_or(left), left);
  }
  progress_.Draw(facts);
}

void SweepRunner::HandleRecorded(const FailureFacts& first, std::size_t index,
                                 const PoolEvent& event) {
  std::string again = event.how;
  if (!event.died) {
    const Recorded recorded = DecodeRecorded(event.answer);
    FailureFacts& facts = result_.failures()[index];
    facts.trace = recorded.trace;
    facts.schedule = recorded.schedule;
    if (!recorded.problem.empty()) problems_.push_back(recorded.problem);
    if (recorded.property == first.property && recorded.step == first.step) return;
    again = recorded.property.empty()
                ? std::string("held")
                : fmt::format("{} at step {}", recorded.property, recorded.step);
  }
  FailureFacts twice = first;
  twice.kind = ExitCode::kNondeterminism;
  twice.property = kSameRunTwice;
  twice.message = fmt::format("first {} at step {}, then {}", first.property, first.step, again);
  const auto scenario =
      std::ranges::find(selection_.scenarios, std::string_view(first.scenario),
                        [](const scenarios::Scenario* candidate) { return candidate->name; });
  result_.AddFailure(static_cast<std::size_t>(scenario - selection_.scenarios.begin()), twice);
}

// Makes the first failing run of each bucket again, with a trace. In workers: what a run does must
// not take the report with it.
void SweepRunner::Record() {
  std::vector<std::size_t> wanted;
  std::set<std::string> buckets;
  const std::vector<FailureFacts> failures = result_.failures();
  for (std::size_t i = 0; i < failures.size() && wanted.size() < kRecordedMax; ++i) {
    if (failures[i].kind == ExitCode::kError) continue;
    if (buckets.insert(failures[i].Bucket()).second) wanted.push_back(i);
  }
  if (wanted.empty()) return;
  const auto jobs = static_cast<unsigned>(std::min<std::size_t>(wanted.size(), Jobs()));
  WorkerPool pool(jobs, HangSeconds(), SweepWorker(catalog_, selection_, options_.out));
  std::size_t next = 0;
  while (next < wanted.size() || pool.busy() > 0) {
    while (next < wanted.size() && pool.idle() > 0) {
      const FailureFacts& facts = failures[wanted[next]];
      Chunk chunk{.scenario = 0, .first_seed = facts.seed, .stride = 1, .count = 1};
      while (selection_.scenarios[chunk.scenario]->name != facts.scenario) ++chunk.scenario;
      if (!pool.Give(wanted[next], EncodeRecord(chunk))) {
        problems_.push_back("no worker process could be started to record the failures");
        return;
      }
      ++next;
    }
    for (const PoolEvent& event : pool.Wait(kWaitMilliseconds)) {
      HandleRecorded(failures[event.task], event.task, event);
    }
  }
  result_.Finish(result_.end(), result_.seconds());
}

}  // namespace lockstep::tools
