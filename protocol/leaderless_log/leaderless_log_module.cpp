#include "protocol/leaderless_log/leaderless_log_module.h"

#include <string>
#include <utility>

#include "sim/base/check.h"

namespace lockstep::protocol::leaderless_log {
namespace {

using sim::Value;

constexpr std::string_view kEndBoundaryGuard = "end_boundary_guard";
constexpr std::string_view kCompactionResume = "compaction_resume";
constexpr std::string_view kRounds = "rounds";

/// The four range constants' values, when the module only wants them to be in order.
constexpr Range kFirstIdleRange{1, 1};
constexpr Range kSecondIdleRange{2, 2};

}  // namespace

std::vector<std::string_view> DialectNames(const Dialect& dialect) {
  std::vector<std::string_view> names;
  if (dialect.compaction_resume) names.push_back(kCompactionResume);
  if (dialect.end_boundary_guard) names.push_back(kEndBoundaryGuard);
  if (dialect.rounds) names.push_back(kRounds);
  return names;
}

std::optional<Dialect> DialectFromNames(const std::vector<std::string_view>& names) {
  Dialect dialect;
  for (const std::string_view name : names) {
    if (name == kCompactionResume) {
      dialect.compaction_resume = true;
    } else if (name == kEndBoundaryGuard) {
      dialect.end_boundary_guard = true;
    } else if (name == kRounds) {
      dialect.rounds = true;
    } else {
      return std::nullopt;
    }
  }
  return dialect;
}

std::string_view ModuleName(const Dialect& dialect) {
  if (dialect.rounds) return "LeaderlessLogRounds";
  if (dialect.end_boundary_guard) return "LeaderlessLogEndBoundary";
  if (dialect.compaction_resume) return "LeaderlessLogResume";
  return "LeaderlessLog";
}

std::string_view NextName(const Dialect& dialect) {
  if (dialect.rounds) return "NextRounds";
  if (dialect.end_boundary_guard) return "NextEndBoundary";
  if (dialect.compaction_resume) return "NextResume";
  return "Next";
}

std::string_view SpecName(const Dialect& dialect) {
  if (dialect.rounds) return "SpecRounds";
  if (dialect.end_boundary_guard) return "SpecEndBoundary";
  if (dialect.compaction_resume) return "SpecResume";
  return "Spec";
}

std::string_view OperatorName(const Dialect& dialect, ActionKind kind) {
  if (dialect.rounds) {
    switch (kind) {
      case ActionKind::CompactStart:
        return "CompactStartRounds";
      case ActionKind::CompactWriteCompactedIndex:
        return "CompactWriteCompactedIndexRounds";
      case ActionKind::CompactDeleteOldEntries:
        return "CompactDeleteOldEntriesRounds";
      case ActionKind::CompactUpdateCursor:
        return "CompactUpdateCursorRounds";
      case ActionKind::CompactReset:
        return "CompactResetRounds";
      case ActionKind::CompactResume:
        return "CompactResumeRounds";
      default:
        return Name(kind);
    }
  }
  if (dialect.end_boundary_guard && kind == ActionKind::CompactStart) {
    return "CompactStartEndBoundary";
  }
  return Name(kind);
}

std::vector<std::string_view> OperatorParameters(ActionKind kind) {
  if (kind == ActionKind::ReadEntry) return {"w", "off"};
  if (HasWriter(kind)) return {"w"};
  return {};
}

std::vector<ActionKind> ActionKinds(const Dialect& dialect) {
  std::vector<ActionKind> kinds;
  for (std::size_t k = 0; k < kActionKinds; ++k) {
    const auto kind = static_cast<ActionKind>(k);
    if (kind != ActionKind::CompactResume || dialect.compaction_resume) kinds.push_back(kind);
  }
  return kinds;
}

std::vector<std::string_view> ConstantNames(const Dialect& dialect) {
  std::vector<std::string_view> names = {
      "Writers",          "MaxOffset", "CompactRangeStart", "CompactRangeEnd", "CompactRange2Start",
      "CompactRange2End", "MaxBatch"};
  if (dialect.rounds) {
    names.insert(names.end(), {"Ranges", "Resume", "EndBoundary"});
  } else if (dialect.end_boundary_guard) {
    names.emplace_back("Resume");
  }
  return names;
}

std::vector<std::string_view> VariableNames() {
  return {"logIndex",     "sequenceCounter", "logState",       "compactionCursor", "writerState",
          "writerOffset", "writerBatchSize", "compactorState", "readerResult",     "compactRound"};
}

std::vector<std::string_view> InvariantNames(const Dialect& dialect) {
  if (dialect.rounds) {
    return {"TypeOKRounds",
            "NoOffsetDuplicates",
            "MonotonicOffsets",
            "FencedRejectsAppends",
            "CompactionPreservesDataRounds",
            "NoPhantomEntriesRounds",
            "CursorConsistency",
            "NoOverlappingRanges",
            "NoReaderError",
            "SequentialCompactionSafetyRounds"};
  }
  return {"TypeOK",
          "NoOffsetDuplicates",
          "MonotonicOffsets",
          "FencedRejectsAppends",
          "CompactionPreservesData",
          "NoPhantomEntries",
          "CursorConsistency",
          "NoOverlappingRanges",
          "NoReaderError",
          "SequentialCompactionSafety"};
}

std::vector<std::string_view> LeadsToNames() {
  return {"AppendProgress", "CompactionCompletes", "ReaderEventuallySucceeds"};
}

Value ConstantsToValue(const Constants& constants, Offset max_offset) {
  const Dialect& dialect = constants.dialect;
  std::vector<Value> writers;
  for (const std::string& name : constants.writers) writers.push_back(Value::String(name));

  Range first = kFirstIdleRange;
  Range second = kSecondIdleRange;
  if (!dialect.rounds) {
    if (!constants.ranges.empty()) first = constants.ranges[0];
    second =
        constants.ranges.size() > 1 ? constants.ranges[1] : Range{first.end + 1, first.end + 1};
  }
  LOCKSTEP_CHECK_MSG(second.end <= max_offset, "MaxOffset leaves no room for the module's ranges");

  std::vector<std::pair<std::string, Value>> fields = {
      {"Writers", Value::SetOf(std::move(writers))},
      {"MaxOffset", Value::Int(max_offset)},
      {"CompactRangeStart", Value::Int(first.start)},
      {"CompactRangeEnd", Value::Int(first.end)},
      {"CompactRange2Start", Value::Int(second.start)},
      {"CompactRange2End", Value::Int(second.end)},
      {"MaxBatch", Value::Int(constants.max_batch)},
  };
  if (dialect.rounds) {
    std::vector<Value> ranges;
    for (const Range& range : constants.ranges) {
      ranges.push_back(
          Value::RecordOf({{"start", Value::Int(range.start)}, {"end", Value::Int(range.end)}}));
    }
    fields.emplace_back("Ranges", Value::SeqOf(std::move(ranges)));
    fields.emplace_back("Resume", Value::Bool(dialect.compaction_resume));
    fields.emplace_back("EndBoundary", Value::Bool(dialect.end_boundary_guard));
  } else if (dialect.end_boundary_guard) {
    fields.emplace_back("Resume", Value::Bool(dialect.compaction_resume));
  }
  return Value::RecordOf(std::move(fields));
}

}  // namespace lockstep::protocol::leaderless_log
