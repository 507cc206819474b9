#include "scenarios/exhaust/log_explore_model.h"

#include <array>
#include <utility>

#include "protocol/leaderless_log/leaderless_log_module.h"
#include "scenarios/exhaust/log_sometimes.h"
#include "scenarios/exhaust/overlap_markdown.h"
#include "scenarios/exhaust/state_table.h"
#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

using protocol::leaderless_log::Action;
using protocol::leaderless_log::ActionKind;
using protocol::leaderless_log::ActionKinds;
using protocol::leaderless_log::Changes;
using protocol::leaderless_log::CompactorState;
using protocol::leaderless_log::Constants;
using protocol::leaderless_log::HasWriter;
using protocol::leaderless_log::kActionKinds;
using protocol::leaderless_log::Machine;
using protocol::leaderless_log::ReaderResult;
using protocol::leaderless_log::State;
using protocol::leaderless_log::Writer;
using protocol::leaderless_log::WriterIndex;
using protocol::leaderless_log::WriterState;
using Kind = ActionKind;

constexpr unsigned kNumberBits = 16;
constexpr unsigned kWriterBits = 8;
constexpr std::size_t kLeadsToMax = 64;
constexpr std::uint32_t kNoCondition = 0xffffffffU;

std::size_t IndexOf(Kind kind) { return static_cast<std::size_t>(kind); }

class LogExpander final : public Expander {
 public:
  explicit LogExpander(const LogExploreModel& model)
      : model_(model),
        machine_(model.machine()),
        layout_(model.layout()),
        held_(model.Initial()),
        state_(machine_.Init()),
        sometimes_(LogSometimesByKind()) {}

  void Expand(const PackedState& state, std::vector<Successor>& successors) override {
    Hold(state);
    successors.clear();
    machine_.EnabledActions(state_, actions_);
    for (const Action& action : actions_) {
      machine_.Apply(state_, action, changes_);
      Successor& successor = successors.emplace_back();
      successor.state = held_;
      successor.action = LogExploreModel::CodeOf(action);
      layout_.Repack(state_, changes_, successor.state);
      Machine::Undo(state_, changes_);
    }
  }

  std::uint64_t BrokenInvariants(const PackedState& state) override {
    Hold(state);
    const std::vector<LogInvariant>& checks = model_.checks();
    std::uint64_t broken = 0;
    for (std::size_t i = 0; i < checks.size(); ++i) {
      if (checks[i].check(machine_, state_)) broken |= Bit(i);
    }
    return broken;
  }

  std::uint64_t LeadsToLeft(const PackedState& state) override {
    std::uint64_t bits = 0;
    const std::size_t writers = Writers();
    for (std::size_t i = 0; i < writers; ++i) {
      const Writer writer = layout_.WriterOf(state, i);
      if (writer.state == WriterState::WRITING_WAL) bits |= Bit(i);
      if (writer.reader_result == ReaderResult::ERROR) bits |= Bit(writers + 1 + i);
    }
    const CompactorState compactor = layout_.CompactorOf(state);
    return compactor == CompactorState::WRITING_COMPACTED_INDEX ? bits | Bit(writers) : bits;
  }

  std::uint64_t LeadsToRight(const PackedState& state) override {
    std::uint64_t bits = 0;
    const std::size_t writers = Writers();
    for (std::size_t i = 0; i < writers; ++i) {
      const Writer writer = layout_.WriterOf(state, i);
      if (writer.state == WriterState::DONE || writer.state == WriterState::FAILED) bits |= Bit(i);
      if (writer.reader_result == ReaderResult::OK) bits |= Bit(writers + 1 + i);
    }
    const CompactorState compactor = layout_.CompactorOf(state);
    const bool ended = compactor == CompactorState::DONE || compactor == CompactorState::IDLE;
    return ended ? bits | Bit(writers) : bits;
  }

  // All of them are about steps, so the initial state has none; and about what a step changes.
  std::uint64_t Sometimes(const PackedState& before, std::uint32_t action,
                          const PackedState& after) override {
    if (Same(before, after)) return 0;
    const Action taken = LogExploreModel::ActionOf(action);
    const std::uint64_t candidates = sometimes_[IndexOf(taken.kind)];
    if (candidates == 0) return 0;
    Hold(before);
    machine_.Apply(state_, taken, changes_);
    after_ = state_;
    Machine::Undo(state_, changes_);
    const LogMachineStep step{machine_, state_, taken, after_};
    const auto properties = LogSometimesProperties();
    std::uint64_t holds = 0;
    for (std::size_t i = 0; i < properties.size(); ++i) {
      if ((candidates & Bit(i)) != 0 && properties[i].holds(step)) holds |= Bit(i);
    }
    return holds;
  }

 private:
  static std::uint64_t Bit(std::size_t i) { return std::uint64_t{1} << i; }
  [[nodiscard]] std::size_t Writers() const { return machine_.constants().writers.size(); }

  /// Makes state_ this one. It is asked for the same state several times in a row, and for states
  /// that have much in common.
  void Hold(const PackedState& state) {
    if (Same(state, held_)) return;
    layout_.UnpackOver(held_, state, state_);
    held_ = state;
  }

  const LogExploreModel& model_;
  const Machine& machine_;
  const LogStateLayout& layout_;
  PackedState held_;
  State state_;  // what held_ says
  State after_;
  Changes changes_;
  std::vector<Action> actions_;
  std::array<std::uint64_t, kActionKinds> sometimes_;
};

}  // namespace

std::variant<std::unique_ptr<LogExploreModel>, std::string> LogExploreModel::For(
    LogExploreConfig config) {
  const Constants& constants = config.constants;
  if (auto broken = BrokenAssumption(constants)) return std::move(*broken);
  auto layout = LogStateLayout::For(constants);
  if (auto* why = std::get_if<std::string>(&layout)) return std::move(*why);
  if (2 * constants.writers.size() + 1 > kLeadsToMax) {
    return "more than 31 writers: there would be more than 64 leads-to instances";
  }
  if (constants.max_offset >> kNumberBits != 0 || constants.max_batch >> kNumberBits != 0) {
    return "MaxOffset and MaxBatch beyond 65,535";
  }
  std::unique_ptr<LogExploreModel> model(
      new LogExploreModel(std::move(config), std::get<LogStateLayout>(std::move(layout))));
  if (model->fairness_.size() >= kNoFairness) {
    return "more than 254 fairness conditions: one for each writer and offset";
  }
  return model;
}

LogExploreModel::LogExploreModel(LogExploreConfig config, LogStateLayout layout)
    : config_(std::move(config)), machine_(config_.constants), layout_(std::move(layout)) {
  for (const Kind kind : ActionKinds(config_.constants.dialect)) {
    action_names_.push_back(Name(kind));
  }
  for (const LogSometimes& property : LogSometimesProperties()) {
    sometimes_.push_back(property.name);
  }
  AddInvariants();
  AddFairness();
  AddLeadsTo();
}

void LogExploreModel::AddInvariants() {
  for (const invariants::LogProperty& property : invariants::LogProperties()) {
    if (property.state != nullptr) checks_.push_back({property.name, property.state});
  }
  if (config_.overlap_markdown) {
    checks_.push_back({"NoOverlappingRangesMarkdown", NoOverlappingRangesMarkdown});
  }
  for (const LogInvariant& check : checks_) invariant_infos_.push_back({check.name});
}

void LogExploreModel::AddFairness() {
  first_condition_.assign(kActionKinds, kNoCondition);
  AddFairnessForWriters(Kind::StartAppend, FairnessKind::kWeak);
  AddFairnessForWriters(Kind::WALWriteSuccess, FairnessKind::kWeak);
  AddFairnessForWriters(Kind::AssignOffset, FairnessKind::kStrong);
  AddFairnessForWriters(Kind::AssignOffsetFenced, FairnessKind::kStrong);
  AddFairnessForWriters(Kind::AssignOffsetExhausted, FairnessKind::kStrong);
  AddFairnessForWriters(Kind::AppendComplete, FairnessKind::kWeak);
  AddFairnessForWriters(Kind::ReadEntry, FairnessKind::kWeak);
  for (const Kind kind :
       {Kind::CompactStart, Kind::CompactWriteCompactedIndex, Kind::CompactDeleteOldEntries,
        Kind::CompactUpdateCursor, Kind::CompactReset, Kind::CompactResume}) {
    if (kind == Kind::CompactResume && !config_.constants.dialect.compaction_resume) continue;
    first_condition_[IndexOf(kind)] = static_cast<std::uint32_t>(fairness_.size());
    fairness_.push_back({std::string(Name(kind)), Name(kind), FairnessKind::kWeak});
  }
}

void LogExploreModel::AddFairnessForWriters(Kind kind, FairnessKind fairness) {
  const Constants& constants = config_.constants;
  first_condition_[IndexOf(kind)] = static_cast<std::uint32_t>(fairness_.size());
  for (const std::string& writer : constants.writers) {
    const std::string prefix = std::string(Name(kind)) + "(" + writer;
    if (kind != Kind::ReadEntry) {
      fairness_.push_back({prefix + ")", Name(kind), fairness});
      continue;
    }
    for (std::int64_t offset = 1; offset <= constants.max_offset; ++offset) {
      fairness_.push_back({prefix + ", " + std::to_string(offset) + ")", Name(kind), fairness});
    }
  }
}

void LogExploreModel::AddLeadsTo() {
  const auto add = [this](std::string_view property) {
    for (const std::string& writer : config_.constants.writers) {
      leads_to_.push_back({property, std::string(property) + "(" + writer + ")"});
    }
  };
  add("AppendProgress");
  leads_to_.push_back({"CompactionCompletes", "CompactionCompletes"});
  add("ReaderEventuallySucceeds");
}

std::unique_ptr<Expander> LogExploreModel::NewExpander() const {
  return std::make_unique<LogExpander>(*this);
}

PackedState LogExploreModel::Initial() const { return layout_.Pack(machine_.Init()); }

std::uint32_t LogExploreModel::CodeOf(const Action& action) {
  return (static_cast<std::uint32_t>(action.kind) << (kNumberBits + kWriterBits)) |
         (action.writer << kNumberBits) | static_cast<std::uint32_t>(action.number);
}

Action LogExploreModel::ActionOf(std::uint32_t code) {
  return {static_cast<Kind>(code >> (kNumberBits + kWriterBits)),
          (code >> kNumberBits) & ((1U << kWriterBits) - 1),
          static_cast<std::int64_t>(code & ((1U << kNumberBits) - 1))};
}

std::uint8_t LogExploreModel::FairnessOf(std::uint32_t action) const {
  const Action of = ActionOf(action);
  const std::uint32_t first = first_condition_[IndexOf(of.kind)];
  if (first == kNoCondition) return kNoFairness;
  std::uint32_t condition = first;
  if (of.kind == Kind::ReadEntry) {
    condition += of.writer * static_cast<std::uint32_t>(config_.constants.max_offset) +
                 static_cast<std::uint32_t>(of.number) - 1;
  } else if (HasWriter(of.kind)) {
    condition += of.writer;
  }
  return static_cast<std::uint8_t>(condition);
}

std::size_t LogExploreModel::ActionKindOf(std::uint32_t action) const {
  return action >> (kNumberBits + kWriterBits);
}

std::string LogExploreModel::ActionToString(std::uint32_t action) const {
  return machine_.ToString(ActionOf(action));
}

sim::Value LogExploreModel::ActionParameters(std::uint32_t action) const {
  return machine_.Parameters(ActionOf(action));
}

sim::Value LogExploreModel::StateToValue(const PackedState& state) const {
  State unpacked;
  layout_.Unpack(state, unpacked);
  return machine_.ToValue(unpacked, config_.constants.max_offset);
}

}  // namespace lockstep::scenarios
