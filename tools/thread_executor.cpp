#include "tools/thread_executor.h"

#include "sim/base/check.h"

namespace lockstep::tools {

ThreadExecutor::ThreadExecutor(std::uint32_t workers) : failures_(workers) {
  LOCKSTEP_CHECK(workers >= 1);
  for (std::uint32_t worker = 1; worker < workers; ++worker) {
    threads_.emplace_back([this, worker] { Serve(worker); });
  }
}

ThreadExecutor::~ThreadExecutor() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadExecutor::RunOnAll(const std::function<void(std::uint32_t)>& body) {
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    running_ = static_cast<std::uint32_t>(threads_.size());
    ++round_;
  }
  begin_.notify_all();
  RunOne(0);
  {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return running_ == 0; });
  }
  std::exception_ptr first;
  for (std::exception_ptr& failure : failures_) {
    if (failure && !first) first = failure;
    failure = nullptr;
  }
  if (first) std::rethrow_exception(first);
}

void ThreadExecutor::Serve(std::uint32_t worker) {
  std::uint64_t served = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return ending_ || round_ != served; });
      if (ending_) return;
      served = round_;
    }
    RunOne(worker);
    {
      const std::lock_guard lock(mutex_);
      if (--running_ == 0) done_.notify_one();
    }
  }
}

void ThreadExecutor::RunOne(std::uint32_t worker) {
  try {
    (*body_)(worker);
  } catch (...) {
    failures_[worker] = std::current_exception();
  }
}

}  // namespace lockstep::tools
