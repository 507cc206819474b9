// What a worker of a sweep does: a chunk of seeds of one scenario, or one failing run once more, to
// record it. And what travels between parent and worker, as bytes.
//
// A chunk's answer is cut into segments, each ending at a failing run or at the chunk's end, so
// that the parent can stop exactly at the N-th failure, whichever worker found it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "tools/catalog.h"
#include "tools/failure_block.h"
#include "tools/selection.h"
#include "tools/worker_pool.h"

namespace lockstep::tools {

/// `count` seeds of one scenario: first_seed, first_seed + stride, ...
struct Chunk {
  std::size_t scenario = 0;  ///< index into Selection::scenarios
  std::uint64_t first_seed = 1;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

struct Segment {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  std::uint64_t inconclusive = 0;                    ///< runs
  std::optional<std::uint64_t> inconclusive_seed{};  ///< the first of them
  std::uint64_t last_seed = 0;
  scenarios::Coverage coverage;
  std::optional<FailureFacts> failure;  ///< of the last run
};

/// A failing run made again: did it fail in the same way, and where is it saved?
struct Recorded {
  std::string property;  ///< empty = it did not fail
  std::int64_t step = 0;
  std::string trace;
  std::string schedule;
  std::string problem;  ///< why nothing was saved
};

std::string EncodeChunk(const Chunk& chunk);
/// Asks for the run of the chunk's first seed to be recorded.
std::string EncodeRecord(const Chunk& chunk);

std::vector<Segment> DecodeSegments(const std::string& answer);
Recorded DecodeRecorded(const std::string& answer);

/// What the workers of this sweep do. Keeps references.
WorkerPool::Body SweepWorker(const Catalog& catalog, const Selection& selection,
                             const std::string& out);

}  // namespace lockstep::tools
