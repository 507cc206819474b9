// ReaderNode: finds the entry that covers an offset by ceiling lookup, and the record in its
// object.
//
// Compaction may delete the object between the two steps; then the index has already moved on, so
// the reader looks the offset up again.
//
// SPEC: LeaderlessLog.tla, ReadEntry
#pragma once

#include <cstdint>
#include <string>

#include "protocol/leaderless_log/log_layout.h"
#include "sim/store/node_api.h"

namespace lockstep::protocol::leaderless_log {

enum class ReadStatus : std::uint8_t {
  kFound,
  kNotFound,  ///< no entry covers the offset
  kBroken,    ///< an entry covers it, but its data cannot be read
};
std::string_view ReadStatusName(ReadStatus status);

struct ReadResult {
  ReadStatus status = ReadStatus::kNotFound;
  std::string bytes;  ///< the record, when found
};

class ReaderNode {
 public:
  explicit ReaderNode(sim::NodeApi& api) : api_(api) {}
  ReaderNode(const ReaderNode&) = delete;
  ReaderNode& operator=(const ReaderNode&) = delete;
  virtual ~ReaderNode() = default;

  /// REQUIRES: offset >= 1.
  ReadResult Read(Offset offset);

 protected:
  /// The lookup request. A real store's ceiling knows nothing of logs: what it finds may be another
  /// kind of record, or an entry that does not reach down to the offset.
  virtual sim::StoreRequest LookupRequest(Offset offset) const;

  sim::NodeApi& api_;
};

}  // namespace lockstep::protocol::leaderless_log
