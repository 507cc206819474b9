#include "protocol/leaderless_log/reader_node.h"

#include "protocol/leaderless_log/retry.h"

namespace lockstep::protocol::leaderless_log {
namespace {

/// How often an entry whose object is gone is looked up again before it is called broken. Once is
/// enough against one compaction; several may pass while the reader stands still.
constexpr int kLookupsMax = 8;

}  // namespace

std::string_view ReadStatusName(ReadStatus status) {
  switch (status) {
    case ReadStatus::kFound:
      return "found";
    case ReadStatus::kNotFound:
      return "not found";
    case ReadStatus::kBroken:
      return "broken";
  }
  return "?";
}

sim::StoreRequest ReaderNode::LookupRequest(Offset offset) const {
  return sim::Single(sim::CeilingGet(IndexKey(offset)));
}

ReadResult ReaderNode::Read(Offset offset) {
  for (int lookups = 0; lookups < kLookupsMax; ++lookups) {
    const sim::StoreResponse response = Insist(api_, LookupRequest(offset));
    const sim::OperationResult& found = response.results[0];
    const auto end = found.found ? OffsetOfIndexKey(found.key) : std::nullopt;
    if (!end) return {ReadStatus::kNotFound, {}};
    const auto value = DecodeIndexValue(found.value);
    if (!value) return {ReadStatus::kBroken, {}};
    const Offset begin = *end - value->entry.msg_count + 1;
    if (offset < begin || offset > *end) return {ReadStatus::kNotFound, {}};
    sim::ObjectResponse object;
    while (true) {
      object = api_.Objects({sim::ObjectOperation::kGetObject, value->object, {}});
      if (object.status != sim::ObjectStatus::kUnknown) break;
      api_.Backoff(kRetryTicks);
    }
    if (object.ok()) {
      const auto record = RecordAt(object.bytes, offset - begin + 1);
      if (!record) return {ReadStatus::kBroken, {}};
      return {ReadStatus::kFound, std::string(*record)};
    }
  }
  return {ReadStatus::kBroken, {}};
}

}  // namespace lockstep::protocol::leaderless_log
