#include "scenarios/exhaust/explorer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

using invariants::Verdict;

/// States taken by a worker at a time.
constexpr std::uint64_t kChunk = 256;
/// Successors that are looked up together.
constexpr std::size_t kBatch = 512;
/// States expanded between two calls of `progress`.
constexpr std::uint64_t kSlice = std::uint64_t{1} << 18U;
/// Fewer are expanded on the calling thread.
constexpr std::uint64_t kWorthSharing = 1024;

/// A step in which a "sometimes" property holds.
struct Witness {
  PackedState before{};
  std::uint32_t action = kNoAction;
  PackedState after{};
  friend bool operator<(const Witness& a, const Witness& b) {
    return std::tie(a.before, a.action) < std::tie(b.before, b.action);
  }
};

template <typename T>
void TakeSmaller(std::optional<T>& best, const T& candidate) {
  if (!best || candidate < *best) best = candidate;
}
template <typename T>
void TakeSmaller(std::optional<T>& best, const std::optional<T>& candidate) {
  if (candidate) TakeSmaller(best, *candidate);
}

/// What the expansion of one level shows, each the smallest of its kind.
struct Findings {
  std::vector<std::optional<PackedState>> broken;  ///< by invariant: a state of the next level
  std::vector<std::optional<Witness>> sometimes;   ///< by property
  std::optional<PackedState> deadlock;             ///< a state of this level

  void Merge(const Findings& other) {
    for (std::size_t i = 0; i < broken.size(); ++i) TakeSmaller(broken[i], other.broken[i]);
    for (std::size_t i = 0; i < sometimes.size(); ++i) {
      TakeSmaller(sometimes[i], other.sometimes[i]);
    }
    TakeSmaller(deadlock, other.deadlock);
  }
};

/// What the workers of a level share.
struct Level {
  StateIndex last = 0;                 ///< the states before it were known when the level began
  std::atomic<std::uint64_t> next{0};  ///< the first state nobody has taken yet
  std::uint64_t slice_end = 0;
  std::uint64_t sometimes = 0;  ///< the properties that are still looked for
};

class Worker {
 public:
  Worker(const ExploreModel& model, StateTable& states, Level& level)
      : model_(model), states_(states), level_(level), expander_(model.NewExpander()) {
    actions_.resize(model.action_names().size());
    ForgetFindings();
  }

  /// Expands states of the slice until there are no more, or until there is no room.
  void Work() {
    while (true) {
      if (!batch_.empty() && !InsertBatch()) return;
      if (next_ == end_ && !TakeChunk()) return;
      while (next_ != end_ && batch_.size() < kBatch) {
        ExpandState(states_.At(static_cast<StateIndex>(next_)));
        ++next_;
      }
    }
  }
  /// The room that it waits for; 0 when it has done its part.
  [[nodiscard]] std::uint32_t waiting() const { return static_cast<std::uint32_t>(batch_.size()); }

  void CheckInitial(const PackedState& state) {
    Check(state);
    Witnesses(state, kNoAction, state);
  }
  [[nodiscard]] const Findings& findings() const { return findings_; }
  void ForgetFindings() {
    findings_.broken.assign(model_.invariants().size(), std::nullopt);
    findings_.sometimes.assign(model_.sometimes().size(), std::nullopt);
    findings_.deadlock.reset();
  }
  [[nodiscard]] std::uint64_t generated() const { return generated_; }
  [[nodiscard]] const std::vector<ActionCount>& actions() const { return actions_; }

 private:
  /// Of a state in the batch: which action led to it, and how often in a row.
  struct Origin {
    std::size_t kind = 0;
    std::uint64_t count = 1;
  };

  bool TakeChunk() {
    next_ = level_.next.fetch_add(kChunk, std::memory_order_relaxed);
    end_ = std::min(next_ + kChunk, level_.slice_end);
    if (next_ < end_) return true;
    next_ = end_;
    return false;
  }

  void ExpandState(const PackedState& state) {
    expander_->Expand(state, successors_);
    generated_ += successors_.size();
    if (successors_.empty()) TakeSmaller(findings_.deadlock, state);
    for (const Successor& successor : successors_) {
      const std::size_t kind = model_.ActionKindOf(successor.action);
      ++actions_[kind].generated;
      if (level_.sometimes != 0) Witnesses(state, successor.action, successor.state);
      if (!successor.in_constraint) {
        Check(successor.state);
      } else if (!Same(successor.state, state)) {  // A step that changes nothing leads nowhere new.
        AddToBatch(successor.state, kind);
      }
    }
  }

  void AddToBatch(const PackedState& state, std::size_t kind) {
    if (!batch_.empty() && Same(batch_.back(), state) && origins_.back().kind == kind) {
      ++origins_.back().count;
      return;
    }
    batch_.push_back(state);
    origins_.push_back({kind, 1});
  }

  bool InsertBatch() {
    const auto count = static_cast<std::uint32_t>(batch_.size());
    if (!states_.Claim(count)) return false;
    inserted_.resize(count);
    states_.Insert(batch_, inserted_);
    std::uint32_t fresh = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (inserted_[i].index >= level_.last) actions_[origins_[i].kind].to_new += origins_[i].count;
      if (!inserted_[i].is_new) continue;
      ++fresh;
      Check(batch_[i]);
    }
    states_.GiveBack(count - fresh);
    batch_.clear();
    origins_.clear();
    return true;
  }

  void Check(const PackedState& state) {
    std::uint64_t broken = expander_->BrokenInvariants(state);
    for (; broken != 0; broken &= broken - 1) {
      TakeSmaller(findings_.broken[static_cast<std::size_t>(std::countr_zero(broken))], state);
    }
  }

  void Witnesses(const PackedState& before, std::uint32_t action, const PackedState& after) {
    std::uint64_t holds = expander_->Sometimes(before, action, after) & level_.sometimes;
    for (; holds != 0; holds &= holds - 1) {
      TakeSmaller(findings_.sometimes[static_cast<std::size_t>(std::countr_zero(holds))],
                  Witness{before, action, after});
    }
  }

  const ExploreModel& model_;
  StateTable& states_;
  Level& level_;
  std::unique_ptr<Expander> expander_;
  std::uint64_t next_ = 0;  // of the chunk
  std::uint64_t end_ = 0;
  std::vector<Successor> successors_;
  std::vector<PackedState> batch_;
  std::vector<Origin> origins_;  // parallel to batch_
  std::vector<StateTable::Inserted> inserted_;
  std::vector<ActionCount> actions_;
  std::uint64_t generated_ = 0;
  Findings findings_;
};

class Search {
 public:
  Search(const ExploreModel& model, const ExploreOptions& options, Executor& executor)
      : model_(model),
        options_(options),
        executor_(executor),
        states_(std::make_unique<StateTable>(options.memory_max)) {
    LOCKSTEP_CHECK_MSG(model.sometimes().size() <= 64, "more than 64 sometimes properties");
    for (std::uint32_t i = 0; i < executor.workers(); ++i) {
      workers_.push_back(std::make_unique<Worker>(model, *states_, level_));
    }
    result_.invariants.resize(model.invariants().size());
    result_.sometimes.resize(model.sometimes().size());
    violations_.resize(model.invariants().size());
    witnesses_.resize(model.sometimes().size());
  }

  ExploreResult Run() {
    result_.level_begin.push_back(0);
    if (!states_->Claim(1)) {
      result_.end = ExploreEnd::kMemory;
    } else {
      Levels();
    }
    result_.distinct = states_->size();
    result_.depth = result_.level_begin.size() - 1;
    result_.generated = Generated();
    result_.memory_bytes = states_->memory_bytes();
    CountActions();
    Conclude();
    result_.states = std::move(states_);
    return std::move(result_);
  }

 private:
  /// Something found on the way, with the step to it from a state of that level, if any.
  struct Finding {
    TraceTarget target;
    std::optional<TraceStep> last;
  };

  void Levels() {
    const PackedState initial = model_.Initial();
    states_->Insert(initial);
    result_.level_begin.push_back(1);
    level_.sometimes = PropertiesLeft();
    workers_.front()->CheckInitial(initial);
    NoteFindings(0, 0);
    StateIndex first = 0;
    while (first != states_->size()) {
      if (options_.stop_at_first_violation && violated_) {
        result_.end = ExploreEnd::kViolation;
        return;
      }
      const std::size_t level = result_.level_begin.size() - 2;  // from 0
      const bool finished = ExpandLevel(first, states_->size());
      NoteFindings(level, level + 1);
      first = result_.level_begin.back();
      if (states_->size() != first) result_.level_begin.push_back(states_->size());
      if (!finished) return;
    }
    if (options_.stop_at_first_violation && violated_) result_.end = ExploreEnd::kViolation;
  }

  /// False if it had to stop before the end; result_.end then says why.
  bool ExpandLevel(StateIndex first, StateIndex last) {
    level_.last = last;
    level_.sometimes = PropertiesLeft();
    std::uint64_t begin = first;
    while (begin != last) {
      if (options_.progress && !options_.progress(Progress(begin))) {
        result_.end = ExploreEnd::kStopped;
        return false;
      }
      const std::uint64_t end = std::min<std::uint64_t>(begin + kSlice, last);
      level_.next.store(begin, std::memory_order_relaxed);
      level_.slice_end = end;
      if (!RunSlice(end - begin < kWorthSharing)) {
        result_.end = ExploreEnd::kMemory;
        return false;
      }
      begin = end;
    }
    return true;
  }

  bool RunSlice(bool alone) {
    if (alone) workers_.front()->Work();
    while (true) {
      std::uint64_t waiting = 0;
      for (const auto& worker : workers_) waiting += worker->waiting();
      const bool untouched = !alone && level_.next.load() < level_.slice_end;
      if (waiting == 0 && !untouched) return true;
      if (waiting != 0 && !states_->Grow(static_cast<std::uint32_t>(waiting), executor_)) {
        return false;
      }
      if (alone) {
        workers_.front()->Work();
      } else {
        executor_.RunOnAll([this](std::uint32_t worker) { workers_[worker]->Work(); });
      }
    }
  }

  /// Of what was looked for, the first finding; violations are of one level, deadlocks of another.
  void NoteFindings(std::size_t level, std::size_t next_level) {
    Findings all = workers_.front()->findings();
    for (const auto& worker : workers_) {
      all.Merge(worker->findings());
      worker->ForgetFindings();
    }
    for (std::size_t i = 0; i < all.broken.size(); ++i) {
      if (!all.broken[i] || violations_[i]) continue;
      violations_[i] = Finding{{*all.broken[i], next_level}, std::nullopt};
      violated_ = true;
    }
    if (all.deadlock && !deadlock_) {
      deadlock_ = Finding{{*all.deadlock, level}, std::nullopt};
      violated_ = true;
    }
    for (std::size_t i = 0; i < all.sometimes.size(); ++i) {
      const std::optional<Witness>& witness = all.sometimes[i];
      if (!witness || witnesses_[i]) continue;
      witnesses_[i] = Finding{{witness->before, level}, std::nullopt};
      if (witness->action != kNoAction) {
        witnesses_[i]->last = TraceStep{witness->action, witness->after};
      }
    }
  }

  [[nodiscard]] std::uint64_t PropertiesLeft() const {
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < witnesses_.size(); ++i) {
      if (!witnesses_[i]) left |= std::uint64_t{1} << i;
    }
    return left;
  }

  [[nodiscard]] std::uint64_t Generated() const {
    std::uint64_t generated = states_->size() == 0 ? 0 : 1;
    for (const auto& worker : workers_) generated += worker->generated();
    return generated;
  }

  [[nodiscard]] ExploreProgress Progress(std::uint64_t begin) const {
    return {states_->size(), Generated(), result_.level_begin.size() - 1, states_->size() - begin,
            states_->memory_bytes()};
  }

  void CountActions() {
    result_.actions.resize(model_.action_names().size());
    for (const auto& worker : workers_) {
      for (std::size_t i = 0; i < result_.actions.size(); ++i) {
        result_.actions[i].generated += worker->actions()[i].generated;
        result_.actions[i].to_new += worker->actions()[i].to_new;
      }
    }
  }

  /// Verdicts, and the traces of everything that was found, all in one walk back.
  void Conclude() {
    std::vector<TraceTarget> targets;
    const auto add = [&targets](const std::optional<Finding>& finding) {
      if (finding) targets.push_back(finding->target);
    };
    for (const auto& finding : violations_) add(finding);
    add(deadlock_);
    for (const auto& finding : witnesses_) add(finding);
    std::vector<StateTrace> traces =
        ShortestTraces(model_, *states_, result_.level_begin, targets, executor_);
    auto trace = traces.begin();
    const auto take = [&trace](const Finding& finding) {
      StateTrace taken = std::move(*trace++);
      if (finding.last) taken.push_back(*finding.last);
      return taken;
    };
    const auto conclude = [&](const std::optional<Finding>& finding, InvariantResult& result) {
      if (finding) result = {Verdict::kViolated, take(*finding)};
      if (!finding && result_.complete()) result.verdict = Verdict::kHolds;
    };
    for (std::size_t i = 0; i < violations_.size(); ++i) {
      conclude(violations_[i], result_.invariants[i]);
    }
    conclude(deadlock_, result_.deadlock);
    for (std::size_t i = 0; i < witnesses_.size(); ++i) {
      if (witnesses_[i]) result_.sometimes[i] = {true, take(*witnesses_[i])};
    }
  }

  const ExploreModel& model_;
  const ExploreOptions& options_;
  Executor& executor_;
  std::unique_ptr<StateTable> states_;
  Level level_;
  std::vector<std::unique_ptr<Worker>> workers_;
  ExploreResult result_;
  std::vector<std::optional<Finding>> violations_;  // by invariant
  std::optional<Finding> deadlock_;
  std::vector<std::optional<Finding>> witnesses_;  // by "sometimes" property
  bool violated_ = false;
};

}  // namespace

std::string_view ExploreEndName(ExploreEnd end) {
  static constexpr std::array<std::string_view, 4> kNames = {"complete", "violation", "memory",
                                                             "stopped"};
  return kNames.at(static_cast<std::size_t>(end));
}

ExploreResult Explore(const ExploreModel& model, const ExploreOptions& options,
                      Executor& executor) {
  return Search(model, options, executor).Run();
}

StateTrace ShortestTrace(const ExploreModel& model, const ExploreResult& result,
                         const PackedState& target, Executor& executor) {
  const StateIndex index = result.states->Find(target);
  if (index == kNoState) return {};
  const auto above = std::upper_bound(result.level_begin.begin(), result.level_begin.end(), index);
  const auto level = static_cast<std::size_t>(above - result.level_begin.begin() - 1);
  const TraceTarget one{target, level};
  return std::move(
      ShortestTraces(model, *result.states, result.level_begin, std::span(&one, 1), executor)
          .front());
}

}  // namespace lockstep::scenarios
