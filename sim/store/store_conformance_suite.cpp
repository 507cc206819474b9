#include "sim/store/store_conformance_suite.h"

#include <ostream>
#include <utility>

#include "sim/base/check.h"

namespace lockstep::sim {

void StoreBackend::AdvanceTo(Tick /*now*/) { LOCKSTEP_CHECK_MSG(false, "this store has no clock"); }

void StoreBackend::EndSession(SessionId /*session*/) {
  LOCKSTEP_CHECK_MSG(false, "a test cannot end this store's sessions");
}

void StoreBackend::RefuseUntil(Tick /*until*/) {
  LOCKSTEP_CHECK_MSG(false, "a test cannot make this store refuse");
}

bool Provides(const StoreBackend& backend, Needs needs) {
  switch (needs) {
    case Needs::kCalls:
      return true;
    case Needs::kSessionEnd:
      return backend.CanEndSessions() || backend.HasClock();
    case Needs::kClock:
      return backend.HasClock();
    case Needs::kRefusal:
      return backend.CanRefuse();
  }
  return false;
}

std::vector<ConformanceCase> ConformanceCases() {
  std::vector<ConformanceCase> cases;
  for (const auto part : {RecordConformanceCases, CounterConformanceCases,
                          TransactionConformanceCases, SessionConformanceCases}) {
    for (ConformanceCase& test : part()) cases.push_back(std::move(test));
  }
  return cases;
}

void PrintTo(const ConformanceParam& param, std::ostream* out) { *out << param.test.name; }

std::vector<ConformanceParam> ConformanceParams(const StoreBackendFactory& make) {
  const std::unique_ptr<StoreBackend> backend = make();
  std::vector<ConformanceParam> params;
  for (ConformanceCase& test : ConformanceCases()) {
    if (backend != nullptr && !Provides(*backend, test.needs)) continue;
    params.push_back({make, std::move(test)});
  }
  return params;
}

std::string ConformanceName(const testing::TestParamInfo<ConformanceParam>& info) {
  return info.param.test.name;
}

TEST_P(StoreConformance, Holds) {
  const std::unique_ptr<StoreBackend> backend = GetParam().make();
  if (backend == nullptr) GTEST_SKIP() << "this store is not here";
  GetParam().test.body(*backend);
}

void PrintTo(const VisibleRecord& record, std::ostream* out) {
  *out << testing::PrintToString(record.key) << " = " << testing::PrintToString(record.value)
       << " @" << record.version;
}

StoreResponse ConformanceClient::Send(const StoreRequest& request) {
  StoreResponse response = backend_.Call(request);
  EXPECT_TRUE(IsDefinite(response.status)) << "the outcome of a call must be known here";
  if (response.ok()) {
    EXPECT_EQ(response.results.size(), request.operations.size());
    response.results.resize(request.operations.size());  // lets the body go on after a failure
  } else {
    EXPECT_TRUE(response.results.empty()) << "a rejected request has results";
  }
  if (response.status != StoreStatus::kConditionFailed) {
    EXPECT_TRUE(response.failed_conditions.empty());
  }
  return response;
}

OperationResult ConformanceClient::Ok(const Operation& operation, const char* file, int line) {
  return Commit(Single(operation), file, line).front();
}

std::vector<OperationResult> ConformanceClient::Commit(const StoreRequest& request,
                                                       const char* file, int line) {
  const testing::ScopedTrace trace(file, line, "expected to be applied");
  StoreResponse response = Send(request);
  EXPECT_EQ(StoreStatusName(response.status), StoreStatusName(StoreStatus::kOk));
  response.results.resize(request.operations.size());
  return std::move(response.results);
}

void ConformanceClient::Rejected(StoreStatus status, const Operation& operation, const char* file,
                                 int line) {
  RejectedAt(0, status, Single(operation), file, line);
}

void ConformanceClient::RejectedAt(std::uint32_t index, StoreStatus status,
                                   const StoreRequest& request, const char* file, int line) {
  const testing::ScopedTrace trace(file, line, "expected to be rejected");
  const Content before = Everything();
  const StoreResponse response = Send(request);
  EXPECT_EQ(StoreStatusName(response.status), StoreStatusName(status));
  EXPECT_EQ(response.failed_operation, index);
  EXPECT_EQ(Everything(), before) << "a rejected request has changed something";
}

void ConformanceClient::ConditionsFailed(const std::vector<std::uint32_t>& indices,
                                         const StoreRequest& request, const char* file, int line) {
  const testing::ScopedTrace trace(file, line, "expected to fail its conditions");
  const Content before = Everything();
  const StoreResponse response = Send(request);
  EXPECT_EQ(StoreStatusName(response.status), StoreStatusName(StoreStatus::kConditionFailed));
  EXPECT_EQ(response.failed_conditions, indices);
  EXPECT_EQ(Everything(), before) << "a rejected request has changed something";
}

std::string ConformanceClient::Value(const std::string& key) {
  const OperationResult result = Ok(Get(key));
  return result.found ? result.value : "(absent)";
}

Version ConformanceClient::VersionOf(const std::string& key) {
  const OperationResult result = Ok(Get(key));
  EXPECT_EQ(result.found, result.version > 0);
  return result.version;
}

SessionId ConformanceClient::Open(Tick timeout) { return Ok(OpenSession(timeout)).number; }

Content ConformanceClient::Everything() {
  Content content;
  OperationResult next = Ok(CeilingGet(""));
  while (next.found) {
    content.push_back({next.key, next.value, next.version});
    next = Ok(HigherGet(content.back().key));
    if (!next.found) break;
    if (next.key <= content.back().key) {
      ADD_FAILURE() << "HigherGet(" << testing::PrintToString(content.back().key) << ") found "
                    << testing::PrintToString(next.key);
      break;
    }
  }
  return content;
}

std::vector<std::string> ConformanceClient::Keys() {
  std::vector<std::string> keys;
  for (const VisibleRecord& record : Everything()) keys.push_back(record.key);
  return keys;
}

void ConformanceClient::EndSession(SessionId session, Tick timeout) {
  if (backend_.CanEndSessions()) {
    backend_.EndSession(session);
  } else {
    backend_.AdvanceTo(2 * timeout);
  }
}

}  // namespace lockstep::sim
