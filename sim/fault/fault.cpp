#include "sim/fault/fault.h"

namespace lockstep::sim {
namespace {

constexpr FaultScope kWithin = FaultScope::kWithinModel;
constexpr FaultScope kBeyond = FaultScope::kBeyondModel;

constexpr std::array<FaultInfo, kFaultKinds> kTable = {{
    {FaultKind::kDelay, "delay", kWithin,
     "a message is held back while others overtake it, past its client's timeout too", 12},
    {FaultKind::kRequestLost, "request_lost", kWithin, "a store request never arrives", 25},
    {FaultKind::kReplyLost, "reply_lost", kWithin,
     "a store reply is lost after the request was applied", 20},
    {FaultKind::kRequestDuplicated, "request_duplicated", kWithin,
     "a store request arrives twice, the second time perhaps much later", 25},
    {FaultKind::kCrash, "crash", kWithin,
     "a node loses its memory, its requests in flight live on, and it restarts later", 50},
    {FaultKind::kPauseShort, "pause_short", kWithin,
     "a node stands still for less than a session timeout", 120},
    {FaultKind::kPauseLong, "pause_long", kWithin,
     "a node stands still for longer than a session timeout", 250},
    {FaultKind::kPartitionShort, "partition_short", kWithin,
     "all messages between a node and the services are lost for a while", 150},
    {FaultKind::kPartitionLong, "partition_long", kWithin,
     "all messages between a node and the services are lost for longer than a session timeout",
     300},
    {FaultKind::kStoreUnavailable, "store_unavailable", kWithin,
     "the store refuses every request for a while", 200},
    {FaultKind::kObjectWriteFailed, "object_write_failed", kWithin,
     "an object write fails for certain", 20},
    {FaultKind::kObjectOutcomeUnknown, "object_outcome_unknown", kWithin,
     "an object request or its reply is lost", 20},
    {FaultKind::kSessionExpiryLiving, "session_expiry_living", kBeyond,
     "the session of a living, communicating client ends", 100},
}};

}  // namespace

const std::array<FaultInfo, kFaultKinds>& FaultTable() { return kTable; }

const FaultInfo& Info(FaultKind kind) { return kTable[static_cast<std::size_t>(kind)]; }

std::string_view FaultName(FaultKind kind) { return Info(kind).name; }

std::optional<FaultKind> FaultFromName(std::string_view name) {
  for (const FaultInfo& info : kTable) {
    if (info.name == name) return info.kind;
  }
  return std::nullopt;
}

FaultSet FaultSet::WithinModel() {
  FaultSet set;
  for (const FaultInfo& info : kTable) {
    if (info.scope == kWithin) set.Add(info.kind);
  }
  return set;
}

FaultSet FaultSet::All() {
  FaultSet set;
  for (const FaultInfo& info : kTable) set.Add(info.kind);
  return set;
}

FaultSet& FaultSet::Add(FaultKind kind) {
  bits_ |= 1U << static_cast<unsigned>(kind);
  return *this;
}

FaultSet& FaultSet::Remove(FaultKind kind) {
  bits_ &= ~(1U << static_cast<unsigned>(kind));
  return *this;
}

FaultSet FaultSet::Intersect(FaultSet other) const {
  FaultSet set;
  set.bits_ = bits_ & other.bits_;
  return set;
}

}  // namespace lockstep::sim
