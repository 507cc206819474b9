// Looking an offset up as a reader does: in the store's records, then in the object they name.
//
// Reads the records in place: nothing is copied or allocated.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "protocol/leaderless_log/leaderless_log_machine.h"
#include "sim/store/store_model.h"

namespace lockstep::invariants {

/// An index record. The view points into the store and lives until the store changes.
struct IndexRecord {
  protocol::leaderless_log::Offset key = 0;
  protocol::leaderless_log::Entry entry;  ///< EMPTY when the value cannot be decoded
  std::string_view object;
};

/// The same as DecodeIndexValue, without a copy. The key is left 0.
[[nodiscard]] std::optional<IndexRecord> ViewIndexValue(std::string_view value);

/// The index record with the smallest offset at or above `offset`; nothing when there is none.
[[nodiscard]] std::optional<IndexRecord> CeilingRecord(const sim::StoreModel& store,
                                                       protocol::leaderless_log::Offset offset);
/// The index record of exactly this offset; nothing when there is none.
[[nodiscard]] std::optional<IndexRecord> RecordOf(const sim::StoreModel& store,
                                                  protocol::leaderless_log::Offset offset);

/// Steps through an object's records. Reading record after record costs the object once.
class RecordWalker {
 public:
  /// Record `i` (1-based) of `object`, or nothing.
  [[nodiscard]] std::optional<std::string_view> At(std::string_view object, std::int64_t i);

 private:
  std::string_view object_;
  std::string_view rest_;  // from record next_ on
  std::int64_t next_ = 0;  // 0 = past the last record, or nothing read yet
};

}  // namespace lockstep::invariants
