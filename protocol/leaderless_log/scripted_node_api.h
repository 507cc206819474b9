// ScriptedNodeApi: the world as one node sees it, where the test decides the outcome of each call.
//
//   Services services;                      // a store and an object store, and requests on the way
//   ScriptedNodeApi api(services, "w1");
//   api.When(Writes(kCounterKey), {.outcome = Outcome::kReplyLost});
//   WriterNode(api, kUnboundedOffset).Append(1, 2);
//
// A call is served at once, unless a turn awaits it; then what the turn says happens, once. Several
// nodes may stand on the same services: what somebody else does in between is a turn's `before` or
// `after`. Backing off takes no time; a node that asks for ever is stopped by an exception.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/leaderless_log/log_layout.h"
#include "sim/store/node_api.h"
#include "sim/store/object_store.h"
#include "sim/store/store_model.h"

namespace lockstep::protocol::leaderless_log {

/// One call of a node: one of the two is set.
struct Call {
  std::optional<sim::StoreRequest> store;
  std::optional<sim::ObjectRequest> object;
};

/// The store and the object store, and requests that are still on their way to them.
struct Services {
  /// An open, empty log.
  Services() {
    Apply(sim::Txn(
        {}, {sim::Put(std::string(kStateKey), std::string(Name(LogState::OPEN))),
             sim::Put(std::string(kCounterKey), "1"), sim::Put(std::string(kCursorKey), "1")}));
  }
  Services(const Services&) = delete;
  Services& operator=(const Services&) = delete;

  sim::StoreResponse Apply(const sim::StoreRequest& request) {
    mutations.clear();
    return store.Apply(request, mutations);
  }
  void Put(std::string_view key, std::string value) {
    Apply(sim::Single(sim::Put(std::string(key), std::move(value))));
  }
  /// The value at `key`, "" = there is none.
  [[nodiscard]] std::string ValueAt(std::string_view key) const {
    const sim::Record* record = store.Find(key);
    return record == nullptr ? std::string() : record->value;
  }
  /// The records below a prefix, "key = value" without the prefix.
  [[nodiscard]] std::vector<std::string> Below(std::string_view prefix) const {
    std::vector<std::string> records;
    for (auto at = store.Ceiling(prefix); at != store.records().end(); ++at) {
      if (!at->first.starts_with(prefix)) break;
      records.push_back(at->first.substr(prefix.size()) + " = " + at->second.value);
    }
    return records;
  }
  /// The index, an entry a line: "3 = WAL 2 wal/w1-1 w1-1".
  [[nodiscard]] std::vector<std::string> Index() const {
    std::vector<std::string> entries;
    for (auto at = store.Ceiling(kIndexPrefix); at != store.records().end(); ++at) {
      const auto offset = OffsetOfIndexKey(at->first);
      if (!offset) break;
      entries.push_back(std::to_string(*offset) + " = " + at->second.value);
    }
    return entries;
  }
  /// The bytes of an object, "" = there is none.
  [[nodiscard]] std::string ObjectAt(std::string_view key) const {
    const std::string* bytes = objects.Find(key);
    return bytes == nullptr ? std::string() : *bytes;
  }
  /// Somebody else's append, whole: object, counter and entry. Returns its end offset.
  Offset Append(const std::string& token, std::uint64_t operation, std::int64_t count) {
    std::string bytes;
    for (std::int64_t i = 1; i <= count; ++i) AppendRecord(bytes, RecordBytes(operation, i));
    objects.Handle({sim::ObjectOperation::kPutObject, "wal/" + token, bytes});
    const Offset end = ParseDecimal(ValueAt(kCounterKey)).value_or(1) + count - 1;
    Put(kCounterKey, std::to_string(end + 1));
    Put(IndexKey(end), EncodeIndexValue({{EntryType::WAL, count}, "wal/" + token, token}));
    return end;
  }
  void Fence() { Put(kStateKey, std::string(Name(LogState::FENCED))); }
  void Unfence() { Put(kStateKey, std::string(Name(LogState::OPEN))); }

  /// Everything that was on its way arrives, in the order in which it was sent.
  void DeliverLate() {
    const std::vector<Call> arriving = std::exchange(on_the_way, {});
    for (const Call& call : arriving) {
      if (call.store) Apply(*call.store);
      if (call.object) objects.Handle(*call.object);
    }
  }

  sim::StoreModel store;
  sim::ObjectStore objects;
  std::vector<Call> on_the_way;
  std::vector<sim::Mutation> mutations;  // of the latest request
};

enum class Outcome : std::uint8_t {
  kAnswered,   ///< served, and the node gets the answer
  kReplyLost,  ///< served, and the node waits in vain
  kLost,       ///< never served
  kLate,       ///< the node gives up waiting; served by Services::DeliverLate
  kRefused,    ///< store: unavailable; object store: the operation has failed
};
inline constexpr Outcome kOutcomes[] = {Outcome::kAnswered, Outcome::kReplyLost, Outcome::kLost,
                                        Outcome::kLate, Outcome::kRefused};

/// What happens to one call.
struct Turn {
  Outcome outcome = Outcome::kAnswered;
  /// A duplicate of the request is on its way too.
  bool twin = false;
  /// What somebody else does before the call is served, and before the node hears of it.
  std::function<void()> before = nullptr;
  std::function<void()> after = nullptr;
};

using CallFilter = std::function<bool(const Call&)>;

/// A request to the store with an operation that writes, or deletes, a key with that prefix.
inline CallFilter Writes(std::string_view prefix) {
  return [prefix](const Call& call) {
    if (!call.store) return false;
    for (const sim::Operation& operation : call.store->operations) {
      if (sim::IsMutation(operation.kind) && operation.key.starts_with(prefix)) return true;
    }
    return false;
  };
}

/// A request to the store with an operation that reads a key with that prefix.
inline CallFilter Reads(std::string_view prefix) {
  return [prefix](const Call& call) {
    if (!call.store) return false;
    for (const sim::Operation& operation : call.store->operations) {
      if (!sim::IsMutation(operation.kind) && operation.key.starts_with(prefix)) return true;
    }
    return false;
  };
}

/// A request to the object store.
inline CallFilter OnObject(sim::ObjectOperation operation) {
  return
      [operation](const Call& call) { return call.object && call.object->operation == operation; };
}

class ScriptedNodeApi : public sim::NodeApi {
 public:
  ScriptedNodeApi(Services& services, std::string incarnation)
      : services_(services), incarnation_(std::move(incarnation)) {}

  /// The next call that the filter takes, and that no earlier turn awaits, has this turn.
  void When(CallFilter filter, Turn turn) {
    script_.push_back({std::move(filter), std::move(turn)});
  }
  /// The call with this number, from 1, has this turn.
  void AtCall(std::size_t number, Turn turn) {
    When([this, number](const Call&) { return calls_ == number; }, std::move(turn));
  }

  sim::StoreResponse Store(sim::StoreRequest request) override {
    const Turn turn = Take({std::move(request), std::nullopt});
    sim::StoreResponse response;
    if (turn.outcome == Outcome::kRefused) response.status = sim::StoreStatus::kUnavailable;
    if (IsServed(turn.outcome)) response = services_.Apply(*latest_.store);
    if (turn.after) turn.after();
    if (!IsHeard(turn.outcome)) return {sim::StoreStatus::kUnknown, {}, {}, 0};
    return response;
  }

  sim::ObjectResponse Objects(sim::ObjectRequest request) override {
    const Turn turn = Take({std::nullopt, std::move(request)});
    sim::ObjectResponse response;
    if (turn.outcome == Outcome::kRefused) response.status = sim::ObjectStatus::kFailed;
    if (IsServed(turn.outcome)) response = services_.objects.Handle(*latest_.object);
    if (turn.after) turn.after();
    if (!IsHeard(turn.outcome)) return {sim::ObjectStatus::kUnknown, {}};
    return response;
  }

  void Backoff(std::uint32_t ticks) override {
    if (ticks < 1) throw std::logic_error("a back-off of no time");
    ++backoffs_;
  }

  [[nodiscard]] std::string_view incarnation() const override { return incarnation_; }

  /// Calls so far.
  [[nodiscard]] std::size_t calls() const { return calls_; }
  [[nodiscard]] std::size_t backoffs() const { return backoffs_; }
  /// Turns that no call has taken yet.
  [[nodiscard]] std::size_t turns_left() const { return script_.size(); }

 private:
  struct Awaited {
    CallFilter filter;
    Turn turn;
  };
  static constexpr std::size_t kCallsMax = 1000;

  static bool IsServed(Outcome outcome) {
    return outcome == Outcome::kAnswered || outcome == Outcome::kReplyLost;
  }
  static bool IsHeard(Outcome outcome) {
    return outcome == Outcome::kAnswered || outcome == Outcome::kRefused;
  }

  /// The call begins: what its turn is, up to the service.
  Turn Take(Call call) {
    if (++calls_ > kCallsMax) throw std::runtime_error(incarnation_ + " asks for ever");
    Turn turn;
    for (auto at = script_.begin(); at != script_.end(); ++at) {
      if (!at->filter(call)) continue;
      turn = std::move(at->turn);
      script_.erase(at);
      break;
    }
    if (turn.before) turn.before();
    latest_ = std::move(call);
    if (turn.twin || turn.outcome == Outcome::kLate) services_.on_the_way.push_back(latest_);
    return turn;
  }

  Services& services_;
  std::string incarnation_;
  std::vector<Awaited> script_;
  Call latest_;
  std::size_t calls_ = 0;
  std::size_t backoffs_ = 0;
};

}  // namespace lockstep::protocol::leaderless_log
