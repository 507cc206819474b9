// WorkerPool: processes that work on tasks and may die of them.
//
// A worker is a fork of this process: it has everything that existed when the pool was made. It
// gets one task at a time and answers with bytes. What it works on stands in memory shared with the
// parent, so that a crash or a hang costs no more than the run in flight, and that run is known.
//
// REQUIRES: no threads in this process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/stopwatch.h"

namespace lockstep::tools {

/// One worker's line in the shared memory. Only the worker writes, only the parent reads.
struct WorkerState {
  std::atomic<std::uint64_t> seed{0};  ///< in flight, while `running` is 1
  std::atomic<std::uint64_t> running{0};
  std::atomic<std::uint64_t> started{0};  ///< runs begun: grows while there is progress
  std::atomic<std::uint64_t> runs{0};     ///< runs ended
  std::atomic<std::uint64_t> steps{0};
};

/// What a task sees of its worker.
class WorkerContext {
 public:
  WorkerContext(WorkerState& state, const std::atomic<std::uint64_t>& stop)
      : state_(state), stop_(stop) {}

  void Begin(std::uint64_t seed) {
    state_.seed = seed;
    state_.running = 1;
    ++state_.started;
  }
  void End(std::uint64_t steps) {
    state_.running = 0;
    ++state_.runs;
    state_.steps += steps;
  }
  /// The parent wants an answer soon, complete or not.
  [[nodiscard]] bool StopAsked() const { return stop_ != 0; }

 private:
  WorkerState& state_;
  const std::atomic<std::uint64_t>& stop_;
};

struct PoolEvent {
  std::uint64_t task = 0;
  bool died = false;
  std::string answer;                 ///< of a task that is done
  std::string how;                    ///< of a death: "crashed: signal 11 (...)", "hung: ..."
  std::optional<std::uint64_t> seed;  ///< of a death: the run in flight, if there was one
};

struct PoolCounts {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
};

class WorkerPool {
 public:
  /// Runs in the worker. An exception is a crash.
  using Body = std::function<std::string(const std::string& task, WorkerContext& context)>;

  WorkerPool(unsigned jobs, double hang_seconds, Body body);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();  ///< kills what is left

  [[nodiscard]] unsigned idle() const;
  [[nodiscard]] unsigned busy() const { return jobs_ - idle(); }
  /// False if no worker could be started for it; the task is then not taken.
  /// REQUIRES: idle() > 0.
  bool Give(std::uint64_t task, const std::string& bytes);
  /// What happened, at the latest after this time; earlier when something did.
  std::vector<PoolEvent> Wait(int milliseconds);
  void AskToStop();
  /// Ends every worker; their tasks are lost, without events.
  void KillAll();
  [[nodiscard]] PoolCounts counts() const;

 private:
  struct Shared;
  struct Worker;

  bool Start(Worker& worker);
  [[noreturn]] void Serve(Worker& worker, int requests, int answers);
  void Read(Worker& worker, std::vector<PoolEvent>& events);
  void Bury(Worker& worker, const char* verdict, std::vector<PoolEvent>& events);
  void Watch(Worker& worker, std::vector<PoolEvent>& events);
  static void Close(Worker& worker);

  unsigned jobs_;
  double hang_seconds_;
  Body body_;
  Shared* shared_ = nullptr;
  std::vector<std::unique_ptr<Worker>> workers_;
  Stopwatch clock_;
};

}  // namespace lockstep::tools
