#include "scenarios/leaderless_log/log_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "scenarios/leaderless_log/log_checker.h"
#include "scenarios/run_choices.h"
#include "sim/base/check.h"

namespace lockstep::scenarios {

namespace log = protocol::leaderless_log;

LogNodes CorrectLogNodes() {
  LogNodes nodes;
  nodes.writer = [](sim::NodeApi& api, log::Offset max_offset) {
    return std::make_unique<log::WriterNode>(api, max_offset);
  };
  nodes.reader = [](sim::NodeApi& api) { return std::make_unique<log::ReaderNode>(api); };
  nodes.compactor = [](sim::NodeApi& api, const log::CompactionPolicy& policy) {
    return std::make_unique<log::CompactorNode>(api, policy);
  };
  nodes.fencer = [](sim::NodeApi& api) { return std::make_unique<log::FencerNode>(api); };
  return nodes;
}

namespace {

/// How long a node that was turned away waits before it asks again, in ticks.
constexpr std::uint32_t kPatienceTicks = 40;

/// The stacks of this process's runs. A pool is kept for life: mapping memory is slow.
sim::StackPool& Stacks() {
  static sim::StackPool pool;
  return pool;
}

/// The clients: what each node is asked to do, over all its incarnations.
class LogRun {
 public:
  LogRun(const RunSpec& spec, const LogSetup& setup, const LogNodes& nodes, sim::Choices& choices,
         sim::FaultInjector& faults)
      : setup_(setup),
        nodes_(nodes),
        choices_(choices),
        checker_(setup, spec.record_trace),
        world_(setup.world, Stacks(), choices, faults, checker_) {
    checker_.Watch(world_);
    SetTheScene();
    Add(setup.writers, "w", true, &LogRun::WriterMain);
    Add(setup.readers, "r", true, &LogRun::ReaderMain);
    Add(setup.compactors, "c", false, &LogRun::CompactorMain);
    Add(setup.fencers, "f", false, &LogRun::FencerMain);
  }

  void Go(std::int64_t hurt_steps_max, RunResult& result) {
    std::int64_t steps = 0;
    while (steps < hurt_steps_max && !checker_.failure() && world_.Step()) ++steps;
    world_.Heal();
    const std::int64_t budget = steps + setup_.heal_steps_max;
    bool more = true;
    while (steps < budget && !checker_.failure() && more) {
      more = world_.Step();
      steps += more ? 1 : 0;
    }
    checker_.CheckEnd(more);
    result.steps = steps;
  }

  LogChecker& checker() { return checker_; }

 private:
  using Main = void (LogRun::*)(sim::NodeContext&);
  struct Task {
    std::uint32_t operations = 0;  // still to be asked for
    std::uint32_t reads = 0;
    bool is_writer = false;
    bool left = false;  // will ask for nothing more
  };

  void SetTheScene() {
    std::vector<sim::Mutation> mutations;
    world_.store().Handle(sim::Txn({}, {sim::Put(std::string(log::kStateKey),
                                                 std::string(log::Name(log::LogState::OPEN))),
                                        sim::Put(std::string(log::kCounterKey), "1"),
                                        sim::Put(std::string(log::kCursorKey), "1")}),
                          0, mutations);
  }

  void Add(const Role& role, std::string_view prefix, bool is_client, Main main) {
    for (std::uint32_t i = 1; i <= role.nodes; ++i) {
      const std::string name = fmt::format("{}{}", prefix, i);
      const sim::NodeId id =
          world_.AddNode(name, [this, main](sim::NodeContext& context) { (this->*main)(context); });
      checker_.AddNode(id, name, is_client);
      const bool is_writer = prefix == "w";
      tasks_.push_back({role.operations, is_writer ? setup_.reads_by_writers : 0, is_writer});
    }
  }

  void WriterMain(sim::NodeContext& context) {
    const auto writer = nodes_.writer(context, setup_.constants.max_offset);
    const auto reader = nodes_.reader(context);
    Task& task = tasks_[context.node()];
    while (task.operations + task.reads > 0 && checker_.CanInvoke(context.node())) {
      const std::uint32_t pick =
          choices_.Choose(sim::ChoiceKind::kWorkload, task.operations + task.reads);
      if (pick >= task.operations) {
        --task.reads;
        ReadOnce(context, *reader);
        continue;
      }
      --task.operations;
      const std::int64_t count =
          1 + choices_.Choose(sim::ChoiceKind::kWorkload,
                              static_cast<std::uint32_t>(setup_.constants.max_batch));
      const sim::OperationId operation =
          checker_.Invoke(context.node(), log::ClientOperation::kAppend, count);
      context.SetOperation(operation);
      const log::AppendResult result = writer->Append(operation, count);
      checker_.AnswerAppend(context.node(), operation, count, result);
      if (result.status == log::AppendStatus::kFenced) context.Backoff(kPatienceTicks);
    }
    task.left = true;
  }

  void ReaderMain(sim::NodeContext& context) {
    const auto reader = nodes_.reader(context);
    Task& task = tasks_[context.node()];
    while (task.operations > 0 && checker_.CanInvoke(context.node())) {
      --task.operations;
      ReadOnce(context, *reader);
      context.Backoff(kPatienceTicks);
    }
  }

  void ReadOnce(sim::NodeContext& context, log::ReaderNode& reader) {
    // Mostly what is there, now and then one past the end.
    const auto next = static_cast<std::uint32_t>(checker_.NextOffset());
    const log::Offset offset = 1 + choices_.Choose(sim::ChoiceKind::kWorkload, next);
    const sim::OperationId operation =
        checker_.Invoke(context.node(), log::ClientOperation::kRead, offset);
    context.SetOperation(operation);
    const log::ReadResult result = reader.Read(offset);
    checker_.AnswerRead(context.node(), operation, result);
  }

  void CompactorMain(sim::NodeContext& context) {
    const auto compactor = nodes_.compactor(context, setup_.compaction);
    Task& task = tasks_[context.node()];
    std::uint32_t superseded = 0;  // in a row
    while (task.operations > 0) {
      const bool writers_left = WritersLeft();
      const sim::OperationId operation =
          checker_.Invoke(context.node(), log::ClientOperation::kCompact, 0);
      context.SetOperation(operation);
      const log::CompactStatus status = compactor->CompactOnce();
      checker_.AnswerCompact(context.node(), operation, status);
      const bool fixed = !setup_.compaction.ranges.empty();
      switch (status) {
        case log::CompactStatus::kCompacted:
          --task.operations;
          break;
        case log::CompactStatus::kComplete:
        case log::CompactStatus::kStuck:
          task.operations = 0;
          break;
        case log::CompactStatus::kMisaligned:
          if (fixed) task.operations = 0;
          break;
        case log::CompactStatus::kNotReady:
          // Nothing was appended since the writers had left: nothing will be.
          if (writers_left) task.operations = 0;
          break;
        case log::CompactStatus::kSuperseded:
          break;
      }
      if (status == log::CompactStatus::kCompacted) {
        superseded = 0;
        continue;
      }
      superseded = status == log::CompactStatus::kSuperseded ? superseded + 1 : 0;
      // Two that take the plan from each other must not go on for ever: whoever loses again and
      // again steps back for longer than a round takes, however short each wait turns out.
      const std::uint32_t doublings = std::clamp(superseded, 4U, 11U) - 4;
      for (std::uint32_t i = 0; i < 1U << doublings; ++i) context.Backoff(2 * kPatienceTicks);
    }
  }

  [[nodiscard]] bool WritersLeft() const {
    return std::ranges::all_of(tasks_, [](const Task& t) { return !t.is_writer || t.left; });
  }

  void FencerMain(sim::NodeContext& context) {
    const auto fencer = nodes_.fencer(context);
    Task& task = tasks_[context.node()];
    // A predecessor may have died between the two; the log must not stay closed for ever.
    bool open = context.incarnation_number() == 1;
    while (task.operations > 0 || !open) {
      if (!open) {
        const sim::OperationId operation =
            checker_.Invoke(context.node(), log::ClientOperation::kUnfence, 0);
        context.SetOperation(operation);
        fencer->Unfence();
        checker_.AnswerUnfence(context.node(), operation);
        open = true;
      }
      context.Backoff(setup_.fence_ticks_max);
      if (task.operations == 0) break;
      --task.operations;
      open = false;
      const sim::OperationId operation =
          checker_.Invoke(context.node(), log::ClientOperation::kFence, 0);
      context.SetOperation(operation);
      const log::FenceResult result = fencer->Fence();
      checker_.AnswerFence(context.node(), operation, result);
      context.Backoff(setup_.fence_ticks_max);
    }
  }

  const LogSetup& setup_;
  const LogNodes& nodes_;
  sim::Choices& choices_;
  LogChecker checker_;
  sim::World world_;
  std::vector<Task> tasks_;  // by node
};

}  // namespace

RunResult RunLog(const RunSpec& spec, const LogSetup& setup, const LogNodes& nodes) {
  RunResult result;
  result.seed = spec.seed;
  RunSpec effective = spec;
  if (effective.max_steps == 0) effective.max_steps = spec.scenario->max_steps;
  const auto choices = MakeChoices(effective);
  sim::SetCheckContext(fmt::format("scenario {} seed {:#x}", spec.scenario->name, spec.seed));
  const sim::FaultPlan plan =
      sim::DrawFaultPlan(spec.scenario->faults.Intersect(spec.faults), *choices);
  result.plan = sim::DescribePlan(plan);
  sim::FaultInjector faults(plan, *choices);
  {
    LogRun run(effective, setup, nodes, *choices, faults);
    run.Go(effective.max_steps, result);
    run.checker().Finish(effective, result);
  }
  result.coverage.faults = faults.struck();
  FinishChoices(effective, *choices, result);
  sim::SetCheckContext({});
  return result;
}

}  // namespace lockstep::scenarios
