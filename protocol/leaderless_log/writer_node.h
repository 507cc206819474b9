// WriterNode: the append path of the leaderless log.
//
// Read the log's state; write the records to a WAL object; then, in one transaction on the log
// being OPEN, move the counter, create the index entry at the end offset and record the append's
// token. The token settles every doubt: an append that got no answer, or a refusal that a duplicate
// of the same request might still overturn, is decided by whoever creates the token record first,
// the append (with its offset) or its writer (with "aborted"). Nothing is guessed.
//
// SPEC: LeaderlessLog.tla, StartAppend .. AppendComplete
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/leaderless_log/log_layout.h"
#include "protocol/leaderless_log/log_step.h"
#include "sim/store/node_api.h"

namespace lockstep::protocol::leaderless_log {

enum class AppendStatus : std::uint8_t {
  kAppended,
  kFenced,       ///< not appended: the log was fenced
  kWriteFailed,  ///< not appended: the WAL object could not be written
  kExhausted,    ///< not appended: no offset left below the bound
  kAborted,      ///< not appended: the outcome was in doubt, and the append was withdrawn for good
};
std::string_view AppendStatusName(AppendStatus status);

struct AppendResult {
  AppendStatus status = AppendStatus::kAborted;
  Offset end = 0;  ///< end offset, when appended
};

class WriterNode {
 public:
  /// `max_offset`: no offset above it is ever assigned.
  WriterNode(sim::NodeApi& api, Offset max_offset) : api_(api), max_offset_(max_offset) {}
  WriterNode(const WriterNode&) = delete;
  WriterNode& operator=(const WriterNode&) = delete;
  virtual ~WriterNode() = default;

  /// Appends records RecordBytes(operation, 1..count). Every answer is definite.
  AppendResult Append(OperationId operation, std::int64_t count);

 protected:
  /// What an append carries from step to step.
  struct Pending {
    OperationId operation = 0;
    std::int64_t count = 0;
    std::string token;
    std::string object;
  };
  /// The log as a writer sees it.
  struct View {
    LogState state = LogState::OPEN;
    Offset counter = 1;
    sim::Version counter_version = 0;
  };

  virtual AppendResult Run(const Pending& pending);
  /// Reads until an answer comes.
  View ReadLog();
  /// False when the write has failed for certain. An unknown outcome is resolved by writing again:
  /// the key is this append's own and the bytes are the same.
  bool WriteObject(const Pending& pending);
  virtual AppendResult Assign(const Pending& pending);
  /// The one transaction that assigns an offset.
  virtual sim::StoreRequest AssignRequest(const Pending& pending, const View& view) const;
  /// Decides an append in doubt: withdraws it, unless it is found to be in the log.
  AppendResult Resolve(const Pending& pending, AppendStatus when_withdrawn);

  sim::NodeApi& api_;
  Offset max_offset_;

 private:
  std::uint64_t appends_ = 0;  // of this incarnation; makes tokens unique
  // Of appends that were answered and have left a record, which is no longer needed.
  std::vector<std::string> tokens_to_forget_;
};

}  // namespace lockstep::protocol::leaderless_log
