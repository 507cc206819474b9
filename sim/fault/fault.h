// The closed list of fault kinds.
//
// Each is either within the model (the specs allow its consequences: a correct implementation must
// hold) or beyond it (the specs exclude it). Names are stable: they stand in traces and reports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::sim {

enum class FaultKind : std::uint8_t {
  kDelay,        ///< a message is held back while others overtake it, past a client's timeout too
  kRequestLost,  ///< a store request never arrives
  kReplyLost,    ///< a store reply is lost after the request was applied
  kRequestDuplicated,  ///< a store request arrives twice
  kCrash,           ///< a node loses its memory; its requests in flight live on; it restarts later
  kPauseShort,      ///< a node stands still for less than a session timeout
  kPauseLong,       ///< a node stands still for longer than a session timeout
  kPartitionShort,  ///< all messages between a node and the services are lost for a while
  kPartitionLong,   ///< the same for longer than a session timeout
  kStoreUnavailable,      ///< the store refuses every request for a while
  kObjectWriteFailed,     ///< an object write fails for certain
  kObjectOutcomeUnknown,  ///< an object request or its reply is lost
  kSessionExpiryLiving,   ///< the session of a living, communicating client ends (beyond the model)
};
inline constexpr std::size_t kFaultKinds = 13;

enum class FaultScope : std::uint8_t { kWithinModel, kBeyondModel };

struct FaultInfo {
  FaultKind kind;
  std::string_view name;
  FaultScope scope;
  std::string_view what;  ///< one line
  std::uint32_t period;   ///< mean opportunities between two strikes when drawn at full strength
};

const std::array<FaultInfo, kFaultKinds>& FaultTable();
const FaultInfo& Info(FaultKind kind);
std::string_view FaultName(FaultKind kind);
std::optional<FaultKind> FaultFromName(std::string_view name);

/// A set of fault kinds.
class FaultSet {
 public:
  FaultSet() = default;
  static FaultSet WithinModel();
  static FaultSet All();
  FaultSet& Add(FaultKind kind);
  FaultSet& Remove(FaultKind kind);
  [[nodiscard]] bool Has(FaultKind kind) const {
    return ((bits_ >> static_cast<unsigned>(kind)) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  [[nodiscard]] FaultSet Intersect(FaultSet other) const;
  friend bool operator==(FaultSet, FaultSet) = default;

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace lockstep::sim
