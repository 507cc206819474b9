// The log's model against TLC's figures, and against what is known of the upstream specification:
// each fact with its shortest witness.
#include "scenarios/exhaust/log_explore_model.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "protocol/leaderless_log/enumeration_for_tests.h"
#include "scenarios/exhaust/explorer.h"
#include "scenarios/exhaust/toy_model_for_tests.h"

namespace lockstep::scenarios {
namespace {

using invariants::Verdict;
using protocol::leaderless_log::Action;
using protocol::leaderless_log::ActionKind;
using protocol::leaderless_log::ActionsOfNext;
using protocol::leaderless_log::Constants;
using protocol::leaderless_log::Dialect;
using protocol::leaderless_log::Range;
using protocol::leaderless_log::SmallConstants;
using protocol::leaderless_log::TinyConstants;
using Kind = ActionKind;

constexpr Dialect With(bool end_boundary_guard, bool compaction_resume, bool rounds) {
  return {end_boundary_guard, compaction_resume, rounds};
}

std::unique_ptr<LogExploreModel> ModelOf(Constants constants, bool overlap_markdown = false) {
  auto model = LogExploreModel::For({std::move(constants), overlap_markdown});
  EXPECT_TRUE(std::holds_alternative<std::unique_ptr<LogExploreModel>>(model));
  return std::get<std::unique_ptr<LogExploreModel>>(std::move(model));
}

std::vector<std::string> Actions(const LogExploreModel& model, const StateTrace& trace) {
  std::vector<std::string> actions;
  for (const TraceStep& step : trace) {
    if (step.action != kNoAction) actions.push_back(model.ActionToString(step.action));
  }
  return actions;
}

/// True when the machine takes every step of it, from Init.
bool Replays(const LogExploreModel& model, const StateTrace& trace) {
  const auto& machine = model.machine();
  auto state = machine.Init();
  protocol::leaderless_log::Changes changes;
  for (const TraceStep& step : trace) {
    if (step.action != kNoAction) {
      const Action action = LogExploreModel::ActionOf(step.action);
      if (!machine.Enabled(state, action)) return false;
      machine.Apply(state, action, changes);
    }
    if (model.layout().Pack(state) != step.state) return false;
  }
  return !trace.empty();
}

TEST(LogExploreModel, RejectsTheMarkdownFormOfNoOverlappingRanges) {
  const auto model = ModelOf(SmallConstants(), true);
  StateTrace first;
  for (const std::uint32_t workers : {1U, 2U, 3U}) {
    BackwardExecutor executor(workers);
    const ExploreResult result = Explore(*model, {}, executor);
    EXPECT_EQ(result.end, ExploreEnd::kViolation);
    ASSERT_EQ(result.invariants.size(), 11U);
    const InvariantResult& broken = result.invariants.back();
    EXPECT_EQ(broken.verdict, Verdict::kViolated);
    EXPECT_EQ(broken.trace.size(), 9U) << "after 8 steps";
    EXPECT_TRUE(Replays(*model, broken.trace));
    EXPECT_EQ(Actions(*model, broken.trace).back(), "CompactWriteCompactedIndex");
    if (workers == 1) first = broken.trace;
    EXPECT_EQ(broken.trace, first);
  }
}

TEST(LogExploreModel, RejectsWhatCannotBeSearched) {
  const auto refusal = [](Constants constants) {
    auto model = LogExploreModel::For({std::move(constants), false});
    return std::holds_alternative<std::string>(model) ? std::get<std::string>(model) : "none";
  };
  Constants constants = SmallConstants();
  constants.max_offset = 4;
  EXPECT_EQ(refusal(constants), "CompactRange2End <= MaxOffset");
  constants.max_offset = 200;
  EXPECT_NE(refusal(constants).find("128 bits"), std::string::npos);
}

struct Pinned {
  const char* what;
  Dialect dialect;
  std::vector<Range> ranges;
  std::uint64_t distinct;
  std::uint64_t generated;
  std::uint64_t depth;
};

TEST(LogExploreModel, HasTheStatesThatTlcCounts) {
  const std::vector<Range> two = {{1, 3}, {4, 5}};
  const std::vector<Range> three = {{1, 1}, {2, 3}, {4, 5}};
  const std::vector<Pinned> table = {
      {"upstream", {}, two, 84498, 462247, 33},
      {"end boundary", With(true, false, false), two, 66770, 357207, 33},
      {"resume", With(false, true, false), two, 90506, 519351, 33},
      {"both", With(true, true, false), two, 71130, 399447, 33},
      {"rounds", With(false, false, true), two, 84498, 462247, 33},
      {"three rounds", With(false, false, true), three, 149330, 834199, 38},
      {"three rounds, both", With(true, true, true), three, 107010, 602703, 38},
      {"one round, resume", With(false, true, true), {{2, 4}}, 49978, 277679, 31},
      {"no round", With(false, false, true), {}, 13210, 56935, 28},
  };
  SerialExecutor serial;
  for (const Pinned& pinned : table) {
    Constants constants = SmallConstants();
    constants.dialect = pinned.dialect;
    constants.ranges = pinned.ranges;
    const auto model = ModelOf(constants);
    const ExploreResult result = Explore(*model, {}, serial);
    EXPECT_EQ(result.distinct, pinned.distinct) << pinned.what;
    EXPECT_EQ(result.generated, pinned.generated) << pinned.what;
    EXPECT_EQ(result.depth, pinned.depth) << pinned.what;
    ASSERT_EQ(result.invariants.size(), 10U);
    for (std::size_t i = 0; i < result.invariants.size(); ++i) {
      EXPECT_EQ(result.invariants[i].verdict, Verdict::kHolds) << model->invariants()[i].name;
    }
    EXPECT_EQ(result.deadlock.verdict, Verdict::kHolds);
  }
}

TEST(LogExploreModel, ShipsSmall) {
  const auto config = FindLogExploreConfig("small");
  ASSERT_TRUE(config.has_value());
  const auto model = ModelOf(config->constants);
  SerialExecutor serial;
  const ExploreResult result = Explore(*model, {}, serial);
  EXPECT_EQ(result.distinct, 84498U);
  EXPECT_LE(result.memory_bytes, std::uint64_t{4} << 20U);
}

TEST(LogExploreModel, ExpandsInNextsOrder) {
  const auto model = ModelOf(SmallConstants());
  const auto expander = model->NewExpander();
  std::vector<Successor> successors;
  PackedState state = model->Initial();
  for (int step = 0; step < 200; ++step) {
    expander->Expand(state, successors);
    ASSERT_FALSE(successors.empty());
    for (std::size_t i = 1; i < successors.size(); ++i) {
      ASSERT_LT(successors[i - 1].action, successors[i].action);
    }
    state = successors[static_cast<std::size_t>(step * 7) % successors.size()].state;
  }
}

TEST(LogExploreModel, CodesAndNamesActions) {
  const auto model = ModelOf(SmallConstants());
  for (const Action& action : ActionsOfNext(SmallConstants())) {
    const std::uint32_t code = LogExploreModel::CodeOf(action);
    EXPECT_EQ(LogExploreModel::ActionOf(code), action);
    if (action.kind == Kind::CompactResume) continue;
    EXPECT_EQ(model->action_names().at(model->ActionKindOf(code)), Name(action.kind));
  }
  const std::uint32_t append = LogExploreModel::CodeOf({Kind::StartAppend, 1, 2});
  EXPECT_EQ(model->ActionToString(append), "StartAppend(w2) count=2");
  EXPECT_EQ(model->ActionParameters(append).ToJson(), R"({"w":"w2","count":2})");
  EXPECT_EQ(model->StateToValue(model->Initial()).Find("sequenceCounter")->AsInt(), 1);
}

TEST(LogExploreModel, HasTheModulesFairness) {
  Constants constants = SmallConstants();
  constants.dialect.compaction_resume = true;
  const auto model = ModelOf(constants);
  EXPECT_EQ(model->fairness().size(), 2U * 6 + 2 * 5 + 6);
  std::vector<std::uint32_t> met(model->fairness().size());
  for (const Action& action : ActionsOfNext(constants)) {
    const std::uint32_t code = LogExploreModel::CodeOf(action);
    const std::uint8_t condition = model->FairnessOf(code);
    const bool unfair = action.kind == Kind::WALWriteFail || action.kind == Kind::CompactorCrash ||
                        action.kind == Kind::FenceLog || action.kind == Kind::UnfenceLog;
    EXPECT_EQ(condition == kNoFairness, unfair) << Name(action.kind);
    if (condition == kNoFairness) continue;
    const FairnessCondition& fair = model->fairness().at(condition);
    ++met[condition];
    EXPECT_EQ(fair.action, Name(action.kind));
    // A condition is named as its action; the count of StartAppend is chosen inside.
    const std::string name = model->ActionToString(code);
    EXPECT_EQ(fair.name, name.substr(0, name.find(" count="))) << name;
    const bool strong = name.starts_with("AssignOffset");
    EXPECT_EQ(fair.kind, strong ? FairnessKind::kStrong : FairnessKind::kWeak) << name;
  }
  for (const std::uint32_t times : met) EXPECT_GE(times, 1U);
}

TEST(LogExploreModel, EvaluatesLeadsToSides) {
  const auto model = ModelOf(SmallConstants());
  ASSERT_EQ(model->leads_to().size(), 5U);
  EXPECT_EQ(model->leads_to()[1].name, "AppendProgress(w2)");
  EXPECT_EQ(model->leads_to()[2].name, "CompactionCompletes");
  EXPECT_EQ(model->leads_to()[4].name, "ReaderEventuallySucceeds(w2)");
  const auto expander = model->NewExpander();
  auto state = model->machine().Init();
  const auto sides = [&] {
    const PackedState packed = model->layout().Pack(state);
    return std::pair(expander->LeadsToLeft(packed), expander->LeadsToRight(packed));
  };
  EXPECT_EQ(sides(), std::pair(0b00000UL, 0b00100UL)) << "an idle compactor is on the right";
  state.writers[0].state = protocol::leaderless_log::WriterState::WRITING_WAL;
  state.writers[1].reader_result = protocol::leaderless_log::ReaderResult::ERROR;
  state.compactor_state = protocol::leaderless_log::CompactorState::WRITING_COMPACTED_INDEX;
  EXPECT_EQ(sides(), std::pair(0b10101UL, 0b00000UL));
  state.writers[0].state = protocol::leaderless_log::WriterState::FAILED;
  state.writers[1].state = protocol::leaderless_log::WriterState::DONE;
  state.writers[0].reader_result = protocol::leaderless_log::ReaderResult::OK;
  state.compactor_state = protocol::leaderless_log::CompactorState::DONE;
  EXPECT_EQ(sides(), std::pair(0b10000UL, 0b01111UL));
}

TEST(LogExploreModel, ChecksInvariantsInTheRegistrysOrder) {
  const auto model = ModelOf(TinyConstants(), true);
  std::vector<std::string_view> names;
  for (const InvariantInfo& invariant : model->invariants()) names.push_back(invariant.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{
                       "TypeOK", "NoOffsetDuplicates", "MonotonicOffsets", "FencedRejectsAppends",
                       "CompactionPreservesData", "NoPhantomEntries", "CursorConsistency",
                       "NoOverlappingRanges", "NoReaderError", "SequentialCompactionSafety",
                       "NoOverlappingRangesMarkdown"}));
  const auto expander = model->NewExpander();
  auto state = model->machine().Init();
  state.writers[0].reader_result = protocol::leaderless_log::ReaderResult::ERROR;
  EXPECT_EQ(expander->BrokenInvariants(model->layout().Pack(state)), std::uint64_t{1} << 8U);
  EXPECT_EQ(expander->BrokenInvariants(model->Initial()), 0U);
}

}  // namespace
}  // namespace lockstep::scenarios
