// TaskStateLayout: which bits of a PackedState hold which variable of task claiming.
//
// Each field is as wide as its greatest reachable value needs, for the configuration at hand, and
// lies in one word. Packing is injective: two states are equal if and only if their packed forms
// are. A value that does not fit is an error of the machine and ends the process; it is never cut.
//
// Without lock versions (the module's WithoutLockVersions) it is injective but for those: a lock
// that is held has version 1 when unpacked, and so has lockVersion.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "protocol/task_claiming/task_claiming_machine.h"
#include "scenarios/exhaust/explore_model.h"

namespace lockstep::scenarios {

enum class LockVersions : std::uint8_t { kPacked, kDropped };

class TaskStateLayout {
 public:
  /// Or why there is none: the configuration needs more than 128 bits.
  static std::variant<TaskStateLayout, std::string> For(
      const protocol::task_claiming::Constants& constants, LockVersions versions);

  /// REQUIRES: a state of these constants, in or one step beyond the constraint.
  [[nodiscard]] PackedState Pack(const protocol::task_claiming::State& state) const;
  /// Into `packed`, which holds the state before: what `changes` names. `state` is the one after.
  void Repack(const protocol::task_claiming::State& state,
              const protocol::task_claiming::Changes& changes, PackedState& packed) const;

  /// REQUIRES: Pack made it.
  void Unpack(const PackedState& packed, protocol::task_claiming::State& state) const;
  /// The same when `state` is already what `held` says: looks only at what differs.
  void UnpackOver(const PackedState& held, const PackedState& packed,
                  protocol::task_claiming::State& state) const;

  struct Task {
    protocol::task_claiming::TaskStatus status{};
    protocol::task_claiming::WorkerIndex holder = protocol::task_claiming::kNoWorker;
    protocol::task_claiming::FailCount fail_count = 0;
  };
  struct Worker {
    bool alive = true;
    protocol::task_claiming::WorkerState state{};
    protocol::task_claiming::TaskIndex task = protocol::task_claiming::kNoTask;
  };
  [[nodiscard]] Task TaskOf(const PackedState& packed, std::size_t task) const;
  [[nodiscard]] Worker WorkerOf(const PackedState& packed, std::size_t worker) const;
  [[nodiscard]] unsigned bits() const { return used_[0] + used_[1]; }

 private:
  struct Field {
    std::uint8_t word = 0;
    std::uint8_t shift = 0;
    std::uint64_t mask = 0;
  };

  Field Add(unsigned bits);
  static std::uint64_t Get(const PackedState& packed, const Field& field) {
    return (packed[field.word] >> field.shift) & field.mask;
  }
  static void Put(PackedState& packed, const Field& field, std::uint64_t value);
  void PutTask(const protocol::task_claiming::State& state, std::size_t task,
               PackedState& packed) const;
  void PutWorker(const protocol::task_claiming::State& state, std::size_t worker,
                 PackedState& packed) const;
  void TakeTask(const PackedState& packed, std::size_t task,
                protocol::task_claiming::State& state) const;

  bool has_versions_ = true;
  std::vector<Field> workers_;   // workerAlive, workerState, workerTask, from below
  std::vector<Field> tasks_;     // taskStatus, lockState's worker, taskFailCount, from below
  std::vector<Field> versions_;  // lockState's version, by task; empty without lock versions
  Field lock_version_;
  unsigned holder_bits_ = 0;
  std::array<unsigned, 2> used_{};
  bool fits_ = true;
};

}  // namespace lockstep::scenarios
