// Fiber: a function with a stack of its own that can stop in the middle and be resumed later.
//
// The scheduler calls Resume(); the function calls Suspend(), which returns at the next Resume().
// Destroying a suspended fiber unwinds its stack: destructors run, nothing else does. That is how a
// node crashes. No exception crosses a switch: one that leaves the body is a harness error.
#pragma once

#include <functional>
#include <memory>

#include "sim/fiber/stack_pool.h"

namespace lockstep::sim {

class Fiber {
 public:
  /// The body starts at the first Resume(). The pool must outlive the fiber.
  Fiber(StackPool& pool, std::function<void()> body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  /// REQUIRES: not called from the fiber itself.
  ~Fiber();

  /// Runs the body until it suspends or ends. REQUIRES: !done(), called from outside.
  void Resume();
  /// REQUIRES: called from within the body.
  void Suspend();
  [[nodiscard]] bool done() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::sim
