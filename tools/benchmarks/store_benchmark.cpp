// Requests a second through StoreModel::Apply, with 1,000 records unless the argument says more.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/random/rng.h"
#include "sim/store/store_api.h"
#include "sim/store/store_model.h"

namespace lockstep::tools {
namespace {

using sim::Single;
using sim::StoreRequest;
using sim::Txn;

const char kValue[] = "WAL 3 objects/w1/17 w1.17";  // as long as an index record's

std::string Key(std::int64_t i) {
  std::string key = "log/index/";
  sim::AppendPadded(key, i);
  return key;
}

using MakeRequest = std::function<StoreRequest(const std::string& key)>;

// Applies a cycle of requests that were made beforehand, over randomly chosen keys.
void Run(benchmark::State& state, const MakeRequest& make) {
  sim::StoreModel store;
  std::vector<sim::Mutation> mutations;
  const std::int64_t records = state.range(0);
  for (std::int64_t i = 0; i < records; ++i)
    store.Apply(Single(sim::Put(Key(i), kValue)), mutations);
  sim::Rng rng(1);
  std::vector<StoreRequest> requests;
  for (int i = 0; i < 1024; ++i) {
    requests.push_back(make(Key(rng.Below(static_cast<std::uint32_t>(records)))));
  }
  std::size_t next = 0;
  for (auto _ : state) {
    mutations.clear();
    benchmark::DoNotOptimize(store.Apply(requests[next++ % requests.size()], mutations));
  }
  state.SetItemsProcessed(state.iterations());
}

void StoreGet(benchmark::State& state) {
  Run(state, [](const std::string& key) { return Single(sim::Get(key)); });
}

void StoreCeilingGet(benchmark::State& state) {
  Run(state, [](const std::string& key) { return Single(sim::CeilingGet(key)); });
}

void StorePut(benchmark::State& state) {
  Run(state, [](const std::string& key) { return Single(sim::Put(key, kValue)); });
}

void StoreRejectedCreate(benchmark::State& state) {
  Run(state, [](const std::string& key) { return Single(sim::ConditionalCreate(key, kValue)); });
}

void StoreRolledBackTransaction(benchmark::State& state) {
  Run(state, [](const std::string& key) {
    return Txn({}, {sim::Put(key, "1"), sim::Delete(key), sim::KeepAlive(0)});
  });
}

// The log's append; the store grows by one record each time.
void StoreAppend(benchmark::State& state) {
  Run(state, [](const std::string&) {
    return Txn({sim::Absent("log/state")}, {sim::SequencedPut("log/index/~", {3}, kValue)});
  });
}

BENCHMARK(StoreGet)->Arg(1'000)->Arg(1'000'000);
BENCHMARK(StoreCeilingGet)->Arg(1'000)->Arg(1'000'000);
BENCHMARK(StorePut)->Arg(1'000)->Arg(1'000'000);
BENCHMARK(StoreRejectedCreate)->Arg(1'000);
BENCHMARK(StoreRolledBackTransaction)->Arg(1'000);
BENCHMARK(StoreAppend)->Arg(1'000);

}  // namespace
}  // namespace lockstep::tools
