// Runs the conformance suite on the store model and on the simulated store, and holds the suite
// itself to completeness: it must use every primitive and meet every status.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/store/simulated_store.h"
#include "sim/store/store_conformance_suite.h"
#include "sim/store/store_model.h"

namespace lockstep::sim {
namespace {

class ModelBackend : public StoreBackend {
 public:
  StoreResponse Call(const StoreRequest& request) override {
    return model_.Apply(request, mutations_);
  }
  [[nodiscard]] bool CanEndSessions() const override { return true; }
  void EndSession(SessionId session) override { model_.EndSession(session, mutations_); }

 private:
  StoreModel model_;
  std::vector<Mutation> mutations_;
};

class SimulatedBackend : public StoreBackend {
 public:
  StoreResponse Call(const StoreRequest& request) override {
    return store_.Handle(request, now_, mutations_);
  }
  [[nodiscard]] bool HasClock() const override { return true; }
  void AdvanceTo(Tick now) override {
    now_ = std::max(now_, now);
    while (store_.ExpireOne(now_, mutations_)) {
    }
  }
  [[nodiscard]] bool CanEndSessions() const override { return true; }
  void EndSession(SessionId session) override { store_.ExpireNow(session, mutations_); }
  [[nodiscard]] bool CanRefuse() const override { return true; }
  void RefuseUntil(Tick until) override { store_.MakeUnavailable(until); }

 private:
  SimulatedStore store_;
  std::vector<Mutation> mutations_;
  Tick now_ = 0;
};

INSTANTIATE_TEST_SUITE_P(StoreModel, StoreConformance, testing::ValuesIn(ConformanceParams([] {
                           return std::make_unique<ModelBackend>();
                         })),
                         ConformanceName);

INSTANTIATE_TEST_SUITE_P(SimulatedStore, StoreConformance, testing::ValuesIn(ConformanceParams([] {
                           return std::make_unique<SimulatedBackend>();
                         })),
                         ConformanceName);

struct Coverage {
  std::set<OperationKind> applied;
  std::set<std::pair<OperationKind, StoreStatus>> rejected;
  std::set<std::pair<Condition::Kind, bool>> conditions;  // held, failed
  std::set<StoreStatus> statuses;
};

class RecordingBackend : public SimulatedBackend {
 public:
  explicit RecordingBackend(Coverage& coverage) : coverage_(coverage) {}

  StoreResponse Call(const StoreRequest& request) override {
    StoreResponse response = SimulatedBackend::Call(request);
    coverage_.statuses.insert(response.status);
    if (response.status == StoreStatus::kUnavailable) return response;
    const std::vector<std::uint32_t>& failed = response.failed_conditions;
    for (std::uint32_t i = 0; i < request.conditions.size(); ++i) {
      const bool held = std::find(failed.begin(), failed.end(), i) == failed.end();
      coverage_.conditions.insert({request.conditions[i].kind, held});
    }
    if (response.ok()) {
      for (const Operation& operation : request.operations) {
        coverage_.applied.insert(operation.kind);
      }
    } else if (failed.empty()) {
      const Operation& operation = request.operations[response.failed_operation];
      coverage_.rejected.insert({operation.kind, response.status});
    }
    return response;
  }

 private:
  Coverage& coverage_;
};

TEST(StoreConformanceSuite, MeetsEveryPrimitiveConditionAndStatus) {
  Coverage coverage;
  for (const ConformanceCase& test : ConformanceCases()) {
    RecordingBackend backend(coverage);
    test.body(backend);
  }
  EXPECT_EQ(coverage.applied.size(), 15U);
  EXPECT_EQ(coverage.conditions.size(), 8U);
  // All but kUnknown, which is what a client makes of silence: no store answers it.
  EXPECT_EQ(coverage.statuses.size(), 10U);
  EXPECT_EQ(coverage.statuses.count(StoreStatus::kUnknown), 0U);
  using K = OperationKind;
  using S = StoreStatus;
  const std::set<std::pair<K, S>> rejections = {
      {K::kCompareAndSet, S::kConflict},        {K::kAtomicIncrement, S::kOverflow},
      {K::kAtomicIncrement, S::kNotACounter},   {K::kConditionalCreate, S::kAlreadyExists},
      {K::kEphemeralRecord, S::kAlreadyExists}, {K::kEphemeralRecord, S::kNoSuchSession},
      {K::kConditionalDelete, S::kNotFound},    {K::kConditionalDelete, S::kVersionMismatch},
      {K::kSequencedPut, S::kAlreadyExists},    {K::kSequencedPut, S::kOverflow},
      {K::kSequencedPut, S::kNotACounter},      {K::kKeepAlive, S::kNoSuchSession},
      {K::kCloseSession, S::kNoSuchSession},
  };
  EXPECT_EQ(coverage.rejected, rejections);
}

TEST(StoreConformanceSuite, NamesAreUnique) {
  std::set<std::string> names;
  for (const ConformanceCase& test : ConformanceCases()) {
    EXPECT_TRUE(names.insert(test.name).second) << test.name;
  }
}

}  // namespace
}  // namespace lockstep::sim
