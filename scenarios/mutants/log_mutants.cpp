#include "scenarios/mutants/log_mutants.h"

#include <array>
#include <utility>
#include <vector>

#include "protocol/leaderless_log/retry.h"
#include "sim/base/check.h"

namespace lockstep::scenarios {

namespace log = protocol::leaderless_log;

namespace {

// ---- Compactors
// ----------------------------------------------------------------------------------

class DeletesBeforeWriting : public log::CompactorNode {
 public:
  using CompactorNode::CompactorNode;

 protected:
  bool Replace(const std::string& object) override {
    return DeleteOldEntries() && WriteCompactedIndex(object) && UpdateCursor();
  }
};

class DeletesInclusively : public log::CompactorNode {
 public:
  using CompactorNode::CompactorNode;

 protected:
  [[nodiscard]] sim::Operation DeleteOperation() const override {
    return sim::RangeDelete(log::IndexKey(held_.plan.range.start),
                            log::IndexKey(held_.plan.range.end + 1));
  }
};

class MovesCursorBeforeDeleting : public log::CompactorNode {
 public:
  using CompactorNode::CompactorNode;

 protected:
  bool Replace(const std::string& object) override {
    return WriteCompactedIndex(object) && UpdateCursor() && DeleteOldEntries();
  }
};

// ---- Writers
// -------------------------------------------------------------------------------------

class CountsBeforeIndexing : public log::WriterNode {
 public:
  using WriterNode::WriterNode;

 protected:
  log::AppendResult Assign(const Pending& pending) override {
    while (true) {
      const View view = ReadLog();
      if (view.counter + pending.count - 1 > max_offset_) {
        return {log::AppendStatus::kExhausted, 0};
      }
      sim::StoreRequest whole = AssignRequest(pending, view);
      // The counter alone, then all the rest.
      sim::StoreRequest counter = sim::Txn(whole.conditions, {whole.operations.front()});
      if (!log::Insist(api_, counter).ok()) return Resolve(pending, log::AppendStatus::kFenced);
      whole.operations.erase(whole.operations.begin());
      whole.conditions.clear();
      log::Insist(api_, whole);
      return {log::AppendStatus::kAppended, view.counter + pending.count - 1};
    }
  }
};

class ChecksFenceBefore : public log::WriterNode {
 public:
  using WriterNode::WriterNode;

 protected:
  [[nodiscard]] sim::StoreRequest AssignRequest(const Pending& pending,
                                                const View& view) const override {
    sim::StoreRequest request = WriterNode::AssignRequest(pending, view);
    // The read that started the append saw the log open; that has to do.
    request.conditions.erase(request.conditions.begin());
    return request;
  }
};

class RetriesBlindly : public log::WriterNode {
 public:
  using WriterNode::WriterNode;

 protected:
  [[nodiscard]] sim::StoreRequest AssignRequest(const Pending& pending,
                                                const View& view) const override {
    sim::StoreRequest request = WriterNode::AssignRequest(pending, view);
    request.conditions.pop_back();  // Without the token nothing tells a second try from a first.
    return request;
  }
  log::AppendResult Assign(const Pending& pending) override {
    while (true) {
      const View view = ReadLog();
      const log::Offset end = view.counter + pending.count - 1;
      if (end > max_offset_) return {log::AppendStatus::kExhausted, 0};
      const sim::StoreResponse response = api_.Store(AssignRequest(pending, view));
      if (response.ok()) return {log::AppendStatus::kAppended, end};
      if (response.status == sim::StoreStatus::kConditionFailed &&
          response.failed_conditions.front() == 0) {
        return Resolve(pending, log::AppendStatus::kFenced);
      }
    }
  }
};

class IndexesBeforeWriting : public log::WriterNode {
 public:
  using WriterNode::WriterNode;

 protected:
  log::AppendResult Run(const Pending& pending) override {
    if (ReadLog().state == log::LogState::FENCED) return {log::AppendStatus::kFenced, 0};
    const log::AppendResult result = Assign(pending);
    if (result.status == log::AppendStatus::kAppended) WriteObject(pending);
    return result;
  }
};

// ---- Readers
// -------------------------------------------------------------------------------------

class LooksHigher : public log::ReaderNode {
 public:
  using ReaderNode::ReaderNode;

 protected:
  [[nodiscard]] sim::StoreRequest LookupRequest(log::Offset offset) const override {
    return sim::Single(sim::HigherGet(log::IndexKey(offset)));
  }
};

template <typename Node>
void MutateCompactor(LogNodes& nodes) {
  nodes.compactor = [](sim::NodeApi& api, const log::CompactionPolicy& policy) {
    return std::make_unique<Node>(api, policy);
  };
}

template <typename Node>
void MutateWriter(LogNodes& nodes) {
  nodes.writer = [](sim::NodeApi& api, log::Offset max_offset) {
    return std::make_unique<Node>(api, max_offset);
  };
}

template <typename Node>
void MutateReader(LogNodes& nodes) {
  nodes.reader = [](sim::NodeApi& api) { return std::make_unique<Node>(api); };
}

struct Row {
  Mutant mutant;
  void (*mutate)(LogNodes&);
};

const std::array<Row, 8>& Rows() {
  static const std::array<Row, 8> rows = {{
      {{"delete_before_write", "compaction deletes the old entries before it writes the new one",
        "apache/pulsar #12522", "log_faults", "AcknowledgedRecordsReadable"},
       &MutateCompactor<DeletesBeforeWriting>},
      {{"range_delete_inclusive", "the range delete takes the range's end, the new entry, with it",
        "bedrock-kv PR #247; Tarsnap/kivaloo #352; apache/kafka PR #10763", "log_faults",
        "AcknowledgedRecordsReadable"},
       &MutateCompactor<DeletesInclusively>},
      {{"cursor_before_delete", "the cursor moves before the old entries are deleted",
        "apache/pulsar #12522", "log_faults", "CursorBehindCompaction"},
       &MutateCompactor<MovesCursorBeforeDeleting>},
      {{"counter_before_index", "counter and index entry are written in two steps",
        "oxia-db/oxia #738 (regression from #668)", "log_faults", "OneEffectiveEntry"},
       &MutateWriter<CountsBeforeIndexing>},
      {{"fence_checked_before", "the fence is checked before the assignment, not together with it",
        "apache/bookkeeper #2614", "fence_flap", "OneSealedEnd"},
       &MutateWriter<ChecksFenceBefore>},
      {{"retried_append",
        "an append without an answer is sent again, with nothing to tell the two apart",
        "oxia-db/oxia #1223", "log_faults", "RecordsAtOneOffset"},
       &MutateWriter<RetriesBlindly>},
      {{"pointer_before_data", "the index entry is created before the data is written",
        "slatedb #433, #1018", "log_faults", "EntriesPointToData"},
       &MutateWriter<IndexesBeforeWriting>},
      {{"higher_for_ceiling", "readers look for the next key above the offset, not at or above it",
        "openlakestream/leaderless-log-protocol, conventions of the Storage Spec", "log_faults",
        "ConformanceEffect"},
       &MutateReader<LooksHigher>},
  }};
  return rows;
}

}  // namespace

std::span<const Mutant> LogMutants() {
  static const std::vector<Mutant> mutants = [] {
    std::vector<Mutant> list;
    for (const Row& row : Rows()) list.push_back(row.mutant);
    return list;
  }();
  return mutants;
}

void MutateLogNodes(std::string_view name, LogNodes& nodes) {
  for (const Row& row : Rows()) {
    if (row.mutant.name != name) continue;
    row.mutate(nodes);
    return;
  }
  sim::CheckFailed("a known mutant", __FILE__, __LINE__, name);
}

}  // namespace lockstep::scenarios
