#include "protocol/leaderless_log/log_layout.h"

#include <array>
#include <charconv>

#include "sim/store/store_api.h"

namespace lockstep::protocol::leaderless_log {
namespace {

constexpr std::size_t kOffsetDigits = 20;
constexpr std::array kPhases = {PlanPhase::kIdle,   PlanPhase::kWriting, PlanPhase::kDeleting,
                                PlanPhase::kCursor, PlanPhase::kDone,    PlanPhase::kComplete};

/// Cuts the text up to the next blank off `rest`.
std::string_view NextField(std::string_view& rest) {
  const std::size_t blank = rest.find(' ');
  const std::string_view field = rest.substr(0, blank);
  rest = blank == std::string_view::npos ? std::string_view{} : rest.substr(blank + 1);
  return field;
}

std::optional<std::int64_t> ParseDigits(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.front() == '-') {
    return std::nullopt;
  }
  return number;
}

bool IsOffset(std::int64_t number) { return number >= 1 && number <= kUnboundedOffset; }

bool IsRange(const Range& range) {
  return IsOffset(range.start) && IsOffset(range.end) && range.start <= range.end;
}

void AppendDecimal(std::string& out, std::int64_t number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

}  // namespace

std::string IndexKey(Offset offset) {
  std::string key;
  key.reserve(kIndexPrefix.size() + kOffsetDigits);
  key += kIndexPrefix;
  sim::AppendPadded(key, offset);
  return key;
}

std::optional<Offset> OffsetOfIndexKey(std::string_view key) {
  if (key.size() != kIndexPrefix.size() + kOffsetDigits || !key.starts_with(kIndexPrefix)) {
    return std::nullopt;
  }
  const auto offset = ParseDigits(key.substr(kIndexPrefix.size()));
  if (!offset || !IsOffset(*offset)) return std::nullopt;
  return offset;
}

std::string AppendKey(std::string_view token) {
  std::string key(kAppendPrefix);
  key += token;
  return key;
}

std::optional<std::int64_t> ParseDecimal(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  return ParseDigits(text);
}

std::string EncodeIndexValue(const IndexValue& value) {
  std::string text(Name(value.entry.type));
  text += ' ';
  AppendDecimal(text, value.entry.msg_count);
  text += ' ';
  text += value.object;
  text += ' ';
  text += value.token;
  return text;
}

std::optional<IndexValue> DecodeIndexValue(std::string_view text) {
  IndexValue value;
  const std::string_view type = NextField(text);
  if (type == Name(EntryType::WAL)) {
    value.entry.type = EntryType::WAL;
  } else if (type == Name(EntryType::COMPACTED)) {
    value.entry.type = EntryType::COMPACTED;
  } else {
    return std::nullopt;
  }
  const auto count = ParseDecimal(NextField(text));
  if (!count || !IsOffset(*count)) return std::nullopt;
  value.entry.msg_count = *count;
  value.object = NextField(text);
  value.token = text;
  if (value.object.empty() || value.token.empty()) return std::nullopt;
  return value;
}

std::string_view PlanPhaseName(PlanPhase phase) {
  switch (phase) {
    case PlanPhase::kIdle:
      return "idle";
    case PlanPhase::kWriting:
      return "writing";
    case PlanPhase::kDeleting:
      return "deleting";
    case PlanPhase::kCursor:
      return "cursor";
    case PlanPhase::kDone:
      return "done";
    case PlanPhase::kComplete:
      return "complete";
  }
  return "?";
}

bool IsHeld(const Plan& plan) {
  return plan.phase != PlanPhase::kIdle && plan.phase != PlanPhase::kComplete;
}

std::string EncodePlan(const Plan& plan) {
  std::string text;
  AppendDecimal(text, plan.round);
  text += ' ';
  text += PlanPhaseName(plan.phase);
  text += ' ';
  AppendDecimal(text, plan.range.start);
  text += ' ';
  AppendDecimal(text, plan.range.end);
  text += ' ';
  text += plan.claimant;
  return text;
}

std::optional<Plan> DecodePlan(std::string_view text) {
  Plan plan;
  const auto round = ParseDecimal(NextField(text));
  const std::string_view phase = NextField(text);
  const auto start = ParseDecimal(NextField(text));
  const auto end = ParseDecimal(NextField(text));
  bool known = false;
  for (const PlanPhase candidate : kPhases) {
    if (phase != PlanPhaseName(candidate)) continue;
    plan.phase = candidate;
    known = true;
  }
  if (!known || !round || *round < 1 || !start || !end || text.empty()) return std::nullopt;
  plan.round = *round;
  plan.range = {*start, *end};
  if (IsHeld(plan) && !IsRange(plan.range)) return std::nullopt;
  plan.claimant = text;
  return plan;
}

std::string RecordBytes(std::uint64_t operation, std::int64_t i) {
  std::string bytes;
  AppendDecimal(bytes, static_cast<std::int64_t>(operation));
  bytes += '.';
  AppendDecimal(bytes, i);
  return bytes;
}

void AppendRecord(std::string& object, std::string_view record) {
  if (!object.empty()) object += '\n';
  object += record;
}

std::optional<std::string_view> RecordAt(std::string_view object, std::int64_t i) {
  if (object.empty()) return std::nullopt;
  for (std::int64_t at = 1;; ++at) {
    const std::size_t line_end = object.find('\n');
    if (at == i) return object.substr(0, line_end);
    if (line_end == std::string_view::npos) return std::nullopt;
    object.remove_prefix(line_end + 1);
  }
}

}  // namespace lockstep::protocol::leaderless_log
