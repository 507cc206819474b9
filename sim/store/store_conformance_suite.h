// The store conformance suite: one set of test bodies that every coordination store must pass,
// whether simulated, real, or a client that talks to either.
//
//   class MyBackend : public StoreBackend { ... };
//   INSTANTIATE_TEST_SUITE_P(MyStore, StoreConformance,
//                            testing::ValuesIn(ConformanceParams([] { return ...; })),
//                            ConformanceName);
//
// in a test file that is linked with store_conformance_*.cpp. The bodies are plain functions in a
// table, not TEST_Ps, so that store_conformance_mutants_test.cpp can show that broken stores fail.
//
// What the suite does not assume: that versions or session ids start at 1 or have no gaps, that
// time can be stepped exactly, that a test may end a session. It does assume an empty store.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/store/store_api.h"

namespace lockstep::sim {

/// One store under test, empty at first. Its clock, if there is one, stands at 0.
class StoreBackend {
 public:
  StoreBackend() = default;
  StoreBackend(const StoreBackend&) = delete;
  StoreBackend& operator=(const StoreBackend&) = delete;
  virtual ~StoreBackend() = default;

  /// Sends the request and waits for its outcome.
  virtual StoreResponse Call(const StoreRequest& request) = 0;

  /// Whether time passes, and sessions expire, when the test says so.
  [[nodiscard]] virtual bool HasClock() const { return false; }
  /// Lets time pass until `now`; sessions that are due by then have ended when this returns.
  /// REQUIRES: HasClock().
  virtual void AdvanceTo(Tick now);

  /// Whether a test can end a session that is not due.
  [[nodiscard]] virtual bool CanEndSessions() const { return false; }
  /// REQUIRES: CanEndSessions().
  virtual void EndSession(SessionId session);

  /// Whether a test can make the store refuse requests. If so, HasClock() holds too.
  [[nodiscard]] virtual bool CanRefuse() const { return false; }
  /// Refuses every request until then. REQUIRES: CanRefuse().
  virtual void RefuseUntil(Tick until);
};

/// Makes a fresh backend, or returns nullptr when this store cannot be reached here: its tests are
/// then skipped. Also called while tests are being listed, so a backend connects at its first Call.
using StoreBackendFactory = std::function<std::unique_ptr<StoreBackend>()>;

/// What a body asks of the backend beyond Call.
enum class Needs : std::uint8_t {
  kCalls,
  kSessionEnd,  ///< a clock, or sessions that a test can end
  kClock,
  kRefusal,
};
bool Provides(const StoreBackend& backend, Needs needs);

struct ConformanceCase {
  std::string name;
  Needs needs = Needs::kCalls;
  void (*body)(StoreBackend&) = nullptr;
};

/// All bodies; names are unique.
std::vector<ConformanceCase> ConformanceCases();
// Its parts, one a file.
std::vector<ConformanceCase> RecordConformanceCases();
std::vector<ConformanceCase> CounterConformanceCases();
std::vector<ConformanceCase> TransactionConformanceCases();
std::vector<ConformanceCase> SessionConformanceCases();

struct ConformanceParam {
  StoreBackendFactory make;
  ConformanceCase test;
};
void PrintTo(const ConformanceParam& param, std::ostream* out);
/// The cases that the backend can run.
std::vector<ConformanceParam> ConformanceParams(const StoreBackendFactory& make);
std::string ConformanceName(const testing::TestParamInfo<ConformanceParam>& info);

class StoreConformance : public testing::TestWithParam<ConformanceParam> {};

/// A store's visible content, in key order.
struct VisibleRecord {
  std::string key;
  std::string value;
  Version version = 0;
  friend bool operator==(const VisibleRecord&, const VisibleRecord&) = default;
};
void PrintTo(const VisibleRecord& record, std::ostream* out);
using Content = std::vector<VisibleRecord>;

/// What the bodies speak through. It checks of every response that it is well formed, and of every
/// rejected request that the content is the same as before.
class ConformanceClient {
 public:
  /// Sessions that are not meant to end during a body are opened with this timeout.
  static constexpr Tick kLong = 1'000'000;

  explicit ConformanceClient(StoreBackend& backend) : backend_(backend) {}

  /// Expects success and returns the one result.
  OperationResult Ok(const Operation& operation, const char* file = __builtin_FILE(),
                     int line = __builtin_LINE());
  /// Expects success and returns the results.
  std::vector<OperationResult> Commit(const StoreRequest& request,
                                      const char* file = __builtin_FILE(),
                                      int line = __builtin_LINE());
  /// Expects the operation to be rejected with this status.
  void Rejected(StoreStatus status, const Operation& operation, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());
  /// Expects operation number `index` of the transaction to be rejected with this status.
  void RejectedAt(std::uint32_t index, StoreStatus status, const StoreRequest& request,
                  const char* file = __builtin_FILE(), int line = __builtin_LINE());
  /// Expects the transaction to be rejected for exactly these conditions.
  void ConditionsFailed(const std::vector<std::uint32_t>& indices, const StoreRequest& request,
                        const char* file = __builtin_FILE(), int line = __builtin_LINE());

  /// The value at `key`, or "(absent)".
  std::string Value(const std::string& key);
  /// The version at `key`, or 0.
  Version VersionOf(const std::string& key);
  SessionId Open(Tick timeout = kLong);
  /// Everything, found by one CeilingGet and HigherGets.
  Content Everything();
  std::vector<std::string> Keys();
  /// Ends a session opened with `timeout`, by the test's power or by letting time pass.
  void EndSession(SessionId session, Tick timeout);

 private:
  StoreResponse Send(const StoreRequest& request);

  StoreBackend& backend_;
};

}  // namespace lockstep::sim
