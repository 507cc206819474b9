#include "sim/fiber/stack_pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "sim/base/check.h"

#if defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSTEP_ASAN 1
#endif
#endif

#ifdef LOCKSTEP_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace lockstep::sim {
namespace {

#ifdef LOCKSTEP_ASAN
constexpr std::size_t kStackBytes = 512 * 1024;  // instrumented frames are several times larger
#else
constexpr std::size_t kStackBytes = 64 * 1024;
#endif

std::size_t PageBytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

StackPool::~StackPool() {
  LOCKSTEP_CHECK_MSG(free_.size() == mapped_, "a fiber outlives its stack");
  for (const Stack& stack : free_) {
    munmap(static_cast<char*>(stack.bottom) - PageBytes(), stack.size + PageBytes());
  }
}

StackPool::Stack StackPool::Take() {
  if (!free_.empty()) {
    const Stack stack = free_.back();
    free_.pop_back();
    std::memset(stack.bottom, 0, stack.size);
    return stack;
  }
  const std::size_t total = kStackBytes + PageBytes();
  void* base = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  LOCKSTEP_CHECK_MSG(base != MAP_FAILED, "no memory for a fiber's stack");
  LOCKSTEP_CHECK(mprotect(base, PageBytes(), PROT_NONE) == 0);
  ++mapped_;
  return {static_cast<char*>(base) + PageBytes(), kStackBytes};
}

void StackPool::Give(Stack stack) {
#ifdef LOCKSTEP_ASAN
  // The frames that a fiber never returned from are still marked as guarded.
  __asan_unpoison_memory_region(stack.bottom, stack.size);
#endif
  free_.push_back(stack);
}

}  // namespace lockstep::sim
