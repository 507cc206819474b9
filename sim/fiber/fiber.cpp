#include "sim/fiber/fiber.h"

#include <cxxabi.h>

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstring>
#include <exception>
#include <utility>

#include "sim/base/check.h"

#if defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSTEP_ASAN 1
#endif
#endif

#ifdef LOCKSTEP_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace lockstep::sim {
namespace {

/// Boost.Context's view of a pooled stack.
class PooledStack {
 public:
  PooledStack(StackPool& pool, StackPool::Stack stack) : pool_(&pool), stack_(stack) {}
  boost::context::stack_context allocate() {
    boost::context::stack_context context;
    context.size = stack_.size;
    context.sp = static_cast<char*>(stack_.bottom) + stack_.size;
    return context;
  }
  void deallocate(boost::context::stack_context& /*context*/) { pool_->Give(stack_); }

 private:
  StackPool* pool_;
  StackPool::Stack stack_;
};

// AddressSanitizer must be told of every switch, or it takes the other stack for garbage.
void StartSwitch([[maybe_unused]] void** fake_stack, [[maybe_unused]] const void* bottom,
                 [[maybe_unused]] std::size_t size) {
#ifdef LOCKSTEP_ASAN
  __sanitizer_start_switch_fiber(fake_stack, bottom, size);
#endif
}

void FinishSwitch([[maybe_unused]] void* fake_stack, [[maybe_unused]] const void** bottom,
                  [[maybe_unused]] std::size_t* size) {
#ifdef LOCKSTEP_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, bottom, size);
#endif
}

// The C++ runtime keeps a thread's exceptions in one place: a list of those being handled, and the
// number of those on their way. A stack has its own, or a fiber suspended in a handler would find
// another fiber's exception there. The layout is that of the Itanium C++ ABI, section 2.2.2.
struct ExceptionState {
  void* handled = nullptr;
  unsigned int thrown = 0;
};

ExceptionState ExchangeExceptionState(const ExceptionState& next) {
  void* const current = abi::__cxa_get_globals();
  ExceptionState before;
  std::memcpy(&before, current, sizeof before);
  std::memcpy(current, &next, sizeof next);
  return before;
}

}  // namespace

struct Fiber::Impl {
  std::function<void()> body;
  StackPool::Stack stack;
  boost::context::fiber inside;   // the fiber, while it is suspended
  boost::context::fiber outside;  // the scheduler, while the fiber runs
  bool started = false;
  bool done = false;
  ExceptionState exceptions;  // the fiber's, while it is suspended
  const void* outside_bottom = nullptr;
  std::size_t outside_size = 0;
  void* outside_fake = nullptr;
  void* inside_fake = nullptr;

  /// Tells the sanitizer, on every way out of the body, that its stack will not be seen again.
  struct LastSwitch {
    Impl& impl;
    ~LastSwitch() { StartSwitch(nullptr, impl.outside_bottom, impl.outside_size); }
  };
  /// Tells it on every way back into the body, unwinding included.
  struct Arrival {
    Impl& impl;
    ~Arrival() { FinishSwitch(impl.inside_fake, &impl.outside_bottom, &impl.outside_size); }
  };

  boost::context::fiber Main(boost::context::fiber&& from) {
    FinishSwitch(nullptr, &outside_bottom, &outside_size);
    const LastSwitch last{*this};
    outside = std::move(from);
    try {
      if (!done) body();
    } catch (const boost::context::detail::forced_unwind&) {
      throw;
    } catch (const std::exception& error) {
      CheckFailed("no exception leaves a fiber", __FILE__, __LINE__, error.what());
    } catch (...) {
      CheckFailed("no exception leaves a fiber", __FILE__, __LINE__, {});
    }
    done = true;
    return std::move(outside);
  }

  /// Goes to the fiber by `go` and comes back.
  template <typename Go>
  void Visit(Go go) {
    const ExceptionState mine = ExchangeExceptionState(exceptions);
    StartSwitch(&outside_fake, stack.bottom, stack.size);
    go();
    FinishSwitch(outside_fake, nullptr, nullptr);
    exceptions = ExchangeExceptionState(mine);
  }
};

Fiber::Fiber(StackPool& pool, std::function<void()> body) : impl_(std::make_unique<Impl>()) {
  impl_->body = std::move(body);
  impl_->stack = pool.Take();
  impl_->inside = boost::context::fiber(
      std::allocator_arg, PooledStack(pool, impl_->stack),
      [impl = impl_.get()](boost::context::fiber&& from) { return impl->Main(std::move(from)); });
}

Fiber::~Fiber() {
  if (!impl_->inside) return;
  if (!impl_->started) {
    // There is nothing to unwind, and nobody on that stack yet who would tell the sanitizer.
    impl_->done = true;
    impl_->Visit([this] { impl_->inside = std::move(impl_->inside).resume(); });
    return;
  }
  // Destroying the context resumes it with an exception that unwinds it.
  impl_->Visit([this] { impl_->inside = boost::context::fiber(); });
}

void Fiber::Resume() {
  LOCKSTEP_CHECK(!impl_->done);
  LOCKSTEP_CHECK_MSG(impl_->inside, "a running fiber resumes itself");
  impl_->started = true;
  impl_->Visit([this] { impl_->inside = std::move(impl_->inside).resume(); });
}

void Fiber::Suspend() {
  Impl& impl = *impl_;
  LOCKSTEP_CHECK_MSG(impl.outside, "a fiber is suspended from outside, or while it is unwound");
  StartSwitch(&impl.inside_fake, impl.outside_bottom, impl.outside_size);
  const Impl::Arrival arrival{impl};
  impl.outside = std::move(impl.outside).resume();
}

bool Fiber::done() const { return impl_->done; }

}  // namespace lockstep::sim
