#include "tools/worker_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>

#include "sim/base/check.h"

namespace lockstep::tools {
namespace {

constexpr std::size_t kPrefix = sizeof(std::uint64_t);

// Whole, or not at all when the other end is gone.
bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool ReadAll(int fd, char* into, std::size_t size) {
  while (size > 0) {
    const ::ssize_t got = ::read(fd, into, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

std::string Framed(std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  std::string frame(kPrefix, '\0');
  std::memcpy(frame.data(), &size, kPrefix);
  frame.append(bytes);
  return frame;
}

std::uint64_t FrameSize(std::string_view frame) {
  std::uint64_t size = 0;
  std::memcpy(&size, frame.data(), kPrefix);
  return size;
}

bool ReadFrame(int fd, std::string& bytes) {
  std::array<char, kPrefix> prefix{};
  if (!ReadAll(fd, prefix.data(), kPrefix)) return false;
  bytes.resize(FrameSize({prefix.data(), kPrefix}));
  return ReadAll(fd, bytes.data(), bytes.size());
}

// The first line that says something, of all that a worker has printed.
std::string FirstWords(int fd) {
  std::string text(4096, '\0');
  const ::ssize_t got = ::pread(fd, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<::ssize_t>(got, 0)));
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const bool says = std::ranges::any_of(
        line, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
    if (says) return std::string(line.substr(0, 200));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return {};
}

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return fmt::format("crashed: signal {} ({})", signal, ::strsignal(signal));
  }
  return fmt::format("crashed: exit code {}", WEXITSTATUS(status));
}

}  // namespace

struct WorkerPool::Shared {
  std::atomic<std::uint64_t> stop{0};
  // Followed by one WorkerState a worker.
  WorkerState* states() { return reinterpret_cast<WorkerState*>(this + 1); }
};

struct WorkerPool::Worker {
  ::pid_t pid = -1;
  int requests = -1;  ///< the parent writes
  int answers = -1;   ///< the parent reads, without waiting
  int prints = -1;    ///< what the worker prints
  WorkerState* state = nullptr;
  bool busy = false;
  std::uint64_t task = 0;
  std::string received;
  std::uint64_t last_started = 0;
  double last_progress = 0;
};

WorkerPool::WorkerPool(unsigned jobs, double hang_seconds, Body body)
    : jobs_(jobs), hang_seconds_(hang_seconds), body_(std::move(body)) {
  LOCKSTEP_CHECK(jobs > 0);
  // Writing to a worker that has just died must be an error, not a signal.
  std::signal(SIGPIPE, SIG_IGN);
  const std::size_t bytes = sizeof(Shared) + jobs * sizeof(WorkerState);
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  shared_ = new (memory) Shared();
  for (unsigned i = 0; i < jobs; ++i) {
    auto worker = std::make_unique<Worker>();
    worker->state = new (shared_->states() + i) WorkerState();
    workers_.push_back(std::move(worker));
  }
}

WorkerPool::~WorkerPool() {
  KillAll();
  ::munmap(shared_, sizeof(Shared) + jobs_ * sizeof(WorkerState));
}

unsigned WorkerPool::idle() const {
  return static_cast<unsigned>(
      std::ranges::count_if(workers_, [](const auto& worker) { return !worker->busy; }));
}

bool WorkerPool::Start(Worker& worker) {
  std::array<int, 2> requests{-1, -1};
  std::array<int, 2> answers{-1, -1};
  const bool pipes =
      ::pipe2(requests.data(), O_CLOEXEC) == 0 && ::pipe2(answers.data(), O_CLOEXEC) == 0;
  worker.prints = ::memfd_create("lockstep-worker", MFD_CLOEXEC);
  // What is still in a buffer would be printed by both.
  std::fflush(nullptr);
  const ::pid_t parent = ::getpid();
  worker.pid = pipes && worker.prints >= 0 ? ::fork() : -1;
  if (worker.pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::close(requests[1]);
    ::close(answers[0]);
    Serve(worker, requests[0], answers[1]);
  }
  for (const int fd : {requests[0], answers[1]}) {
    if (fd >= 0) ::close(fd);
  }
  worker.requests = requests[1];
  worker.answers = answers[0];
  if (worker.pid < 0) {
    Close(worker);
    return false;
  }
  ::fcntl(worker.answers, F_SETFL, O_NONBLOCK);
  worker.received.clear();
  return true;
}

void WorkerPool::Serve(Worker& worker, int requests, int answers) {
  // Ctrl-C reaches every process of the terminal; the parent decides.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
  for (const auto& other : workers_) {
    if (other.get() != &worker) Close(*other);
  }
  ::dup2(worker.prints, STDOUT_FILENO);
  ::dup2(worker.prints, STDERR_FILENO);
  WorkerContext context(*worker.state, shared_->stop);
  try {
    std::string task;
    while (ReadFrame(requests, task)) {
      if (!WriteAll(answers, Framed(body_(task, context)))) break;
    }
    ::_exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exception: %s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "exception of an unknown type\n");
  }
  std::fflush(nullptr);
  ::_exit(1);
}

bool WorkerPool::Give(std::uint64_t task, const std::string& bytes) {
  for (const bool running : {true, false}) {  // A new process only when there is none to reuse.
    for (const auto& worker : workers_) {
      if (worker->busy || (worker->pid >= 0) != running) continue;
      if (!running && !Start(*worker)) return false;
      worker->busy = true;
      worker->task = task;
      worker->last_started = worker->state->started;
      worker->last_progress = clock_.Seconds();
      // A worker that died meanwhile is found by Wait, with its task.
      WriteAll(worker->requests, Framed(bytes));
      return true;
    }
  }
  return false;
}

std::vector<PoolEvent> WorkerPool::Wait(int milliseconds) {
  std::vector<::pollfd> polled;
  std::vector<Worker*> by_poll;
  for (const auto& worker : workers_) {
    if (worker->pid < 0) continue;
    polled.push_back({.fd = worker->answers, .events = POLLIN, .revents = 0});
    by_poll.push_back(worker.get());
  }
  std::vector<PoolEvent> events;
  const int ready = ::poll(polled.data(), polled.size(), milliseconds);
  for (std::size_t i = 0; i < polled.size() && ready > 0; ++i) {
    if (polled[i].revents != 0) Read(*by_poll[i], events);
  }
  for (Worker* worker : by_poll) Watch(*worker, events);
  return events;
}

void WorkerPool::Read(Worker& worker, std::vector<PoolEvent>& events) {
  std::array<char, 65536> buffer{};
  while (true) {
    const ::ssize_t got = ::read(worker.answers, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      Bury(worker, nullptr, events);
      return;
    }
    worker.received.append(buffer.data(), static_cast<std::size_t>(got));
    if (worker.received.size() < kPrefix) continue;
    if (worker.received.size() < kPrefix + FrameSize(worker.received)) continue;
    PoolEvent event;
    event.task = worker.task;
    event.answer = worker.received.substr(kPrefix);
    worker.received.clear();
    worker.busy = false;
    events.push_back(std::move(event));
    return;
  }
}

// Says how a worker ended. An idle one is forgotten; the next task gets a new process.
void WorkerPool::Bury(Worker& worker, const char* verdict, std::vector<PoolEvent>& events) {
  if (verdict != nullptr) ::kill(worker.pid, SIGKILL);
  int status = 0;
  while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (worker.busy) {
    PoolEvent event;
    event.task = worker.task;
    event.died = true;
    event.how = verdict != nullptr ? verdict : HowItEnded(status);
    const std::string words = FirstWords(worker.prints);
    if (!words.empty()) event.how += ": " + words;
    if (worker.state->running != 0) event.seed = worker.state->seed;
    events.push_back(std::move(event));
  }
  worker.pid = -1;
  Close(worker);
  worker.busy = false;
  worker.state->running = 0;
}

void WorkerPool::Watch(Worker& worker, std::vector<PoolEvent>& events) {
  if (!worker.busy || worker.pid < 0) return;
  const double now = clock_.Seconds();
  const std::uint64_t started = worker.state->started;
  if (started != worker.last_started) {
    worker.last_started = started;
    worker.last_progress = now;
  }
  if (now - worker.last_progress < hang_seconds_) return;
  Bury(worker, fmt::format("hung: no progress for {:.0f} s", hang_seconds_).c_str(), events);
}

void WorkerPool::AskToStop() { shared_->stop = 1; }

void WorkerPool::KillAll() {
  for (const auto& worker : workers_) {
    if (worker->pid < 0) continue;
    worker->busy = false;
    std::vector<PoolEvent> none;
    Bury(*worker, "ended", none);
  }
}

PoolCounts WorkerPool::counts() const {
  PoolCounts counts;
  for (const auto& worker : workers_) {
    counts.runs += worker->state->runs;
    counts.steps += worker->state->steps;
  }
  return counts;
}

void WorkerPool::Close(Worker& worker) {
  for (int* fd : {&worker.requests, &worker.answers, &worker.prints}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
}

}  // namespace lockstep::tools
