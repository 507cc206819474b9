// WorldEvent: what the world tells its observer, in the order in which it happens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/fault/fault.h"
#include "sim/store/object_store.h"
#include "sim/store/store_api.h"

namespace lockstep::sim {

using NodeId = std::uint32_t;       ///< index of a node in the world, in order of adding
using MessageId = std::uint64_t;    ///< one a request; its reply has the same; increasing from 1
using OperationId = std::uint64_t;  ///< the client operation a request belongs to; 0 = none

enum class WorldEventKind : std::uint8_t {
  kSend,       ///< a node sent a request
  kApply,      ///< a service handled a request: its linearization point
  kReply,      ///< a node got its answer
  kTimeout,    ///< a node gave up waiting; the outcome is unknown to it
  kLost,       ///< a request was lost (it will never be applied)
  kReplyLost,  ///< a reply was lost (the request was applied)
  kDelay,      ///< a message is held back until `until`
  kDuplicate,  ///< a request will arrive a second time
  kStart,      ///< a node starts, with a fresh memory
  kCrash,
  kPause,
  kResume,
  kPartition,  ///< what is sent from now on is lost; what is on its way to the node still arrives
  kReconnect,
  kUnavailable,  ///< the store refuses requests until `until`
  kSessionEnd,   ///< a session ended by expiry; `mutations` are its records
  kRetired,      ///< an ended incarnation has no request in flight any more
  kHeal,         ///< faults have stopped
};
/// "send", "apply", ...
std::string_view WorldEventName(WorldEventKind kind);

/// Pointers are valid during the call only; which of them are set depends on the kind.
struct WorldEvent {
  WorldEventKind kind = WorldEventKind::kSend;
  NodeId node = 0;
  std::uint32_t incarnation = 0;  ///< 1, 2, ...
  MessageId message = 0;
  OperationId operation = 0;
  const StoreRequest* store_request = nullptr;
  const StoreResponse* store_response = nullptr;
  const ObjectRequest* object_request = nullptr;
  const ObjectResponse* object_response = nullptr;
  const std::vector<Mutation>* mutations = nullptr;  ///< kApply on the store, kSessionEnd
  /// kApply: other requests of the incarnation still in flight, duplicates of this one included.
  std::uint32_t others_in_flight = 0;
  /// kApply: the sender still waits for this request's answer (it may yet lose it, or give up).
  bool awaited = false;
  SessionId session = 0;
  Tick until = 0;
};

class WorldObserver {
 public:
  WorldObserver() = default;
  WorldObserver(const WorldObserver&) = delete;
  WorldObserver& operator=(const WorldObserver&) = delete;
  virtual ~WorldObserver() = default;
  virtual void On(const WorldEvent& event) = 0;
};

}  // namespace lockstep::sim
