// NodeApi: the world as code under test sees it. The same code runs against the simulated world and
// against a real store: only who implements this differs.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/store/object_store.h"
#include "sim/store/store_api.h"

namespace lockstep::sim {

class NodeApi {
 public:
  NodeApi() = default;
  NodeApi(const NodeApi&) = delete;
  NodeApi& operator=(const NodeApi&) = delete;
  virtual ~NodeApi() = default;

  /// Sends one request to the coordination store and waits for its outcome. kUnknown means that no
  /// answer came in time: the request may have been applied, may be applied later, or never.
  virtual StoreResponse Store(StoreRequest request) = 0;
  /// The same for the object store.
  virtual ObjectResponse Objects(ObjectRequest request) = 0;
  /// Waits for at least one tick and at most `ticks`, decided by the world (a back-off).
  virtual void Backoff(std::uint32_t ticks) = 0;
  /// Unique to this incarnation of the node within a run: "w1", after a restart "w1'2".
  [[nodiscard]] virtual std::string_view incarnation() const = 0;
};

}  // namespace lockstep::sim
