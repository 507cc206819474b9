// Executor: how work is spread over threads, without this layer knowing of threads.
#pragma once

#include <cstdint>
#include <functional>

namespace lockstep::scenarios {

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// Runs body(0) .. body(workers() - 1), perhaps at the same time, and returns when all are done.
  virtual void RunOnAll(const std::function<void(std::uint32_t worker)>& body) = 0;
  [[nodiscard]] virtual std::uint32_t workers() const = 0;
};

/// Everything on the calling thread.
class SerialExecutor : public Executor {
 public:
  void RunOnAll(const std::function<void(std::uint32_t)>& body) override { body(0); }
  [[nodiscard]] std::uint32_t workers() const override { return 1; }
};

}  // namespace lockstep::scenarios
