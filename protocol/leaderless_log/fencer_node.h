// FencerNode: closes the log to appends, and opens it again.
//
// SPEC: LeaderlessLog.tla, FenceLog, UnfenceLog
#pragma once

#include "protocol/leaderless_log/log_layout.h"
#include "sim/store/node_api.h"

namespace lockstep::protocol::leaderless_log {

struct FenceResult {
  bool fenced = false;     ///< false: somebody opened the log again before the end could be read
  Offset sealed_end = 0;   ///< the last offset of the fenced log
  sim::Version epoch = 0;  ///< version of the state record that said FENCED: which fence it is
};

class FencerNode {
 public:
  explicit FencerNode(sim::NodeApi& api) : api_(api) {}
  FencerNode(const FencerNode&) = delete;
  FencerNode& operator=(const FencerNode&) = delete;
  virtual ~FencerNode() = default;

  /// Fences the log and reads its end, both until an answer comes. Fencing twice is fencing once.
  virtual FenceResult Fence();
  void Unfence();

 protected:
  /// Moves log/state from one value to the other; returns when it is known not to hold `from`.
  void Move(LogState from, LogState to);

  sim::NodeApi& api_;
};

}  // namespace lockstep::protocol::leaderless_log
