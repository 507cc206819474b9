// Conformance of single records: reads, writes, conditional writes, range deletes, key order.

#include <string>
#include <vector>

#include "sim/store/store_conformance_suite.h"

namespace lockstep::sim {
namespace {

using namespace std::string_literals;  // for keys with an embedded zero byte
using Client = ConformanceClient;
using Strings = std::vector<std::string>;

void GetOfAnAbsentKeyFindsNothing(StoreBackend& backend) {
  Client client(backend);
  EXPECT_FALSE(client.Ok(Get("a")).found);
  client.Ok(Put("b", "1"));
  EXPECT_FALSE(client.Ok(Get("a")).found);
}

void PutIsReadBackWithItsVersion(StoreBackend& backend) {
  Client client(backend);
  const Version version = client.Ok(Put("a", "1")).version;
  EXPECT_GT(version, 0);
  const OperationResult read = client.Ok(Get("a"));
  EXPECT_TRUE(read.found);
  EXPECT_EQ(read.value, "1");
  EXPECT_EQ(read.version, version);
}

void PutReplacesValueAndVersion(StoreBackend& backend) {
  Client client(backend);
  const Version first = client.Ok(Put("a", "1")).version;
  const Version second = client.Ok(Put("a", "2")).version;
  EXPECT_GT(second, first);
  EXPECT_EQ(client.Everything(), (Content{{"a", "2", second}}));
}

void PutOfTheSameValueIsAWrite(StoreBackend& backend) {
  Client client(backend);
  const Version first = client.Ok(Put("a", "1")).version;
  EXPECT_GT(client.Ok(Put("a", "1")).version, first);
}

void EmptyKeyAndEmptyValueAreOrdinary(StoreBackend& backend) {
  Client client(backend);
  const Version version = client.Ok(Put("", "")).version;
  EXPECT_EQ(client.Everything(), (Content{{"", "", version}}));
  client.Ok(ConditionalDelete("", version));
  EXPECT_EQ(client.Everything(), Content{});
}

void KeysAndValuesHoldAnyByte(StoreBackend& backend) {
  Client client(backend);
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  client.Ok(Put(bytes, bytes));
  EXPECT_EQ(client.Value(bytes), bytes);
  EXPECT_EQ(client.Ok(CeilingGet("")).key, bytes);
}

void KeysAreOrderedByUnsignedBytes(StoreBackend& backend) {
  Client client(backend);
  const Strings sorted = {"",         "\0"s,   "\0\0"s,   "\0\xff"s, "\x01", "A",
                          "a",        "a\0"s,  "a\0b"s,   "a\x01",   "aa",   "a\x7f",
                          "a\x80",    "a\xff", "b",       "\x7f",    "\x80", "\x80\0"s,
                          "\x80\x80", "\xff",  "\xff\0"s, "\xff\xff"};
  // Written in an order that is neither ascending nor descending: 7 has no factor in common
  // with 22.
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    client.Ok(ConditionalCreate(sorted[i * 7 % sorted.size()], "v"));
  }
  EXPECT_EQ(client.Keys(), sorted);
}

void CeilingAndHigherAgreeWithTheOrderAtEveryKey(StoreBackend& backend) {
  Client client(backend);
  const Strings sorted = {"\0"s, "a", "a\0"s, "a\x80", "b", "\x7f\xff", "\x80", "\xff\0"s};
  for (const std::string& key : sorted) client.Ok(Put(key, "value of " + key));
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const OperationResult ceiling = client.Ok(CeilingGet(sorted[i]));
    EXPECT_TRUE(ceiling.found);
    EXPECT_EQ(ceiling.key, sorted[i]);
    EXPECT_EQ(ceiling.value, "value of " + sorted[i]);
    EXPECT_EQ(ceiling.version, client.VersionOf(sorted[i]));
    const OperationResult higher = client.Ok(HigherGet(sorted[i]));
    if (i + 1 == sorted.size()) {
      EXPECT_FALSE(higher.found);
      EXPECT_EQ(higher.key, "");
      continue;
    }
    EXPECT_TRUE(higher.found);
    EXPECT_EQ(higher.key, sorted[i + 1]);
    EXPECT_EQ(higher.value, "value of " + sorted[i + 1]);
    EXPECT_EQ(higher.version, client.VersionOf(sorted[i + 1]));
  }
}

void CeilingAndHigherOfAnAbsentKeyFindTheNext(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("b", "1"));
  client.Ok(Put("d", "2"));
  for (const auto read : {CeilingGet, HigherGet}) {
    EXPECT_EQ(client.Ok(read("")).key, "b");
    EXPECT_EQ(client.Ok(read("a\xff")).key, "b");
    EXPECT_EQ(client.Ok(read("b\0"s)).key, "d");
    EXPECT_EQ(client.Ok(read("c")).key, "d");
    EXPECT_FALSE(client.Ok(read("d\0"s)).found);
    EXPECT_FALSE(client.Ok(read("\xff")).found);
  }
}

void CeilingAndHigherFindNothingInAnEmptyStore(StoreBackend& backend) {
  Client client(backend);
  EXPECT_FALSE(client.Ok(CeilingGet("")).found);
  EXPECT_FALSE(client.Ok(HigherGet("")).found);
}

// The store knows no prefixes: a lookup past a log's last entry finds the next log's first one, and
// it is for the caller to see that.
void CeilingWalksIntoTheNextPrefix(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("log/1/7", "old"));
  client.Ok(Put("log/2/1", "other"));
  EXPECT_EQ(client.Ok(CeilingGet("log/1/8")).key, "log/2/1");
  EXPECT_EQ(client.Ok(HigherGet("log/1/7")).key, "log/2/1");
}

void DeleteRemovesOneRecordAndIsIdempotent(StoreBackend& backend) {
  Client client(backend);
  client.Ok(Put("a", "1"));
  const Version version = client.Ok(Put("a\0"s, "2")).version;
  client.Ok(Delete("a"));
  EXPECT_EQ(client.Everything(), (Content{{"a\0"s, "2", version}}));
  client.Ok(Delete("a"));
  EXPECT_EQ(client.Everything(), (Content{{"a\0"s, "2", version}}));
}

void CompareAndSetOfAnExpectedValue(StoreBackend& backend) {
  Client client(backend);
  const Version first = client.Ok(Put("a", "1")).version;
  client.Rejected(StoreStatus::kConflict, CompareAndSet("a", "2", "3"));
  client.Rejected(StoreStatus::kConflict, CompareAndSet("a", "", "3"));
  client.Rejected(StoreStatus::kConflict, CompareAndSet("a", "1\0"s, "3"));
  const Version second = client.Ok(CompareAndSet("a", "1", "3")).version;
  EXPECT_GT(second, first);
  EXPECT_EQ(client.Everything(), (Content{{"a", "3", second}}));
  client.Rejected(StoreStatus::kConflict, CompareAndSet("a", "1", "4"));
}

void CompareAndSetOfAnAbsentRecord(StoreBackend& backend) {
  Client client(backend);
  client.Rejected(StoreStatus::kConflict, CompareAndSet("a", "1", "2"));
  // Absent is not the empty value.
  client.Rejected(StoreStatus::kConflict, CompareAndSet("a", "", "2"));
  const Version version = client.Ok(CompareAndSet("a", std::nullopt, "")).version;
  EXPECT_EQ(client.Everything(), (Content{{"a", "", version}}));
  client.Rejected(StoreStatus::kConflict, CompareAndSet("a", std::nullopt, "2"));
  client.Ok(CompareAndSet("a", "", "2"));
  EXPECT_EQ(client.Value("a"), "2");
}

void ConditionalCreateCreatesOnlyOnce(StoreBackend& backend) {
  Client client(backend);
  const Version version = client.Ok(ConditionalCreate("a", "1")).version;
  EXPECT_GT(version, 0);
  client.Rejected(StoreStatus::kAlreadyExists, ConditionalCreate("a", "2"));
  client.Rejected(StoreStatus::kAlreadyExists, ConditionalCreate("a", "1"));
  EXPECT_EQ(client.Everything(), (Content{{"a", "1", version}}));
  client.Ok(Delete("a"));
  EXPECT_GT(client.Ok(ConditionalCreate("a", "2")).version, version);
}

void ConditionalDeleteNeedsTheVersion(StoreBackend& backend) {
  Client client(backend);
  client.Rejected(StoreStatus::kNotFound, ConditionalDelete("a", 0));
  const Version first = client.Ok(Put("a", "1")).version;
  client.Rejected(StoreStatus::kNotFound, ConditionalDelete("b", first));
  const Version second = client.Ok(Put("a", "1")).version;
  client.Rejected(StoreStatus::kVersionMismatch, ConditionalDelete("a", first));
  client.Rejected(StoreStatus::kVersionMismatch, ConditionalDelete("a", second + 1));
  client.Rejected(StoreStatus::kVersionMismatch, ConditionalDelete("a", 0));
  client.Rejected(StoreStatus::kVersionMismatch, ConditionalDelete("a", -1));
  client.Ok(ConditionalDelete("a", second));
  EXPECT_EQ(client.Everything(), Content{});
  client.Rejected(StoreStatus::kNotFound, ConditionalDelete("a", second));
}

// Otherwise a holder that comes late deletes its successor's lock.
void RecreatedKeyNeverGetsAnOldVersion(StoreBackend& backend) {
  Client client(backend);
  Version last = 0;
  for (int round = 0; round < 4; ++round) {
    const Version version = client.Ok(ConditionalCreate("lock", "same")).version;
    EXPECT_GT(version, last);
    if (last > 0) {
      client.Rejected(StoreStatus::kVersionMismatch, ConditionalDelete("lock", last));
    }
    last = version;
    if (round == 0) client.Ok(Delete("lock"));
    if (round == 1) client.Ok(ConditionalDelete("lock", version));
    if (round == 2) client.Ok(RangeDelete("", "\xff"));
  }
}

void VersionsRiseOverAllKeysAndPrimitives(StoreBackend& backend) {
  Client client(backend);
  const SessionId session = client.Open();
  const std::vector<Operation> writes = {
      Put("b", "1"),
      Put("a", "1"),
      CompareAndSet("a", "1", "2"),
      CompareAndSet("c", std::nullopt, "2"),
      AtomicIncrement("n", 1),
      ConditionalCreate("d", "1"),
      EphemeralRecord("e", "1", session),
      SequencedPut("s", {1, 2}, "1"),
      SequencedPut("s", {1, 2}, "1"),
      AtomicIncrement("n", 1),
      Put("e", "2"),
      Put("b", "1"),
  };
  Version last = 0;
  for (const Operation& write : writes) {
    const Version version = client.Ok(write).version;
    EXPECT_GT(version, last) << OperationName(write.kind);
    last = version;
    client.Ok(Delete("unrelated"));
  }
  // No two records have one version, the counters of SequencedPut included.
  std::vector<Version> versions;
  for (const VisibleRecord& record : client.Everything()) {
    for (const Version version : versions) EXPECT_NE(record.version, version) << record.key;
    versions.push_back(record.version);
  }
}

void RangeDeleteIncludesItsStartAndExcludesItsEnd(StoreBackend& backend) {
  Client client(backend);
  for (const char* key : {"a", "b", "c", "d"}) client.Ok(Put(key, "v"));
  EXPECT_EQ(client.Ok(RangeDelete("b", "d")).number, 2);
  EXPECT_EQ(client.Keys(), (Strings{"a", "d"}));
}

void RangeDeleteBoundsNeedNotExist(StoreBackend& backend) {
  Client client(backend);
  for (const std::string& key : {"a"s, "a\0"s, "a\xff"s, "b"s, "b\0"s, "\x80"s}) {
    client.Ok(Put(key, "v"));
  }
  EXPECT_EQ(client.Ok(RangeDelete("a\0"s, "b\0"s)).number, 3);
  EXPECT_EQ(client.Keys(), (Strings{"a", "b\0"s, "\x80"}));
  EXPECT_EQ(client.Ok(RangeDelete("a\x01", "\x80\0"s)).number, 2);
  EXPECT_EQ(client.Keys(), (Strings{"a"}));
  EXPECT_EQ(client.Ok(RangeDelete("", "\xff")).number, 1);
  EXPECT_EQ(client.Keys(), Strings{});
}

void EmptyRangeDeletesNothing(StoreBackend& backend) {
  Client client(backend);
  for (const char* key : {"a", "b", "c"}) client.Ok(Put(key, "v"));
  EXPECT_EQ(client.Ok(RangeDelete("b", "b")).number, 0);
  EXPECT_EQ(client.Ok(RangeDelete("c", "a")).number, 0);
  EXPECT_EQ(client.Ok(RangeDelete("b\0"s, "c")).number, 0);
  EXPECT_EQ(client.Ok(RangeDelete("", "")).number, 0);
  // The empty end is the smallest key, not "to the end of the store".
  EXPECT_EQ(client.Ok(RangeDelete("a", "")).number, 0);
  EXPECT_EQ(client.Keys(), (Strings{"a", "b", "c"}));
}

}  // namespace

std::vector<ConformanceCase> RecordConformanceCases() {
  return {
      {"GetOfAnAbsentKeyFindsNothing", Needs::kCalls, GetOfAnAbsentKeyFindsNothing},
      {"PutIsReadBackWithItsVersion", Needs::kCalls, PutIsReadBackWithItsVersion},
      {"PutReplacesValueAndVersion", Needs::kCalls, PutReplacesValueAndVersion},
      {"PutOfTheSameValueIsAWrite", Needs::kCalls, PutOfTheSameValueIsAWrite},
      {"EmptyKeyAndEmptyValueAreOrdinary", Needs::kCalls, EmptyKeyAndEmptyValueAreOrdinary},
      {"KeysAndValuesHoldAnyByte", Needs::kCalls, KeysAndValuesHoldAnyByte},
      {"KeysAreOrderedByUnsignedBytes", Needs::kCalls, KeysAreOrderedByUnsignedBytes},
      {"CeilingAndHigherAgreeWithTheOrderAtEveryKey", Needs::kCalls,
       CeilingAndHigherAgreeWithTheOrderAtEveryKey},
      {"CeilingAndHigherOfAnAbsentKeyFindTheNext", Needs::kCalls,
       CeilingAndHigherOfAnAbsentKeyFindTheNext},
      {"CeilingAndHigherFindNothingInAnEmptyStore", Needs::kCalls,
       CeilingAndHigherFindNothingInAnEmptyStore},
      {"CeilingWalksIntoTheNextPrefix", Needs::kCalls, CeilingWalksIntoTheNextPrefix},
      {"DeleteRemovesOneRecordAndIsIdempotent", Needs::kCalls,
       DeleteRemovesOneRecordAndIsIdempotent},
      {"CompareAndSetOfAnExpectedValue", Needs::kCalls, CompareAndSetOfAnExpectedValue},
      {"CompareAndSetOfAnAbsentRecord", Needs::kCalls, CompareAndSetOfAnAbsentRecord},
      {"ConditionalCreateCreatesOnlyOnce", Needs::kCalls, ConditionalCreateCreatesOnlyOnce},
      {"ConditionalDeleteNeedsTheVersion", Needs::kCalls, ConditionalDeleteNeedsTheVersion},
      {"RecreatedKeyNeverGetsAnOldVersion", Needs::kCalls, RecreatedKeyNeverGetsAnOldVersion},
      {"VersionsRiseOverAllKeysAndPrimitives", Needs::kCalls, VersionsRiseOverAllKeysAndPrimitives},
      {"RangeDeleteIncludesItsStartAndExcludesItsEnd", Needs::kCalls,
       RangeDeleteIncludesItsStartAndExcludesItsEnd},
      {"RangeDeleteBoundsNeedNotExist", Needs::kCalls, RangeDeleteBoundsNeedNotExist},
      {"EmptyRangeDeletesNothing", Needs::kCalls, EmptyRangeDeletesNothing},
  };
}

}  // namespace lockstep::sim
