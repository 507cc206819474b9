// What the length of the log costs: one event of a run when the log holds a thousand entries and
// when it holds a million, with everything that checks it (refinement, machine, all oracles) and
// without.
//
// Four worlds with the same nodes stand side by side: short and long, checked and not. They take
// their steps in turns, so that whatever else the computer does befalls them alike, and processor
// time is what counts.
//
//   ratio           a step in the long log against one in the short log, all in all
//   checks_ratio    the same for the checks alone (checked minus unchecked)
//   world_ratio     the same for nodes, network and store alone
//
// The readers take one offset after the other, as a consumer does, or any of the whole log, as in
// the scenarios (random_reads: nothing that they touch is in a cache).

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/leaderless_log/log_checker.h"
#include "scenarios/leaderless_log/log_run.h"
#include "sim/choice/seeded_choices.h"
#include "sim/fault/fault_injector.h"

namespace lockstep::tools {
namespace {

namespace log = protocol::leaderless_log;
using scenarios::LogChecker;
using scenarios::LogSetup;

enum class Reads { kNone, kInOrder, kRandom };

LogSetup Setup() {
  LogSetup setup;
  setup.constants.max_batch = 2;
  setup.constants.dialect.rounds = true;
  setup.constants.dialect.compaction_resume = true;
  setup.compaction.resume = true;
  setup.compaction.chosen_offsets_min = 3;
  setup.compaction.chosen_offsets_max = 8;
  return setup;
}

enum class Checks { kOff, kOn };

class Nobody : public sim::WorldObserver {
  void On(const sim::WorldEvent& event) override { benchmark::DoNotOptimize(&event); }
};

// Three writers, two readers and a compactor that never come to an end.
class EndlessLog {
 public:
  EndlessLog(std::int64_t entries, Reads reads, Checks checks)
      : setup_(Setup()),
        reads_(reads),
        checked_(checks == Checks::kOn),
        choices_(1),
        faults_(sim::FaultPlan{}, choices_),
        checker_(setup_, false),
        world_(setup_.world, stacks_, choices_, faults_, Observer()) {
    checker_.Watch(world_);
    std::vector<sim::Mutation> mutations;
    world_.store().Handle(sim::Txn({}, {sim::Put(std::string(log::kStateKey), "OPEN"),
                                        sim::Put(std::string(log::kCounterKey), "1"),
                                        sim::Put(std::string(log::kCursorKey), "1")}),
                          0, mutations);
    for (const char* name : {"w1", "w2", "w3"}) Add(name, true, &EndlessLog::Write);
    for (const char* name : {"r1", "r2"}) Add(name, true, &EndlessLog::Read);
    Add("c1", false, &EndlessLog::Compact);
    // Readers and compactor wait until the log is there.
    while (entries_ < entries) Steps(1000);
    filled_ = true;
    Steps(1000);
  }

  void Steps(int count) {
    for (int i = 0; i < count; ++i) world_.Step();
    [[maybe_unused]] const sim::Schedule forgotten = choices_.TakeSchedule();
  }

  [[nodiscard]] std::int64_t entries() const { return entries_; }
  [[nodiscard]] std::string broken() const {
    return checker_.failure() ? checker_.failure()->violation.message : "";
  }

 private:
  using Main = void (EndlessLog::*)(sim::NodeContext&);

  sim::WorldObserver& Observer() {
    if (checked_) return checker_;
    return nobody_;
  }

  void Add(const std::string& name, bool is_client, Main main) {
    const sim::NodeId node =
        world_.AddNode(name, [this, main](sim::NodeContext& context) { (this->*main)(context); });
    checker_.AddNode(node, name, is_client);
  }

  sim::OperationId Invoke(sim::NodeContext& context, log::ClientOperation kind,
                          std::int64_t argument) {
    ++operations_;
    if (checked_) checker_.Invoke(context.node(), kind, argument);
    context.SetOperation(operations_);
    return operations_;
  }

  void Write(sim::NodeContext& context) {
    log::WriterNode writer(context, setup_.constants.max_offset);
    while (true) {
      const std::int64_t count = 1 + choices_.Choose(sim::ChoiceKind::kWorkload, 2);
      const auto operation = Invoke(context, log::ClientOperation::kAppend, count);
      const log::AppendResult result = writer.Append(operation, count);
      if (checked_) checker_.AnswerAppend(context.node(), operation, count, result);
      ++entries_;
      end_ = std::max(end_, result.end);
    }
  }

  void Read(sim::NodeContext& context) {
    log::ReaderNode reader(context);
    log::Offset at = 0;
    while (true) {
      context.Backoff(40);
      if (!filled_ || reads_ == Reads::kNone) continue;
      const bool jump = reads_ == Reads::kRandom || at == 0 || at >= end_;
      at = jump ? 1 + choices_.Choose(sim::ChoiceKind::kWorkload, static_cast<std::uint32_t>(end_))
                : at + 1;
      const auto operation = Invoke(context, log::ClientOperation::kRead, at);
      const log::ReadResult result = reader.Read(at);
      if (checked_) checker_.AnswerRead(context.node(), operation, result);
    }
  }

  void Compact(sim::NodeContext& context) {
    log::CompactorNode compactor(context, setup_.compaction);
    while (true) {
      context.Backoff(80);
      if (!filled_) continue;
      const auto operation = Invoke(context, log::ClientOperation::kCompact, 0);
      const log::CompactStatus status = compactor.CompactOnce();
      if (checked_) checker_.AnswerCompact(context.node(), operation, status);
    }
  }

  LogSetup setup_;
  Reads reads_;
  bool checked_;
  Nobody nobody_;
  sim::StackPool stacks_;
  sim::SeededChoices choices_;
  sim::FaultInjector faults_;
  LogChecker checker_;
  sim::World world_;
  sim::OperationId operations_ = 0;
  std::int64_t entries_ = 0;
  log::Offset end_ = 0;
  bool filled_ = false;
};

// Of this process, so that what others do meanwhile does not count.
double ProcessorSeconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

constexpr std::int64_t kShort = 1'000;
constexpr std::int64_t kLong = 1'000'000;
constexpr int kStepsATurn = 5000;

// One of the four, and the time it has taken.
class Contender {
 public:
  Contender(std::int64_t entries, Reads reads, Checks checks)
      : entries_(entries), reads_(reads), checks_(checks) {
    Begin();
  }

  double TakeATurn() {
    // A short log is to stay short. The long one grows by less than a twentieth.
    if (log_->entries() > 2 * entries_) Begin();
    const double start = ProcessorSeconds();
    log_->Steps(kStepsATurn);
    const double taken = ProcessorSeconds() - start;
    seconds_ += taken;
    return taken;
  }

  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::string broken() const { return log_->broken(); }

 private:
  void Begin() { log_ = std::make_unique<EndlessLog>(entries_, reads_, checks_); }

  std::int64_t entries_;
  Reads reads_;
  Checks checks_;
  std::unique_ptr<EndlessLog> log_;
  double seconds_ = 0;
};

void CheckedStep(benchmark::State& state, Reads reads) {
  Contender short_checked(kShort, reads, Checks::kOn);
  Contender short_alone(kShort, reads, Checks::kOff);
  Contender long_checked(kLong, reads, Checks::kOn);
  Contender long_alone(kLong, reads, Checks::kOff);
  for (auto _ : state) {
    short_checked.TakeATurn();
    short_alone.TakeATurn();
    long_alone.TakeATurn();
    state.SetIterationTime(long_checked.TakeATurn());
  }
  const std::string broken = short_checked.broken() + long_checked.broken();
  if (!broken.empty()) state.SkipWithError(broken.c_str());
  const auto steps = static_cast<double>(state.iterations() * kStepsATurn);
  const double checks_short = short_checked.seconds() - short_alone.seconds();
  const double checks_long = long_checked.seconds() - long_alone.seconds();
  state.counters["ratio"] = long_checked.seconds() / short_checked.seconds();
  state.counters["checks_ratio"] = checks_long / checks_short;
  state.counters["world_ratio"] = long_alone.seconds() / short_alone.seconds();
  state.counters["events_per_second"] = steps / long_checked.seconds();
  state.counters["ns_a_check"] = checks_long / steps * 1e9;
}

// So few turns that no vector doubles in the long log's: that would be the cost of a million steps.
BENCHMARK_CAPTURE(CheckedStep, appends, Reads::kNone)->UseManualTime()->Iterations(50);
BENCHMARK_CAPTURE(CheckedStep, reads_in_order, Reads::kInOrder)->UseManualTime()->Iterations(50);
BENCHMARK_CAPTURE(CheckedStep, random_reads, Reads::kRandom)->UseManualTime()->Iterations(50);

}  // namespace
}  // namespace lockstep::tools
