#include "tools/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "traces/read_error.h"

namespace lockstep::tools {
namespace {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view Nearest(std::string_view word, std::span<const std::string_view> known) {
  constexpr std::size_t kWordSizeMax = 64;
  if (word.size() < 2 || word.size() > kWordSizeMax) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const bool begins = candidate.starts_with(word) && word.size() >= 3;
    const std::size_t distance = begins ? 1 : Distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string Joined(std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out.append(", ");
    out.append(word);
  }
  return out;
}

std::string NotAmong(std::string_view word, std::span<const std::string_view> known) {
  std::string out = traces::Quoted(word) + "; accepted: " + Joined(known);
  const std::string_view nearest = Nearest(word, known);
  if (!nearest.empty()) out.append("; did you mean ").append(nearest).append("?");
  return out;
}

}  // namespace lockstep::tools
