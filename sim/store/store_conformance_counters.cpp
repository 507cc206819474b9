// Conformance of counters: AtomicIncrement and SequencedPut, above all at their limits.

#include <limits>
#include <string>
#include <vector>

#include "sim/store/store_conformance_suite.h"

namespace lockstep::sim {
namespace {

using namespace std::string_literals;
using Client = ConformanceClient;
using Strings = std::vector<std::string>;

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

void AbsentCounterIsZero(StoreBackend& backend) {
  Client client(backend);
  const OperationResult first = client.Ok(AtomicIncrement("n", 5));
  EXPECT_EQ(first.number, 5);
  EXPECT_EQ(client.Everything(), (Content{{"n", "5", first.version}}));
  client.Ok(Delete("n"));
  EXPECT_EQ(client.Ok(AtomicIncrement("n", 2)).number, 2);
}

void IncrementsAddUp(StoreBackend& backend) {
  Client client(backend);
  const Version first = client.Ok(AtomicIncrement("n", 9)).version;
  const OperationResult second = client.Ok(AtomicIncrement("n", 1));
  EXPECT_EQ(second.number, 10);
  EXPECT_GT(second.version, first);
  EXPECT_EQ(client.Everything(), (Content{{"n", "10", second.version}}));
}

void CounterIsAnOrdinaryRecord(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("n", "41"));
  EXPECT_EQ(client.Ok(AtomicIncrement("n", 1)).number, 42);
  client.Ok(CompareAndSet("n", "42", "0"));
  EXPECT_EQ(client.Ok(AtomicIncrement("n", 3)).number, 3);
  client.Ok(ConditionalDelete("n", client.VersionOf("n")));
  EXPECT_EQ(client.Everything(), Content{});
}

void ZeroDeltaIsAWrite(StoreBackend& backend) {
  Client client(backend);
  const OperationResult created = client.Ok(AtomicIncrement("n", 0));
  EXPECT_EQ(created.number, 0);
  EXPECT_EQ(client.Value("n"), "0");
  EXPECT_GT(client.Ok(AtomicIncrement("n", 0)).version, created.version);
}

void CounterGoesDownToZeroButNotBelow(StoreBackend& backend) {
  Client client(backend);
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", -1));
  client.Ok(Put("n", "5"));
  EXPECT_EQ(client.Ok(AtomicIncrement("n", -3)).number, 2);
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", -3));
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", kMin));
  EXPECT_EQ(client.Ok(AtomicIncrement("n", -2)).number, 0);
  EXPECT_EQ(client.Value("n"), "0");
}

void CounterStopsAtTheGreatestNumber(StoreBackend& backend) {
  Client client(backend);
  EXPECT_EQ(client.Ok(AtomicIncrement("n", kCounterMax - 1)).number, kCounterMax - 1);
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", 2));
  EXPECT_EQ(client.Ok(AtomicIncrement("n", 1)).number, kCounterMax);
  EXPECT_EQ(client.Value("n"), "9223372036854775807");
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", 1));
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", kCounterMax));
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", kMin));
  EXPECT_EQ(client.Ok(AtomicIncrement("n", -kCounterMax)).number, 0);
}

void LimitIsTheGreatestTotal(StoreBackend& backend) {
  Client client(backend);
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", 6, 5));
  EXPECT_EQ(client.Ok(AtomicIncrement("n", 5, 5)).number, 5);
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", 1, 5));
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", kCounterMax, 5));
  // The limit belongs to the request, not to the counter.
  EXPECT_EQ(client.Ok(AtomicIncrement("n", 1, 6)).number, 6);
  // It bounds the total, whatever the direction.
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", -1, 4));
  EXPECT_EQ(client.Ok(AtomicIncrement("n", -2, 4)).number, 4);
  client.Rejected(StoreStatus::kOverflow, AtomicIncrement("n", -4, -1));
}

void OnlyACanonicalDecimalIsACounter(StoreBackend& backend) {
  Client client(backend);
  const Strings values = {"",
                          " ",
                          "a",
                          "-1",
                          "+1",
                          " 1",
                          "1 ",
                          "01",
                          "00",
                          "1.0",
                          "1e3",
                          "0x1",
                          "1\0"s,
                          "-0",
                          "\xef\xbc\x91",
                          "1,0",
                          "1\n1",
                          "-",
                          "9223372036854775808",
                          "18446744073709551617",
                          "99999999999999999999999999"};
  for (const std::string& value : values) {
    client.Ok(Put("n", value));
    client.Ok(Put("s#0", value));
    client.Rejected(StoreStatus::kNotACounter, AtomicIncrement("n", 1));
    client.Rejected(StoreStatus::kNotACounter, AtomicIncrement("n", 0));
    client.Rejected(StoreStatus::kNotACounter, SequencedPut("s", {1}, "v"));
  }
}

void SequencedPutCreatesARecordUnderTheNewTotal(StoreBackend& backend) {
  Client client(backend);
  const OperationResult put = client.Ok(SequencedPut("log/", {3}, "entry"));
  EXPECT_EQ(put.key, "log/00000000000000000003");
  EXPECT_EQ(put.number, 3);
  EXPECT_EQ(client.VersionOf(put.key), put.version);
  EXPECT_EQ(client.Value(put.key), "entry");
  EXPECT_EQ(client.Value(SequenceCounterKey("log/", 0)), "3");
  EXPECT_EQ(client.Keys(), (Strings{"log/#0", "log/00000000000000000003"}));
  EXPECT_EQ(client.Ok(SequencedPut("log/", {2}, "entry")).key, "log/00000000000000000005");
}

void SequencedPutMovesEveryCounter(StoreBackend& backend) {
  Client client(backend);
  client.Ok(SequencedPut("s", {1, 0, 700}, "a"));
  const OperationResult put = client.Ok(SequencedPut("s", {2, 0, 300}, "b"));
  EXPECT_EQ(put.key, "s00000000000000000003-00000000000000000000-00000000000000001000");
  EXPECT_EQ(put.number, 3);
  EXPECT_EQ(client.Value("s#0"), "3");
  EXPECT_EQ(client.Value("s#1"), "0");
  EXPECT_EQ(client.Value("s#2"), "1000");
  EXPECT_EQ(client.Everything().size(), 5U);
}

void GeneratedKeysSortLikeTheirTotals(StoreBackend& backend) {
  Client client(backend);
  Strings expected = {"s#0"};
  for (const std::int64_t delta : {1LL, 8LL, 1LL, 90LL, 999'900LL, 1'000'000'000'000LL}) {
    expected.push_back(client.Ok(SequencedPut("s", {delta}, "v")).key);
  }
  EXPECT_EQ(client.Keys(), expected);
}

// A counter that is whatever the highest surviving record says gives an offset a second time.
void CounterDoesNotGoBackWhenRecordsAreDeleted(StoreBackend& backend) {
  Client client(backend);
  client.Ok(SequencedPut("s", {1}, "v"));
  client.Ok(Delete(client.Ok(SequencedPut("s", {1}, "v")).key));
  EXPECT_EQ(client.Ok(SequencedPut("s", {1}, "v")).number, 3);
  client.Ok(RangeDelete("s0", "s:"));
  EXPECT_EQ(client.Keys(), (Strings{"s#0"}));
  EXPECT_EQ(client.Ok(SequencedPut("s", {1}, "v")).number, 4);
}

void DeletingACounterResetsIt(StoreBackend& backend) {
  Client client(backend);
  client.Ok(SequencedPut("s", {1}, "old"));
  client.Ok(Delete(SequenceCounterKey("s", 0)));
  client.Rejected(StoreStatus::kAlreadyExists, SequencedPut("s", {1}, "new"));
  EXPECT_EQ(client.Ok(SequencedPut("s", {2}, "new")).number, 2);
  client.Ok(RangeDelete("s", "t"));
  EXPECT_EQ(client.Ok(SequencedPut("s", {1}, "new")).number, 1);
}

void ExistingRecordRejectsTheWholeSequencedPut(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put(SequencedKey("s", {2, 5}), "in the way"));
  client.Rejected(StoreStatus::kAlreadyExists, SequencedPut("s", {2, 5}, "v"));
  EXPECT_EQ(client.Value("s#0"), "(absent)");
  client.Ok(SequencedPut("s", {1, 5}, "v"));
  EXPECT_EQ(client.Value("s#1"), "5");
}

void SequencedPutStopsAtItsLimit(StoreBackend& backend) {
  Client client(backend);
  client.Rejected(StoreStatus::kOverflow, SequencedPut("s", {6}, "v", 5));
  EXPECT_EQ(client.Ok(SequencedPut("s", {5, 100}, "v", 5)).number, 5);  // first total only
  client.Rejected(StoreStatus::kOverflow, SequencedPut("s", {1, 0}, "v", 5));
  EXPECT_EQ(client.Ok(SequencedPut("s", {1, 0}, "v", 6)).number, 6);
}

// A huge delta must not wrap the counter below the tail of the log.
void SequencedPutStopsAtTheGreatestNumber(StoreBackend& backend) {
  Client client(backend);
  client.Ok(SequencedPut("s", {1, 1}, "v"));
  client.Rejected(StoreStatus::kOverflow, SequencedPut("s", {kCounterMax, 1}, "v"));
  client.Rejected(StoreStatus::kOverflow, SequencedPut("s", {1, kCounterMax}, "v"));
  const OperationResult last = client.Ok(SequencedPut("s", {kCounterMax - 1, 1}, "v"));
  EXPECT_EQ(last.number, kCounterMax);
  EXPECT_EQ(last.key, "s09223372036854775807-00000000000000000002");
  client.Rejected(StoreStatus::kOverflow, SequencedPut("s", {1, 1}, "v"));
}

void SequenceCountersAreOrdinaryRecords(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("s#0", "10"));
  EXPECT_EQ(client.Ok(SequencedPut("s", {1}, "v")).number, 11);
  EXPECT_EQ(client.Ok(AtomicIncrement("s#0", 5)).number, 16);
  EXPECT_EQ(client.Ok(SequencedPut("s", {1}, "v")).number, 17);
  EXPECT_EQ(client.Keys(), (Strings{"s#0", SequencedKey("s", {11}), SequencedKey("s", {17})}));
}

void PrefixesHaveCountersOfTheirOwn(StoreBackend& backend) {
  Client client(backend);
  client.Ok(SequencedPut("log", {5}, "v"));
  EXPECT_EQ(client.Ok(SequencedPut("log/", {1}, "v")).number, 1);
  EXPECT_EQ(client.Ok(SequencedPut("", {2}, "v")).number, 2);
  EXPECT_EQ(client.Ok(SequencedPut("log", {1}, "v")).number, 6);
}

}  // namespace

std::vector<ConformanceCase> CounterConformanceCases() {
  return {
      {"AbsentCounterIsZero", Needs::kCalls, AbsentCounterIsZero},
      {"IncrementsAddUp", Needs::kCalls, IncrementsAddUp},
      {"CounterIsAnOrdinaryRecord", Needs::kCalls, CounterIsAnOrdinaryRecord},
      {"ZeroDeltaIsAWrite", Needs::kCalls, ZeroDeltaIsAWrite},
      {"CounterGoesDownToZeroButNotBelow", Needs::kCalls, CounterGoesDownToZeroButNotBelow},
      {"CounterStopsAtTheGreatestNumber", Needs::kCalls, CounterStopsAtTheGreatestNumber},
      {"LimitIsTheGreatestTotal", Needs::kCalls, LimitIsTheGreatestTotal},
      {"OnlyACanonicalDecimalIsACounter", Needs::kCalls, OnlyACanonicalDecimalIsACounter},
      {"SequencedPutCreatesARecordUnderTheNewTotal", Needs::kCalls,
       SequencedPutCreatesARecordUnderTheNewTotal},
      {"SequencedPutMovesEveryCounter", Needs::kCalls, SequencedPutMovesEveryCounter},
      {"GeneratedKeysSortLikeTheirTotals", Needs::kCalls, GeneratedKeysSortLikeTheirTotals},
      {"CounterDoesNotGoBackWhenRecordsAreDeleted", Needs::kCalls,
       CounterDoesNotGoBackWhenRecordsAreDeleted},
      {"DeletingACounterResetsIt", Needs::kCalls, DeletingACounterResetsIt},
      {"ExistingRecordRejectsTheWholeSequencedPut", Needs::kCalls,
       ExistingRecordRejectsTheWholeSequencedPut},
      {"SequencedPutStopsAtItsLimit", Needs::kCalls, SequencedPutStopsAtItsLimit},
      {"SequencedPutStopsAtTheGreatestNumber", Needs::kCalls, SequencedPutStopsAtTheGreatestNumber},
      {"SequenceCountersAreOrdinaryRecords", Needs::kCalls, SequenceCountersAreOrdinaryRecords},
      {"PrefixesHaveCountersOfTheirOwn", Needs::kCalls, PrefixesHaveCountersOfTheirOwn},
  };
}

}  // namespace lockstep::sim
