// History: what the clients of the system saw: invocations and answers of operations, in order.
//
// An operation without an answer stays open: it may take effect at any later time. Intervals are
// closed: an answer at the same instant as another operation's invocation is concurrent with it, or
// a checker would order two operations that could have overlapped.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::sim {

enum class HistoryEntryKind : std::uint8_t {
  kInvoke,
  kOk,       ///< definitely took effect
  kFail,     ///< definitely did not and never will
  kUnknown,  ///< may have taken effect, or may yet
};

struct HistoryEntry {
  HistoryEntryKind kind = HistoryEntryKind::kInvoke;
  std::uint64_t operation = 0;  ///< 1, 2, ...
  std::uint32_t node = 0;
  std::int64_t time = 0;
  std::int64_t first = 0;   ///< invoke: the workload's operation kind; answers: first result
  std::int64_t second = 0;  ///< its argument; second result
};

class History {
 public:
  /// Returns the new operation's number.
  std::uint64_t Invoke(std::uint32_t node, std::int64_t time, std::int64_t kind,
                       std::int64_t argument) {
    entries_.push_back({HistoryEntryKind::kInvoke, ++operations_, node, time, kind, argument});
    return operations_;
  }
  void Answer(HistoryEntryKind kind, std::uint64_t operation, std::uint32_t node, std::int64_t time,
              std::int64_t first = 0, std::int64_t second = 0) {
    entries_.push_back({kind, operation, node, time, first, second});
  }
  [[nodiscard]] const std::vector<HistoryEntry>& entries() const { return entries_; }
  [[nodiscard]] std::uint64_t operations() const { return operations_; }

 private:
  std::vector<HistoryEntry> entries_;
  std::uint64_t operations_ = 0;
};

}  // namespace lockstep::sim
