// Drives StoreModel and SimulatedStore side by side with NaiveStore through random steps (requests,
// passing time, expiry, outages) and compares everything after each: responses, records, sessions,
// the next expiry, and the records that the mutation lists add up to.
//
// One generator serves two drivers: RapidCheck, which shrinks what it finds, and a plain sweep over
// seeds, which goes much further in the same time and counts what it has met.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/random/rng.h"
#include "sim/store/naive_store.h"
#include "sim/store/simulated_store.h"
#include "sim/store/store_model.h"

namespace lockstep::sim {
namespace {

using namespace std::string_literals;

struct Step {
  enum class Kind : std::uint8_t { kCall, kPassTime, kExpireOne, kExpireNow, kOutage };
  Kind kind = Kind::kCall;
  StoreRequest request;
  Tick ticks = 0;
  SessionId session = 0;
};

std::string Quoted(const std::string& text) { return testing::PrintToString(text); }

std::string Show(const Condition& condition) {
  static constexpr std::array<const char*, 4> kNames = {"ValueIs", "VersionIs", "Absent", "Exists"};
  return std::string(kNames[static_cast<std::size_t>(condition.kind)]) + "(" +
         Quoted(condition.key) + ", " + Quoted(condition.value) + ", " +
         std::to_string(condition.version) + ")";
}

std::string Show(const Operation& operation) {
  std::string out = std::string(OperationName(operation.kind)) + "(" + Quoted(operation.key);
  if (!operation.end.empty()) out += ", end " + Quoted(operation.end);
  if (!operation.value.empty()) out += ", value " + Quoted(operation.value);
  if (operation.expected) out += ", expected " + Quoted(*operation.expected);
  if (operation.version != 0) out += ", version " + std::to_string(operation.version);
  if (operation.session != 0) out += ", session " + std::to_string(operation.session);
  if (operation.delta != 0) out += ", delta " + std::to_string(operation.delta);
  for (const std::int64_t delta : operation.deltas) out += ", " + std::to_string(delta);
  if (operation.limit != kCounterMax) out += ", limit " + std::to_string(operation.limit);
  return out + ")";
}

std::string Show(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kPassTime:
      return "PassTime(" + std::to_string(step.ticks) + ")";
    case Step::Kind::kExpireOne:
      return "ExpireOne()";
    case Step::Kind::kExpireNow:
      return "ExpireNow(" + std::to_string(step.session) + ")";
    case Step::Kind::kOutage:
      return "Outage(" + std::to_string(step.ticks) + ")";
    case Step::Kind::kCall:
      break;
  }
  std::string out = "Txn({";
  for (const Condition& condition : step.request.conditions) out += Show(condition) + " ";
  out += "}, {";
  for (const Operation& operation : step.request.operations) out += Show(operation) + " ";
  return out + "})";
}

std::string Show(const StoreResponse& response) {
  std::string out(StoreStatusName(response.status));
  for (const std::uint32_t index : response.failed_conditions) {
    out += ", condition " + std::to_string(index);
  }
  out += ", operation " + std::to_string(response.failed_operation);
  for (const OperationResult& result : response.results) {
    out += std::string(" [") + (result.found ? "found " : "") + Quoted(result.key) + " " +
           Quoted(result.value) + " @" + std::to_string(result.version) + " " +
           std::to_string(result.number) + "]";
  }
  return out;
}

// Generation. A Draw gives a number in [0, bound); low numbers are the simple cases, towards which
// RapidCheck shrinks.
using Draw = std::function<std::uint32_t(std::uint32_t bound)>;

template <typename T, std::size_t kSize>
const T& Pick(const Draw& draw, const std::array<T, kSize>& items) {
  return items[draw(kSize)];
}

std::string DrawKey(const Draw& draw) {
  static const std::array<std::string, 12> kKeys = {"a",
                                                    "b",
                                                    "a\0"s,
                                                    "\x80",
                                                    "s#0",
                                                    "s#1",
                                                    "",
                                                    "s",
                                                    "t",
                                                    SequencedKey("s", {1}),
                                                    SequencedKey("s", {2}),
                                                    SequencedKey("s", {3})};
  return Pick(draw, kKeys);
}

std::string DrawValue(const Draw& draw) {
  static const std::array<std::string, 8> kValues = {
      "0", "1", "", "v", "01", "9223372036854775806", "9223372036854775807", "9223372036854775808"};
  return Pick(draw, kValues);
}

SessionId DrawSession(const Draw& draw, const NaiveStore& state) {
  const auto& sessions = state.sessions();
  if (sessions.empty() || draw(4) == 0) return draw(5);
  return sessions[draw(static_cast<std::uint32_t>(sessions.size()))].id;
}

// The version of the record at the key, or often enough another one.
Version DrawVersion(const Draw& draw, const NaiveStore& state, const std::string& key) {
  const Record* record = state.Find(key);
  if (record == nullptr || draw(4) == 0) return draw(10);
  return record->version;
}

std::optional<std::string> DrawExpected(const Draw& draw, const NaiveStore& state,
                                        const std::string& key) {
  const Record* record = state.Find(key);
  if (draw(4) == 0) return DrawValue(draw);
  if (record == nullptr) return std::nullopt;
  return record->value;
}

std::int64_t DrawDelta(const Draw& draw) {
  static constexpr std::array<std::int64_t, 10> kDeltas = {
      1,
      2,
      1,
      0,
      -1,
      1,
      -5,
      kCounterMax,
      kCounterMax - 1,
      std::numeric_limits<std::int64_t>::min()};
  return Pick(draw, kDeltas);
}

std::int64_t DrawLimit(const Draw& draw) {
  static constexpr std::array<std::int64_t, 8> kLimits = {
      kCounterMax, kCounterMax, kCounterMax, kCounterMax, kCounterMax, 3, 0, -1};
  return Pick(draw, kLimits);
}

Operation DrawSequencedPut(const Draw& draw) {
  static constexpr std::array<std::int64_t, 6> kDeltas = {1, 1, 2, 1, 3, kCounterMax};
  std::vector<std::int64_t> deltas = {Pick(draw, kDeltas)};
  if (draw(3) == 2) deltas.push_back(Pick(draw, kDeltas) - 1);
  std::string value = DrawValue(draw);
  const std::int64_t limit = DrawLimit(draw);
  return SequencedPut("s", std::move(deltas), std::move(value), limit);
}

Tick DrawTimeout(const Draw& draw) {
  static constexpr std::array<Tick, 6> kTimeouts = {5, 1,  8,
                                                    8, 20, std::numeric_limits<Tick>::max()};
  return Pick(draw, kTimeouts);
}

// DETERMINISM: each draw is a statement of its own, because compilers evaluate arguments in
// different orders.
Operation DrawOperation(const Draw& draw, const NaiveStore& state) {
  using K = OperationKind;
  static constexpr std::array<K, 22> kKinds = {K::kGet,
                                               K::kPut,
                                               K::kDelete,
                                               K::kCompareAndSet,
                                               K::kAtomicIncrement,
                                               K::kConditionalCreate,
                                               K::kEphemeralRecord,
                                               K::kConditionalDelete,
                                               K::kRangeDelete,
                                               K::kCeilingGet,
                                               K::kHigherGet,
                                               K::kSequencedPut,
                                               K::kOpenSession,
                                               K::kKeepAlive,
                                               K::kCloseSession,
                                               K::kEphemeralRecord,
                                               K::kPut,
                                               K::kSequencedPut,
                                               K::kEphemeralRecord,
                                               K::kOpenSession,
                                               K::kPut,
                                               K::kCompareAndSet};
  Operation operation;
  operation.kind = Pick(draw, kKinds);
  switch (operation.kind) {
    case K::kSequencedPut:
      return DrawSequencedPut(draw);
    case K::kOpenSession:
      return OpenSession(DrawTimeout(draw));
    case K::kKeepAlive:
    case K::kCloseSession:
      operation.session = DrawSession(draw, state);
      return operation;
    default:
      break;
  }
  operation.key = DrawKey(draw);
  switch (operation.kind) {
    case K::kPut:
    case K::kConditionalCreate:
      operation.value = DrawValue(draw);
      return operation;
    case K::kCompareAndSet:
      operation.expected = DrawExpected(draw, state, operation.key);
      operation.value = DrawValue(draw);
      return operation;
    case K::kAtomicIncrement:
      operation.delta = DrawDelta(draw);
      operation.limit = DrawLimit(draw);
      return operation;
    case K::kEphemeralRecord:
      operation.value = DrawValue(draw);
      operation.session = DrawSession(draw, state);
      return operation;
    case K::kConditionalDelete:
      operation.version = DrawVersion(draw, state, operation.key);
      return operation;
    case K::kRangeDelete:
      operation.end = DrawKey(draw);
      return operation;
    default:
      return operation;
  }
}

Condition DrawCondition(const Draw& draw, const NaiveStore& state) {
  std::string key = DrawKey(draw);
  const bool exists = state.Find(key) != nullptr;
  switch (draw(4)) {
    case 0:
      return VersionIs(key, DrawVersion(draw, state, key));
    case 1:
      return ValueIs(key, DrawExpected(draw, state, key).value_or(""));
    default:
      return exists == (draw(4) > 0) ? Exists(key) : Absent(key);
  }
}

Step DrawStep(const Draw& draw, const NaiveStore& state) {
  Step step;
  switch (draw(24)) {
    case 20:
    case 21:
      step.kind = Step::Kind::kPassTime;
      step.ticks = 1 + draw(4);
      return step;
    case 22:
      step.kind = Step::Kind::kExpireOne;
      return step;
    case 23:
      step.kind = draw(3) == 0 ? Step::Kind::kOutage : Step::Kind::kExpireNow;
      step.ticks = draw(3);
      step.session = DrawSession(draw, state);
      return step;
    default:
      break;
  }
  const bool single = draw(2) == 0;
  const std::uint32_t conditions = single ? 0 : draw(4);
  const std::uint32_t operations = single ? 1 : draw(7);
  for (std::uint32_t i = 0; i < conditions; ++i) {
    step.request.conditions.push_back(DrawCondition(draw, state));
  }
  for (std::uint32_t i = 0; i < operations; ++i) {
    step.request.operations.push_back(DrawOperation(draw, state));
  }
  return step;
}

// What a step did, for those who compare and those who count.
struct Outcome {
  StoreResponse response;
  std::optional<SessionId> expired;
};

Outcome Take(const Step& step, NaiveStore& store) {
  Outcome outcome;
  switch (step.kind) {
    case Step::Kind::kCall:
      outcome.response = store.Call(step.request);
      break;
    case Step::Kind::kPassTime:
      store.PassTime(step.ticks);
      break;
    case Step::Kind::kExpireOne:
      outcome.expired = store.ExpireOne();
      break;
    case Step::Kind::kExpireNow:
      store.EndSession(step.session);
      break;
    case Step::Kind::kOutage:
      store.RefuseFor(step.ticks);
      break;
  }
  return outcome;
}

using Records = StoreModel::Records;

// The two stores under test, and the records that their mutation lists add up to.
class Systems {
 public:
  // Takes the step and returns the first difference from what is expected, or "".
  std::string TakeAndCompare(const Step& step, const NaiveStore& expected, const Outcome& outcome) {
    mutations_.clear();
    model_mutations_.clear();
    Outcome actual;
    switch (step.kind) {
      case Step::Kind::kCall:
        if (std::string difference = Call(step, outcome, actual); !difference.empty()) {
          return difference;
        }
        break;
      case Step::Kind::kPassTime:
        now_ += step.ticks;
        break;
      case Step::Kind::kExpireOne:
        actual.expired = store_.ExpireOne(now_, mutations_);
        if (actual.expired) model_.EndSession(*actual.expired, model_mutations_);
        break;
      case Step::Kind::kExpireNow:
        store_.ExpireNow(step.session, mutations_);
        model_.EndSession(step.session, model_mutations_);
        break;
      case Step::Kind::kOutage:
        store_.MakeUnavailable(now_ + step.ticks);
        break;
    }
    if (actual.expired != outcome.expired) return "another session has expired";
    return CompareState(expected);
  }

  [[nodiscard]] const std::vector<Mutation>& mutations() const { return mutations_; }

 private:
  std::string Call(const Step& step, const Outcome& outcome, Outcome& actual) {
    actual.response = store_.Handle(step.request, now_, mutations_);
    if (Show(actual.response) != Show(outcome.response)) {
      return "SimulatedStore answers " + Show(actual.response) + ", not " + Show(outcome.response);
    }
    if (store_.IsUnavailable(now_)) return "";
    const StoreResponse response = model_.Apply(step.request, model_mutations_);
    if (Show(response) == Show(outcome.response)) return "";
    return "StoreModel answers " + Show(response) + ", not " + Show(outcome.response);
  }

  std::string CompareState(const NaiveStore& expected) {
    Records records;
    for (const NaiveStore::Row& row : expected.rows()) records.emplace(row.key, row.record);
    std::map<SessionId, Tick> sessions;
    for (const NaiveStore::Session& session : expected.sessions()) {
      sessions.emplace(session.id, session.timeout);
    }
    if (store_.model().records() != records) return "SimulatedStore's records differ";
    if (model_.records() != records) return "StoreModel's records differ";
    if (store_.model().sessions() != sessions) return "SimulatedStore's sessions differ";
    if (model_.sessions() != sessions) return "StoreModel's sessions differ";
    if (store_.NextExpiry() != expected.NextExpiry()) return "the next expiry differs";
    if (std::string difference = Follow(mutations_, followed_); !difference.empty()) {
      return difference;
    }
    if (std::string difference = Follow(model_mutations_, model_followed_); !difference.empty()) {
      return difference;
    }
    if (followed_ != records) return "SimulatedStore's mutations do not add up to its records";
    if (model_followed_ != records) return "StoreModel's mutations do not add up to its records";
    return "";
  }

  static std::string Follow(const std::vector<Mutation>& mutations, Records& records) {
    for (const Mutation& mutation : mutations) {
      const auto at = records.find(mutation.key);
      const std::optional<Record> before =
          at == records.end() ? std::nullopt : std::optional(at->second);
      if (mutation.before != before) return "a mutation of " + Quoted(mutation.key) + " lies";
      if (!mutation.before && !mutation.after) return "a mutation changes nothing";
      if (mutation.after) {
        records.insert_or_assign(mutation.key, *mutation.after);
      } else {
        records.erase(mutation.key);
      }
    }
    return "";
  }

  SimulatedStore store_;
  StoreModel model_;
  Tick now_ = 0;
  std::vector<Mutation> mutations_;
  std::vector<Mutation> model_mutations_;
  Records followed_;
  Records model_followed_;
};

class TakeStep : public rc::state::Command<NaiveStore, Systems> {
 public:
  explicit TakeStep(const NaiveStore& state)
      : step_(
            DrawStep([](std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); },
                     state)) {}

  void apply(NaiveStore& state) const override { Take(step_, state); }
  void run(const NaiveStore& state, Systems& systems) const override {
    NaiveStore expected = state;
    const Outcome outcome = Take(step_, expected);
    const std::string difference = systems.TakeAndCompare(step_, expected, outcome);
    if (!difference.empty()) RC_FAIL(difference);
  }
  void show(std::ostream& os) const override { os << Show(step_); }

 private:
  Step step_;
};

void CheckAgainst(NaiveDefect defect) {
  Systems systems;
  rc::state::check(NaiveStore(defect), systems, rc::state::gen::execOneOfWithArgs<TakeStep>());
}

RC_GTEST_PROP(StoreStateMachine, AgreesWithTheNaiveStore, ()) { CheckAgainst(NaiveDefect::kNone); }

// Keeps failures that are meant to happen off the screen.
class Silent : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

TEST(StoreStateMachine, RapidCheckFindsADefectAndShrinksItToFewSteps) {
  Silent silent;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  const auto result =
      rc::detail::checkTestable([] { CheckAgainst(NaiveDefect::kRejectionKeepsEarlierOperations); },
                                rc::detail::TestMetadata{}, params, silent);
  ASSERT_TRUE(result.is<rc::detail::FailureResult>());
  const auto& failure = result.get<rc::detail::FailureResult>();
  EXPECT_NE(failure.description.find("records differ"), std::string::npos) << failure.description;
  // One transaction is enough; Show prints one line a step.
  ASSERT_EQ(failure.counterExample.size(), 1U);
  std::size_t transactions = 0;
  const std::string& example = failure.counterExample[0].second;
  for (std::size_t at = example.find("Txn("); at != std::string::npos;
       at = example.find("Txn(", at + 1)) {
    ++transactions;
  }
  EXPECT_LE(transactions, 2U) << example;
}

// What a sweep has met.
struct Met {
  std::set<StoreStatus> statuses;
  std::set<OperationKind> applied;
  std::set<std::pair<OperationKind, StoreStatus>> rejected;
  std::uint64_t undone = 0;   // rejected at an operation after the second
  std::uint64_t expired = 0;  // ends of sessions that took records with them
};

void Count(const Step& step, const Outcome& outcome, const Systems& systems, Met& met) {
  if (outcome.expired && !systems.mutations().empty()) ++met.expired;
  if (step.kind != Step::Kind::kCall) return;
  const StoreResponse& response = outcome.response;
  met.statuses.insert(response.status);
  for (std::size_t i = 0; i < response.results.size(); ++i) {
    met.applied.insert(step.request.operations[i].kind);
  }
  if (response.ok() || response.status == StoreStatus::kUnavailable ||
      response.status == StoreStatus::kConditionFailed) {
    return;
  }
  const Operation& operation = step.request.operations[response.failed_operation];
  met.rejected.insert({operation.kind, response.status});
  if (response.failed_operation > 2) ++met.undone;
}

// Runs of 100 steps; returns the first difference with the way to it, or "".
std::string Sweep(NaiveDefect defect, std::uint64_t runs, Met& met) {
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    Rng rng(seed);
    const Draw draw = [&rng](std::uint32_t bound) { return rng.Below(bound); };
    NaiveStore naive(defect);
    Systems systems;
    for (int i = 0; i < 100; ++i) {
      const Step step = DrawStep(draw, naive);
      const Outcome outcome = Take(step, naive);
      const std::string difference = systems.TakeAndCompare(step, naive, outcome);
      if (!difference.empty()) {
        return "seed " + std::to_string(seed) + ", step " + std::to_string(i) + ": " + Show(step) +
               ": " + difference;
      }
      Count(step, outcome, systems, met);
    }
  }
  return "";
}

TEST(StoreStateMachine, SweepNoticesEveryDefectOfTheReference) {
  for (int i = 1; i < kNaiveDefects; ++i) {
    Met met;
    EXPECT_NE(Sweep(static_cast<NaiveDefect>(i), 300, met), "") << "defect " << i;
  }
}

TEST(StoreStateMachine, SweepAgreesWithTheNaiveStore) {
  Met met;
  EXPECT_EQ(Sweep(NaiveDefect::kNone, 2000, met), "");
  EXPECT_EQ(met.statuses.size(), 10U);  // all but kUnknown, which no store answers
  EXPECT_EQ(met.applied.size(), 15U);
  EXPECT_EQ(met.rejected.size(), 13U);  // every pair of operation and status that there is
  EXPECT_GT(met.undone, 1000U);
  EXPECT_GT(met.expired, 100U);
}

}  // namespace
}  // namespace lockstep::sim
