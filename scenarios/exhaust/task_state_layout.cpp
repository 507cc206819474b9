#include "scenarios/exhaust/task_state_layout.h"

#include <bit>

#include "sim/base/check.h"

namespace lockstep::scenarios {
namespace {

using protocol::task_claiming::Changes;
using protocol::task_claiming::Constants;
using protocol::task_claiming::FailCount;
using protocol::task_claiming::kNoTask;
using protocol::task_claiming::kNoWorker;
using protocol::task_claiming::Lock;
using protocol::task_claiming::LockVersion;
using protocol::task_claiming::State;
using protocol::task_claiming::TaskIndex;
using protocol::task_claiming::TaskStatus;
using protocol::task_claiming::WorkerIndex;
using protocol::task_claiming::WorkerState;

constexpr unsigned kWordBits = 64;
constexpr unsigned kStatusBits = 2;  // INIT .. DLQ
constexpr unsigned kAliveBits = 1;
constexpr unsigned kWorkerStateBits = 2;  // IDLE .. UNLOCKING
constexpr LockVersion kSomeVersion = 1;   // of a lock that is held, where versions are dropped

constexpr std::uint64_t Mask(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

unsigned BitsFor(std::uint64_t greatest) { return static_cast<unsigned>(std::bit_width(greatest)); }

/// "NONE" is 0.
template <typename Index>
std::uint64_t FromIndex(Index index, Index none) {
  return index == none ? 0 : std::uint64_t{index} + 1;
}
template <typename Index>
Index IndexFrom(std::uint64_t bits, Index none) {
  return bits == 0 ? none : static_cast<Index>(bits - 1);
}

template <typename T>
std::uint64_t Word(T value) {
  return static_cast<std::uint64_t>(value);
}

}  // namespace

/// In the first word that has room.
TaskStateLayout::Field TaskStateLayout::Add(unsigned bits) {
  for (std::uint8_t word = 0; word < 2; ++word) {
    if (used_[word] + bits > kWordBits || bits >= kWordBits) continue;
    const Field field{word, static_cast<std::uint8_t>(used_[word]), Mask(bits)};
    used_[word] += bits;
    return field;
  }
  fits_ = false;
  return {};
}

std::variant<TaskStateLayout, std::string> TaskStateLayout::For(const Constants& constants,
                                                                LockVersions versions) {
  TaskStateLayout layout;
  layout.has_versions_ = versions == LockVersions::kPacked;
  layout.holder_bits_ = BitsFor(constants.workers.size());
  // Nobody locks a task that has left INIT. Whoever executes it then can still fail, once: that is
  // how a broken TypeOK looks, and it has to fit.
  const unsigned fail_bits = BitsFor(constants.max_failures + constants.workers.size());
  const unsigned task_bits = kStatusBits + layout.holder_bits_ + fail_bits;
  const unsigned worker_bits = kAliveBits + kWorkerStateBits + BitsFor(constants.tasks.size());
  // One more than the constraint allows is generated.
  const unsigned version_bits =
      layout.has_versions_ ? BitsFor(std::uint64_t{constants.max_lock_version} + 1) : 0;
  for (std::size_t w = 0; w < constants.workers.size(); ++w) {
    layout.workers_.push_back(layout.Add(worker_bits));
  }
  for (std::size_t t = 0; t < constants.tasks.size(); ++t) {
    layout.tasks_.push_back(layout.Add(task_bits));
  }
  if (layout.has_versions_) {
    layout.lock_version_ = layout.Add(version_bits);
    for (std::size_t t = 0; t < constants.tasks.size(); ++t) {
      layout.versions_.push_back(layout.Add(version_bits));
    }
  }
  if (layout.fits_) return layout;
  return "a state does not fit into 128 bits: " + std::to_string(constants.workers.size()) +
         " workers of " + std::to_string(worker_bits) + " bits, " +
         std::to_string(constants.tasks.size()) + " tasks of " + std::to_string(task_bits) +
         " bits and lock versions of " + std::to_string(version_bits) + " bits";
}

void TaskStateLayout::Put(PackedState& packed, const Field& field, std::uint64_t value) {
  LOCKSTEP_CHECK_MSG(value <= field.mask, "the machine has left the variables' domains (TypeOK)");
  std::uint64_t& word = packed[field.word];
  word = (word & ~(field.mask << field.shift)) | (value << field.shift);
}

void TaskStateLayout::PutTask(const State& state, std::size_t task, PackedState& packed) const {
  const Lock& lock = state.lock_state[task];
  const std::uint64_t holder = FromIndex(lock.worker, kNoWorker);
  LOCKSTEP_CHECK_MSG(holder <= Mask(holder_bits_), "a lock is held by nobody that there is");
  std::uint64_t bits = state.task_fail_count[task];
  bits = (bits << holder_bits_) | holder;
  bits = (bits << kStatusBits) | Word(state.task_status[task]);
  Put(packed, tasks_[task], bits);
  if (has_versions_) Put(packed, versions_[task], lock.version);
}

void TaskStateLayout::PutWorker(const State& state, std::size_t worker, PackedState& packed) const {
  std::uint64_t bits = FromIndex(state.worker_task[worker], kNoTask);
  bits = (bits << kWorkerStateBits) | Word(state.worker_state[worker]);
  bits = (bits << kAliveBits) | (state.worker_alive[worker] ? 1U : 0U);
  Put(packed, workers_[worker], bits);
}

TaskStateLayout::Task TaskStateLayout::TaskOf(const PackedState& packed, std::size_t task) const {
  const std::uint64_t bits = Get(packed, tasks_[task]);
  return {static_cast<TaskStatus>(bits & Mask(kStatusBits)),
          IndexFrom<WorkerIndex>((bits >> kStatusBits) & Mask(holder_bits_), kNoWorker),
          static_cast<FailCount>(bits >> (kStatusBits + holder_bits_))};
}

TaskStateLayout::Worker TaskStateLayout::WorkerOf(const PackedState& packed,
                                                  std::size_t worker) const {
  const std::uint64_t bits = Get(packed, workers_[worker]);
  return {(bits & 1U) != 0, static_cast<WorkerState>((bits >> kAliveBits) & Mask(kWorkerStateBits)),
          IndexFrom<TaskIndex>(bits >> (kAliveBits + kWorkerStateBits), kNoTask)};
}

PackedState TaskStateLayout::Pack(const State& state) const {
  PackedState packed{};
  for (std::size_t w = 0; w < workers_.size(); ++w) PutWorker(state, w, packed);
  for (std::size_t t = 0; t < tasks_.size(); ++t) PutTask(state, t, packed);
  if (has_versions_) Put(packed, lock_version_, state.lock_version);
  return packed;
}

void TaskStateLayout::Repack(const State& state, const Changes& changes,
                             PackedState& packed) const {
  const auto worker = [&](const auto& before) {
    if (before) PutWorker(state, before->index, packed);
  };
  worker(changes.worker_alive);
  worker(changes.worker_state);
  if (!changes.worker_state) worker(changes.worker_task);
  if (changes.task_status) PutTask(state, changes.task_status->index, packed);
  if (changes.task_fail_count) PutTask(state, changes.task_fail_count->index, packed);
  for (const auto& before : changes.lock_state) PutTask(state, before.index, packed);
  if (changes.lock_version && has_versions_) Put(packed, lock_version_, state.lock_version);
}

void TaskStateLayout::Unpack(const PackedState& packed, State& state) const {
  state = State{};
  UnpackOver({~packed[0], ~packed[1]}, packed, state);
}

void TaskStateLayout::TakeTask(const PackedState& packed, std::size_t task, State& state) const {
  const Task from = TaskOf(packed, task);
  state.task_status[task] = from.status;
  state.task_fail_count[task] = from.fail_count;
  Lock& lock = state.lock_state[task];
  lock.worker = from.holder;
  if (has_versions_) {
    lock.version = static_cast<LockVersion>(Get(packed, versions_[task]));
  } else {
    lock.version = from.holder == kNoWorker ? 0 : kSomeVersion;
  }
}

void TaskStateLayout::UnpackOver(const PackedState& held, const PackedState& packed,
                                 State& state) const {
  const PackedState difference{held[0] ^ packed[0], held[1] ^ packed[1]};
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    if (Get(difference, workers_[w]) == 0) continue;
    const Worker from = WorkerOf(packed, w);
    state.worker_alive[w] = from.alive;
    state.worker_state[w] = from.state;
    state.worker_task[w] = from.task;
  }
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    const bool version_differs = has_versions_ && Get(difference, versions_[t]) != 0;
    if (version_differs || Get(difference, tasks_[t]) != 0) TakeTask(packed, t, state);
  }
  if (has_versions_) state.lock_version = static_cast<LockVersion>(Get(packed, lock_version_));
}

}  // namespace lockstep::scenarios
