// Shows that the conformance suite fails stores that are wrong: each of these has one defect, and
// the named case must notice it. Most defects are those of real systems.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/store/simulated_store.h"
#include "sim/store/store_conformance_suite.h"

namespace lockstep::sim {
namespace {

// A correct store for a defect to be put in front of.
struct Inner {
  SimulatedStore store;
  Tick now = 0;
  std::vector<Mutation> mutations;
  std::map<std::string, Version> base;  // for the defect that restarts versions

  StoreResponse Handle(const StoreRequest& request) {
    return store.Handle(request, now, mutations);
  }
  StoreResponse Handle(const Operation& operation) { return Handle(Single(operation)); }
  [[nodiscard]] const Record* Find(const std::string& key) const { return store.model().Find(key); }
  [[nodiscard]] bool HasSession(SessionId id) const { return store.model().HasSession(id); }
};

struct Mutant {
  std::string name;
  std::string killed_by;
  std::function<StoreResponse(Inner&, StoreRequest)> call;
  bool expires = true;
};

class MutantBackend : public StoreBackend {
 public:
  explicit MutantBackend(const Mutant& mutant) : mutant_(mutant) {}

  StoreResponse Call(const StoreRequest& request) override { return mutant_.call(inner_, request); }
  [[nodiscard]] bool HasClock() const override { return true; }
  void AdvanceTo(Tick now) override {
    inner_.now = std::max(inner_.now, now);
    while (mutant_.expires && inner_.store.ExpireOne(now, inner_.mutations)) {
    }
  }
  [[nodiscard]] bool CanRefuse() const override { return true; }
  void RefuseUntil(Tick until) override { inner_.store.MakeUnavailable(until); }

 private:
  const Mutant& mutant_;
  Inner inner_;
};

std::vector<std::string> CasesThatFail(const Mutant& mutant) {
  std::vector<std::string> names;
  for (const ConformanceCase& test : ConformanceCases()) {
    MutantBackend backend(mutant);
    testing::TestPartResultArray results;
    {
      testing::ScopedFakeTestPartResultReporter reporter(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
      test.body(backend);
    }
    for (int i = 0; i < results.size(); ++i) {
      if (!results.GetTestPartResult(i).failed()) continue;
      names.push_back(test.name);
      break;
    }
  }
  return names;
}

// A defect that turns one operation into another before the store sees it.
using Distortion = std::function<void(const Inner&, Operation&)>;

Mutant Distorts(std::string name, std::string killed_by, Distortion distort) {
  return {std::move(name), std::move(killed_by),
          [distort = std::move(distort)](Inner& inner, StoreRequest request) {
            for (Operation& operation : request.operations) distort(inner, operation);
            return inner.Handle(request);
          }};
}

// The same for operations of one kind.
Mutant Distorts(std::string name, std::string killed_by, OperationKind kind, Distortion distort) {
  return Distorts(std::move(name), std::move(killed_by),
                  [kind, distort = std::move(distort)](const Inner& inner, Operation& operation) {
                    if (operation.kind == kind) distort(inner, operation);
                  });
}

std::vector<Mutant> RecordMutants() {
  using K = OperationKind;
  return {
      Distorts("range_delete_includes_its_end", "RangeDeleteIncludesItsStartAndExcludesItsEnd",
               K::kRangeDelete, [](const Inner&, Operation& o) { o.end.push_back('\0'); }),
      Distorts("range_delete_excludes_its_start", "RangeDeleteIncludesItsStartAndExcludesItsEnd",
               K::kRangeDelete, [](const Inner&, Operation& o) { o.key.push_back('\0'); }),
      Distorts("empty_end_is_the_end_of_the_store", "EmptyRangeDeletesNothing", K::kRangeDelete,
               [](const Inner&, Operation& o) {
                 if (o.end.empty()) o.end = "\xff\xff";
               }),
      Distorts("ceiling_is_higher", "CeilingAndHigherAgreeWithTheOrderAtEveryKey", K::kCeilingGet,
               [](const Inner&, Operation& o) { o.kind = K::kHigherGet; }),
      Distorts("higher_is_ceiling", "CeilingAndHigherAgreeWithTheOrderAtEveryKey", K::kHigherGet,
               [](const Inner&, Operation& o) { o.kind = K::kCeilingGet; }),
      Distorts("key_ends_at_a_zero_byte", "DeleteRemovesOneRecordAndIsIdempotent",
               [](const Inner&, Operation& o) { o.key = o.key.substr(0, o.key.find('\0')); }),
      Distorts("create_overwrites", "ConditionalCreateCreatesOnlyOnce", K::kConditionalCreate,
               [](const Inner&, Operation& o) { o.kind = K::kPut; }),
      Distorts("conditional_delete_is_a_delete", "ConditionalDeleteNeedsTheVersion",
               K::kConditionalDelete, [](const Inner&, Operation& o) { o.kind = K::kDelete; }),
      Distorts("conditional_delete_accepts_an_older_version", "RecreatedKeyNeverGetsAnOldVersion",
               K::kConditionalDelete,
               [](const Inner& inner, Operation& o) {
                 const Record* record = inner.Find(o.key);
                 if (record != nullptr && o.version > 0) o.version = record->version;
               }),
      Distorts("compare_and_set_is_a_put", "CompareAndSetOfAnExpectedValue", K::kCompareAndSet,
               [](const Inner&, Operation& o) { o.kind = K::kPut; }),
      Distorts("absent_is_the_empty_value", "CompareAndSetOfAnAbsentRecord", K::kCompareAndSet,
               [](const Inner& inner, Operation& o) {
                 if (o.expected == "" && inner.Find(o.key) == nullptr) o.expected.reset();
               }),
      Distorts("put_of_an_equal_value_is_skipped", "PutOfTheSameValueIsAWrite", K::kPut,
               [](const Inner& inner, Operation& o) {
                 const Record* record = inner.Find(o.key);
                 if (record != nullptr && record->value == o.value) o.kind = K::kGet;
               }),
  };
}

// Keys compared as signed bytes sort as if each byte's highest bit were inverted.
std::string InvertHighBits(std::string key) {
  for (char& c : key) c = static_cast<char>(static_cast<unsigned char>(c) ^ 0x80U);
  return key;
}

StoreResponse WithSignedBytes(Inner& inner, StoreRequest request) {
  for (Condition& condition : request.conditions) condition.key = InvertHighBits(condition.key);
  for (Operation& operation : request.operations) {
    operation.key = InvertHighBits(operation.key);
    operation.end = InvertHighBits(operation.end);
  }
  StoreResponse response = inner.Handle(request);
  for (OperationResult& result : response.results) result.key = InvertHighBits(result.key);
  return response;
}

// ZooKeeper's and etcd's per-key versions: they start again when a key is created again.
StoreResponse WithVersionsPerRecord(Inner& inner, StoreRequest request) {
  for (Operation& operation : request.operations) {
    if (operation.version > 0) operation.version += inner.base[operation.key];
  }
  inner.mutations.clear();
  StoreResponse response = inner.Handle(request);
  for (const Mutation& mutation : inner.mutations) {
    if (!mutation.before && mutation.after) inner.base[mutation.key] = mutation.after->version - 1;
  }
  for (std::size_t i = 0; i < response.results.size(); ++i) {
    OperationResult& result = response.results[i];
    const std::string& key = result.key.empty() ? request.operations[i].key : result.key;
    if (result.version > 0) result.version -= inner.base[key];
  }
  return response;
}

StoreResponse OneByOne(Inner& inner, const StoreRequest& request) {
  StoreResponse response = inner.Handle(Txn(request.conditions, {}));
  for (std::uint32_t i = 0; response.ok() && i < request.operations.size(); ++i) {
    StoreResponse one = inner.Handle(request.operations[i]);
    if (one.ok()) {
      response.results.push_back(std::move(one.results[0]));
    } else {
      response = std::move(one);
      response.failed_operation = i;
    }
  }
  return response;
}

// Oxia's order within a batch: writes, deletes, range deletes.
StoreResponse Regrouped(Inner& inner, const StoreRequest& request) {
  const auto group = [&request](std::size_t i) {
    const OperationKind kind = request.operations[i].kind;
    if (kind == OperationKind::kRangeDelete) return 2;
    return kind == OperationKind::kDelete ? 1 : 0;
  };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < request.operations.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&group](std::size_t a, std::size_t b) { return group(a) < group(b); });
  StoreRequest regrouped = Txn(request.conditions, {});
  for (const std::size_t i : order) regrouped.operations.push_back(request.operations[i]);
  StoreResponse response = inner.Handle(regrouped);
  if (!response.ok()) return response;
  std::vector<OperationResult> results(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) results[order[i]] = response.results[i];
  response.results = std::move(results);
  return response;
}

StoreResponse ReadsSeeTheBeginning(Inner& inner, const StoreRequest& request) {
  Inner before = inner;
  StoreResponse response = inner.Handle(request);
  for (std::size_t i = 0; i < response.results.size(); ++i) {
    if (IsMutation(request.operations[i].kind)) continue;
    response.results[i] = before.Handle(request.operations[i]).results[0];
  }
  return response;
}

StoreResponse ConditionsJudgedLast(Inner& inner, const StoreRequest& request) {
  const Inner before = inner;
  StoreResponse response = inner.Handle(Txn({}, request.operations));
  StoreResponse judged = inner.Handle(Txn(request.conditions, {}));
  if (!response.ok() || judged.ok()) return response;
  inner = before;
  return judged;
}

std::vector<Mutant> StoreMutants() {
  return {
      {"keys_are_compared_as_signed_bytes", "KeysAreOrderedByUnsignedBytes", WithSignedBytes},
      {"versions_restart_with_the_record", "RecreatedKeyNeverGetsAnOldVersion",
       WithVersionsPerRecord},
      {"transaction_runs_its_operations_one_by_one", "RejectedOperationUndoesTheWholeTransaction",
       OneByOne},
      {"operations_are_regrouped_by_kind", "OperationsAreNotRegrouped", Regrouped},
      {"reads_see_the_state_before_the_transaction", "OperationsSeeEarlierOnes",
       ReadsSeeTheBeginning},
      {"conditions_are_judged_after_the_operations", "ConditionsAreJudgedBeforeTheFirstOperation",
       ConditionsJudgedLast},
      {"conditions_are_ignored", "AppendIsRejectedAsAWholeWhenTheLogIsFenced",
       [](Inner& inner, const StoreRequest& request) {
         return inner.Handle(Txn({}, request.operations));
       }},
      {"only_the_first_failed_condition_is_reported", "EveryFailedConditionIsReported",
       [](Inner& inner, const StoreRequest& request) {
         StoreResponse response = inner.Handle(request);
         if (!response.ok())
           response.failed_conditions.resize(response.failed_conditions.empty() ? 0 : 1);
         return response;
       }},
      {"failed_operation_is_not_named", "OperationsAfterTheRejectedOneDoNotHappen",
       [](Inner& inner, const StoreRequest& request) {
         StoreResponse response = inner.Handle(request);
         response.failed_operation = 0;
         return response;
       }},
      {"refused_request_is_applied", "RefusedRequestDoesNothing",
       [](Inner& inner, const StoreRequest& request) {
         StoreResponse response = inner.Handle(request);
         std::vector<Mutation> unseen;
         if (response.status == StoreStatus::kUnavailable) {
           inner.store.Handle(request, inner.now + 1000, unseen);
         }
         return response;
       }},
  };
}

// Adds without looking for an overflow.
StoreResponse CounterWraps(Inner& inner, const StoreRequest& request) {
  StoreResponse response = inner.Handle(request);
  if (response.status != StoreStatus::kOverflow || request.operations.size() > 1) return response;
  const Operation& operation = request.operations[0];
  const std::string key = operation.kind == OperationKind::kSequencedPut
                              ? SequenceCounterKey(operation.key, 0)
                              : operation.key;
  return inner.Handle(Put(key, "1"));
}

// Oxia's sequences: the counter is whatever the last key with the prefix says.
StoreResponse CounterIsTheHighestRecord(Inner& inner, const StoreRequest& request) {
  for (const Operation& operation : request.operations) {
    if (operation.kind != OperationKind::kSequencedPut || operation.deltas.size() > 1) continue;
    std::string highest = "0";
    for (const auto& [key, record] : inner.store.model().records()) {
      if (!key.starts_with(operation.key + "0")) continue;
      highest = key.substr(operation.key.size());
      highest.erase(0, std::min(highest.find_first_not_of('0'), highest.size() - 1));
    }
    inner.Handle(Put(SequenceCounterKey(operation.key, 0), highest));
  }
  return inner.Handle(request);
}

StoreResponse SequencedPutOverwrites(Inner& inner, const StoreRequest& request) {
  const StoreResponse response = inner.Handle(request);
  const Operation& operation = request.operations.empty() ? Operation{} : request.operations[0];
  if (response.status != StoreStatus::kAlreadyExists ||
      operation.kind != OperationKind::kSequencedPut) {
    return response;
  }
  inner.Handle(RangeDelete(operation.key + "0", operation.key + ":"));
  return inner.Handle(request);
}

std::vector<Mutant> CounterMutants() {
  using K = OperationKind;
  return {
      {"counter_wraps", "SequencedPutStopsAtTheGreatestNumber", CounterWraps},
      {"counter_is_the_highest_record", "CounterDoesNotGoBackWhenRecordsAreDeleted",
       CounterIsTheHighestRecord},
      {"sequenced_put_overwrites", "ExistingRecordRejectsTheWholeSequencedPut",
       SequencedPutOverwrites},
      Distorts("limit_is_ignored", "LimitIsTheGreatestTotal",
               [](const Inner&, Operation& o) { o.limit = kCounterMax; }),
      Distorts("limit_is_exclusive", "SequencedPutStopsAtItsLimit",
               [](const Inner&, Operation& o) {
                 if (o.limit < kCounterMax) --o.limit;
               }),
      Distorts("text_counts_as_zero", "OnlyACanonicalDecimalIsACounter", K::kAtomicIncrement,
               [](const Inner& inner, Operation& o) {
                 const Record* record = inner.Find(o.key);
                 if (record == nullptr || (record->value >= "0" && record->value <= "9")) return;
                 o = Put(o.key, std::to_string(o.delta));
               }),
      Distorts("decrement_stops_at_zero", "CounterGoesDownToZeroButNotBelow", K::kAtomicIncrement,
               [](const Inner& inner, Operation& o) {
                 if (o.delta < 0 && inner.Find(o.key) == nullptr) o.delta = 0;
               }),
      Distorts("second_delta_is_ignored", "SequencedPutMovesEveryCounter", K::kSequencedPut,
               [](const Inner&, Operation& o) {
                 for (std::size_t i = 1; i < o.deltas.size(); ++i) o.deltas[i] = 0;
               }),
  };
}

// Replaces a session's records by persistent ones, so that its end misses them.
void Disown(Inner& inner, SessionId session) {
  std::vector<std::pair<std::string, std::string>> owned;
  for (const auto& [key, record] : inner.store.model().records()) {
    if (record.session == session) owned.emplace_back(key, record.value);
  }
  for (const auto& [key, value] : owned) inner.Handle(Put(key, value));
}

StoreResponse PutKeepsTheSession(Inner& inner, const StoreRequest& request) {
  if (request.operations.size() != 1) return inner.Handle(request);
  const Operation& put = request.operations[0];
  const Record* record = inner.Find(put.key);
  if (put.kind != OperationKind::kPut || record == nullptr || record->session == 0) {
    return inner.Handle(request);
  }
  StoreResponse response = inner.Handle(Txn(
      request.conditions, {Delete(put.key), EphemeralRecord(put.key, put.value, record->session)}));
  response.results.erase(response.results.begin());
  return response;
}

StoreResponse KeepAliveDoesNotExtend(Inner& inner, const StoreRequest& request) {
  if (request.operations.size() != 1 || request.operations[0].kind != OperationKind::kKeepAlive) {
    return inner.Handle(request);
  }
  Inner other = inner;
  return other.Handle(request);
}

StoreResponse WritesKeepAlive(Inner& inner, const StoreRequest& request) {
  StoreResponse response = inner.Handle(request);
  for (const Operation& operation : request.operations) {
    if (operation.kind == OperationKind::kEphemeralRecord) {
      inner.Handle(KeepAlive(operation.session));
    }
  }
  return response;
}

// Ranges over textual ids: session 1's records are those of 10 to 19 as well.
StoreResponse ClosingEndsSimilarIds(Inner& inner, const StoreRequest& request) {
  for (const Operation& operation : request.operations) {
    if (operation.kind != OperationKind::kCloseSession || operation.session < 1) continue;
    if (operation.session > 1000) continue;
    for (SessionId other = 10 * operation.session; other < 10 * operation.session + 10; ++other) {
      inner.store.ExpireNow(other, inner.mutations);
    }
  }
  return inner.Handle(request);
}

std::vector<Mutant> SessionMutants() {
  using K = OperationKind;
  return {
      {"put_keeps_the_session", "EveryPlainWriteMakesAnEphemeralRecordPersistent",
       PutKeepsTheSession},
      {"closing_a_session_leaves_its_records", "ClosingASessionDeletesItsRecordsAndNoOthers",
       [](Inner& inner, const StoreRequest& request) {
         for (const Operation& operation : request.operations) {
           if (operation.kind == K::kCloseSession) Disown(inner, operation.session);
         }
         return inner.Handle(request);
       }},
      {"closing_ends_sessions_with_similar_ids", "SessionsWithSimilarIdsDoNotShareRecords",
       ClosingEndsSimilarIds},
      Distorts("dead_session_creates_a_persistent_record",
               "ClosingASessionDeletesItsRecordsAndNoOthers", K::kEphemeralRecord,
               [](const Inner& inner, Operation& o) {
                 if (!inner.HasSession(o.session)) o.kind = K::kConditionalCreate;
               }),
      Distorts("key_is_looked_at_before_the_session",
               "EndedSessionHearsOfItsEndEvenWhereTheKeyIsTaken", K::kEphemeralRecord,
               [](const Inner& inner, Operation& o) {
                 if (inner.Find(o.key) != nullptr) o.kind = K::kConditionalCreate;
               }),
      Distorts("keep_alive_of_a_dead_session_succeeds", "UnknownSessionIsRejected", K::kKeepAlive,
               [](const Inner& inner, Operation& o) {
                 if (!inner.HasSession(o.session)) o = Get("");
               }),
      Distorts("closing_twice_succeeds", "UnknownSessionIsRejected", K::kCloseSession,
               [](const Inner& inner, Operation& o) {
                 if (!inner.HasSession(o.session)) o = Get("");
               }),
      {"keep_alive_does_not_extend", "SessionExpiresAfterItsTimeoutUnlessKeptAlive",
       KeepAliveDoesNotExtend},
      {"writes_keep_the_session_alive", "WritesOfASessionDoNotKeepItAlive", WritesKeepAlive},
      {"sessions_never_expire", "EndOfASessionDeletesAllItsRecordsAtOnce",
       [](Inner& inner, const StoreRequest& request) { return inner.Handle(request); }, false},
      Distorts("every_session_has_the_same_timeout", "SessionsOfDifferentTimeoutsEndInTheirOwnTime",
               K::kOpenSession, [](const Inner&, Operation& o) { o.delta = 1000; }),
  };
}

class ConformanceMutants : public testing::TestWithParam<Mutant> {};

TEST_P(ConformanceMutants, IsKilled) {
  const Mutant& mutant = GetParam();
  const std::vector<std::string> failing = CasesThatFail(mutant);
  EXPECT_NE(std::find(failing.begin(), failing.end(), mutant.killed_by), failing.end())
      << mutant.killed_by << " passes; " << testing::PrintToString(failing) << " fail";
}

std::string MutantName(const testing::TestParamInfo<Mutant>& info) { return info.param.name; }

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

INSTANTIATE_TEST_SUITE_P(Records, ConformanceMutants, testing::ValuesIn(RecordMutants()),
                         MutantName);
INSTANTIATE_TEST_SUITE_P(Stores, ConformanceMutants, testing::ValuesIn(StoreMutants()), MutantName);
INSTANTIATE_TEST_SUITE_P(Counters, ConformanceMutants, testing::ValuesIn(CounterMutants()),
                         MutantName);
INSTANTIATE_TEST_SUITE_P(Sessions, ConformanceMutants, testing::ValuesIn(SessionMutants()),
                         MutantName);

TEST(ConformanceMutantsSuite, StoreWithoutADefectSurvives) {
  const Mutant none{
      "none", "", [](Inner& inner, const StoreRequest& request) { return inner.Handle(request); }};
  EXPECT_EQ(CasesThatFail(none), std::vector<std::string>{});
}

}  // namespace
}  // namespace lockstep::sim
