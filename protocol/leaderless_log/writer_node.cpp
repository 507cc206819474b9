#include "protocol/leaderless_log/writer_node.h"

#include <algorithm>
#include <utility>

#include "protocol/leaderless_log/retry.h"

namespace lockstep::protocol::leaderless_log {

using sim::StoreResponse;
using sim::StoreStatus;

std::string_view AppendStatusName(AppendStatus status) {
  switch (status) {
    case AppendStatus::kAppended:
      return "appended";
    case AppendStatus::kFenced:
      return "fenced";
    case AppendStatus::kWriteFailed:
      return "write failed";
    case AppendStatus::kExhausted:
      return "exhausted";
    case AppendStatus::kAborted:
      return "aborted";
  }
  return "?";
}

AppendResult WriterNode::Append(OperationId operation, std::int64_t count) {
  Pending pending;
  pending.operation = operation;
  pending.count = count;
  pending.token = std::string(api_.incarnation()) + "-" + std::to_string(++appends_);
  pending.object = "wal/" + pending.token;
  const AppendResult result = Run(pending);
  if (result.status == AppendStatus::kAppended) {
    // The assignment has removed the records of the appends before.
    tokens_to_forget_.assign(1, std::move(pending.token));
  }
  return result;
}

AppendResult WriterNode::Run(const Pending& pending) {
  if (ReadLog().state == LogState::FENCED) return {AppendStatus::kFenced, 0};
  if (!WriteObject(pending)) return {AppendStatus::kWriteFailed, 0};
  return Assign(pending);
}

WriterNode::View WriterNode::ReadLog() {
  const StoreResponse response = Insist(
      api_, sim::Txn({}, {sim::Get(std::string(kStateKey)), sim::Get(std::string(kCounterKey))}));
  View view;
  view.state =
      response.results[0].value == Name(LogState::OPEN) ? LogState::OPEN : LogState::FENCED;
  view.counter = ParseDecimal(response.results[1].value).value_or(1);
  view.counter_version = response.results[1].version;
  return view;
}

bool WriterNode::WriteObject(const Pending& pending) {
  std::string bytes;
  for (std::int64_t i = 1; i <= pending.count; ++i) {
    AppendRecord(bytes, RecordBytes(pending.operation, i));
  }
  while (true) {
    const sim::ObjectResponse response =
        api_.Objects({sim::ObjectOperation::kPutObject, pending.object, bytes});
    if (response.status == sim::ObjectStatus::kOk) return true;
    if (response.status == sim::ObjectStatus::kFailed) return false;
    api_.Backoff(kRetryTicks);
  }
}

sim::StoreRequest WriterNode::AssignRequest(const Pending& pending, const View& view) const {
  const Offset end = view.counter + pending.count - 1;
  const IndexValue entry{{EntryType::WAL, pending.count}, pending.object, pending.token};
  std::vector<sim::Operation> operations;
  operations.reserve(3 + tokens_to_forget_.size());
  operations.push_back(sim::Put(std::string(kCounterKey), std::to_string(end + 1)));
  operations.push_back(sim::ConditionalCreate(IndexKey(end), EncodeIndexValue(entry)));
  operations.push_back(sim::Put(AppendKey(pending.token), std::to_string(end)));
  // From now on nothing of the appends before that is still in flight can apply: it stands on a
  // version of the counter that this transaction replaces.
  for (const std::string& token : tokens_to_forget_) {
    operations.push_back(sim::Delete(AppendKey(token)));
  }
  std::vector<sim::Condition> conditions;
  conditions.reserve(3);
  conditions.push_back(sim::ValueIs(std::string(kStateKey), std::string(Name(LogState::OPEN))));
  conditions.push_back(sim::VersionIs(std::string(kCounterKey), view.counter_version));
  conditions.push_back(sim::Absent(AppendKey(pending.token)));
  return sim::Txn(std::move(conditions), std::move(operations));
}

AppendResult WriterNode::Assign(const Pending& pending) {
  constexpr std::uint32_t kStateCondition = 0;
  constexpr std::uint32_t kTokenCondition = 2;
  bool in_doubt = false;
  while (true) {
    const View view = ReadLog();
    const Offset end = view.counter + pending.count - 1;
    if (end > max_offset_) {
      // The counter never goes back: there is no room now and there never will be. But a duplicate
      // of a try that the store turned away may be what has taken the room.
      const bool open = view.state == LogState::OPEN;
      const AppendStatus status = open ? AppendStatus::kExhausted : AppendStatus::kFenced;
      return in_doubt ? Resolve(pending, status) : AppendResult{status, 0};
    }
    const StoreResponse response = api_.Store(AssignRequest(pending, view));
    if (response.ok()) return {AppendStatus::kAppended, end};
    if (response.status == StoreStatus::kUnknown) {
      return Resolve(pending, AppendStatus::kAborted);
    }
    if (response.status == StoreStatus::kConditionFailed) {
      const auto failed = [&response](std::uint32_t condition) {
        return std::ranges::count(response.failed_conditions, condition) != 0;
      };
      if (failed(kTokenCondition)) return Resolve(pending, AppendStatus::kAborted);
      if (failed(kStateCondition)) return Resolve(pending, AppendStatus::kFenced);
    } else {
      in_doubt = true;
      api_.Backoff(kRetryTicks);  // Unavailable, or the entry is in the way of a stale counter.
    }
  }
}

AppendResult WriterNode::Resolve(const Pending& pending, AppendStatus when_withdrawn) {
  const std::string key = AppendKey(pending.token);
  const StoreResponse withdrawn =
      Insist(api_, sim::Txn({sim::Absent(key)}, {sim::Put(key, std::string(kWithdrawn))}));
  if (!withdrawn.ok()) {
    const StoreResponse record = Insist(api_, sim::Single(sim::Get(key)));
    const auto end = ParseDecimal(record.results[0].value);
    if (end) return {AppendStatus::kAppended, *end};
    // Our own withdrawal, its reply lost.
  }
  tokens_to_forget_.push_back(pending.token);
  return {when_withdrawn, 0};
}

}  // namespace lockstep::protocol::leaderless_log
