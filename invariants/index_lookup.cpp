#include "invariants/index_lookup.h"

namespace lockstep::invariants {

using protocol::leaderless_log::LogIndex;
using protocol::leaderless_log::Offset;

Offset LastReaching(const LogIndex& index, Offset offset) {
  return std::min(index.high(), offset + index.longest() - 1);
}

Offset PreviousEntry(const LogIndex& index, Offset offset, Offset floor) {
  Offset key = std::min(offset - 1, index.high());
  while (key > floor && IsEmpty(index.At(key))) --key;
  return std::max(key, floor);
}

EffectiveEntry CeilingLookup(const LogIndex& index, Offset offset) {
  const Offset key = index.NextNonEmpty(offset);
  if (key == 0) return {};
  return {key, index.At(key)};
}

}  // namespace lockstep::invariants
