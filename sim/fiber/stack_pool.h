// StackPool: fixed-size stacks for fibers, each with a guard page below it, kept for reuse.
//
// A stack is zeroed before it is handed out again, so that what one run left on it cannot leak into
// the next: a run must not depend on which runs came before it in the same process.
// Not for use by several threads.
#pragma once

#include <cstddef>
#include <vector>

namespace lockstep::sim {

class StackPool {
 public:
  struct Stack {
    void* bottom = nullptr;  ///< lowest usable byte; the guard page lies below
    std::size_t size = 0;
  };

  StackPool() = default;
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  ~StackPool();

  Stack Take();
  void Give(Stack stack);

  /// Stacks mapped so far, in use or free.
  [[nodiscard]] std::size_t mapped() const { return mapped_; }
  [[nodiscard]] std::size_t free() const { return free_.size(); }

 private:
  std::vector<Stack> free_;
  std::size_t mapped_ = 0;
};

}  // namespace lockstep::sim
