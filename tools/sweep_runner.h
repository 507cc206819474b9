// SweepRunner: gives out chunks, survives the workers, and merges in the order of the plan.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/catalog.h"
#include "tools/console.h"
#include "tools/interrupt.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/selection.h"
#include "tools/stopwatch.h"
#include "tools/sweep_plan.h"
#include "tools/sweep_result.h"
#include "tools/sweep_worker.h"
#include "tools/worker_pool.h"

namespace lockstep::tools {

class SweepRunner {
 public:
  /// Keeps references.
  SweepRunner(const Catalog& catalog, const Options& options, const Selection& selection,
              SweepPlan& plan, Console& console);

  /// Runs everything that the plan has, and records the first failure of each bucket.
  SweepResult Run();
  /// What could not be saved, one line each.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  /// Seeds given out together, or what is left of them after a crash in their middle.
  struct Piece {
    Chunk chunk;
    bool done = false;
    std::vector<Segment> segments;
    int deaths = 0;  ///< outside of a run
  };
  /// Order of the chunk in the plan, then first seed: the order in which results are merged.
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  bool GiveOut(WorkerPool& pool);
  void Handle(const PoolEvent& event);
  void HandleDeath(const PoolEvent& event, const Key& key);
  void AddPiece(std::uint64_t order, const Chunk& chunk);
  bool MergeFront();
  void MergeRest(WorkerPool& pool);
  SweepEnd Loop(WorkerPool& pool);
  void DrawProgress(const WorkerPool& pool);
  [[nodiscard]] FailureFacts Crash(const Chunk& chunk, std::uint64_t seed,
                                   const std::string& how) const;
  void Record();
  void HandleRecorded(const FailureFacts& first, std::size_t index, const PoolEvent& event);
  [[nodiscard]] unsigned Jobs() const;
  [[nodiscard]] double HangSeconds() const;

  const Catalog& catalog_;
  const Options& options_;
  const Selection& selection_;
  SweepPlan& plan_;
  SweepResult result_;
  Progress progress_;
  Stopwatch clock_;
  Interrupts interrupts_;
  std::map<Key, Piece> pieces_;             ///< given out and not merged yet
  std::deque<Key> again_;                   ///< pieces to be given out first
  std::map<std::uint64_t, Key> in_flight_;  ///< by task
  std::uint64_t next_task_ = 0;
  std::uint64_t next_order_ = 0;
  bool plan_ended_ = false;
  std::vector<std::string> problems_;
};

}  // namespace lockstep::tools
