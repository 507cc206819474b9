// The store conformance suite seen through a world without faults: what a node gets from its calls
// is what the store promises, whatever the network does to the messages.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/store/store_conformance_suite.h"
#include "sim/world/world.h"
#include "sim/world/world_test_support.h"

namespace lockstep::sim {
namespace {

// A client on a fiber takes one task after another from the test and is idle in between.
class WorldBackend : public StoreBackend {
 public:
  WorldBackend() : bench_(choices_) {
    bench_.world.AddNode("client", [this](NodeContext& node) { Serve(node); });
  }

  StoreResponse Call(const StoreRequest& request) override {
    request_ = &request;
    while (request_ != nullptr) LOCKSTEP_CHECK(bench_.world.Step());
    return std::move(response_);
  }

  [[nodiscard]] bool HasClock() const override { return true; }
  void AdvanceTo(Tick now) override {
    wait_until_ = now;
    while (bench_.world.now() < now) LOCKSTEP_CHECK(bench_.world.Step());
  }

  [[nodiscard]] bool CanEndSessions() const override { return true; }
  void EndSession(SessionId session) override {
    std::vector<Mutation> mutations;
    bench_.world.store().ExpireNow(session, mutations);
  }

  [[nodiscard]] bool CanRefuse() const override { return true; }
  void RefuseUntil(Tick until) override { bench_.world.store().MakeUnavailable(until); }

 private:
  void Serve(NodeContext& node) {
    while (true) {
      if (request_ != nullptr) {
        response_ = node.Store(*request_);
        request_ = nullptr;
      }
      const Tick wait = wait_until_ - bench_.world.now();
      node.Backoff(wait > 1 ? static_cast<std::uint32_t>(wait) : 1U);
    }
  }

  ExtremeChoices choices_;  // A back-off takes as long as it may.
  Bench bench_;
  const StoreRequest* request_ = nullptr;
  StoreResponse response_;
  Tick wait_until_ = 0;
};

INSTANTIATE_TEST_SUITE_P(World, StoreConformance, testing::ValuesIn(ConformanceParams([] {
                           return std::make_unique<WorldBackend>();
                         })),
                         ConformanceName);

}  // namespace
}  // namespace lockstep::sim
