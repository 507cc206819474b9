// NaiveStore: the coordination store written to be obviously right, as the reference in tests. An
// unsorted vector of records scanned from end to end; a request runs on a copy of everything, which
// is kept or thrown away. Shares nothing with StoreModel but the request and response types.
//
// It can be made wrong in one respect, to show that a comparison with it notices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/store/store_api.h"

namespace lockstep::sim {

enum class NaiveDefect : std::uint8_t {
  kNone,
  kSignedKeyOrder,
  kRangeIncludesItsEnd,
  kAbsentIsTheEmptyValue,
  kVersionIsOneAboveTheHighestLeft,
  kRejectionKeepsEarlierOperations,
  kRejectionConsumesVersions,
  kOnlyFirstFailedConditionReported,
  kPutKeepsTheSession,
  kIncrementKeepsTheSession,
  kKeyIsLookedAtBeforeTheSession,
  kEndOfSessionLeavesARecord,
  kCounterWraps,
  kLimitIsIgnored,
  kLeadingZeroIsADecimal,
  kSequencedPutOverwrites,
  kKeepAliveDoesNotExtend,
  kTiesExpireByHighestId,
  kRefusedRequestIsApplied,
};
inline constexpr int kNaiveDefects = 19;  ///< kNone included

class NaiveStore {
 public:
  struct Row {
    std::string key;
    Record record;
  };
  struct Session {
    SessionId id = 0;
    Tick timeout = 0;
    Tick deadline = 0;
  };

  explicit NaiveStore(NaiveDefect defect = NaiveDefect::kNone) : defect_(defect) {}

  StoreResponse Call(const StoreRequest& request);
  void PassTime(Tick ticks) { now_ += ticks; }
  /// Ends the due session with the earliest deadline, ties by lowest id.
  std::optional<SessionId> ExpireOne();
  void EndSession(SessionId id);
  void RefuseFor(Tick ticks) { refuses_until_ = now_ + ticks; }

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Session>& sessions() const { return sessions_; }
  [[nodiscard]] Tick now() const { return now_; }
  [[nodiscard]] bool Refuses() const { return now_ < refuses_until_; }
  [[nodiscard]] std::optional<Tick> NextExpiry() const;
  [[nodiscard]] const Record* Find(std::string_view key) const;

 private:
  [[nodiscard]] bool Is(NaiveDefect defect) const { return defect_ == defect; }
  [[nodiscard]] bool Before(std::string_view a, std::string_view b) const;
  [[nodiscard]] bool Holds(const Condition& condition) const;
  StoreStatus Perform(const Operation& operation, OperationResult& result);
  StoreStatus PerformOnSession(const Operation& operation, OperationResult& result);
  void Read(const Operation& operation, OperationResult& result) const;
  StoreStatus Create(const std::string& key, const std::string& value, SessionId session,
                     OperationResult& result);
  StoreStatus Increment(const std::string& key, std::int64_t delta, std::int64_t limit,
                        OperationResult& result);
  StoreStatus PutInSequence(const Operation& operation, OperationResult& result);
  [[nodiscard]] std::optional<std::int64_t> ParseDecimal(const std::string& text) const;
  Version Write(const std::string& key, const std::string& value, SessionId session);
  void Erase(const std::string& key);
  std::int64_t EraseRange(const std::string& start, const std::string& end);
  Session* FindSession(SessionId id);

  NaiveDefect defect_;
  std::vector<Row> rows_;
  std::vector<Session> sessions_;
  Version next_version_ = 1;
  SessionId next_session_ = 1;
  Tick now_ = 0;
  Tick refuses_until_ = 0;
};

}  // namespace lockstep::sim
