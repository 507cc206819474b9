// ThreadExecutor: the work of an exhaustive search, spread over threads.
//
// Only the search is shared out: it gives the same answer for any number of workers. A run of a
// world never is. The threads are started once and wait in between.
//
// REQUIRES: nothing in this process forks while one exists.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "scenarios/exhaust/executor.h"

namespace lockstep::tools {

class ThreadExecutor : public scenarios::Executor {
 public:
  /// REQUIRES: workers >= 1. The caller of RunOnAll is the first of them.
  explicit ThreadExecutor(std::uint32_t workers);
  ThreadExecutor(const ThreadExecutor&) = delete;
  ThreadExecutor& operator=(const ThreadExecutor&) = delete;
  ~ThreadExecutor() override;

  /// An exception of any worker is thrown here, when all are done; if several, the lowest worker's.
  void RunOnAll(const std::function<void(std::uint32_t worker)>& body) override;
  [[nodiscard]] std::uint32_t workers() const override {
    return static_cast<std::uint32_t>(threads_.size()) + 1;
  }

 private:
  void Serve(std::uint32_t worker);
  void RunOne(std::uint32_t worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable done_;
  const std::function<void(std::uint32_t)>* body_ = nullptr;
  std::uint64_t round_ = 0;    ///< RunOnAll was called so often
  std::uint32_t running_ = 0;  ///< threads that have not finished this round
  bool ending_ = false;
  std::vector<std::exception_ptr> failures_;  ///< by worker
};

}  // namespace lockstep::tools
