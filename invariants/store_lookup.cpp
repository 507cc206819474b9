#include "invariants/store_lookup.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "protocol/leaderless_log/log_layout.h"

namespace lockstep::invariants {
namespace {

using protocol::leaderless_log::Entry;
using protocol::leaderless_log::EntryType;
using protocol::leaderless_log::kIndexPrefix;
using protocol::leaderless_log::Offset;

/// IndexKey(offset) without an allocation.
class IndexKeyText {
 public:
  explicit IndexKeyText(Offset offset) {
    std::copy(kIndexPrefix.begin(), kIndexPrefix.end(), text_.begin());
    for (std::size_t i = text_.size(); i > kIndexPrefix.size(); --i) {
      text_[i - 1] = static_cast<char>('0' + offset % 10);
      offset /= 10;
    }
  }
  [[nodiscard]] std::string_view view() const { return {text_.data(), text_.size()}; }

 private:
  static constexpr std::size_t kDigits = 20;
  std::array<char, kIndexPrefix.size() + kDigits> text_;
};

/// Cuts the text up to the next blank off `rest`.
std::string_view NextField(std::string_view& rest) {
  const std::size_t blank = rest.find(' ');
  const std::string_view field = rest.substr(0, blank);
  rest = blank == std::string_view::npos ? std::string_view{} : rest.substr(blank + 1);
  return field;
}

IndexRecord Decode(Offset key, std::string_view value) {
  IndexRecord record = ViewIndexValue(value).value_or(IndexRecord{});
  record.key = key;
  return record;
}

}  // namespace

std::optional<IndexRecord> ViewIndexValue(std::string_view value) {
  IndexRecord record;
  const std::string_view type = NextField(value);
  if (type == Name(EntryType::WAL)) {
    record.entry.type = EntryType::WAL;
  } else if (type == Name(EntryType::COMPACTED)) {
    record.entry.type = EntryType::COMPACTED;
  } else {
    return std::nullopt;
  }
  const auto count = protocol::leaderless_log::ParseDecimal(NextField(value));
  if (!count || *count < 1) return std::nullopt;
  record.entry.msg_count = *count;
  record.object = NextField(value);
  if (record.object.empty() || value.empty()) return std::nullopt;
  return record;
}

std::optional<IndexRecord> CeilingRecord(const sim::StoreModel& store, Offset offset) {
  const auto at = store.Ceiling(IndexKeyText(offset).view());
  if (at == store.records().end()) return std::nullopt;
  const auto key = protocol::leaderless_log::OffsetOfIndexKey(at->first);
  if (!key) return std::nullopt;
  return Decode(*key, at->second.value);
}

std::optional<IndexRecord> RecordOf(const sim::StoreModel& store, Offset offset) {
  const sim::Record* record = store.Find(IndexKeyText(offset).view());
  if (record == nullptr) return std::nullopt;
  return Decode(offset, record->value);
}

std::optional<std::string_view> RecordWalker::At(std::string_view object, std::int64_t i) {
  if (i < 1 || object.empty()) return std::nullopt;
  const bool same = object.data() == object_.data() && object.size() == object_.size();
  if (!same || next_ == 0 || i < next_) {
    object_ = object;
    rest_ = object;
    next_ = 1;
  }
  while (next_ < i) {
    const std::size_t line_end = rest_.find('\n');
    if (line_end == std::string_view::npos) {
      next_ = 0;
      return std::nullopt;
    }
    rest_.remove_prefix(line_end + 1);
    ++next_;
  }
  return rest_.substr(0, rest_.find('\n'));
}

}  // namespace lockstep::invariants
