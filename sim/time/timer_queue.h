// TimerQueue: what is to happen at a virtual time. Ordered by deadline, then by the order of
// adding, so that ties are defined.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lockstep::sim {

template <typename Payload>
class TimerQueue {
 public:
  void Add(std::int64_t deadline, const Payload& payload) {
    heap_.push_back({deadline, next_sequence_++, payload});
    std::push_heap(heap_.begin(), heap_.end(), Later);
  }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  /// REQUIRES: !empty().
  [[nodiscard]] std::int64_t NextDeadline() const { return heap_.front().deadline; }
  [[nodiscard]] const Payload& Next() const { return heap_.front().payload; }
  Payload Pop() {
    std::pop_heap(heap_.begin(), heap_.end(), Later);
    const Payload payload = heap_.back().payload;
    heap_.pop_back();
    return payload;
  }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }

 private:
  struct Timer {
    std::int64_t deadline;
    std::uint64_t sequence;
    Payload payload;
  };
  static bool Later(const Timer& a, const Timer& b) {
    return a.deadline != b.deadline ? a.deadline > b.deadline : a.sequence > b.sequence;
  }

  std::vector<Timer> heap_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace lockstep::sim
