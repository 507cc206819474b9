// RunChunks: a range of numbers, cut into chunks that workers take one after another.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "scenarios/exhaust/executor.h"

namespace lockstep::scenarios {

/// Calls body(worker, begin, end) for chunks that make up first .. last-1, each once. What fits in
/// one chunk is done on the calling thread, as worker 0.
template <typename Body>
void RunChunks(Executor& executor, std::uint64_t first, std::uint64_t last, std::uint64_t chunk,
               const Body& body) {
  if (first >= last) return;
  if (last - first <= chunk) {
    body(std::uint32_t{0}, first, last);
    return;
  }
  std::atomic<std::uint64_t> next{first};
  executor.RunOnAll([&](std::uint32_t worker) {
    while (true) {
      const std::uint64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= last) return;
      body(worker, begin, std::min(begin + chunk, last));
    }
  });
}

}  // namespace lockstep::scenarios
